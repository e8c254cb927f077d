"""The base of a world: what is there before any window is solved, and where a window stays unsolved.

The certificate's map is the smallest that repeats, often a single tile. Borders solved on such a base show
it: around them there is more of that tile than elsewhere. A larger map that repeats, solved as any other
map, has tiles in the usual proportions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing import Certificate, find_certificate
from wavefold.auditing.trials import plane_problem
from wavefold.errors import Contradiction, OutOfBudget
from wavefold.solver import Budget, Solver
from wavefold.tiles import TileSet
from wavefold.topology import box

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

_known: dict[str, NDArray[np.int64] | None] = {}  # by `plane_key`
_certificates: dict[str, Certificate] = {}


def plane_key(tiles: TileSet) -> str:
    """A digest of all that decides what fills a plane: the rules, and the ground, which is left out."""
    ground = getattr(tiles, "ground_pattern", None)
    return tiles.rules.digest if ground is None else f"{tiles.rules.digest} without {ground}"


def certificate_of(tiles: TileSet) -> Certificate:
    """The certificate of a tile set, computed once per process."""
    name = plane_key(tiles)
    if name not in _certificates:
        _certificates[name] = find_certificate(tiles)
    return _certificates[name]


def rich_base(tiles: TileSet, certificate: Certificate) -> NDArray[np.int64]:
    """int64 [row, column] that repeats over the plane: a large map if one is found, or the certificate's.

    A pure function of the tiles: what is tried, in which order and how long, is the same on every machine.
    """
    name = plane_key(tiles)
    if name not in _known:
        _known[name] = large_torus(tiles, certificate)
    found = _known[name]
    if found is not None:
        return found
    assert certificate.base is not None
    return certificate.base


def large_torus(tiles: TileSet, certificate: Certificate) -> NDArray[np.int64] | None:
    """The largest map that repeats and is found without much search; None if there is none."""
    most_conflicts = CONFLICTS_IF_STIFF if certificate.mixing < STIFF else CONFLICTS
    for side in (LARGER, *SIDES) if certificate.mixing < SHOWING and len(SIDES) > 1 else SIDES:
        cells = side * side
        if cells * count_words(tiles) > MOST_WORDS and side != SIDES[-1]:
            continue
        torus: Any = box(tiles.topology, side, side, wraps=True)
        problem = plane_problem(tiles, torus)
        left = CONFLICTS_OF_PATTERNS // len(tiles)
        for seed in range(1, SEEDS + 1):
            solver = Solver(problem, seed)
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
