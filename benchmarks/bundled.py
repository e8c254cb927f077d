"""Whole maps of the bundled tile sets: small calls, solving, refining, memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from time import perf_counter

from benchmarks.data import SQUARE, Setup
from benchmarks.figures import FigureSection, measure_time, run_probe
from wavefold.api import generate
from wavefold.kernels.host.threads import VARIABLE
from wavefold.solver import Problem, Solution, Solver
from wavefold.tiles import TileSet
from wavefold.topology import SquareGrid

SMALL_SIDE, SMALL_CALLS = 8, 40
SWEEPS = 8
HOW = (
    "processor time, the least of {turns} turns; small call: mean of {calls} calls of generate(tiles, "
    "SquareGrid(8, 8), refine=False); solve: Solver(problem, seed).run() on a ready problem of {side}x{side} "
    "cells, median over {seeds} seeds; sweep: of refining such a map, mean of {sweeps}. Two threads: "
    "wall-clock time of a sweep of {large}x{large} cells with one thread, divided by that with two; bytes: "
    "growth of the memory of a fresh process that solves {memory}x{memory} cells"
)


def bundled_maps(setup: Setup) -> FigureSection:
    """Every bundled set of square tiles."""
    effort = setup.effort
    side, seeds, turns = effort.map_side, effort.sweep_seeds, effort.start_runs
    large, memory = 4 * side, 2 * effort.large_side
    how = HOW.format(
        turns=turns, calls=SMALL_CALLS, side=side, seeds=seeds, sweeps=SWEEPS, large=large, memory=memory
    )
    section = FigureSection("bundled", "Maps of bundled sets", how)
    for name in SQUARE:
        tiles = TileSet.load(name)
        row = f"{name}, {len(tiles)} patterns"
        problem = Problem(tiles, SquareGrid(side, side))
        section.add(row, "small call", least(partial(measure_small_calls, tiles), turns), "ms")
        section.add(row, "solve", least(partial(measure_solves, problem, seeds), turns), "ms")
        solution = Solver(problem, 1).run()
        section.add(row, "sweep", least(partial(measure_sweeps, solution), turns), "ms")
        if not problem.constraints:
            section.add(row, "two threads", compare_threads(tiles, large, turns), "x", ">= 1.7")
            goal = "<= 250" if len(tiles) <= 64 else "<= 320"
            used = run_probe(measure_memory, name, memory)["bytes_per_cell"]
            section.add(row, "bytes per cell", used, "", goal if len(tiles) <= 256 else "")
    return section


def least(measure: Callable[[], float], turns: int) -> float:
    """The least of some measurements, after one that fills caches."""
    measure()
    return min(measure() for _ in range(turns))


def measure_small_calls(tiles: TileSet) -> float:
    """Milliseconds of a small call."""
    grid = SquareGrid(SMALL_SIDE, SMALL_SIDE)

    def call() -> None:
        for seed in range(SMALL_CALLS):
            generate(tiles, grid, seed, refine=False)

    return measure_time(call)[0] / SMALL_CALLS


def measure_solves(problem: Problem, seeds: int) -> float:
    """Milliseconds of a solve."""
    return median(measure_time(Solver(problem, seed).run)[0] for seed in range(seeds))


def measure_sweeps(solution: Solution) -> float:
    """Milliseconds of a sweep."""
    return measure_time(solution.refine, SWEEPS)[0] / SWEEPS


def compare_threads(tiles: TileSet, side: int, turns: int) -> float:
    """How many times as fast two threads refine as one."""
    solution = generate(tiles, SquareGrid(side, side), refine=False)
    seconds = []
    for threads in (1, 2):
        with using_threads(threads):
            seconds.append(least(partial(clock_sweeps, solution), turns))
    return seconds[0] / seconds[1]


def clock_sweeps(solution: Solution) -> float:
    """Seconds of wall-clock time of some sweeps."""
    started = perf_counter()
    solution.refine(SWEEPS)
    return perf_counter() - started


@contextmanager
def using_threads(threads: int) -> Iterator[None]:
    """Calls inside use so many threads."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(threads)
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def measure_memory(name: str, side: int) -> dict[str, float]:
    """How much the memory of a process grows by solving a map, in a process of its own."""
    import sys
    from resource import RUSAGE_SELF, getrusage

    import wavefold as wf

    def solve(side: int) -> int:
        wf.Solver(wf.Problem(tiles, wf.SquareGrid(side, side)), 1).run()
        return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    tiles = wf.TileSet.load(name)
    before = solve(16)
    return {"bytes_per_cell": (solve(side) - before) / side**2}
