"""Coherent noise: hills and valleys at every place of an endless plane, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from wavefold.errors import ConfigError, suggest
from wavefold.fields.expression import Expression, Numbers, parse_number
from wavefold.fields.simplex import FARTHEST, PART_BITS, VALUE_BITS, Integers, fixed_point, simplex
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.names import FieldPreset
from wavefold.options.values import parse_integer
from wavefold.topology.base import set_frozen

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
            whole, part = fixed_point(places * frequency, shifts[: len(places)])
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
    return PRESETS[name](seed)


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
