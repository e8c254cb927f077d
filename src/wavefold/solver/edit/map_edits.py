"""Edits of a finished map: paint cells, or regrow them with other content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import Contradiction, OutOfBudget
from wavefold.kernels.host.seeding import mix
from wavefold.options.names import CellLike, TileLike
from wavefold.options.values import check_type, parse_list, parse_seed
from wavefold.solver.budget import Budget
from wavefold.solver.edit.map_repair import add_neighbours, repair
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.solution import Solution

LEAST_CHANGED_SHARE = 0.25  # share of the regrown cells that must differ
ATTEMPTS, ATTEMPTS_PER_RING = 12, 3  # seeds for regrowing; then a ring of cells around is freed
PAINTED = "painted cell"  # the noun of its pin in explanations
MOST_TRIAL_STEPS = 2000  # decisions and backtracks, beyond one per cell, before more is dropped


def paint(
    solution: Solution,
    cells: Iterable[CellLike],
    tile: TileLike,
    keep: Iterable[CellLike] = (),
    drop: Iterable[CellLike] = (),
    budget: Budget | int | None = None,
) -> Solution:
    """Put a tile, or one of several, into these cells, with as few other changes as possible.

    Painted cells keep their pattern in later edits until they are painted again. Raises `Contradiction` if no
    map has the tile there, and `OutOfBudget` as `repair` does.

    cells : numbers or coordinates
    keep : other cells that must not change
    drop : cells whose pins and paint are removed
    """
    check_type("solution", solution, Solution, "a Solution")
    cell_at = solution.problem.cell
    chosen = [cell_at(cell) for cell in parse_list("cells", cells)]
    dropped = {cell_at(cell) for cell in parse_list("drop", drop)}
    kept = {cell_at(cell) for cell in parse_list("keep", keep)} - dropped - set(chosen)
    problem, wanted = with_paint(solution.problem, chosen, tile, dropped), solution.patterns.copy()
    allowed = problem.patterns_named(tile)
    wanted[[cell for cell in chosen if wanted[cell] not in allowed]] = -1
    return repair_to(solution, problem, wanted, solution.seed, kept, budget)


def with_paint(problem: Problem, cells: list[int], tile: TileLike, dropped: Iterable[int] = ()) -> Problem:
    """Return the problem with these cells painted, and without pins in dropped cells.

    New paint replaces earlier paint.
    """
    allowed, painted, dropped = problem.patterns_named(tile), set(cells), set(dropped)
    kept = [
        pin for pin in problem.pins
        if pin.cell not in dropped and not (pin.noun == PAINTED and pin.cell in painted)
    ]  # fmt: skip
    return problem.replace(pins=(*kept, *(Pin(cell, tile, allowed, noun=PAINTED) for cell in cells)))


def find_obstacles(
    solution: Solution, cells: Iterable[CellLike], tile: TileLike, keep: Iterable[CellLike] = ()
) -> list[int]:
    """Find a small set of cells that `paint` must drop for the tile to fit, nearest first.

    If a short search cannot decide whether the tile fits, more cells are dropped. Raises `Contradiction` if
    the tile does not fit even without pins, and `OutOfBudget` if a short search cannot decide that.
    """
    problem, found = solution.problem, list[int]()
    chosen, kept = [problem.cell(cell) for cell in cells], [problem.cell(cell) for cell in keep]
    distance = count_steps(problem, chosen)
    held = sorted({pin.cell for pin in problem.pins} | set(kept))
    rest = sorted(held, key=lambda cell: int(distance[cell]))
    limit = MOST_TRIAL_STEPS + problem.cell_count
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
    """Count the steps from every cell to the nearest of these cells."""
    reached, steps = np.zeros(problem.cell_count, bool), np.zeros(problem.cell_count, np.int64)
    reached[cells] = True
    while (further := add_neighbours(problem, reached)).sum() > reached.sum():
        steps[~reached] += 1
        reached = further
    return steps


def regrow(
    solution: Solution, cells: Iterable[CellLike], seed: int = 0, keep: Iterable[CellLike] = ()
) -> Solution:
    """Fill these cells with other content, chosen by the seed, with as few other changes as possible.

    If the surrounding cells leave little choice, other seeds are tried, then surrounding cells are freed as
    well. If no other content is found, the result has the same content.

    cells : numbers or coordinates
    keep : cells that must not change, even if they are also in `cells`
    """
    check_type("solution", solution, Solution, "a Solution")
    seed = parse_seed(seed)
    problem, before = solution.problem, solution.patterns
    kept = [problem.cell(cell) for cell in parse_list("keep", keep)]
    chosen, fixed = np.zeros((2, problem.cell_count), bool)
    chosen[[problem.cell(cell) for cell in parse_list("cells", cells)]] = True
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
        if most >= LEAST_CHANGED_SHARE * chosen.sum():
            break
        if attempt % ATTEMPTS_PER_RING == ATTEMPTS_PER_RING - 1:
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
    """Return a valid map close to the wanted one [cell], with the statistics and seed of `solution`."""
    found = repair(problem, wanted, keep, seed, budget).solution
    return replace(solution, problem=problem, patterns=found.patterns)
