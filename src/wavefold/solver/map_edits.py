"""Changes of a finished map: painted cells, and cells that become something else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.solver.map_repair import repair
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.solution import Solution

PAINTED = "painted cell"  # what explanations call it


def paint(solution: Solution, cells: Iterable[Any], tile: Any) -> Solution:
    """The map with a tile, or one of several, in these cells, and as little else changed as possible.

    Painted cells stay as they are in whatever is made of the map later, until they are painted again.
    Raises `Contradiction` if no map has the tile there.

    cells : numbers or coordinates
    """
    problem = solution.problem
    chosen = [problem.cell(cell) for cell in cells]
    allowed = problem.patterns_named(tile)
    pins = [Pin(cell, tile, allowed, noun=PAINTED) for cell in chosen]
    kept = [pin for pin in problem.pins if pin.noun != PAINTED or pin.cell not in set(chosen)]
    wanted = solution.patterns.copy()
    wanted[[cell for cell in chosen if wanted[cell] not in allowed]] = -1
    return mend(solution, problem.replace(pins=(*kept, *pins)), wanted, solution.seed)


def regrow(solution: Solution, cells: Iterable[Any], seed: int = 0) -> Solution:
    """The map with other content in these cells, by the seed, and as little else changed as possible.

    cells : numbers or coordinates
    """
    wanted = solution.patterns.copy()
    wanted[[solution.problem.cell(cell) for cell in cells]] = -1
    return mend(solution, solution.problem, wanted, seed)


def mend(solution: Solution, problem: Problem, wanted: NDArray[np.int64], seed: int) -> Solution:
    """The map nearest to the wanted one, with the statistics and the seed of another."""
    found = repair(problem, wanted, seed=seed).solution
    return replace(solution, problem=problem, patterns=found.patterns)
