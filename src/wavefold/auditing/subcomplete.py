"""Sub-complete sets: row by row, a cell can always be filled, whatever was put before it.

Going row by row from a corner, a cell has neighbours on one corner only: two of four sides on squares, three
of six on hexagons, three of six on cubes. If every combination of demands that can arise there is met by
some pattern, no map of any size can fail in that order. What can arise is limited by the cells beyond the
corner, which touch both neighbours: those are looked at, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.corners import Hole, Sides, count_fits, describe_holes
from wavefold.auditing.side_kinds import SideKinds
from wavefold.topology import lattice_class

MOST_FOR_PROOF = 2048  # patterns: the table of all pairs has to fit
MOST_KINDS = 400  # on a side: three of them make a cube
SHOWN = 12  # holes told

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SubComplete:
    """Whether rows can be filled without a dead end, and from which corner."""

    holds: bool
    corner: tuple[str, ...]  # the sides that are decided before a cell is: the best of all corners
    start: str  # where rows begin then: "northwest"; the order is "scanline:northwest"
    failing: int  # combinations that can arise there and that nothing meets
    arising: int
    holes: tuple[Hole, ...]


def check_sub_complete(demands: SideKinds) -> SubComplete | None:
    """The verdict for the best corner to start from; None if the set is too large to tell.

    `demands` must be strict: what may not touch its own kind counts.
    """
    kinds = max(len(met) for met in demands.fits)
    if len(demands.tiles) > MOST_FOR_PROOF or kinds > MOST_KINDS:
        return None
    best: SubComplete | None = None
    lattice = lattice_class(demands.tiles.topology)
    for start in ("northwest", "northeast", "southeast", "southwest"):
        verdict = check_corner(demands, lattice.sides_before(start), start)
        if best is None or verdict.failing < best.failing:
            best = verdict
        if best.holds:
            break
    return best


def check_corner(demands: SideKinds, sides: Sides, start: str = "northwest") -> SubComplete:
    """Look at all combinations, those of fewer neighbours (at the rim of the map) included."""
    failing = arising = 0
    in_a_row = lattice_class(demands.tiles.topology).neighbours_touch()
    found: list[Hole] = []
    for size in range(1, len(sides) + 1):
        if failing:
            break  # two that cannot stand together say enough; three would only repeat it
        for chosen in combinations(sides, size):
            if size == 2 and in_a_row and not are_adjacent(chosen):
                continue  # no rim leaves a gap between two neighbours
            arises, met = possible_combinations(demands, chosen), count_side_fits(demands, chosen) > 0
            missing = arises & ~met
            failing, arising = failing + int(missing.sum()), arising + int(arises.sum())
            found += describe_holes(demands, chosen, missing, SHOWN - len(found))
    corner = tuple(demands.tiles.directions[side] for side in sides)
    return SubComplete(failing == 0, corner, start, failing, arising, tuple(found))


def are_adjacent(sides: Sides) -> bool:
    return (sides[1] - sides[0]) % 6 in (1, 5)


def count_side_fits(demands: SideKinds, sides: Sides) -> NDArray[np.int64]:
    return demands.fits[sides[0]].sum(axis=1) if len(sides) == 1 else count_fits(demands, sides)


def possible_combinations(demands: SideKinds, sides: Sides) -> Flags:
    """[kind, …] which demands can stand together on these sides, seen from cells that touch two of them."""
    if len(sides) == 1:
        return np.ones(len(demands.fits[sides[0]]), bool)
    if len(sides) == 2:
        return possible_pairs(demands, sides[0], sides[1])
    if lattice_class(demands.tiles.topology).neighbours_touch():
        return possible_chains(demands, sides)
    first, second, third = sides
    return np.asarray(
        possible_pairs(demands, first, second)[:, :, None]
        & possible_pairs(demands, first, third)[:, None, :]
        & possible_pairs(demands, second, third)[None, :, :]
    )


def possible_pairs(demands: SideKinds, first: int, second: int) -> Flags:
    """On hexagons neighbours on touching sides touch each other; on squares a third cell touches both."""
    if lattice_class(demands.tiles.topology).neighbours_touch():
        return touching_kinds(demands, first, (first + 2) % 6, second)
    back_first, back_second = demands.opposite[first], demands.opposite[second]
    near = kinds_beyond(demands, back_second, first)  # [corner cell, kind]
    far = kinds_beyond(demands, back_first, second)
    return boolean_product(near.T, far)


def possible_chains(demands: SideKinds, sides: Sides) -> Flags:
    """Three hexagons in a row around the cell: the middle one touches both others."""
    first, second, third = sides
    near = kinds_beyond(demands, demands.opposite[(first + 2) % 6], first)  # [middle, kind on the first side]
    far = kinds_beyond(demands, (second + 2) % 6, third)
    arises = np.zeros((near.shape[1], len(demands.fits[second]), far.shape[1]), bool)
    for kind in range(arises.shape[1]):
        middles = demands.kind_of[second] == kind
        arises[:, kind, :] = boolean_product(near[middles].T, far[middles])
    return arises


def touching_kinds(demands: SideKinds, first: int, step: int, second: int) -> Flags:
    """[kind on the first side, kind on the second] of two patterns that touch."""
    near = one_hot(demands.kind_of[first], len(demands.fits[first]))
    return boolean_product(near.T, kinds_beyond(demands, step, second))


def kinds_beyond(demands: SideKinds, step: int, side: int) -> Flags:
    """[pattern, kind]: may what stands one step from this pattern ask that, on that side of the cell?"""
    return boolean_product(
        demands.relations[step].table(), one_hot(demands.kind_of[side], len(demands.fits[side]))
    )


def one_hot(kind_of: NDArray[np.int32], kinds: int) -> Flags:
    return np.asarray(kind_of[:, None] == np.arange(kinds))


def boolean_product(left: Flags, right: Flags) -> Flags:
    """Boolean matrix product."""
    return np.asarray(left.astype(np.float32) @ right.astype(np.float32) > 0)
