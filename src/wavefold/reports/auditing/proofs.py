"""Proofs that a pattern cannot be placed inside any map. Certificates are in `solver.search.certificate`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.solver.search.certificate import build_plane_problem
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import ENTROPY, Region, RegionSolver
from wavefold.tiles import TileSet
from wavefold.topology import get_lattice_class

MOST_DECISIONS = 400  # for each pattern; beyond, it counts as possible


@dataclass(frozen=True, slots=True)
class UnplaceablePattern:
    """A pattern that cannot appear inside a map."""

    pattern: str
    tile: str
    why: str
    whole_tile: bool  # whether no pattern of its tile can appear
    at_rim: bool = False  # whether it appeared near the edge of a map, where sides are free


def find_unplaceable(
    tiles: TileSet, seen: Iterable[int], at_rim: Iterable[int] = ()
) -> list[UnplaceablePattern]:
    """Find every pattern that cannot be surrounded.

    seen : patterns inside maps, which need no check
    at_rim : patterns at the edges of maps
    """
    reasons = find_unsupported(tiles)
    grid_class = get_lattice_class(tiles.topology)
    width = grid_class.sizes.surroundings
    grid = grid_class.of_width(width)
    middle = grid.spiral()[:1].astype(np.int64)
    solver = cache(lambda: RegionSolver(build_plane_problem(tiles, grid)))  # created only if needed
    proved = set(seen) | set(reasons)
    for pattern in range(len(tiles)):
        if pattern in proved:
            continue
        region = Region(fixed=(middle, np.array([pattern])))
        if solver().solve(region, ENTROPY, 0, SEARCHES["exact"], MOST_DECISIONS).is_proof:
            reasons[pattern] = f"patterns fit each side, but not the {width // 2} cells around it together"
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
    """Find patterns with a side that nothing fits, or only such patterns; returns {pattern: reason}."""
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
    """Return for each pattern whether an alive pattern of another kind fits, by table [class, pattern]."""
    counts = (table & alive).sum(axis=1)[class_of]
    for kind in each_checked(np.unique(kinds[kinds >= 0]), 8):
        own = kinds == kind
        counts[own] -= (table & alive & own).sum(axis=1)[class_of[own]]
    return np.asarray(counts > 0)
