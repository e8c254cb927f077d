"""Simplex gradient noise in whole numbers, equal on every machine.

Space is cut into equal triangles (tetrahedra in three dimensions). Every corner has a gradient, chosen by
a hash of its coordinates; the value at a place is the sum of the contributions of the corners around it,
each fading out before it reaches the opposite side. Places are fixed-point numbers.

Comments give the unit of a number: "2**-20" means that 1.0 is stored as 2**20.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations, product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

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
def simplex_shape(dimensions: int) -> SimplexShape:
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


def fixed_point(positions: NDArray[np.float64], parts: Integers) -> tuple[Integers, Integers]:
    """[axis, place]: whole units, and the rest in 2**-20 with `parts` added; all lie within ±FARTHEST.

    Subtracting the floor is exact, but for a negative number so small that the rest rounds to 1: which
    is right as well, because nothing here needs the rest to be below 1.
    """
    whole = np.floor(positions)
    rest = np.floor((positions - whole) * (1 << PART_BITS))
    return whole.astype(np.int64), rest.astype(np.int64) + parts


def simplex(whole: Integers, part: Integers, key: int) -> Integers:
    """[place]: noise in 2**-30, from -1 to 1, at places in fixed point; another key gives other noise."""
    skew, unskew, loudness, gradients = simplex_shape(len(whole))
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
