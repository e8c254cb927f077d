"""Fields of simplex noise, computed in integers, so that they are the same on every machine.

Space is divided into equal triangles (tetrahedra in three dimensions). Each corner has a gradient, selected
by a hash of its coordinates. The value at a place is the sum of the contributions of the corners around it;
each contribution fades to 0 before the opposite side. Places are fixed-point numbers.

Comments state the unit of a number: "2**-20" means that 1.0 is stored as 2**20.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from hashlib import blake2b
from itertools import permutations, product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.fields.expression import Expression, FieldValues, parse_number
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.values import parse_integer
from wavefold.topology.base import set_frozen

Integers: TypeAlias = NDArray[np.int64]

PART_BITS = 20  # of the fraction of a place
SKEW_BITS = 16
VALUE_BITS = 30
FARTHEST = 2**46  # lattice units from the origin; farther away, skewing would overflow
FARTHEST_CELL = 2**40  # from the origin, along each axis
LARGEST_SCALE = FARTHEST // FARTHEST_CELL  # of an octave
MOST_OCTAVES = 24
AMPLITUDE_BITS = 20
BLOCK_PLACES = 8192  # computed at once, so that intermediate results fit in the processor's cache

# Odd multipliers for hashing: 2**64 / golden ratio, and two from SplitMix64.
FIRST, SECOND, LAST = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
HIGH = np.uint64(32)


class SimplexShape(NamedTuple):
    """The constants that depend on the number of dimensions n."""

    skew: int  # 2**-16; maps simplices to cubes: (sqrt(n + 1) - 1) / n
    unskew: int  # 2**-20; the inverse: skew / (1 + n skew)
    loudness: int  # scales the largest possible sum of all corners to just below 1
    gradients: Integers  # [axis, gradient], 2**-14, none longer than 1


@cache
def get_simplex_shape(dimensions: int) -> SimplexShape:
    """The constants for the plane (2) or for space (3)."""
    if dimensions == 2:
        skew, loudness = 23988, 99  # the largest sum of corners is 1 / 99.20, midway along an edge
        # 32 directions, 360/32 degrees apart, none along an axis or a diagonal.
        gradients = list_gradients([(16305, 1605), (15678, 4756), (14449, 7723), (12665, 10393)])
    else:
        skew, loudness = 21845, 107  # the largest sum is 1 / 107.6
        gradients = list_gradients([(13532, 8533, 3534)])  # 48 directions, well distributed over the sphere
    unskew = (skew << PART_BITS) // ((1 << SKEW_BITS) + dimensions * skew)
    return SimplexShape(skew, unskew, loudness, gradients)


def list_gradients(vectors: Iterable[tuple[int, ...]]) -> Integers:
    """[axis, gradient]: these vectors with all orders of axes and all signs."""
    turned = [
        [sign * part for sign, part in zip(signs, parts, strict=True)]
        for vector in vectors
        for parts in permutations(vector)
        for signs in product((1, -1), repeat=len(vector))
    ]
    return np.ascontiguousarray(np.array(turned, np.int64).T)


def to_fixed_point(positions: NDArray[np.float64], parts: Integers) -> tuple[Integers, Integers]:
    """Convert positions within ±FARTHEST to whole units and the rest in 2**-20; `parts` is added to the rest.

    Subtracting the floor is exact, except for tiny negative numbers, for which the rest is rounded to 1. That
    is valid, too: the rest need not be below 1.
    """
    whole = np.floor(positions)
    rest = np.floor((positions - whole) * (1 << PART_BITS))
    return whole.astype(np.int64), rest.astype(np.int64) + parts


def compute_simplex_noise(whole: Integers, part: Integers, key: int) -> Integers:
    """[place]: noise in 2**-30, from -1 to 1, at places in fixed point; `key` selects the gradients."""
    skew, unskew, loudness, gradients = get_simplex_shape(len(whole))
    address, rest = skew_positions(whole, part, skew)
    local = rest - ((rest.sum(axis=0) * unskew) >> PART_BITS)  # 2**-20, from the first corner
    total: Integers = np.zeros_like(local[0])
    for corner, steps in enumerate(list_corner_steps(rest)):
        away = local - ((steps << PART_BITS) - corner * unskew)
        slope = gradients.take(hash_address(address + steps, key, gradients.shape[1]), axis=1)
        slope *= away  # 2**-34
        slope >>= 4
        total += slope.sum(axis=0) * compute_falloff(away)  # 2**-64; the sum of all corners is below 2**-6
    return ((total >> 28) * loudness) >> 6


def skew_positions(whole: Integers, part: Integers, skew: int) -> tuple[Integers, Integers]:
    """The cube around each place after skewing, and the rest in 2**-20.

    Whole units and rests are skewed separately, because their sum would not fit in 64 bits.
    """
    far = whole.sum(axis=0) * skew  # 2**-16
    near = (part.sum(axis=0) * skew) >> SKEW_BITS
    near += (far & ((1 << SKEW_BITS) - 1)) << (PART_BITS - SKEW_BITS)
    rest = part + near
    address = rest >> PART_BITS
    address += whole
    address += far >> SKEW_BITS
    rest &= (1 << PART_BITS) - 1
    return address, rest


def list_corner_steps(rest: Integers) -> Iterator[Integers]:
    """Yield for each corner its steps from the first corner along the axes, 0 or 1: [axis, place].

    The corners lie on a path to the opposite corner of the cube. It follows the axis with the largest rest
    first; of equal rests, the earlier axis.
    """
    dimensions = len(rest)
    ahead = np.zeros(rest.shape, np.int8)  # number of axes that come later
    for later in range(dimensions):
        for earlier in range(later):
            first = rest[earlier] >= rest[later]
            ahead[earlier] += first
            ahead[later] += ~first
    yield np.zeros((dimensions, 1), np.int64)
    for corner in range(1, dimensions):
        yield (ahead >= dimensions - corner).astype(np.int64)
    yield np.ones((dimensions, 1), np.int64)


def compute_falloff(away: Integers) -> Integers:
    """(1/2 - distance**2)**4 in 2**-34; 0 for larger distances, and so at the opposite side."""
    near: Integers = (1 << (2 * PART_BITS - 1)) - (away * away).sum(axis=0)  # 2**-40
    np.maximum(near, 0, out=near)
    near >>= 10
    near *= near  # 2**-60
    near >>= 30
    near *= near  # 2**-60
    near >>= 26
    return near


def hash_address(address: Integers, key: int, count: int) -> Integers:
    """[place]: a hash below `count`. Mixes axes one by one, so that noise repeats in no direction."""
    axes = address.view(np.uint64)
    mixed: NDArray[np.uint64] = axes[0] * FIRST + np.uint64(key)
    for axis in axes[1:]:
        mixed ^= mixed >> HIGH
        mixed += axis
        mixed *= SECOND
    mixed ^= mixed >> HIGH
    mixed *= LAST
    mixed >>= HIGH
    mixed *= np.uint64(count)
    mixed >>= HIGH
    return mixed.view(np.int64)


class Octave(NamedTuple):
    """One layer of noise."""

    frequency: float  # lattice units per cell
    amplitude: int  # 2**-20; the sum over all octaves is at most 1
    key: int  # of the hash that selects gradients
    shifts: Integers  # [axis, 1], 2**-20; without shifts, all layers would be 0 at the origin


@dataclass(frozen=True, repr=False)
class Noise(Expression):
    """Simplex noise with values between -1 and 1, in two dimensions for flat grids and three for cubes.

    The values of neighbouring cells differ by at most about 13 `scale` (for one octave). They are computed in
    integers, so they are the same on every machine, up to 2**40 cells from the origin. Use
    `0.75 * Noise(0.0045) + 0.35 * Noise(0.02)` for sums, `.clamp(0, 1)` and `.rescaled(0, 1)` for other
    ranges, `1 - abs(noise)` for ridges.

    Attributes
    ----------
    scale : the distance between hills is about 1 / scale cells
    octaves : the number of layers, each finer and fainter than the previous one
    seed : any whole number; different seeds give independent noise
    lacunarity : the frequency of each layer relative to the previous one
    gain : the amplitude of each layer relative to the previous one; the sum is scaled to -1 … 1
    offset : (x, y) or (x, y, z) in cells, added to each place
    """

    scale: float
    octaves: int = 1
    seed: int = 0
    lacunarity: float = 2.0
    gain: float = 0.5
    offset: tuple[float, ...] = (0.0, 0.0)

    def __post_init__(self) -> None:
        set_frozen(self, scale=parse_between("scale", self.scale, 0, LARGEST_SCALE))
        set_frozen(self, lacunarity=parse_between("lacunarity", self.lacunarity, 0, 64))
        set_frozen(self, gain=parse_between("gain", self.gain, 0, 64))
        octaves, seed = parse_integer(self.octaves), parse_integer(self.seed)
        if octaves is None or not 1 <= octaves <= MOST_OCTAVES:
            raise ConfigError(
                f"octaves must be a whole number from 1 to {MOST_OCTAVES}, not {self.octaves!r}"
            )
        if seed is None:
            raise ConfigError(f"seed must be a whole number, not {self.seed!r}")
        set_frozen(self, octaves=octaves, seed=seed, offset=read_offset(self.offset))
        finest = self.scale * max(1.0, self.lacunarity ** (octaves - 1))
        if finest > LARGEST_SCALE:
            raise ConfigError(
                f"the last of {octaves} octaves would have a scale of {finest:g}, more than {LARGEST_SCALE}; "
                "use fewer octaves, or a smaller scale or lacunarity"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        return -1.0, 1.0

    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        places = np.stack([shift_axis(*each) for each in zip(axes, (*self.offset, 0.0), "xyz", strict=False)])
        result = np.empty(places.shape[1])
        for start in range(0, result.size, BLOCK_PLACES):
            checkpoint()
            block = slice(start, start + BLOCK_PLACES)
            result[block] = self._block(places[:, block])
        return result.reshape(axes[0].shape)

    def _block(self, places: FieldValues) -> FieldValues:
        """The values [place] at places [axis, place]."""
        total = np.zeros(places.shape[1], np.int64)
        for frequency, amplitude, key, shifts in self._layers:
            whole, part = to_fixed_point(places * frequency, shifts[: len(places)])
            total += compute_simplex_noise(whole, part, key) * amplitude
        return total / 2.0 ** (VALUE_BITS + AMPLITUDE_BITS)  # exact: 51 bits, divided by a power of two

    @cached_property
    def _layers(self) -> tuple[Octave, ...]:
        frequency, loudness = [self.scale], [1.0]
        for _ in range(1, self.octaves):  # rounding of powers may differ between platforms
            frequency.append(frequency[-1] * self.lacunarity)
            loudness.append(loudness[-1] * self.gain)
        total = 0.0
        for each in loudness:
            total += each
        return tuple(
            Octave(each, int(loud / total * 2**AMPLITUDE_BITS), *self._secrets(octave))
            for octave, (each, loud) in enumerate(zip(frequency, loudness, strict=True))
        )

    def _secrets(self, octave: int) -> tuple[int, Integers]:
        """The key and the shifts of one layer, derived from the seed."""
        digest = blake2b(f"noise/{self.seed}/{octave}".encode(), digest_size=20).digest()
        shifts = [
            [int.from_bytes(digest[start : start + 4], "little") % 2**PART_BITS] for start in (8, 12, 16)
        ]
        return int.from_bytes(digest[:8], "little"), np.array(shifts, np.int64)

    def __repr__(self) -> str:
        given = [repr(self.scale)]
        for each in fields(self)[1:]:
            value = getattr(self, each.name)
            given += [f"{each.name}={value!r}"] if value != each.default else []
        return f"Noise({', '.join(given)})"


def shift_axis(axis: FieldValues, by: float, name: str) -> FieldValues:
    """Flatten and shift one coordinate of all places. Raises ConfigError if a place is too far away."""
    flat = axis.ravel() + by
    if flat.size and not np.abs(flat).max() <= FARTHEST_CELL:  # also true for NaN
        worst = flat[~(np.abs(flat) <= FARTHEST_CELL)][0]
        raise ConfigError(
            f"noise has no values beyond 2**40 cells from the origin, such as at {name}={worst:g}"
        )
    return flat


def parse_between(name: str, value: object, above: float, most: float) -> float:
    """Return a number above `above`, at most `most`. Raises ConfigError otherwise."""
    found = parse_number(name, value)
    if not above < found <= most:
        raise ConfigError(f"{name} must be above {above} and at most {most}, not {value!r}")
    return found


def read_offset(offset: object) -> tuple[float, ...]:
    """Return the offset as (x, y), or as (x, y, z) if z is not 0, so that equal offsets compare equal."""
    if not isinstance(offset, tuple | list) or len(offset) not in (2, 3):
        raise ConfigError(f"offset must be (x, y) or (x, y, z), not {offset!r}")
    parts = tuple(parse_number("offset", part) for part in offset)
    return parts[:2] if parts[2:] == (0.0,) else parts
