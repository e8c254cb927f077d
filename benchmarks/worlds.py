"""Endless worlds and patchworks."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np

from benchmarks.data import Setup
from benchmarks.figures import FigureSection, measure_time
from wavefold.options.names import Sweeps
from wavefold.patchwork import Patchwork
from wavefold.patchwork.plan import build_order
from wavefold.reports.checker import check
from wavefold.reports.comparing.results import CaseResult
from wavefold.reports.comparing.run import compare, list_cases
from wavefold.tiles import TileSet
from wavefold.worlds import World

SEED = 7
SPREAD = 1 << 20  # chunks: places drawn from so many have no window in common
NEIGHBOURS = 3  # of so many chunks across and down, for warm ones
WORLDS_HOW = (
    "processor time of world.chunk(x, y), 64x64 cells ({hex_side}x{hex_side} hexagons), {chunks} chunks at "
    "random places in random order; cold: nothing of a chunk is known, corners, edges and joints are made, "
    "too; warm: these are known, the interior is made; known: the chunk was asked for before; "
    "plain: refine=False; refined: refine='auto'; "
    "kept: windows, small ones included, that kept their witness"
)


def endless_worlds(setup: Setup) -> FigureSection:
    """Every bundled square set, and the hexagons."""
    chunks, hex_side = setup.effort.world_chunks, 32
    section = FigureSection("worlds", "Endless worlds", WORLDS_HOW.format(chunks=chunks, hex_side=hex_side))
    for name in setup.effort.world_sets:
        tiles = TileSet.load(name)
        goals = {"cold p99": "< 30", "warm p50": "< 4", "cold slowest": "< 100"}
        row = f"{name}, {len(tiles)} patterns"
        measure_world(section, f"{row}, plain", tiles, 64, chunks, goals, refine=False)
        measure_world(section, f"{row}, refined", tiles, 64, chunks, {"cold p99": "< 100"}, refine="auto")
    tiles = TileSet.load("medieval")
    few = min(chunks, max(4, chunks // 5))
    row = f"medieval {hex_side}x{hex_side}, {len(tiles)} states"
    measure_world(section, f"{row}, plain", tiles, hex_side, few, {"cold p99": "< 80"}, refine=False)
    measure_world(section, f"{row}, refined", tiles, hex_side, few, {}, refine="auto")
    return section


def measure_world(
    section: FigureSection,
    row: str,
    tiles: TileSet,
    side: int,
    chunks: int,
    goals: dict[str, str],
    refine: Sweeps,
) -> None:
    """One tile set: cold chunks all over the place, then the chunks of a small block, seams first."""
    World(tiles, SEED, side, refine=refine).chunk(0, 0)  # makes the tables of every shape
    world = World(tiles, SEED, side, refine=refine)
    cold = np.array([measure_time(world.chunk, x, y)[0] for x, y in choose_chunks(chunks)])
    for name, share in (("p50", 50), ("p95", 95), ("p99", 99)):
        column = f"cold {name}"
        section.add(row, column, float(np.percentile(cold, share)), "ms", goals.get(column, ""))
    section.add(row, "cold slowest", float(cold.max()), "ms", goals.get("cold slowest", ""))
    section.add(row, "all", float(cold.sum() / 1e3), "s")
    warm, known = warm_ms(tiles, side, min(chunks, max(2, chunks // 40)), refine)
    section.add(row, "warm p50", float(np.median(warm)), "ms", goals.get("warm p50", ""))
    section.add(row, "known p50", float(np.median(known)) * 1e3, "µs")
    report = world.report
    section.add(row, "windows", report.windows)
    section.add(row, "kept", report.unchanged)
    x, y = next(choose_chunks(1))
    wrong = check(world, x * side - 8, y * side - 8, side + 16, side + 16)
    section.add(row, "violations", len(wrong), "", "= 0")


def warm_ms(tiles: TileSet, side: int, blocks: int, refine: Sweeps) -> tuple[list[float], list[float]]:
    """Milliseconds of interiors whose borders are known, and of chunks that are known themselves."""
    warm, known = [], []
    world: Any = World(tiles, SEED + 1, side, refine=refine)
    for left, top in choose_chunks(blocks):
        inside = [(left + i, top + j) for j in range(NEIGHBOURS) for i in range(NEIGHBOURS)]
        for x, y in inside:
            for window in world.plan.needs(world.plan.interior(x, y)):
                world.parts.generator.window(window)
        warm += [measure_time(world.chunk, x, y)[0] for x, y in inside]
        known += [measure_time(world.chunk, x, y)[0] for x, y in inside]
    return warm, known


def choose_chunks(count: int) -> Iterator[tuple[int, int]]:
    """Chunks all over the plane, in no order; the same every time."""
    random = np.random.default_rng(SEED)
    yield from map(tuple, random.integers(-SPREAD, SPREAD, (count, 2)).tolist())


PATCHWORK_RADIUS = 8
TIMES = {"overlap": "< 300", "whole": "< 200"}  # milliseconds
SAFE = ("overlap", "editable", "whole", "witness")  # joins that never leave a side that does not fit
PATCHWORK_HOW = (
    "processor time of populate_all() on an empty map of the bundled set medieval, {grids} grids of 217 "
    "cells, {seeds} seeds after one that is not counted; changed, dropped: cells per map; driven: by the "
    "preset hex; mismatches: sides that do not fit, by the independent checker"
)


def measure_patchworks(setup: Setup) -> FigureSection:
    """Every join, plain and driven, on the same seeds."""
    seeds, grids = range(setup.effort.hex_seeds), setup.effort.patchwork_grids
    section = FigureSection("patchworks", "Patchworks", PATCHWORK_HOW.format(grids=grids, seeds=len(seeds)))
    tiles = TileSet.load("medieval")
    lone_grid(section, tiles, seeds)
    found = compare(tiles, list_cases(tiles), build_order("hex", grids), seeds, PATCHWORK_RADIUS)
    for trial in found.results:
        measure_join(section, trial)
    return section


def lone_grid(section: FigureSection, tiles: TileSet, seeds: range) -> None:
    """The first grid of a map, and the second, which has a neighbour."""
    Patchwork(tiles, PATCHWORK_RADIUS, -1).populate_all([(0, 0), (0, -1)])
    first, second = [], []
    for seed in seeds:
        map = Patchwork(tiles, PATCHWORK_RADIUS, seed)
        first.append(measure_time(map.populate, (0, 0))[0])
        second.append(measure_time(map.populate, (0, -1))[0])
    for row, times, goal in (("a lone grid", first, "< 5"), ("one beside it", second, "")):
        section.add(row, "time", median(times), "ms", goal)
        section.add(row, "p95", float(np.percentile(times, 95)), "ms")


def measure_join(section: FigureSection, trial: CaseResult) -> None:
    """One way to join."""
    row, case = trial.case.name, trial.case
    goal = TIMES.get(case.join, "") if case.preset is None else ""
    section.add(row, "time", trial.seconds(50) * 1e3, "ms", goal)
    section.add(row, "p95", trial.seconds(95) * 1e3, "ms")
    section.add(row, "made", trial.share("made"), "%")
    section.add(row, "flawless", trial.share("flawless"), "%")
    section.add(row, "attempts per grid", trial.attempts_per_grid)
    section.add(row, "changed", trial.mean("changed"))
    section.add(row, "dropped", trial.mean("dropped"))
    torn = trial.mismatches
    section.add(row, "mismatches", torn, "", "= 0" if case.join in SAFE else "")
    if trial.soft_masks_percent is not None:
        section.add(row, "soft masks met", trial.soft_masks_percent, "%")
