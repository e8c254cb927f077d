"""Corners: what two or three neighbours require of a cell together, and whether any pattern fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.side_kinds import SideKinds
from wavefold.topology import lattice_class

FRAGILE = 2  # patterns that fit a corner, at most
MOST_LEFT_OUT = 64  # kinds of sides: with hundreds, leaving out one says nothing
MOST_AT_ONCE = 1 << 22  # numbers in a block of work

Sides = tuple[int, ...]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Corner:
    """How many combinations of kinds on touching sides some pattern fits."""

    sides: tuple[str, ...]
    combinations: int
    impossible: int
    fragile: int  # one or two patterns fit


@dataclass(frozen=True, slots=True)
class Hole:
    """A combination of kinds that nothing fits, and the pattern that comes closest."""

    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    nearest: str  # a pattern that fits all of them but one
    missing: str  # the side it does not fit


def corner_pairs(topology: str) -> list[tuple[int, int]]:
    """The pairs of sides that meet in a corner."""
    ring, faces = ring_and_faces(topology)
    around = [(side, (side + 1) % len(ring)) for side in ring]
    return around + [(side, face) for face in faces for side in ring]


def corner_triples(topology: str) -> list[Sides]:
    """Three adjacent sides; on cubes the three that meet in a corner."""
    ring, faces = ring_and_faces(topology)
    count = len(ring)
    if faces:
        return [(side, (side + 1) % count, face) for face in faces for side in ring]
    return [(side, (side + 1) % count, (side + 2) % count) for side in ring]


def ring_and_faces(topology: str) -> tuple[range, range]:
    """The sides around a cell, clockwise, and those above and below it."""
    grid = lattice_class(topology)
    return range(grid.turning_sides), range(grid.turning_sides, len(grid.steps))


def count_fits(kinds: SideKinds, sides: Sides) -> Numbers:
    """[kind, kind(, kind)] how many patterns fit each combination of kinds on these sides."""
    fits = [kinds.fits[side] for side in sides]
    if len(fits) == 1:
        return np.asarray(fits[0].sum(axis=1), np.int64)
    if len(fits) == 2:
        return count_pairs(fits[0], fits[1])
    counts = np.zeros([len(each) for each in fits], np.int64)
    for first, second, block in count_triples(*fits):
        counts[first, second] = block
    return counts


def count_pairs(first: Flags, second: Flags) -> Numbers:
    """[kind, kind] from bool [kind, pattern] twice; as a product of floats, which is exact and fast."""
    return np.asarray(np.rint(first.astype(np.float32) @ second.T.astype(np.float32)), np.int64)


def count_triples(first: Flags, second: Flags, third: Flags) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Blocks of ([first kind], [second kind], counts [index in the block, third kind]); the rest is 0."""
    fitting = np.argwhere(count_pairs(first, second) > 0)
    block = max(1, MOST_AT_ONCE // max(first.shape[1], len(third)))
    for start in range(0, len(fitting), block):
        here, there = fitting[start : start + block].T
        yield here, there, count_pairs(first[here] & second[there], third)


def count_corners(kinds: SideKinds, combinations: Sequence[Sides]) -> list[Corner]:
    """The figures of each corner. Triples are counted in blocks: there may be a billion of them."""
    compass = kinds.tiles.directions
    corners = []
    for sides in combinations:
        fits = [kinds.fits[side] for side in sides]
        blocks = [count_pairs(*fits)] if len(fits) == 2 else (counts for _, _, counts in count_triples(*fits))
        possible = fragile = 0
        for counts in blocks:
            possible += int((counts > 0).sum())
            fragile += int(((counts > 0) & (counts <= FRAGILE)).sum())
        every = prod(len(each) for each in fits)
        corners.append(Corner(tuple(compass[side] for side in sides), every, every - possible, fragile))
    return corners


def count_triples_without(kinds: SideKinds) -> dict[str, int]:
    """{kind: impossible triples if it is left out} at the first corner; {} if its sides differ in kinds."""
    sides = corner_triples(kinds.tiles.topology)[0]
    labels = [kinds.labels[side] for side in sides]
    if len(labels[0]) > MOST_LEFT_OUT or not set(labels[0]) == set(labels[1]) == set(labels[2]):
        return {}
    impossible = count_fits(kinds, sides) == 0
    counts: dict[str, int] = {}
    for left_out in labels[0]:
        others = [np.flatnonzero([label != left_out for label in row]) for row in labels]
        counts[left_out] = int(impossible[np.ix_(*others)].sum())
    return counts


def describe_holes(kinds: SideKinds, sides: Sides, failing: Flags, most: int) -> list[Hole]:
    """At most so many of the failing combinations [kind, …], evenly spread over all of them."""
    compass, names = kinds.tiles.directions, kinds.tiles.rules.names
    found = np.argwhere(failing)
    chosen = np.unique(np.linspace(0, len(found) - 1, min(most, len(found))).astype(int))
    holes = []
    for combination in found[chosen].tolist():
        pairs = list(zip(sides, combination, strict=True))
        rows = np.stack([kinds.fits[side][kind] for side, kind in pairs])
        nearest = int(rows.sum(axis=0).argmax())
        missing = int(rows[:, nearest].argmin())
        holes.append(
            Hole(
                tuple(compass[side] for side in sides),
                tuple(kinds.labels[side][kind] for side, kind in pairs),
                names[nearest],
                compass[sides[missing]],
            )
        )
    return holes
