"""The base of a world: what lies there before any window is made, and where one keeps what it had.

The certificate's map is the smallest that repeats, often a single tile. Borders made on such a ground show
it: around them there is more of that tile than elsewhere. A larger map that repeats, solved as any other
map, has of everything as much as maps of this set have.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing import Certificate
from wavefold.auditing.maps import plane_problem
from wavefold.errors import Contradiction, OutOfBudget
from wavefold.solver import Budget, Solver
from wavefold.tiles import TileSet
from wavefold.topology import HexGrid, SquareGrid

__all__ = ["SIDES", "rich_base"]

SIDES = (97, 53, 23)  # primes: whatever the size of chunks, borders meet every part of the base
SEEDS = 3
DECISIONS = 2_000  # and so many per cell:
DECISIONS_PER_CELL = 20

_known: dict[str, NDArray[np.int64] | None] = {}  # by the digest of the rules


def rich_base(tiles: TileSet, certificate: Certificate) -> NDArray[np.int64]:
    """Int64 [row, column] that repeats over the plane: a large map if one is found, or the certificate's.

    A pure function of the rules: what is tried, in which order and how long, is the same on every machine.
    """
    digest = tiles.rules.digest
    if digest not in _known:
        _known[digest] = large_torus(tiles)
    found = _known[digest]
    if found is not None:
        return found
    assert certificate.base is not None
    return certificate.base


def large_torus(tiles: TileSet) -> NDArray[np.int64] | None:
    """The largest map that repeats and is found without much search."""
    for side in SIDES:
        grid = HexGrid.rhombus if tiles.topology == "hex" else SquareGrid
        problem = plane_problem(tiles, grid(side, side, wraps=True))
        for seed in range(1, SEEDS + 1):
            try:
                budget = Budget(decisions=DECISIONS + DECISIONS_PER_CELL * side * side)
                return Solver(problem, seed).run(budget).array
            except OutOfBudget:
                continue
            except Contradiction:
                break  # other seeds would prove the same
    return None
