"""Proofs that a pattern cannot appear inside any map. Certificates are in `solver.search.certificate`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.solver.search.certificate import plane_problem
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import ENTROPY, Region, RegionSolver
from wavefold.tiles import TileSet
from wavefold.topology import lattice_class

DECISIONS_AROUND = 400  # for each pattern; beyond that it counts as possible


@dataclass(frozen=True, slots=True)
class UnplaceablePattern:
    """A pattern that cannot appear inside a map."""

    pattern: str
    tile: str
    why: str
    whole_tile: bool  # no pattern of its tile can
    at_rim: bool = False  # it appeared near the edge of a map, where sides are free


def find_unplaceable(
    tiles: TileSet, seen: Iterable[int], at_rim: Iterable[int] = ()
) -> list[UnplaceablePattern]:
    """Every pattern that cannot be surrounded. Those `seen` inside maps can; `at_rim` appeared at an edge."""
    reasons = find_unsupported(tiles)
    grid_class = lattice_class(tiles.topology)
    width = grid_class.sizes.surroundings
    grid = grid_class.of_width(width)
    middle = grid.spiral()[:1].astype(np.int64)
    solver = cache(lambda: RegionSolver(plane_problem(tiles, grid)))  # often no proof is needed
    proved = set(seen) | set(reasons)
    for pattern in range(len(tiles)):
        if pattern in proved:
            continue
        region = Region(fixed=(middle, np.array([pattern])))
        if solver().solve(region, ENTROPY, 0, SEARCHES["exact"], DECISIONS_AROUND).is_proof:
            reasons[pattern] = f"something fits each side, but not all {width // 2} cells around it at once"
    names, tile_of = tiles.rules.names, tiles.rules.tile_of
    alive = np.unique(np.delete(tile_of, list(reasons)))
    seen_at_rim = set(at_rim)
    return [
        UnplaceablePattern(
            names[each],
            tiles.rules.tiles[tile_of[each]],
            reasons[each],
            bool(tile_of[each] not in alive),
            each in seen_at_rim,
        )
        for each in sorted(reasons)
    ]


def find_unsupported(tiles: TileSet) -> dict[int, str]:
    """{pattern: reason} of patterns with a side that only patterns found before fit, to a fixpoint."""
    rules = tiles.rules
    alive = np.ones(len(rules), bool)
    reasons: dict[int, str] = {}
    while True:
        before = alive.copy()
        for direction, relation in enumerate(rules.relations):
            table = unpack_bits(relation.rows, len(rules))
            lost = alive & ~has_support(table, relation.class_of, rules.kinds, before)
            for pattern in np.flatnonzero(lost).tolist():
                fits = rules.allows(direction, pattern)
                cause = "only tiles that cannot appear inside a map fit" if fits.any() else "nothing fits"
                reasons[pattern] = f"{cause} its {tiles.directions[direction]} side"
            alive &= ~lost
        if (alive == before).all():
            return reasons


def has_support(
    table: NDArray[np.bool_], class_of: NDArray[np.int32], kinds: NDArray[np.int32], alive: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """[pattern] whether an alive pattern of another kind fits; `table` is [class, pattern]."""
    counts = (table & alive).sum(axis=1)[class_of]
    for kind in each_checked(np.unique(kinds[kinds >= 0]), 8):
        own = kinds == kind
        counts[own] -= (table & alive & own).sum(axis=1)[class_of[own]]
    return np.asarray(counts > 0)
