"""Edit a finished map: paint cells, or regrow them with other content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import Contradiction, OutOfBudget
from wavefold.kernels.host.seeding import mix
from wavefold.options.names import CellLike, TileLike
from wavefold.solver.budget import Budget
from wavefold.solver.edit.map_repair import add_neighbours, repair
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.solution import Solution

ENOUGH = 0.25  # share of the regrown cells that must differ
ATTEMPTS, ATTEMPTS_A_RING = 12, 3  # seeds for regrowing; then a ring of cells around is freed
PAINTED = "painted cell"  # its name in explanations
ROOM_LIMIT = 2000  # decisions and backtracks, beyond one per cell, before more is dropped


def paint(
    solution: Solution,
    cells: Iterable[CellLike],
    tile: TileLike,
    keep: Iterable[CellLike] = (),
    drop: Iterable[CellLike] = (),
    budget: Budget | int | None = None,
) -> Solution:
    """The map with a tile, or one of several, in these cells, and as few other changes as possible.

    Painted cells keep their pattern in all later edits, until they are painted again.
    Raises `Contradiction` if no map has the tile there, and `OutOfBudget` as `repair` does.

    cells : numbers or coordinates
    keep : other cells that must not change
    drop : cells whose pins and paint no longer apply
    """
    chosen = [solution.problem.cell(cell) for cell in cells]
    dropped = {solution.problem.cell(cell) for cell in drop}
    kept = {solution.problem.cell(cell) for cell in keep} - dropped - set(chosen)
    problem, wanted = with_paint(solution.problem, chosen, tile, dropped), solution.patterns.copy()
    allowed = problem.patterns_named(tile)
    wanted[[cell for cell in chosen if wanted[cell] not in allowed]] = -1
    return repair_to(solution, problem, wanted, solution.seed, kept, budget)


def with_paint(problem: Problem, cells: list[int], tile: TileLike, dropped: Iterable[int] = ()) -> Problem:
    """The problem with a tile in these cells, replacing earlier paint, and without pins in dropped cells."""
    allowed, painted, dropped = problem.patterns_named(tile), set(cells), set(dropped)
    kept = [
        pin for pin in problem.pins
        if pin.cell not in dropped and not (pin.noun == PAINTED and pin.cell in painted)
    ]  # fmt: skip
    return problem.replace(pins=(*kept, *(Pin(cell, tile, allowed, noun=PAINTED) for cell in cells)))


def find_obstacles(
    solution: Solution, cells: Iterable[CellLike], tile: TileLike, keep: Iterable[CellLike] = ()
) -> list[int]:
    """A small set of cells that `paint` must drop for the tile to fit, nearest first.

    If a short search cannot tell whether the tile fits, more is dropped. Raises `Contradiction` if it
    does not fit even without any pins, and `OutOfBudget` if a short search cannot tell.
    """
    problem, found = solution.problem, list[int]()
    chosen, kept = [problem.cell(cell) for cell in cells], [problem.cell(cell) for cell in keep]
    distance = count_steps(problem, chosen)
    held = sorted({pin.cell for pin in problem.pins} | set(kept))
    rest = sorted(held, key=lambda cell: int(distance[cell]))
    limit = ROOM_LIMIT + problem.cell_count
    budget = Budget(decisions=limit, backtracks=limit)
    while True:
        try:
            paint(solution, chosen, tile, kept, found, budget)
            return found
        except (Contradiction, OutOfBudget) as error:
            rest = [cell for cell in rest if cell not in found]
            why = error.explanation if isinstance(error, Contradiction) else None
            clashes = () if why is None else why.cells
            named = [cell for cell in rest if cell in clashes or not clashes]
            if not named:
                raise
            found.append(named[0])


def count_steps(problem: Problem, cells: list[int]) -> NDArray[np.int64]:
    """[cell] the number of steps to the nearest of these cells."""
    reached, steps = np.zeros(problem.cell_count, bool), np.zeros(problem.cell_count, np.int64)
    reached[cells] = True
    while (further := add_neighbours(problem, reached)).sum() > reached.sum():
        steps[~reached] += 1
        reached = further
    return steps


def regrow(
    solution: Solution, cells: Iterable[CellLike], seed: int = 0, keep: Iterable[CellLike] = ()
) -> Solution:
    """The map with other content in these cells, chosen by the seed, and as few other changes as possible.

    If the surrounding cells leave little choice, other seeds are tried, and then surrounding cells are freed,
    too. If no other content is found, the map is returned with the same content.

    cells : numbers or coordinates
    keep : cells that must not change, even where they are among these
    """
    problem, before = solution.problem, solution.patterns
    kept = [problem.cell(cell) for cell in keep]
    chosen, fixed = np.zeros((2, problem.cell_count), bool)
    chosen[[problem.cell(cell) for cell in cells]] = True
    fixed[kept] = True
    chosen &= ~fixed
    if not chosen.any():
        return solution
    best, most, free = solution, 0, chosen
    for attempt in range(ATTEMPTS):
        own_seed = mix(seed, attempt) if attempt else seed
        found = repair_to(solution, problem, np.where(free & ~fixed, -1, before), own_seed, kept)
        changed = int((found.patterns != before)[chosen].sum())
        if changed > most:
            best, most = found, changed
        if most >= ENOUGH * chosen.sum():
            break
        if attempt % ATTEMPTS_A_RING == ATTEMPTS_A_RING - 1:
            free = add_neighbours(problem, free)
    return best


def repair_to(
    solution: Solution,
    problem: Problem,
    wanted: NDArray[np.int64],
    seed: int,
    keep: Iterable[CellLike],
    budget: Budget | int | None = None,
) -> Solution:
    """The map nearest to the wanted one, with the statistics and the seed of another."""
    found = repair(problem, wanted, keep, seed, budget).solution
    return replace(solution, problem=problem, patterns=found.patterns)
