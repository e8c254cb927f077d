"""Patchworks: how long a lone grid and nineteen of them take, and what each join costs the map."""

from __future__ import annotations

from statistics import median

import numpy as np

from wavefold.bench.figures import Section
from wavefold.bench.setup import Setup
from wavefold.bench.timing import timed
from wavefold.patchwork import Patchwork
from wavefold.patchwork.compare.results import CaseResult
from wavefold.patchwork.compare.run import cases_for, compare
from wavefold.patchwork.orders import build_order
from wavefold.tiles import TileSet

RADIUS = 8
TIMES = {"overlap": "< 300", "whole": "< 200"}  # milliseconds
SAFE = ("overlap", "editable", "whole", "witness")  # joins that never leave a side that does not fit
HOW = (
    "processor time of populate_all() on an empty map of the bundled set medieval, {grids} grids of 217 "
    "cells, {seeds} seeds after one that is not counted; changed, dropped: cells per map; driven: by the "
    "preset hex; mismatches: sides that do not fit, by the independent checker"
)


def patchworks(setup: Setup) -> Section:
    """Every join, plain and driven, on the same seeds."""
    seeds, grids = range(setup.effort.hex_seeds), setup.effort.patchwork_grids
    section = Section("patchworks", "Patchworks", HOW.format(grids=grids, seeds=len(seeds)))
    tiles = TileSet.load("medieval")
    lone_grid(section, tiles, seeds)
    found = compare(tiles, cases_for(tiles), build_order("hex", grids), seeds, RADIUS)
    for trial in found.results:
        measure_join(section, trial)
    return section


def lone_grid(section: Section, tiles: TileSet, seeds: range) -> None:
    """The first grid of a map, and the second, which has a neighbour."""
    Patchwork(tiles, RADIUS, -1).populate_all([(0, 0), (0, -1)])
    first, second = [], []
    for seed in seeds:
        map = Patchwork(tiles, RADIUS, seed)
        first.append(timed(map.populate, (0, 0))[0])
        second.append(timed(map.populate, (0, -1))[0])
    for row, times, goal in (("a lone grid", first, "< 5"), ("one beside it", second, "")):
        section.add(row, "time", median(times), "ms", goal)
        section.add(row, "p95", float(np.percentile(times, 95)), "ms")


def measure_join(section: Section, trial: CaseResult) -> None:
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
    torn = sum(each.mismatches for each in trial.maps)
    section.add(row, "mismatches", torn, "", "= 0" if case.join in SAFE else "")
    if trial.wishes is not None:
        section.add(row, "wishes met", trial.wishes, "%")
