"""Corners: the combined requirements of two or three neighbours, and the patterns that fit them.

When a map is filled row by row, a cell has decided neighbours at one corner only: on two of four sides of
squares, on three of six sides of hexagons and cubes. A set is sub-complete if some pattern fits every
combination of kinds that can occur there; then no map of any size can fail in this order. The cells beyond
the corner, which touch two of the neighbours, limit the combinations that can occur.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.reports.auditing.side_kinds import SideKinds
from wavefold.tiles import TileSet
from wavefold.topology import get_lattice_class

MOST_FRAGILE = 2  # patterns that fit a fragile corner
MOST_LEFT_OUT = 64  # kinds of sides that are left out one by one; among hundreds, one has no effect
NUMBERS_AT_ONCE = 1 << 22  # in memory
MOST_PATTERNS = 2048  # for a proof; the table of all pairs must fit in memory
MOST_KINDS = 400  # on a side; a table of three sides has the cube of this
MOST_HOLES = 12  # that are described
STARTS = ("northwest", "northeast", "southeast", "southwest")  # the first of equally good corners is chosen

Sides = tuple[int, ...]
KindMask = NDArray[np.bool_]  # [kind, …], [kind, pattern] or [pattern, kind]
KindCounts = NDArray[np.int64]  # [kind, …]


@dataclass(frozen=True, slots=True)
class Corner:
    """How many combinations of kinds on touching sides can be filled."""

    sides: tuple[str, ...]
    combinations: int
    impossible: int
    fragile: int  # one or two patterns fit


@dataclass(frozen=True, slots=True)
class Hole:
    """A combination of kinds that nothing fits, and the closest pattern."""

    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    nearest: str  # a pattern that fits all sides but one
    missing: str  # the side that it does not fit


def list_corner_pairs(topology: str) -> list[tuple[int, int]]:
    """List the pairs of sides that meet in a corner."""
    ring, faces = divide_sides(topology)
    around = [(side, (side + 1) % len(ring)) for side in ring]
    return around + [(side, face) for face in faces for side in ring]


def list_corner_triples(topology: str) -> list[Sides]:
    """List the triples of adjacent sides; on cubes, of sides that meet in a corner."""
    ring, faces = divide_sides(topology)
    count = len(ring)
    if faces:
        return [(side, (side + 1) % count, face) for face in faces for side in ring]
    return [(side, (side + 1) % count, (side + 2) % count) for side in ring]


def divide_sides(topology: str) -> tuple[range, range]:
    """Return the sides around a cell, clockwise, and those above and below it."""
    grid = get_lattice_class(topology)
    return range(grid.turning_sides), range(grid.turning_sides, len(grid.steps))


def count_fits(kinds: SideKinds, sides: Sides) -> KindCounts:
    """Count the patterns that fit each combination of kinds on these sides."""
    fits = [kinds.fits[side] for side in sides]
    if len(fits) == 1:
        return np.asarray(fits[0].sum(axis=1), np.int64)
    if len(fits) == 2:
        return count_pairs(fits[0], fits[1])
    counts = np.zeros([len(each) for each in fits], np.int64)
    for first, second, block in count_triples(*fits):
        counts[first, second] = block
    return counts


def count_pairs(first: KindMask, second: KindMask) -> KindCounts:
    """Count the patterns [kind, kind] in two masks [kind, pattern], by a product of floats, which is fast."""
    checkpoint()
    return np.asarray(np.rint(first.astype(np.float32) @ second.T.astype(np.float32)), np.int64)


def count_triples(
    first: KindMask, second: KindMask, third: KindMask
) -> Iterator[tuple[KindCounts, KindCounts, KindCounts]]:
    """Yield nonzero counts in blocks: first kinds [n], second kinds [n], and counts [n, third kind]."""
    fitting = np.argwhere(count_pairs(first, second) > 0)
    block = max(1, NUMBERS_AT_ONCE // max(first.shape[1], len(third)))
    for start in range(0, len(fitting), block):
        here, there = fitting[start : start + block].T
        yield here, there, count_pairs(first[here] & second[there], third)


def count_corners(kinds: SideKinds, combinations: Sequence[Sides]) -> list[Corner]:
    """Count the combinations at each corner; triples in blocks, because there may be a billion."""
    corners = []
    for sides in combinations:
        fits = [kinds.fits[side] for side in sides]
        blocks = [count_pairs(*fits)] if len(fits) == 2 else (counts for _, _, counts in count_triples(*fits))
        possible = fragile = 0
        for counts in blocks:
            possible += int((counts > 0).sum())
            fragile += int(((counts > 0) & (counts <= MOST_FRAGILE)).sum())
        every = prod(len(each) for each in fits)
        corners.append(Corner(kinds.name_sides(sides), every, every - possible, fragile))
    return corners


def count_triples_without(kinds: SideKinds) -> dict[str, int]:
    """Count the impossible triples at the first corner without each kind; {} if its sides differ in kinds."""
    sides = list_corner_triples(kinds.tiles.topology)[0]
    labels = [kinds.labels[side] for side in sides]
    if len(labels[0]) > MOST_LEFT_OUT or not set(labels[0]) == set(labels[1]) == set(labels[2]):
        return {}
    impossible = count_fits(kinds, sides) == 0
    counts: dict[str, int] = {}
    for left_out in labels[0]:
        others = [np.flatnonzero([label != left_out for label in row]) for row in labels]
        counts[left_out] = int(impossible[np.ix_(*others)].sum())
    return counts


def describe_holes(kinds: SideKinds, sides: Sides, failing: KindMask, most: int) -> list[Hole]:
    """Describe at most `most` of the failing combinations [kind, …], evenly spaced."""
    found = np.argwhere(failing)
    chosen = np.unique(np.linspace(0, len(found) - 1, min(most, len(found))).astype(int))
    names = kinds.name_sides(sides)
    holes = []
    for combination in found[chosen].tolist():
        pairs = list(zip(sides, combination, strict=True))
        rows = np.stack([kinds.fits[side][kind] for side, kind in pairs])
        nearest = int(rows.sum(axis=0).argmax())
        missing = int(rows[:, nearest].argmin())
        labels = tuple(kinds.labels[side][kind] for side, kind in pairs)
        holes.append(Hole(names, labels, kinds.tiles.rules.names[nearest], names[missing]))
    return holes


# --- rows without dead ends -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SubComplete:
    """Whether rows can be filled without a dead end, and from which corner."""

    holds: bool
    corner: tuple[str, ...]  # the sides of a cell that are decided earlier, at the best of all corners
    start: str  # where rows begin, such as "northwest" for the order "scanline:northwest"
    failing: int  # combinations that can occur there but that nothing fits
    arising: int  # combinations that can occur there
    holes: tuple[Hole, ...]


def check_sub_complete(tiles: TileSet) -> SubComplete | None:
    """Check the corners to start from, and return the best; None if the set is too large to check."""
    if len(tiles) > MOST_PATTERNS:
        return None
    kinds = SideKinds(tiles, strict=True)
    if kinds.most_on_a_side > MOST_KINDS:
        return None
    verdicts = []
    for start in STARTS:
        verdicts.append(count_corner(kinds, kinds.grid.sides_before(start), start))
        if verdicts[-1].holds:
            break
    return min(verdicts, key=lambda verdict: verdict.failing)


def count_corner(kinds: SideKinds, sides: Sides, start: str = "northwest") -> SubComplete:
    """Check all combinations on these sides, and on fewer of them, as at the edge of a map."""
    failing = arising = 0
    holes: list[Hole] = []
    for size in range(1, len(sides) + 1):
        if failing:
            break  # triples would only repeat failing pairs
        for chosen in combinations(sides, size):
            if size == 2 and kinds.grid.neighbours_touch() and find_step_between(kinds, *chosen) is None:
                continue  # at an edge, decided neighbours are adjacent
            possible = find_possible_combinations(kinds, chosen)
            missing = possible & (count_fits(kinds, chosen) == 0)
            failing, arising = failing + int(missing.sum()), arising + int(possible.sum())
            holes += describe_holes(kinds, chosen, missing, MOST_HOLES - len(holes))
    return SubComplete(failing == 0, kinds.name_sides(sides), start, failing, arising, tuple(holes))


def find_step_between(kinds: SideKinds, first: int, second: int) -> int | None:
    """Return the direction from the neighbour on one side to that on another; None if they do not touch."""
    steps = kinds.grid.steps
    found = np.flatnonzero((steps == steps[second] - steps[first]).all(axis=1))
    return int(found[0]) if found.size else None


def find_possible_combinations(kinds: SideKinds, sides: Sides) -> KindMask:
    """Find the kinds that can occur together on these sides, given the cells that touch two neighbours."""
    if len(sides) == 1:
        return np.ones(len(kinds.fits[sides[0]]), bool)
    if len(sides) == 2:
        return find_possible_pairs(kinds, sides[0], sides[1])
    if kinds.grid.neighbours_touch():
        return find_possible_triples(kinds, sides)
    first, second, third = sides
    return np.asarray(
        find_possible_pairs(kinds, first, second)[:, :, None]
        & find_possible_pairs(kinds, first, third)[:, None, :]
        & find_possible_pairs(kinds, second, third)[None, :, :]
    )


def find_possible_pairs(kinds: SideKinds, first: int, second: int) -> KindMask:
    """Find the possible kinds on two sides; their neighbours touch on hexagons, otherwise a third cell."""
    step = find_step_between(kinds, first, second)
    if step is not None:
        return multiply_booleans(kinds.encode_one_hot(first).T, find_kinds_beyond(kinds, step, second))
    near = find_kinds_beyond(kinds, kinds.opposite[second], first)  # [pattern of the third cell, kind]
    far = find_kinds_beyond(kinds, kinds.opposite[first], second)
    return multiply_booleans(near.T, far)


def find_possible_triples(kinds: SideKinds, sides: Sides) -> KindMask:
    """Find the possible kinds of three consecutive neighbours on hexagons; the middle one touches both."""
    first, second, third = sides
    back, ahead = find_step_between(kinds, second, first), find_step_between(kinds, second, third)
    assert back is not None
    assert ahead is not None
    near = find_kinds_beyond(kinds, back, first)  # [pattern of the middle one, kind on the first side]
    far = find_kinds_beyond(kinds, ahead, third)
    possible = np.zeros((near.shape[1], len(kinds.fits[second]), far.shape[1]), bool)
    for kind in range(possible.shape[1]):
        middles = kinds.kind_of[second] == kind
        possible[:, kind] = multiply_booleans(near[middles].T, far[middles])
    return possible


def find_kinds_beyond(kinds: SideKinds, step: int, side: int) -> KindMask:
    """Return [pattern, kind]: whether a neighbour one step from a pattern may be of a kind on a side."""
    return multiply_booleans(kinds.relations[step].table(), kinds.encode_one_hot(side))


def multiply_booleans(left: KindMask, right: KindMask) -> KindMask:
    """Return the matrix product of booleans."""
    checkpoint()
    return np.asarray(left.astype(np.float32) @ right.astype(np.float32) > 0)
