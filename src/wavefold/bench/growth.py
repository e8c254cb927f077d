"""Growth: does a map of twice the cells take twice the time? And how large may it be?"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wavefold.bench.attempts import Attempts, attempts
from wavefold.bench.figures import Section
from wavefold.bench.rulesets import usual_tiles
from wavefold.bench.setup import Setup
from wavefold.bench.timing import in_fresh_process
from wavefold.solver import Problem
from wavefold.tiles import TileSet
from wavefold.topology import SquareGrid

ORDERS = ("scanline", "entropy")
HOW = (
    "processor time of Solver(problem, seed, order).run() on a ready problem, median over seeds "
    "(fewer on larger maps); exponent: slope of the line through log(time) over log(cells)"
)
LARGE_HOW = (
    "generate(tiles, SquareGrid({side}, {side}), order) once in a fresh process, kernels on disk, "
    "from tiles to map, processor time; peak memory: of that whole process, by getrusage"
)


def growth_with_size(setup: Setup) -> Section:
    """Both orders over all sizes, then one large map on its own."""
    name, tiles = usual_tiles(setup.reference)
    section = Section("growth", f"Growth with size: {name}, {len(tiles)} patterns", HOW)
    for order in ORDERS:
        measure_growth(section, tiles, order, setup.effort.growth_seeds)
    for order in ORDERS:
        measure_large_map(section, setup.reference, order, setup.effort.large_side)
    return section


def measure_growth(section: Section, tiles: TileSet, order: str, seeds: dict[int, int]) -> None:
    """One order: time per cell at each size, and how it changes."""
    per_cell = []
    for side, count in seeds.items():
        done = attempts(Problem(tiles, SquareGrid(side, side)), range(count), order=order)
        per_cell.append(done.median_ms * 1e6 / side**2)
        section.add(order, f"{side}x{side}", per_cell[-1], "ns/cell")
        note_trouble(section, order, side, done)
    cells = np.array([side**2 for side in seeds], float)
    slope = np.polyfit(np.log(cells), np.log(cells * per_cell), 1)[0]
    section.add(order, "exponent", float(slope), "", "<= 1.05")
    section.add(order, "per cell, largest / smallest", per_cell[-1] / per_cell[0], "x", "<= 1.5")


def note_trouble(section: Section, order: str, side: int, done: Attempts) -> None:
    """Say so where the search did more than choose and propagate."""
    if done.failed or done.total("backtracks"):
        section.remarks.append(
            f"{order} {side}x{side}: {done.failed} of {len(done.stats)} failed, {done.total('backtracks')} "
            f"backtracks and {done.total('repairs')} repairs in all"
        )


def measure_large_map(section: Section, folder: Path | None, order: str, side: int) -> None:
    """The time and the memory of one large map, from nothing."""
    numbers = in_fresh_process("large_map", str(folder) if folder else None, side, order)
    how = LARGE_HOW.format(side=side)
    row = f"one {side}x{side} map, {order}"
    section.add(row, "from nothing", numbers["seconds"], "s", "< 4", how=how)
    section.add(row, "peak memory", numbers["peak_mb"], "MB", "< 1000", how=how)
