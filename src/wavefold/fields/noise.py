"""Coherent noise: hills and valleys at every place of an endless plane, the same on every machine.

Space is cut into equal triangles (tetrahedra in three dimensions). Every corner has a gradient, chosen by
a hash of its coordinates; the value at a place is the sum of the contributions of the corners around it,
each fading out before it reaches the opposite side. Places are fixed-point numbers.

Comments give the unit of a number: "2**-20" means that 1.0 is stored as 2**20.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from hashlib import blake2b
from itertools import permutations, product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.fields.expression import Expression, Numbers, parse_number
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.names import FieldPreset
from wavefold.options.values import parse_integer, parse_seed
from wavefold.topology.base import set_frozen

Integers: TypeAlias = NDArray[np.int64]

PART_BITS = 20  # of a place's fraction
SKEW_BITS = 16
VALUE_BITS = 30
FARTHEST = 2**46  # lattice units from the origin: beyond, skewing would overflow

# Multipliers with bits all over, odd so that nothing is lost: 2**64 / golden ratio, and two of its kin.
FIRST, SECOND, LAST = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
HIGH = np.uint64(32)


class SimplexShape(NamedTuple):
    """What differs between two and three dimensions."""

    skew: int  # 2**-16; makes cubes of simplices: (sqrt(n + 1) - 1) / n
    unskew: int  # 2**-20; the way back: skew / (1 + n skew)
    loudness: int  # brings the largest possible sum of all corners just below 1
    gradients: Integers  # [axis, gradient], 2**-14, none longer than 1


@cache
def get_simplex_shape(dimensions: int) -> SimplexShape:
    """The constants for the plane (2) or for space (3)."""
    if dimensions == 2:
        skew, loudness = 23988, 99  # the corners add up to at most 1 / 99.20, midway along an edge
        # 32 directions, 360/32 degrees apart, none along an axis or a diagonal.
        gradients = all_orientations([(16305, 1605), (15678, 4756), (14449, 7723), (12665, 10393)])
    else:
        skew, loudness = 21845, 107  # at most 1 / 107.6
        gradients = all_orientations([(13532, 8533, 3534)])  # 48 directions, well spread over the sphere
    unskew = (skew << PART_BITS) // ((1 << SKEW_BITS) + dimensions * skew)
    return SimplexShape(skew, unskew, loudness, gradients)


def all_orientations(vectors: Iterable[tuple[int, ...]]) -> Integers:
    """[axis, gradient]: these vectors with their axes in every order and with every sign."""
    turned = [
        [sign * part for sign, part in zip(signs, parts, strict=True)]
        for vector in vectors
        for parts in permutations(vector)
        for signs in product((1, -1), repeat=len(vector))
    ]
    return np.ascontiguousarray(np.array(turned, np.int64).T)


def to_fixed_point(positions: NDArray[np.float64], parts: Integers) -> tuple[Integers, Integers]:
    """[axis, place]: whole units, and the rest in 2**-20 with `parts` added; all lie within ±FARTHEST.

    Subtracting the floor is exact, but for a negative number so small that the rest rounds to 1: which
    is right as well, because nothing here needs the rest to be below 1.
    """
    whole = np.floor(positions)
    rest = np.floor((positions - whole) * (1 << PART_BITS))
    return whole.astype(np.int64), rest.astype(np.int64) + parts


def simplex(whole: Integers, part: Integers, key: int) -> Integers:
    """[place]: noise in 2**-30, from -1 to 1, at places in fixed point; another key gives other noise."""
    skew, unskew, loudness, gradients = get_simplex_shape(len(whole))
    address, rest = skew_positions(whole, part, skew)
    local = rest - ((rest.sum(axis=0) * unskew) >> PART_BITS)  # 2**-20, from the first corner
    total: Integers = np.zeros_like(local[0])
    for corner, steps in enumerate(walk(rest)):
        away = local - ((steps << PART_BITS) - corner * unskew)
        slope = gradients.take(hash_address(address + steps, key, gradients.shape[1]), axis=1)
        slope *= away  # 2**-34
        slope >>= 4
        total += slope.sum(axis=0) * falloff(away)  # 2**-64; all corners together stay below 2**-6
    return ((total >> 28) * loudness) >> 6


def skew_positions(whole: Integers, part: Integers, skew: int) -> tuple[Integers, Integers]:
    """The cube around each place in the lattice where simplices fill cubes, and the rest in 2**-20.

    Whole units and rests are skewed apart, for their sum would not fit 64 bits.
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


