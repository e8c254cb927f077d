"""Corners: what two or three neighbours ask of a cell together, and whether anything can give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.side_kinds import SideKinds
from wavefold.topology import lattice_class

FRAGILE = 2  # patterns that fit a corner, at most
MOST_AT_ONCE = 1 << 22  # numbers in a block of work

Sides = tuple[int, ...]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Corner:
    """How many combinations of demands on touching sides can be met."""

    sides: tuple[str, ...]
    combinations: int
    impossible: int
    fragile: int  # met by one or two patterns


@dataclass(frozen=True, slots=True)
class Hole:
    """A combination of demands that nothing meets, and what comes nearest."""

    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    nearest: str  # a pattern that meets all but one of them
    missing: str  # the side where it does not


def corner_pairs(topology: str) -> list[tuple[int, int]]:
    """Sides that meet in a corner, two by two."""
    lattice = lattice_class(topology)
    return pairs_around(lattice.turning_sides, len(lattice.steps))


def pairs_around(ring: int, sides: int) -> list[tuple[int, int]]:
    """The same for a cell with so many sides, of which the first `ring` go round and the others are faces."""
    around = [(side, (side + 1) % ring) for side in range(ring)]
    return around + [(side, face) for face in range(ring, sides) for side in range(ring)]


def corner_triples(topology: str) -> list[Sides]:
    """Three sides in a row; on cubes the three that meet in a corner."""
    lattice = lattice_class(topology)
    ring, faces = lattice.turning_sides, range(lattice.turning_sides, len(lattice.steps))
    if faces:
        return [(side, (side + 1) % ring, face) for face in faces for side in range(ring)]
    return [(side, (side + 1) % ring, (side + 2) % ring) for side in range(ring)]


def count_fits(demands: SideKinds, sides: Sides) -> NDArray[np.int64]:
    """[kind, kind(, kind)] how many patterns meet each combination of demands on these sides."""
    met = [demands.fits[side] for side in sides]
    if len(sides) == 2:
        return pair_counts(met[0], met[1])
    counts = np.zeros([len(each) for each in met], np.int64)
    for here, there, block in triple_counts(*met):
        counts[here, there] = block
    return counts


def pair_counts(first: Flags, second: Flags) -> NDArray[np.int64]:
    """[kind, kind] from bool [kind, pattern] twice; as a product of floats, which is exact and quick."""
    return np.asarray(np.rint(first.astype(np.float32) @ second.T.astype(np.float32)), np.int64)


def triple_counts(first: Flags, second: Flags, third: Flags) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Blocks of ([first kind], [second kind], counts [place in the block, third kind]); the rest is zero."""
    fitting = np.argwhere(pair_counts(first, second) > 0)
    block = max(1, MOST_AT_ONCE // max(first.shape[1], len(third)))
    for start in range(0, len(fitting), block):
        here, there = fitting[start : start + block].T
        yield here, there, pair_counts(first[here] & second[there], third)


def count_corners(demands: SideKinds, combinations: Sequence[Sides]) -> list[Corner]:
    """How each corner fares. What three sides ask for is never held as a whole: there may be a billion."""
    compass = demands.tiles.directions
    found = []
    for sides in combinations:
        met = [demands.fits[side] for side in sides]
        blocks = [pair_counts(*met)] if len(met) == 2 else (counts for _, _, counts in triple_counts(*met))
        possible = fragile = 0
        for counts in blocks:
            possible += int((counts > 0).sum())
            fragile += int(((counts > 0) & (counts <= FRAGILE)).sum())
        names = tuple(compass[side] for side in sides)
        every = prod(len(each) for each in met)
        found.append(Corner(names, every, every - possible, fragile))
    return found


def describe_holes(demands: SideKinds, sides: Sides, failing: NDArray[np.bool_], most: int) -> list[Hole]:
    """Some of these failing combinations in words, as unlike each other as their order allows."""
    compass, names = demands.tiles.directions, demands.tiles.rules.names
    places = np.argwhere(failing)
    chosen = np.unique(np.linspace(0, len(places) - 1, min(most, len(places))).astype(int))
    found = []
    for kinds in places[chosen].tolist():
        rows = np.stack([demands.fits[side][kind] for side, kind in zip(sides, kinds, strict=True)])
        nearest = int(rows.sum(axis=0).argmax())
        missing = int(rows[:, nearest].argmin())
        found.append(
            Hole(
                tuple(compass[side] for side in sides),
                tuple(demands.labels[side][kind] for side, kind in zip(sides, kinds, strict=True)),
                names[nearest],
                compass[sides[missing]],
            )
        )
    return found
