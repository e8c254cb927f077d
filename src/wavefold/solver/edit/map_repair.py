"""Repair: make an edited map valid again with as few changes as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, OutOfBudget
from wavefold.kernels.host.bitsets import has_bit, single_bits
from wavefold.kernels.host.checkpoint import LimitReached, checkpoint, limiting
from wavefold.options.names import CellLike
from wavefold.options.values import check_function, check_type, parse_list, parse_seed
from wavefold.solver.budget import Budget, Meter
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.propagators import CellMask
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import Attempt, Region, RegionSolver
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.solver import Solver
from wavefold.solver.statistics import Statistics

PREFERENCE_FACTOR = 1_000.0  # factor on the weight of a cell's own pattern
DECISIONS_PER_CELL = 20  # per free cell and attempt
RADII = (0, 1, 2, 3, 5, 8, 13, 21)
MANY_CHANGED, FEW_DECISIONS = 100, 2  # if more cells changed, restoring each has fewer decisions
MOST_RESTORED = 400  # changed cells whose old pattern is tried, one by one

PatternByCell: TypeAlias = NDArray[np.int64]  # [cell]; -1: unknown
Progress = Callable[[int, int], None]


class Repair(NamedTuple):
    """A repaired map."""

    solution: Solution
    changed: tuple[int, ...]  # cells that differ from the wanted map, including unknown ones
    broken: tuple[int, ...]  # cells that broke a rule


def repair(
    problem: Problem,
    wanted: ArrayLike | Solution,
    keep: Iterable[CellLike] = (),
    seed: int = 0,
    budget: Budget | int | None = None,
    progress: Progress | None = None,
) -> Repair:
    """Find a valid map close to the wanted one.

    Cells that break a rule are freed, then rings of cells around them, until a map is found. Then unnecessary
    changes are undone. Raises `Contradiction` if no map has the cells of `keep`, and `OutOfBudget` if none
    was found.

    wanted : int [cell] of patterns, in the topology's order or in the shape of `solution.array`, with -1 for
        unknown cells; or a solution of another problem
    keep : cells that must not change, as coordinates or numbers
    budget : `ms` limits the whole repair; decisions and backtracks limit the last attempt, which frees every
        cell outside `keep`
    progress : called before each attempt with the number of free cells and of all cells
    """
    check_type("problem", problem, Problem, "a Problem")
    check_function("progress", progress)
    seed, limits = parse_seed(seed), Budget.of(budget)
    patterns = read_wanted(problem, wanted)
    kept = np.zeros(problem.cell_count, bool)
    kept[[problem.cell(position) for position in parse_list("keep", keep)]] = True
    for cell in np.flatnonzero(kept & (patterns < 0)).tolist():
        raise ConfigError(
            f"keep: the cell {problem.topology.describe(cell)} has no pattern; "
            "leave it out of keep to fill it"
        )
    broken = find_broken_cells(problem, patterns)
    found = patterns
    if broken.any() or problem.constraints:
        meter = Meter(limits)
        try:
            with limiting(meter.check_time):
                checkpoint()
                found = solve_by_widening(problem, patterns, broken, kept, seed, limits, progress)
                found = restore_patterns(problem, patterns, found, broken, seed)
        except LimitReached as stop:
            raise build_timeout_error(problem, patterns, found, str(stop)) from None
    changed = np.flatnonzero(found != patterns)
    solution = Solution(problem, found, Statistics(), seed)
    return Repair(solution, tuple(changed.tolist()), tuple(np.flatnonzero(broken).tolist()))


def build_timeout_error(
    problem: Problem, patterns: PatternByCell, found: PatternByCell, reason: str
) -> OutOfBudget:
    """Build the error of a repair that ran out of time.

    Its `partial` is a valid map if the time ended while patterns were restored.
    """
    known = np.flatnonzero(found >= 0)
    domains = problem.domains.copy()
    domains[known] = single_bits(found[known], problem.rules.words)
    what = "searching for a valid map" if found is patterns else "undoing unnecessary changes"
    text = f"{reason}, while {what}; raise the budget"
    return OutOfBudget(text, Partial(problem, domains), Statistics(), "repairing")


def read_wanted(problem: Problem, wanted: ArrayLike | Solution) -> PatternByCell:
    """Return the wanted map as int64 [cell]."""
    array = np.asarray(wanted.patterns if isinstance(wanted, Solution) else wanted)
    if array.dtype.kind not in "iu":
        raise ConfigError(f"the map to repair must contain pattern numbers, not {array.dtype}")
    shape = problem.topology.shape
    if shape is not None and array.shape == tuple(shape):
        numbers = problem.topology.to_array(np.arange(problem.cell_count), missing=-1)
        flat = np.empty(problem.cell_count, np.int64)
        flat[numbers[numbers >= 0]] = array[numbers >= 0]
        array = flat
    if array.shape != (problem.cell_count,):
        raise ConfigError(f"the map to repair has shape {array.shape}; it must be {(problem.cell_count,)}")
    if array.size and not -1 <= array.min() <= array.max() < len(problem.rules):
        raise ConfigError(f"the map to repair contains patterns outside -1 to {len(problem.rules) - 1}")
    return array.astype(np.int64)


def find_broken_cells(problem: Problem, patterns: PatternByCell) -> CellMask:
    """Find the cells that are unknown, are not permitted, or do not fit a neighbour."""
    known = patterns >= 0
    safe = np.maximum(patterns, 0)
    broken = ~known | ~has_bit(problem.domains, np.arange(patterns.size), safe)
    graph, rules = problem.graph, problem.rules
    for direction in range(graph.neighbour.shape[1]):
        there = graph.neighbour[:, direction]
        both = np.flatnonzero((there >= 0) & known & known[np.maximum(there, 0)])
        relation = rules.relations[graph.rule[direction]]
        here, other = patterns[both], patterns[there[both]]
        fits = has_bit(relation.rows, relation.class_of[here], other)
        fits &= (rules.kinds[here] < 0) | (rules.kinds[here] != rules.kinds[other])
        broken[both[~fits]] = True
    return broken


def solve_by_widening(
    problem: Problem,
    patterns: PatternByCell,
    broken: CellMask,
    kept: CellMask,
    seed: int,
    budget: Budget,
    progress: Progress | None,
) -> PatternByCell:
    """Free the broken cells, then rings around them, until a map is found."""
    free = broken & ~kept

    def free_ring(_: int) -> bool:
        nonlocal free
        before = free
        free = free | (add_neighbours(problem, free | broken) & ~kept)
        return bool((free != before).any())

    for _ in iterate_radii(RADII, free_ring):
        if progress is not None:
            progress(int(free.sum()), problem.cell_count)
        found, _ = solve_cells(problem, patterns, free, broken, seed)
        if found is not None:
            return found
    if progress is not None:
        progress(int((~kept).sum()), problem.cell_count)
    return solve_whole_map(problem, patterns, kept, seed, budget).patterns


def solve_whole_map(
    problem: Problem, patterns: PatternByCell, kept: CellMask, seed: int, budget: Budget
) -> Solution:
    """Solve the whole map with the kept cells as pins, so that an error lists those that contradict."""
    pins = list(problem.pins)
    for cell in np.flatnonzero(kept).tolist():
        name = problem.rules.names[patterns[cell]]
        pins.append(Pin(cell, name, patterns[cell : cell + 1], noun="kept cell"))
    weights = prefer_patterns(problem, patterns, np.arange(problem.cell_count), ~kept)
    return Solver(problem.replace(pins=tuple(pins), weights=weights), seed, "entropy").run(budget)


def restore_patterns(
    problem: Problem, patterns: PatternByCell, found: PatternByCell, broken: CellMask, seed: int
) -> PatternByCell:
    """Restore the old patterns of changed cells one by one, where a solution allows it."""
    changed = np.flatnonzero((found != patterns) & (patterns >= 0))
    decisions = DECISIONS_PER_CELL if changed.size <= MANY_CHANGED else FEW_DECISIONS
    for cell in changed[:MOST_RESTORED].tolist():
        free = found != patterns
        if free[cell]:  # otherwise it was restored together with another cell
            free[cell] = False
            again, _ = solve_cells(problem, patterns, free, broken, seed, decisions=decisions)
            found = found if again is None else again
    return found


def solve_cells(
    problem: Problem,
    patterns: PatternByCell,
    free: CellMask,
    broken: CellMask,
    seed: int,
    order: str = "entropy",
    prefer: bool = True,
    decisions: int = DECISIONS_PER_CELL,
) -> tuple[PatternByCell | None, bool]:
    """Find a valid map that differs in few cells, all of them free; or None, and whether that is proved.

    Only the free cells, their neighbours and the broken cells are solved; with constraints, which may depend
    on any cell, the whole map.

    prefer : whether to prefer the old patterns. Otherwise more cells change, but a map is found sooner
    decisions : limit per free cell
    """
    whole = bool(problem.constraints)
    cells = np.arange(problem.cell_count) if whole else np.flatnonzero(add_neighbours(problem, free) | broken)
    weights = prefer_patterns(problem, patterns, cells, free) if prefer else find_own_weights(problem, cells)
    part = problem.replace(weights=weights) if whole else problem.part(cells, weights)
    attempt = solve_part(part, patterns[cells], free[cells], seed, order, 100 + decisions * int(free.sum()))
    if attempt.patterns is None:
        return None, attempt.is_proof
    found = patterns.copy()
    found[cells] = attempt.patterns
    return found, False


def solve_part(
    part: Problem, patterns: PatternByCell, free: CellMask, seed: int, order: str, decisions: int
) -> Attempt:
    """Solve the free cells of a problem with the others fixed to these patterns [cell]."""
    fixed = np.flatnonzero(~free)
    region = Region(fixed=(fixed, patterns[fixed]))
    return RegionSolver(part).solve(region, Heuristics.of(order), seed, SEARCHES["auto"], decisions)


def prefer_patterns(
    problem: Problem, patterns: PatternByCell, cells: NDArray[np.int64], free: CellMask
) -> NDArray[np.float64]:
    """Return the weights [cell, pattern] of the problem, much larger for the old patterns of free cells."""
    weights = find_own_weights(problem, cells)
    preferred = np.flatnonzero(free[cells] & (patterns[cells] >= 0))
    weights[preferred, patterns[cells[preferred]]] *= PREFERENCE_FACTOR
    return weights


def find_own_weights(problem: Problem, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the weights [cell, pattern] of the problem."""
    own = problem.rules.weights if problem.weights is None else problem.weights
    shape = (problem.cell_count, len(problem.rules))
    weights: NDArray[np.float64] = np.broadcast_to(own, shape)[cells].copy()
    return weights


def add_neighbours(problem: Problem, cells: CellMask) -> CellMask:
    """Return the mask [cell] of these cells and their neighbours."""
    neighbour = problem.graph.neighbour
    return cells | np.asarray((cells[np.maximum(neighbour, 0)] & (neighbour >= 0)).any(axis=1))


def iterate_radii(radii: Iterable[int], free_ring: Callable[[int], bool]) -> Iterator[int]:
    """Yield each radius after calling `free_ring(ring)` for every ring up to it.

    `free_ring` returns whether it freed any cell. Stops when a step freed none, because the same attempt
    would fail again.
    """
    reached: int | None = None
    for radius in radii:
        freed = [free_ring(ring) for ring in range((reached or 0) + 1, radius + 1)]
        if reached is not None and not any(freed):
            return
        reached = radius
        yield radius