def walk(rest: Integers) -> Iterator[Integers]:
    """For each corner, its steps along the axes from the first, 0 or 1: [axis, place], or [axis, 1] for all.

    The way to the opposite corner follows one axis after another, the one with the largest rest first;
    of equal ones the earlier axis.
    """
    dimensions = len(rest)
    ahead = np.zeros(rest.shape, np.int8)  # how many axes this one goes before
    for later in range(dimensions):
        for earlier in range(later):
            first = rest[earlier] >= rest[later]
            ahead[earlier] += first
            ahead[later] += ~first
    yield np.zeros((dimensions, 1), np.int64)
    for corner in range(1, dimensions):
        yield (ahead >= dimensions - corner).astype(np.int64)
    yield np.ones((dimensions, 1), np.int64)


def falloff(away: Integers) -> Integers:
    """(1/2 - distance**2)**4 in 2**-34, and 0 beyond: smooth, and gone at the opposite side."""
    near: Integers = (1 << (2 * PART_BITS - 1)) - (away * away).sum(axis=0)  # 2**-40
    np.maximum(near, 0, out=near)
    near >>= 10
    near *= near  # 2**-60
    near >>= 30
    near *= near  # 2**-60
    near >>= 26
    return near


def hash_address(address: Integers, key: int, count: int) -> Integers:
    """[place]: a number below `count`. Axis by axis, so that no step along the lattice repeats the plane."""
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


FARTHEST_CELL = 2**40  # from the origin, along each axis
FINEST = FARTHEST // FARTHEST_CELL  # the largest scale of an octave
MOST_OCTAVES = 24
AMPLITUDE_BITS = 20
FAR = (1000.0, 1000.0)  # cells: far enough for noise unrelated to that around the origin
BLOCK = 8192  # places at a time: intermediate results stay in the processor's cache


class Octave(NamedTuple):
    """One layer of noise."""

    frequency: float  # lattice units per cell
    amplitude: int  # 2**-20; of all octaves together at most 1
    key: int  # of the hash that chooses gradients
    shifts: Integers  # [axis, 1], 2**-20; without them every layer would be 0 at the origin


