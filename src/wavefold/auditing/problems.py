"""Problems that an audit tries to solve, and what comes of it."""

from __future__ import annotations

import numpy as np

from wavefold.errors import Contradiction, OutOfBudget
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.tiles import TileSet
from wavefold.topology import Topology

IMPOSSIBLE, UNKNOWN = "impossible", "unknown"


def plane_problem(tiles: TileSet, topology: Topology) -> Problem:
    """A problem inside an endless plane. That has no bottom, so a learned ground pattern is masked out."""
    ground = getattr(tiles, "ground_pattern", None)
    if ground is None:
        return Problem(tiles, topology)
    return Problem(tiles.rules, topology, masks=np.arange(len(tiles)) != ground)


def try_solve(
    problem: Problem, seed: int, decisions: int, order: str, search: str, ms: float | None = None
) -> Solution | str:
    """A solution; or IMPOSSIBLE if there is none, UNKNOWN if none was found within these limits."""
    try:
        return Solver(problem, seed, order, search=search).run(Budget(ms, decisions))
    except Contradiction:
        return IMPOSSIBLE
    except OutOfBudget:
        return UNKNOWN
