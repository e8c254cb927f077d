"""Trials: how often maps are solved, by size and order, how far a choice has an effect, and advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.subcomplete import SubComplete
from wavefold.errors import Contradiction, OutOfBudget
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.tiles import TileSet
from wavefold.topology import Topology, is_plane, lattice_class

ORDERS = ("entropy", "scanline")
PLAIN_BUDGET = 4  # decisions per cell for plain backtracking: beyond that it is thrashing
FULL_BUDGET = 200  # decisions per cell for the full search
FARTHEST = 16  # cells
E_FOLD = 0.36787944117144233  # where correlation has fallen to 1/e: the correlation length
FAINT = 0.1  # where a choice has almost no effect any more: the reach


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


@dataclass(frozen=True, slots=True)
class Advice:
    """The settings that suit a set best. Nothing in wavefold reads them."""

    order: str
    search: str
    window: int  # cells across that can be solved again with little risk
    chunk: int  # cells across a chunk of an endless world
    why: str


def run_trials(
    tiles: TileSet, sizes: int, seeds: int, patience: float, tick: Callable[[], None] = lambda: None
) -> tuple[list[Trial], list[Solution]]:
    """Results for the first `sizes` sizes in each order; and the solved maps of the largest size.

    No map may take longer than `patience`, in milliseconds.
    """
    found: list[Trial] = []
    maps: list[Solution] = []
    grid_class = lattice_class(tiles.topology)
    for width in grid_class.sizes.trials[:sizes]:
        problem = Problem(tiles, grid_class.of_width(width))
        solved: list[Solution] = []
        for order in ORDERS:
            tick()
            trial, solutions = run_trial(problem, width, order, seeds, patience)
            found.append(trial)
            solved += solutions
        if not solved:
            break  # larger maps are not easier
        maps = solved
    return found, maps


def run_trial(
    problem: Problem, width: int, order: str, seeds: int, patience: float
) -> tuple[Trial, list[Solution]]:
    """Solve maps by plain backtracking, which shows how good the order is, and by the full search."""
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
            seeds = seed + 1  # more of the same would only take time
            break
    per_thousand = 1e3 * contradictions / (cells * seeds)
    return Trial(width, order, seeds, plain, len(maps), per_thousand, median(times)), maps


def measure_correlation(tiles: TileSet, maps: list[Solution]) -> list[float]:
    """[distance] how much likelier than by chance two cells in a line have the same tile: from 1 to 0."""
    tile_of = tiles.rules.tile_of.astype(np.int64)
    arrays = [np.where(each.array >= 0, tile_of[each.array], -1) for each in maps]
    if not arrays:
        return []
    counts = sum(np.bincount(each[each >= 0], minlength=len(tiles.tiles)) for each in arrays)
    shares = np.asarray(counts) / max(1, int(np.sum(counts)))
    by_chance = float((shares**2).sum())
    if by_chance > 1 - 1e-9:
        return [1.0]
    farthest = min(FARTHEST, min(arrays[0].shape) - 1)
    return [1.0] + [
        max(0.0, (measure_agreement(arrays, distance) - by_chance) / (1 - by_chance))
        for distance in range(1, farthest + 1)
    ]


def measure_agreement(arrays: list[NDArray[np.int64]], distance: int) -> float:
    """The share of pairs of cells this far apart with the same tile, along the axis where it is highest."""
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
    """The first distance from which on correlation stays below the threshold; None if it never does."""
    far = [distance for distance, value in enumerate(curve) if value >= threshold]
    if not far or far[-1] >= len(curve) - 1:
        return None
    return far[-1] + 1


def advise(found: list[Trial], reach: int | None, rows: SubComplete | None, topology: str) -> Advice:
    """The settings that the trials suggest."""
    orders = sorted(ORDERS, key=lambda order: rank(found, order))
    order = orders[0]
    if rows is not None and rows.holds:
        order = "scanline" if rows.start == "northwest" else f"scanline:{rows.start}"
        search, why = "backtrack", f"rows from the {rows.start} can be filled without a dead end"
    else:
        plain = sum(trial.plain for trial in found if trial.order == order)
        runs = sum(trial.runs for trial in found if trial.order == order)
        search = "backtrack" if plain == runs else "auto"
        why = f"plain backtracking solved {plain} of {runs} maps in {order} order"
    tried = "scanline" if rows is not None and rows.holds else order
    safe = [trial.side for trial in found if trial.order == tried and trial.plain == trial.runs]
    window = max(safe, default=lattice_class(topology).sizes.safe_window)
    farthest = FARTHEST if reach is None else reach
    chunk = min(64, max(32, 1 << (4 * farthest - 1).bit_length())) if is_plane(topology) else 16
    return Advice(order, search, window, chunk, why)


def rank(found: list[Trial], order: str) -> tuple[int, float]:
    """Fewest failures first, then fewest contradictions."""
    own = [trial for trial in found if trial.order == order]
    return sum(trial.runs - trial.plain for trial in own), sum(trial.contradictions for trial in own)


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