@dataclass(frozen=True, repr=False)
class Noise(Expression):
    """Simplex noise with values between -1 and 1, in two dimensions on flat grids and three on cubes.

    Noise is smooth: between neighbouring cells it changes by at most about 13 `scale` (for one octave).
    Values are computed in whole numbers, so they are the same on every machine, up to 2**40 cells from
    the origin. Write `0.75 * Noise(0.0045) + 0.35 * Noise(0.02)` for sums, `.clamp(0, 1)` and
    `.rescaled(0, 1)` for other ranges, `1 - abs(noise)` for ridges.

    Attributes
    ----------
    scale : hills are about 1 / scale cells apart
    octaves : number of layers, each finer and fainter than the one before
    seed : any whole number; another seed gives unrelated noise
    lacunarity : frequency of each layer relative to the previous one
    gain : amplitude of each layer relative to the previous one; the sum is brought back to -1 … 1
    offset : (x, y) or (x, y, z) in cells, added to every place
    """

    scale: float
    octaves: int = 1
    seed: int = 0
    lacunarity: float = 2.0
    gain: float = 0.5
    offset: tuple[float, ...] = (0.0, 0.0)

    def __post_init__(self) -> None:
        set_frozen(self, scale=parse_between("scale", self.scale, 0, FINEST))
        set_frozen(self, lacunarity=parse_between("lacunarity", self.lacunarity, 0, 64))
        set_frozen(self, gain=parse_between("gain", self.gain, 0, 64))
        octaves, seed = parse_integer(self.octaves), parse_integer(self.seed)
        if octaves is None or not 1 <= octaves <= MOST_OCTAVES:
            raise ConfigError(
                f"octaves must be a whole number from 1 to {MOST_OCTAVES}; got {self.octaves!r}"
            )
        if seed is None:
            raise ConfigError(f"seed must be a whole number; got {self.seed!r}")
        set_frozen(self, octaves=octaves, seed=seed, offset=read_offset(self.offset))
        finest = self.scale * max(1.0, self.lacunarity ** (octaves - 1))
        if finest > FINEST:
            raise ConfigError(
                f"the last of {octaves} octaves would have a scale of {finest:g}; at most {FINEST}: "
                "use fewer octaves, or a smaller scale or lacunarity"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        return -1.0, 1.0

    def values(self, axes: Sequence[Numbers]) -> Numbers:
        places = np.stack([shift_axis(*each) for each in zip(axes, (*self.offset, 0.0), "xyz", strict=False)])
        result = np.empty(places.shape[1])
        for start in range(0, result.size, BLOCK):
            checkpoint()
            block = slice(start, start + BLOCK)
            result[block] = self._block(places[:, block])
        return result.reshape(axes[0].shape)

    def _block(self, places: Numbers) -> Numbers:
        """[place] from [axis, place]."""
        total = np.zeros(places.shape[1], np.int64)
        for frequency, amplitude, key, shifts in self._layers:
            whole, part = to_fixed_point(places * frequency, shifts[: len(places)])
            total += simplex(whole, part, key) * amplitude
        return total / 2.0 ** (VALUE_BITS + AMPLITUDE_BITS)  # exact: 51 bits, divided by a power of two

    @cached_property
    def _layers(self) -> tuple[Octave, ...]:
        frequency, loudness = [self.scale], [1.0]
        for _ in range(1, self.octaves):  # step by step: powers may round differently elsewhere
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
        """The key and the shifts of one layer, from the seed alone."""
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


def shift_axis(axis: Numbers, by: float, name: str) -> Numbers:
    """One coordinate of every place, flattened and shifted; raises where noise is not defined."""
    flat = axis.ravel() + by
    if flat.size and not np.abs(flat).max() <= FARTHEST_CELL:  # also true for NaN
        worst = flat[~(np.abs(flat) <= FARTHEST_CELL)][0]
        raise ConfigError(f"noise reaches 2**40 cells from the origin; there is none at {name}={worst:g}")
    return flat


def parse_between(name: str, value: object, above: float, most: float) -> float:
    """A number in a range that excludes its lower end."""
    found = parse_number(name, value)
    if not above < found <= most:
        raise ConfigError(f"{name} must be above {above} and at most {most}; got {value!r}")
    return found


def read_offset(offset: object) -> tuple[float, ...]:
    """(x, y), or (x, y, z) if z is not 0, so that equal offsets are equal."""
    if not isinstance(offset, tuple | list) or len(offset) not in (2, 3):
        raise ConfigError(f"offset is written (x, y) or (x, y, z); got {offset!r}")
    parts = tuple(parse_number("offset", part) for part in offset)
    return parts[:2] if parts[2:] == (0.0,) else parts


# --- presets ---------------------------------------------------------------------------------------


def preset(name: FieldPreset | str, seed: int = 0) -> dict[str, Expression]:
    """The fields of this preset, for `Fields(**preset("terrain"))`; another seed gives other values."""
    if name not in PRESETS:
        raise ConfigError(f"unknown preset {name!r}; {suggest(name, PRESETS)}")
    return PRESETS[name](parse_seed(seed))


def terrain(seed: int) -> dict[str, Expression]:
    """`altitude` from 0 to 1: continents, mountains on them, and detail; about half of it is sea, at 0."""
    continent, mountain, detail = (
        Noise(scale, seed=3 * seed + layer) for layer, scale in enumerate((0.0045, 0.02, 0.1), start=1)
    )
    return {"altitude": (0.75 * continent + 0.35 * mountain + 0.25 * detail).clamp(0, 1)}


def hexes(seed: int) -> dict[str, Expression]:
    """`water` and `elevation` from -1 to 1, for hexagons with levels."""
    return {"water": Noise(0.02, seed=seed), "elevation": Noise(0.03, seed=seed, offset=FAR)}


PRESETS: dict[str, Callable[[int], dict[str, Expression]]] = {"hex": hexes, "terrain": terrain}
