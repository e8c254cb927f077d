"""Trials: how often maps are solved, the reach of a choice, and where searches fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import Contradiction, OutOfBudget, WavefoldError
from wavefold.options.names import SearchName
from wavefold.reports.auditing.side_kinds import SideKinds
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.solver.engine.events import CELL, CONTRADICTION, KIND, Batch
from wavefold.tiles import TileSet
from wavefold.topology import get_lattice_class

ORDERS = ("entropy", "scanline")
PLAIN_BUDGET = 4  # decisions per cell for plain backtracking; with more, it rarely succeeds
FULL_BUDGET = 200  # decisions per cell for the full search
MOST_DISTANCE = 16  # cells
E_FOLD = 0.36787944117144233  # 1/e, the correlation at the correlation length
FAINT = 0.1  # correlation at the reach, beyond which a choice has almost no effect
MOST_WATCHED = 300  # contradictions in each map; the most common ones appear early
MOST_FAILURES = 12  # that are reported
IMPOSSIBLE, UNKNOWN = "impossible", "unknown"

Neighbourhood = tuple[tuple[int, int], ...]  # (side, kind) of decided neighbours


@dataclass(frozen=True, slots=True)
class Trial:
    """Maps of one size in one order."""

    side: int  # cells across
    order: str
    runs: int
    plain: int  # maps solved by plain backtracking
    full: int  # maps solved by the full search, with all its steps
    contradictions: float  # per 1,000 cells, of plain backtracking
    milliseconds: float  # median of the full search


def run_trials(
    tiles: TileSet, sizes: int, seeds: int, patience: float, tick: Callable[[], None] = lambda: None
) -> tuple[list[Trial], list[Solution]]:
    """Run trials of the first `sizes` sizes in each order; also returns the solved maps of the largest size.

    patience : time limit of each map, in milliseconds
    """
    found: list[Trial] = []
    maps: list[Solution] = []
    grid_class = get_lattice_class(tiles.topology)
    for width in grid_class.sizes.trials[:sizes]:
        problem = Problem(tiles, grid_class.of_width(width), own_constraints=False)
        solved: list[Solution] = []
        for order in ORDERS:
            tick()
            trial, solutions = run_trial(problem, width, order, seeds, patience)
            found.append(trial)
            solved += solutions
        if not solved:
            break  # larger maps are harder
        maps = solved
    return found, maps


def run_trial(
    problem: Problem, width: int, order: str, seeds: int, patience: float
) -> tuple[Trial, list[Solution]]:
    """Solve maps by plain backtracking, which shows the quality of the order, and by the full search."""
    cells = problem.cell_count
    plain = contradictions = 0
    times: list[float] = []
    maps: list[Solution] = []
    for seed in range(seeds):
        started = perf_counter()
        full = try_solve(problem, seed, FULL_BUDGET * cells, order, "auto", patience)
        times.append((perf_counter() - started) * 1e3)
        if isinstance(full, Solution):
            maps.append(full)
        simple = try_solve(problem, seed, PLAIN_BUDGET * cells, order, "backtrack", patience)
        if isinstance(simple, Solution):
            plain += 1
            contradictions += simple.stats.contradictions
        else:
            contradictions += PLAIN_BUDGET * cells
        if full == simple == UNKNOWN and (seed >= 1 or times[-1] > patience):
            seeds = seed + 1  # skip the other seeds
            break
    per_thousand = 1e3 * contradictions / (cells * seeds)
    return Trial(width, order, seeds, plain, len(maps), per_thousand, median(times)), maps


def try_solve(
    problem: Problem, seed: int, decisions: int, order: str, search: SearchName, ms: float | None = None
) -> Solution | str:
    """Return a solution, IMPOSSIBLE if none exists, or UNKNOWN if none was found within the limits."""
    try:
        return Solver(problem, seed, order, search=search).run(Budget(ms, decisions))
    except Contradiction:
        return IMPOSSIBLE
    except OutOfBudget:
        return UNKNOWN


def measure_correlation(tiles: TileSet, maps: list[Solution]) -> list[float]:
    """Measure by distance how much more often than by chance two cells have the same tile, from 1 to 0."""
    tile_of = tiles.rules.tile_of.astype(np.int64)
    arrays = [np.where(each.array >= 0, tile_of[each.array], -1) for each in maps]
    if not arrays:
        return []
    counts = sum(np.bincount(each[each >= 0], minlength=len(tiles.tiles)) for each in arrays)
    shares = np.asarray(counts) / max(1, int(np.sum(counts)))
    by_chance = float((shares**2).sum())
    if by_chance > 1 - 1e-9:
        return [1.0]
    farthest = min(MOST_DISTANCE, min(arrays[0].shape) - 1)
    return [1.0] + [
        max(0.0, (measure_agreement(arrays, distance) - by_chance) / (1 - by_chance))
        for distance in range(1, farthest + 1)
    ]


def measure_agreement(arrays: list[NDArray[np.int64]], distance: int) -> float:
    """Measure the share of pairs at this distance with the same tile, on the axis where it is highest."""
    best = 0.0
    for axis in range(arrays[0].ndim):
        same = pairs = 0
        for array in arrays:
            rows = np.moveaxis(array, axis, 0)
            near, far = rows[:-distance], rows[distance:]
            both = (near >= 0) & (far >= 0)
            same, pairs = same + int((near[both] == far[both]).sum()), pairs + int(both.sum())
        best = max(best, same / max(1, pairs))
    return best


def find_reach(curve: list[float], threshold: float) -> int | None:
    """Find the distance from which on the correlation stays below the threshold; None if there is none."""
    far = [distance for distance, value in enumerate(curve) if value >= threshold]
    if not far or far[-1] >= len(curve) - 1:
        return None
    return far[-1] + 1


@dataclass(frozen=True, slots=True)
class Failure:
    """A neighbourhood in which nothing fits."""

    asked: tuple[tuple[str, str], ...]  # (side, kind): the requirements of decided neighbours
    times: int
    known: bool  # whether it is an impossible corner, where no pattern fits these kinds


@dataclass(frozen=True, slots=True)
class Failures:
    """The contradictions in a number of maps."""

    maps: int
    contradictions: int
    at_impossible_corners: int
    common: tuple[Failure, ...]


def collect_failures(kinds: SideKinds, width: int, seeds: int, patience: float) -> Failures:
    """Solve maps by plain backtracking, and collect the neighbourhoods of contradictions.

    Listening takes a hundred times as long as solving, so only maps with contradictions are solved again with
    a listener.

    width : cells across a map
    patience : time limit of all maps together, in milliseconds
    """
    problem = Problem(kinds.tiles, kinds.grid.of_width(width), own_constraints=False)
    decisions = 2 * problem.cell_count
    seen: Counter[Neighbourhood] = Counter()
    ends = perf_counter() + patience / 1e3
    maps = 0
    for seed in range(seeds):
        left = (ends - perf_counter()) * 1e3
        if left <= 0:
            break
        plain = try_solve(problem, seed, decisions, "entropy", "backtrack", left)
        if not isinstance(plain, Solution) or plain.stats.contradictions:
            solver = Solver(problem, seed, "entropy", search="backtrack")
            watch_solver(kinds, solver, Budget(left, decisions), seen)
        maps += 1
    return summarize_failures(kinds, seen, maps)


def watch_solver(kinds: SideKinds, solver: Solver, budget: Budget, seen: Counter[Neighbourhood]) -> None:
    """Count the neighbourhoods of contradictions in `seen`."""
    before = seen.total()

    def look(batch: Batch) -> None:
        for cell in batch[batch[:, KIND] == CONTRADICTION, CELL].tolist():
            seen[find_neighbour_kinds(kinds, solver, cell)] += 1
            if seen.total() - before == MOST_WATCHED:
                raise EnoughSeen

    solver.listen(look, batches=True)
    with suppress(WavefoldError, EnoughSeen):
        solver.run(budget)


class EnoughSeen(Exception):
    """Raised to end a run with enough contradictions."""


def find_neighbour_kinds(kinds: SideKinds, solver: Solver, cell: int) -> Neighbourhood:
    """Find (side, kind) of each neighbour whose remaining patterns are all of one kind."""
    partial = solver.partial()
    found = []
    for side, neighbour in enumerate(solver.problem.graph.neighbour[cell].tolist()):
        if neighbour >= 0:
            these = np.unique(kinds.kind_of[side][partial.possible[neighbour]]).tolist()
            found += [(side, kind) for kind in these if len(these) == 1]
    return tuple(found)


def summarize_failures(kinds: SideKinds, seen: Counter[Neighbourhood], maps: int) -> Failures:
    """Summarize the counts with names, the most common failures first."""
    known = {each: not any_pattern_fits(kinds, each) for each in seen}
    common = sorted(seen.items(), key=lambda item: (-item[1], item[0]))[:MOST_FAILURES]
    return Failures(
        maps,
        seen.total(),
        sum(times for each, times in seen.items() if known[each]),
        tuple(Failure(name_kinds(kinds, each), times, known[each]) for each, times in common),
    )


def name_kinds(kinds: SideKinds, neighbours: Neighbourhood) -> tuple[tuple[str, str], ...]:
    """Return the names of (side, kind)."""
    return tuple((kinds.tiles.directions[side], kinds.labels[side][kind]) for side, kind in neighbours)


def any_pattern_fits(kinds: SideKinds, neighbours: Neighbourhood) -> bool:
    """Return whether some pattern fits all these kinds [(side, kind)]."""
    return bool(np.logical_and.reduce([kinds.fits[side][kind] for side, kind in neighbours]).any())
