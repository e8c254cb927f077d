"""What constraints cost: maps with one beside the same maps without, and dungeons in one piece."""

from __future__ import annotations

import numpy as np

from benchmarks.data import Setup
from benchmarks.figures import Attempts, FigureSection, median_ratio, take_turns
from wavefold.constraints import Border, Connected, Count, Separation
from wavefold.solver import Constraint, Problem
from wavefold.tiles import TileSet
from wavefold.topology import SquareGrid

HOW = (
    "processor time of Solver(problem, seed).run() on a ready problem; with / without: median over seeds, "
    "each with and without the constraint in turn"
)
CONSTRAINTS: dict[str, tuple[Constraint, str]] = {
    "connected roads": (Connected(sides=["mm=", "cc="]), "<= 3"),
    "count": (Count("tower", at_least=2, at_most=200), "<= 1.3"),
    "separation": (Separation("gate", 3), "<= 1.3"),
    "border": (Border(["gate", "bridge"], ban=True), "<= 1.3"),
}
FLOORS = ["ff", "rr+", "fw>", "fw<", "fr>", "fr<"]  # sides of `dungeon` that one can walk across
DUNGEON_SIDE, DUNGEONS_PER_SEED = 48, 10


def costs_of_constraints(setup: Setup) -> FigureSection:
    """Each constraint on one tile set, then many connected dungeons."""
    side = setup.effort.map_side
    section = FigureSection("constraints", f"Constraints: castle {side}x{side}, dungeon", HOW)
    tiles, grid = TileSet.load("castle"), SquareGrid(side, side)
    done = {"without": Attempts()}
    problems = {"without": Problem(tiles, grid)}
    for name, (constraint, _) in CONSTRAINTS.items():
        done[name], problems[name] = Attempts(), Problem(tiles, grid, constraints=[constraint])
    contestants = {name: lambda seed, name=name: done[name].run(problems[name], seed) for name in problems}
    take_turns(contestants, [0])  # fills caches
    times = take_turns(contestants, range(setup.effort.seeds))
    for name, (_, goal) in CONSTRAINTS.items():
        section.add(name, "with / without", median_ratio(times, name, "without"), "x", goal)
        section.add(name, "median", float(np.median(times[name])), "ms")
        section.add(name, "failed", done[name].failed, "", "= 0")
    measure_dungeons(section, DUNGEONS_PER_SEED * setup.effort.seeds)
    return section


def measure_dungeons(section: FigureSection, count: int) -> None:
    """Dungeons whose floors are in one piece, from many seeds."""
    grid = SquareGrid(DUNGEON_SIDE, DUNGEON_SIDE)
    problem = Problem(TileSet.load("dungeon"), grid, constraints=[Connected(sides=FLOORS)])
    Attempts().run(problem, 0)  # fills caches
    dungeons = Attempts()
    for seed in range(count):
        dungeons.run(problem, seed)
    row = f"connected dungeon {DUNGEON_SIDE}x{DUNGEON_SIDE}, {count} seeds"
    section.add(row, "median", dungeons.median_ms, "ms", "<= 50")
    section.add(row, "p99", float(np.percentile(dungeons.ms, 99)), "ms", "<= 500")
    section.add(row, "failed", dungeons.failed, "", "= 0")
    section.add(row, "violations", dungeons.violations(), "", "= 0")
