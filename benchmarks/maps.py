"""Costs of one map: time over size, hexagons, memory, allocation while searching."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np

from benchmarks.data import Setup, usual_tiles
from benchmarks.figures import Attempts, FigureSection, prepare_engine, run_attempts, run_probe
from wavefold.kernels.units import COMPILED
from wavefold.patchwork.plan import build_order, make_plan
from wavefold.solver import Problem
from wavefold.solver.engine.engine import Engine
from wavefold.tiles import TileSet
from wavefold.topology import HexGrid, SquareGrid

ORDERS = ("scanline", "entropy")
GROWTH_HOW = (
    "processor time of Solver(problem, seed, order).run() on a ready problem, median over seeds "
    "(fewer on larger maps); exponent: slope of the line through log(time) over log(cells)"
)
LARGE_HOW = (
    "generate(tiles, SquareGrid({side}, {side}), order) once in a fresh process, after a small map, "
    "from tiles to map, processor time; peak memory: of that whole process, by getrusage"
)


def growth_with_size(setup: Setup) -> FigureSection:
    """Both orders over all sizes, then one large map on its own."""
    name, tiles = usual_tiles(setup.reference)
    section = FigureSection("growth", f"Growth with size: {name}, {len(tiles)} patterns", GROWTH_HOW)
    for order in ORDERS:
        measure_growth(section, tiles, order, setup.effort.growth_seeds)
    for order in ORDERS:
        measure_large_map(section, setup.reference, order, setup.effort.large_side)
    return section


def measure_growth(section: FigureSection, tiles: TileSet, order: str, seeds: dict[int, int]) -> None:
    """One order: time per cell at each size, and how it changes."""
    per_cell = []
    for side, count in seeds.items():
        done = run_attempts(Problem(tiles, SquareGrid(side, side)), range(count), order=order)
        per_cell.append(done.median_ms * 1e6 / side**2)
        section.add(order, f"{side}x{side}", per_cell[-1], "ns/cell")
        note_trouble(section, order, side, done)
    cells = np.array([side**2 for side in seeds], float)
    slope = np.polyfit(np.log(cells), np.log(cells * per_cell), 1)[0]
    section.add(order, "exponent", float(slope), "", "<= 1.05")
    section.add(order, "per cell, largest / smallest", per_cell[-1] / per_cell[0], "x", "<= 1.5")


def note_trouble(section: FigureSection, order: str, side: int, done: Attempts) -> None:
    """Say so where the search did more than choose and propagate."""
    if done.failed or done.total("backtracks"):
        section.remarks.append(
            f"{order} {side}x{side}: {done.failed} of {len(done.stats)} failed, {done.total('backtracks')} "
            f"backtracks and {done.total('repairs')} repairs in all"
        )


def measure_large_map(section: FigureSection, folder: Path | None, order: str, side: int) -> None:
    """The time and the memory of one large map, from nothing."""
    numbers = run_probe(make_large_map, str(folder) if folder else None, side, order)
    how = LARGE_HOW.format(side=side)
    row = f"one {side}x{side} map, {order}"
    section.add(row, "from nothing", numbers["seconds"], "s", "< 4", how=how)
    section.add(row, "peak memory", numbers["peak_mb"], "MB", "< 1000", how=how)


def make_large_map(folder: str | None, side: int, order: str) -> dict[str, float]:
    """The time to make one large map, and the most memory this process ever held."""
    import sys
    from pathlib import Path
    from time import process_time

    from benchmarks.data import usual_tiles
    from wavefold.api import generate
    from wavefold.topology import SquareGrid

    tiles = usual_tiles(Path(folder) if folder else None)[1]
    generate(tiles, SquareGrid(8, 8), order=order)  # imports modules
    started = process_time()
    generate(tiles, SquareGrid(side, side), seed=1, order=order)
    seconds = process_time() - started
    try:
        import resource
    except ImportError:
        return {"seconds": seconds, "peak_mb": float("nan")}
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kibibytes elsewhere
    return {"seconds": seconds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6}


ALLOCATION_HOW = (
    "one call of engine.advance for a whole {side}x{side} map; the peak that tracemalloc saw during it "
    "(compiled kernels cannot allocate: their library needs no other)"
)


def no_allocation(setup: Setup) -> FigureSection:
    """Both orders."""
    side = 4 * setup.effort.map_side
    name, tiles = usual_tiles(setup.reference)
    section = FigureSection(
        "allocation", f"No allocation while searching: {name}", ALLOCATION_HOW.format(side=side)
    )
    if not COMPILED:
        return section.skip("kernels are not compiled")
    problem = Problem(tiles, SquareGrid(side, side))
    for order in ("scanline", "entropy"):
        prepare_engine(problem, order, 0).advance()
        measure_bytes(section, prepare_engine(problem, order, 1), order)
    return section


def measure_bytes(section: FigureSection, engine: Engine, order: str) -> None:
    """Bytes that Python and NumPy allocate around the kernels."""
    tracemalloc.start()
    engine.advance()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    section.add(order, "decisions", engine.decision_count)
    section.add(order, "peak bytes", peak)
    section.add(order, "bytes per decision", peak / max(1, engine.decision_count), "", "< 1")


PAIRS = 63_640  # that may touch, in each direction
GRID_RADIUS = 8
HEX_ORDERS = ("entropy", "domain")
HEX_HOW = (
    "processor time of Solver(problem, seed, order).run() on a ready problem, median over {seeds} seeds; "
    "the bundled set medieval: sockets (edge type, absolute level), and 13 tile types that may not touch "
    "their own; maps checked"
)


def hex_maps(setup: Setup) -> FigureSection:
    """One grid of 217 cells and a map of 4,123, by two orders."""
    seeds = range(setup.effort.hex_seeds)
    section = FigureSection("hex", "Hexagons, 924 states", HEX_HOW.format(seeds=len(seeds)))
    rules = TileSet.load("medieval").rules
    pairs = rules.allowed.sum(axis=(1, 2))
    assert (pairs == PAIRS).all(), f"the hex rules allow {pairs} pairs, not {PAIRS}"
    one, nineteen = Problem(rules, HexGrid(radius=GRID_RADIUS)), Problem(rules, nineteen_grids())
    for order in HEX_ORDERS:
        measure_hex(section, one, order, seeds, "< 5")
        measure_hex(section, nineteen, order, seeds, "< 120")
    return section


def measure_hex(section: FigureSection, problem: Problem, order: str, seeds: range, goal: str) -> None:
    """One map by one order."""
    done = run_attempts(problem, seeds, order=order)
    row = f"{problem.cell_count:,} cells, {order}"
    section.add(row, "whole run", done.median_ms, "ms", goal)
    section.add(row, "slowest", max(done.ms, default=float("nan")), "ms")
    section.add(row, "failed", done.failed, f"of {len(seeds)} runs")
    section.add(row, "backtracks", done.total("backtracks"), f"in {len(seeds)} runs")
    section.add(row, "repairs", done.total("repairs"), f"in {len(seeds)} runs")
    section.add(row, "restarts", done.total("restarts"), f"in {len(seeds)} runs")
    section.add(row, "violations", done.violations(), "", "= 0")


def nineteen_grids() -> HexGrid:
    """A centre grid and two rings of grids around it, 4,123 cells without gap or overlap, as one topology."""
    plan = make_plan("hex", GRID_RADIUS)
    cells = [cell for key in build_order("hex", 19) for cell in plan.cells(key)]
    return HexGrid.containing(np.array(cells))
