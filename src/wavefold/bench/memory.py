"""Domains as arrays of words, or as sets of objects: what they hold in memory."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable

from wavefold.bench.baselines import by_rows, plain_tiles, solve_plainly
from wavefold.bench.figures import Section
from wavefold.bench.rulesets import forty_tiles
from wavefold.bench.setup import Setup
from wavefold.solver import Problem, Solver
from wavefold.topology import SquareGrid

Watch = Callable[[], object]  # called after each decision
HOW = (
    "forty tiles, {side}x{side}, above the start: most blocks of the Python allocator in use "
    "(sys.getallocatedblocks after each decision), and peak bytes (tracemalloc, which sees NumPy's arrays)"
)


def arrays_or_objects(setup: Setup) -> Section:
    """The plain solver with a set per cell, and ours."""
    side = setup.effort.plain_side
    section = Section("domains", "Domains: objects or arrays", HOW.format(side=side))
    tiles, grid = forty_tiles(), SquareGrid(side, side)
    plain, neighbours = plain_tiles(tiles), grid.graph().neighbour.tolist()
    narrow, problem = by_rows(plain), Problem(tiles, grid)

    def with_arrays(watch: Watch) -> object:
        solver = Solver(problem, 1, order="scanline")
        while solver.step() != "solved":
            watch()
        return solver.solution()

    objects, object_bytes = memory_held(lambda watch: solve_plainly(plain, neighbours, narrow, 1, watch))
    blocks, array_bytes = memory_held(with_arrays)
    section.add("sets of objects", "blocks", objects)
    section.add("sets of objects", "peak", object_bytes / 1e3, "kB")
    section.add("arrays of words", "blocks", blocks)
    section.add("arrays of words", "fewer blocks", (1 - blocks / objects) * 100, "%", ">= 60")
    section.add("arrays of words", "peak", array_bytes / 1e3, "kB")
    section.add("arrays of words", "fewer bytes", (1 - array_bytes / object_bytes) * 100, "%")
    return section


def memory_held(work: Callable[[Watch], object]) -> tuple[int, int]:
    """The most blocks above the start that `work` was seen to hold, and its peak of bytes."""
    work(lambda: None)  # compiles, fills caches
    most = 0
    start = sys.getallocatedblocks()

    def look() -> None:
        nonlocal most
        most = max(most, sys.getallocatedblocks() - start)

    kept = work(look)
    look()
    del kept
    tracemalloc.start()
    work(lambda: None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, peak
