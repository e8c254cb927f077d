"""Maps to try a tile set on: of its own shape, as large as wanted, joined at the edges or not."""

from __future__ import annotations

import numpy as np

from wavefold.errors import Contradiction, OutOfBudget
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.tiles import TileSet
from wavefold.topology import Lattice

IMPOSSIBLE, UNKNOWN = "impossible", "unknown"


def middle_of(topology: Lattice) -> int:
    """The cell farthest from any edge."""
    coordinates = np.array(topology.coordinates, np.float64)
    middle = (coordinates.min(axis=0) + coordinates.max(axis=0)) / 2
    return int(((coordinates - middle) ** 2).sum(axis=1).argmin())


def plane_problem(tiles: TileSet, topology: Lattice) -> Problem:
    """A problem inside an endless plane, which has no bottom: a learned ground has no place in it."""
    ground = getattr(tiles, "ground_pattern", None)
    if ground is None:
        return Problem(tiles, topology)
    return Problem(tiles.rules, topology, masks=np.arange(len(tiles)) != ground)


def attempt(
    problem: Problem, seed: int, decisions: int, order: str, search: str, ms: float | None = None
) -> Solution | str:
    """A solution, or why there is none: proved impossible, or not known within these limits."""
    try:
        return Solver(problem, seed, order, search=search).run(Budget(ms, decisions))
    except Contradiction:
        return IMPOSSIBLE
    except OutOfBudget:
        return UNKNOWN
