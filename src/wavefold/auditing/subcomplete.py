"""Sub-complete sets: filled row by row, a cell can always be filled, whatever was put before it.

When rows are filled from a corner, a cell has neighbours at one corner only: on two of four sides on squares,
on three of six on hexagons and cubes. If some pattern fits every combination of kinds that can occur there,
no map of any size can fail in that order. Which combinations can occur is limited by the cells beyond the
corner, which touch both neighbours, so these are taken into account.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.corners import Hole, Sides, count_fits, describe_holes
from wavefold.auditing.side_kinds import SideKinds

MOST_FOR_PROOF = 2048  # patterns: the table of all pairs has to fit in memory
MOST_KINDS = 400  # on a side: a table of three sides has this to the power of three
SHOWN = 12  # holes described
STARTS = ("northwest", "northeast", "southeast", "southwest")  # of equally good ones the first is taken

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SubComplete:
    """Whether rows can be filled without a dead end, and from which corner."""

    holds: bool
    corner: tuple[str, ...]  # the sides that are decided before a cell is, at the best of all corners
    start: str  # where rows begin then: "northwest"; the order is "scanline:northwest"
    failing: int  # combinations that can occur there and that nothing fits
    arising: int  # combinations that can occur there
    holes: tuple[Hole, ...]


def check_sub_complete(kinds: SideKinds) -> SubComplete | None:
    """The verdict for the best corner to start from; None if the set is too large to check.

    `kinds` must be strict: the rule not to touch one's own kind counts.
    """
    if len(kinds.tiles) > MOST_FOR_PROOF or kinds.most_on_a_side > MOST_KINDS:
        return None
    best: SubComplete | None = None
    for start in STARTS:
        verdict = check_corner(kinds, kinds.grid.sides_before(start), start)
        if best is None or verdict.failing < best.failing:
            best = verdict
        if best.holds:
            break
    return best


def check_corner(kinds: SideKinds, sides: Sides, start: str = "northwest") -> SubComplete:
    """Check all combinations on these sides and on fewer of them, as at the edge of a map."""
    failing = arising = 0
    holes: list[Hole] = []
    for size in range(1, len(sides) + 1):
        if failing:
            break  # pairs that fail say enough: triples would only repeat them
        for chosen in combinations(sides, size):
            if size == 2 and kinds.grid.neighbours_touch() and step_between(kinds, *chosen) is None:
                continue  # no edge of a map leaves a gap between two neighbours
            possible = possible_combinations(kinds, chosen)
            missing = possible & (count_fits(kinds, chosen) == 0)
            failing, arising = failing + int(missing.sum()), arising + int(possible.sum())
            holes += describe_holes(kinds, chosen, missing, SHOWN - len(holes))
    corner = tuple(kinds.tiles.directions[side] for side in sides)
    return SubComplete(failing == 0, corner, start, failing, arising, tuple(holes))


def step_between(kinds: SideKinds, first: int, second: int) -> int | None:
    """The direction from the neighbour on one side to that on another; None if they do not touch."""
    steps = kinds.grid.steps
    found = np.flatnonzero((steps == steps[second] - steps[first]).all(axis=1))
    return int(found[0]) if found.size else None


def possible_combinations(kinds: SideKinds, sides: Sides) -> Flags:
    """[kind, …] which kinds can occur together on these sides, given the cells that touch two neighbours."""
    if len(sides) == 1:
        return np.ones(len(kinds.fits[sides[0]]), bool)
    if len(sides) == 2:
        return possible_pairs(kinds, sides[0], sides[1])
    if kinds.grid.neighbours_touch():
        return possible_chains(kinds, sides)
    first, second, third = sides
    return np.asarray(
        possible_pairs(kinds, first, second)[:, :, None]
        & possible_pairs(kinds, first, third)[:, None, :]
        & possible_pairs(kinds, second, third)[None, :, :]
    )


def possible_pairs(kinds: SideKinds, first: int, second: int) -> Flags:
    """[kind, kind] on two sides. Their neighbours touch each other on hexagons, or else a third cell."""
    step = step_between(kinds, first, second)
    if step is not None:
        near = one_hot(kinds.kind_of[first], len(kinds.fits[first]))
        return boolean_product(near.T, kinds_beyond(kinds, step, second))
    near = kinds_beyond(kinds, kinds.opposite[second], first)  # [pattern of the third cell, kind]
    far = kinds_beyond(kinds, kinds.opposite[first], second)
    return boolean_product(near.T, far)


def possible_chains(kinds: SideKinds, sides: Sides) -> Flags:
    """[kind, kind, kind] of three hexagons in a row around the cell: the middle one touches both others."""
    first, second, third = sides
    back, ahead = step_between(kinds, second, first), step_between(kinds, second, third)
    assert back is not None
    assert ahead is not None
    near = kinds_beyond(kinds, back, first)  # [pattern of the middle one, kind on the first side]
    far = kinds_beyond(kinds, ahead, third)
    possible = np.zeros((near.shape[1], len(kinds.fits[second]), far.shape[1]), bool)
    for kind in range(possible.shape[1]):
        middles = kinds.kind_of[second] == kind
        possible[:, kind, :] = boolean_product(near[middles].T, far[middles])
    return possible


def kinds_beyond(kinds: SideKinds, step: int, side: int) -> Flags:
    """[pattern, kind]: whether a neighbour one step from this pattern may be of that kind on that side."""
    table = kinds.relations[step].table()
    return boolean_product(table, one_hot(kinds.kind_of[side], len(kinds.fits[side])))


def one_hot(kind_of: NDArray[np.int32], count: int) -> Flags:
    """bool [pattern, kind] from [pattern] the kind."""
    return np.asarray(kind_of[:, None] == np.arange(count))


def boolean_product(left: Flags, right: Flags) -> Flags:
    """Matrix product of booleans."""
    return np.asarray(left.astype(np.float32) @ right.astype(np.float32) > 0)
