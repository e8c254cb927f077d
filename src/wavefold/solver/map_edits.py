"""Changes of a finished map: painted cells, and cells that become something else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.solver.map_repair import add_neighbours, repair
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.solution import Solution

ENOUGH = 0.25  # of the cells to be regrown: so many are different
ATTEMPTS, ATTEMPTS_A_RING = 12, 3  # at regrowing, with other seeds; then a ring of cells around is freed
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

    Where cells around leave little choice, other seeds are tried, and then cells around are freed, too. A map
    with the same content is returned if nothing else was found.

    cells : numbers or coordinates
    """
    problem, before = solution.problem, solution.patterns
    chosen = np.zeros(problem.cell_count, bool)
    chosen[[problem.cell(cell) for cell in cells]] = True
    best, most, free = solution, 0, chosen
    for attempt in range(ATTEMPTS):
        own_seed = mix(seed, attempt) if attempt else seed
        found = mend(solution, problem, np.where(free, -1, before), own_seed)
        changed = int((found.patterns != before)[chosen].sum())
        if changed > most:
            best, most = found, changed
        if most >= ENOUGH * chosen.sum():
            break
        if attempt % ATTEMPTS_A_RING == ATTEMPTS_A_RING - 1:
            free = add_neighbours(problem, free)
    return best


def mend(solution: Solution, problem: Problem, wanted: NDArray[np.int64], seed: int) -> Solution:
    """The map nearest to the wanted one, with the statistics and the seed of another."""
    found = repair(problem, wanted, seed=seed).solution
    return replace(solution, problem=problem, patterns=found.patterns)
