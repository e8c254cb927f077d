"""The base of a world: what is there before any window is solved, and where a window stays unsolved.

The certificate's map is the smallest that repeats, often a single tile. Borders solved on such a base show
it: around them there is more of that tile than elsewhere. A larger map that repeats, solved as any other
map, has tiles in the usual proportions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.cache import BoundedCache
from wavefold.errors import Contradiction, OutOfBudget, TileSetError, WorldError
from wavefold.solver import Budget, Solver
from wavefold.solver.search.auto_order import BY_ROWS
from wavefold.solver.search.certificate import Certificate, find_certificate, plane_problem
from wavefold.tiles import TileSet
from wavefold.topology import box, is_uniform_plane

SIDES = (97, 53, 23)  # primes: whatever the size of chunks, borders meet every part of the base
# Where windows change little the base shows through, and should not repeat within one view.
SHOWING, LARGER = 0.75, 193
SEEDS = 3
MOST_WORDS = 40_000_000  # that are read if each cell is visited once
DECISIONS = 2_000  # and so many per cell:
DECISIONS_PER_CELL = 2
CONFLICTS = 1_000  # of one try; found maps had at most 951, and most had none
CONFLICTS_OF_PATTERNS = 300_000  # of all tries of a side, times patterns: with many, each takes longer
STIFF, CONFLICTS_IF_STIFF = 0.05, 50  # a set that hardly mixes: more search would not help

BASES = 64  # of tile sets, kept in memory


def check_tiles(tiles: Any) -> None:
    """Raise if this is not a tile set for a plane."""
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('pipes'), not {tiles!r}")
    if not is_uniform_plane(tiles.topology):
        raise WorldError(
            f"an endless world is made of square or hex tiles, and these are for {tiles.topology}s"
        )


def plane_key(tiles: TileSet) -> str:
    """A digest of all that decides what fills a plane: the rules, and the ground, which is left out."""
    ground = getattr(tiles, "ground_pattern", None)
    return tiles.rules.digest if ground is None else f"{tiles.rules.digest} without {ground}"


class WorldBase(NamedTuple):
    """What a world of one tile set is built on."""

    certificate: Certificate
    patterns: NDArray[np.int64]  # [row, column], repeats over the plane


known_bases: BoundedCache[WorldBase] = BoundedCache(BASES)  # by `plane_key`


def find_base(tiles: TileSet) -> WorldBase:
    """The base of a tile set, computed once per process: a large map if one is found, or the certificate's.

    A pure function of the tiles: what is tried, in which order and how long, is the same on every machine.
    Raises WorldError if the tiles have no certificate.
    """
    return known_bases.get(plane_key(tiles), lambda: compute_base(tiles))


def compute_base(tiles: TileSet) -> WorldBase:
    """See `find_base`."""
    certificate = find_certificate(tiles)
    if certificate.base is None:
        raise WorldError(
            f"this tile set has no certificate for an endless world: {certificate}; "
            "wf.audit(tiles) shows what prevents it"
        )
    sides = (LARGER, *SIDES) if certificate.mixing < SHOWING and len(SIDES) > 1 else SIDES
    large = large_torus(tiles, certificate, sides)
    return WorldBase(certificate, certificate.base if large is None else large)


def large_torus(tiles: TileSet, certificate: Certificate, sides: tuple[int, ...]) -> NDArray[np.int64] | None:
    """The largest map that repeats, has one of these sides and is found without much search; or None."""
    most_conflicts = CONFLICTS_IF_STIFF if certificate.mixing < STIFF else CONFLICTS
    for side in sides:
        cells = side * side
        if cells * count_words(tiles) > MOST_WORDS and side != SIDES[-1]:
            continue
        torus: Any = box(tiles.topology, side, side, wraps=True)
        problem = plane_problem(tiles, torus)
        left = CONFLICTS_OF_PATTERNS // len(tiles)
        for seed in range(1, SEEDS + 1):
            solver = Solver(problem, seed, BY_ROWS.get(problem.rules.digest, "auto"))
            budget = Budget(
                decisions=DECISIONS + DECISIONS_PER_CELL * cells, backtracks=min(most_conflicts, left)
            )
            try:
                return solver.run(budget).array
            except OutOfBudget:
                left = max(0, left - solver.stats.backtracks)
            except Contradiction:
                break  # other seeds would prove the same
    return None


def count_words(tiles: TileSet) -> int:
    """How many words of 64 patterns a visit to a cell reads: what sets with many classes cost."""
    return max(relation.rows.size for relation in tiles.rules.relations)
