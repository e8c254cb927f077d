"""Waiting times: hard maps, the first map, small maps, budgets; each beside a reference."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.data import DATA_VARIABLE, Setup
from benchmarks.figures import (
    PATIENCE,
    Attempts,
    FigureSection,
    least_times,
    measure_search_ms,
    measure_time,
    run_attempts,
    run_on,
)
from benchmarks.wide_samples import load_wide
from wavefold.api import generate
from wavefold.errors import OutOfBudget
from wavefold.options.names import Propagation, Sweeps
from wavefold.solver import Budget, Problem, Solver
from wavefold.tiles import TileSet
from wavefold.topology import SquareGrid

SMALL_SIDE, USUAL_SIDE = 16, 64
SMALL_MAPS = 50  # in a row: one is too short for the clock
LARGE_SIDES = 16  # of a usual map: the side of a large one
LATE_MS = 25  # what a budget may be late by, or 2 %
HARD_HOW = (
    "processor time; hard sets: median over seeds, against an easier or a smaller map of the same order, per "
    "cell; refined: generate(…) with its defaults, against refine=False, least of each; first map: order "
    "'auto' on a new problem against a ready one, least of each; many seeds: whole runs in a row on a ready "
    "problem, against the kernel alone, and per cell against a larger map"
)


class MapCase(NamedTuple):
    """A map of a hard set, which an unlucky order cannot solve by backtracking."""

    side: int
    wraps: bool
    order: str

    def __str__(self) -> str:
        return f"{self.side}x{self.side}{' wrapped' if self.wraps else ''}, {self.order}"


def hard_maps(setup: Setup) -> FigureSection:
    """Large maps of a hard set; the first map of a problem; small maps."""
    section = FigureSection("hard", "Waiting: hard, first and small maps", HARD_HOW)
    side, seeds = setup.effort.map_side, range(setup.effort.sweep_seeds)
    wrapped = MapCase(3 * side, True, "auto")
    castle, large = TileSet.load("castle"), MapCase(8 * side, False, "entropy")
    compare_hard(section, castle, wrapped, wrapped._replace(wraps=False), seeds, "")
    compare_hard(section, castle, wrapped, wrapped._replace(side=3 * side // 2), seeds, "<= 1.5")
    compare_hard(section, castle, large, large._replace(side=2 * side), seeds, "<= 1.5")
    if setup.data is None:
        section.remarks.append(f"the public set Circuit NOT measured (name its folder in {DATA_VARIABLE})")
    else:
        public, wrapped = load_public_circuit(setup.data), MapCase(2 * side, True, "auto")
        compare_hard(section, public, wrapped, wrapped._replace(wraps=False), seeds, "")
        compare_hard(section, public, wrapped, wrapped._replace(side=side), seeds, "<= 1.5")
    for name in ("pipes", "circuit", "castle"):
        compare_first(section, TileSet.load(name), side, seeds)
        compare_refined(section, TileSet.load(name), side, seeds)
    compare_small(section, TileSet.load("pipes"), seeds)
    return section


def load_public_circuit(data: Path) -> TileSet:
    """A public set of 40 tiles with few that fit beside most others."""
    return TileSet.load(data / "mxgmn" / "tilesets" / "Circuit.xml")


def compare_hard(
    section: FigureSection, tiles: TileSet, hard: MapCase, reference: MapCase, seeds: range, goal: str
) -> None:
    """One map against another of the same set, per cell."""
    per_cell, done = [], Attempts()
    for each in (reference, hard):
        problem = Problem(tiles, SquareGrid(each.side, each.side, wraps=each.wraps))
        done = run_attempts(problem, seeds, PATIENCE, order=each.order)
        per_cell.append(done.median_ms / problem.cell_count)
    row = f"{tiles.name} {hard}; reference {reference}"
    section.add(row, "time", done.median_ms, "ms")
    section.add(row, "times the reference", per_cell[1] / per_cell[0], "x", goal)
    section.add(row, "failed", done.failed, f"of {len(seeds)} runs", "<= 0")
    section.add(row, "violations", done.violations(), "", "= 0")


def compare_first(section: FigureSection, tiles: TileSet, side: int, seeds: range) -> None:
    """What a first map with order "auto" costs more than later ones."""
    grid = SquareGrid(side, side)
    least = least_times(
        {"first": run_on(lambda: Problem(tiles, grid)), "later": run_on(Problem(tiles, grid))}, seeds
    )
    row = f"{tiles.name} {side}x{side}, auto, first map; reference later ones"
    section.add(row, "time", least["first"], "ms")
    section.add(row, "times the reference", least["first"] / least["later"], "x", "<= 1.3")


def compare_refined(section: FigureSection, tiles: TileSet, side: int, seeds: range) -> None:
    """What a map takes as `generate` makes it by default, solved and refined, against solving it."""
    make_map = partial(generate, tiles, SquareGrid(side, side))

    def run(refine: Sweeps) -> Callable[[int], float]:
        return lambda seed: measure_time(lambda: make_map(seed=seed, refine=refine))[0]

    least = least_times({"refined": run("auto"), "plain": run(False)}, seeds)
    row = f"{tiles.name} {side}x{side}, solved and refined; reference solved"
    section.add(row, "time", least["refined"], "ms")
    section.add(row, "times the reference", least["refined"] / least["plain"], "x")


def compare_small(section: FigureSection, tiles: TileSet, seeds: range) -> None:
    """What a small map costs around the kernel, and per cell against a larger one."""
    small, usual = (Problem(tiles, SquareGrid(side, side)) for side in (SMALL_SIDE, USUAL_SIDE))

    turns = range(SMALL_MAPS)

    def run_many(problem: Problem) -> Callable[[int], float]:
        return lambda seed: measure_time(lambda: [Solver(problem, seed + turn).run() for turn in turns])[0]

    def search_many(seed: int) -> float:
        return sum(measure_search_ms(small, "entropy", seed + turn) for turn in turns)

    contestants = {"small": run_many(small), "usual": run_many(usual), "kernel": search_many}
    least = least_times(contestants, seeds)
    row = f"{tiles.name} {SMALL_SIDE}x{SMALL_SIDE}, many seeds; reference"
    section.add(f"{row} kernel alone", "time", least["small"] / SMALL_MAPS, "ms", "<= 0.1")
    section.add(f"{row} kernel alone", "times the reference", least["small"] / least["kernel"], "x", "<= 2")
    per_cell = least["small"] / least["usual"] * (USUAL_SIDE / SMALL_SIDE) ** 2
    section.add(f"{row} {USUAL_SIDE}x{USUAL_SIDE}, per cell", "times the reference", per_cell, "x", "<= 2")


BUDGET_HOW = (
    "wall-clock time of one run on a new problem ({patterns:,} patterns, {side}x{side}; large: pipes, "
    "{large}x{large}), the first and the least of {turns}: the first also waits for memory; "
    f"late: beyond the budget, of which {LATE_MS} ms or 2 % are allowed; solved: the map was ready before"
)


def budgets_that_hold(setup: Setup) -> FigureSection:
    """Budgets in milliseconds, and the time that runs on the widest set take."""
    tiles = max((tiles for _, tiles in load_wide(setup)), key=len)
    side, turns = 3 * setup.effort.map_side, 1 + setup.effort.sweep_seeds // 2
    large = LARGE_SIDES * setup.effort.map_side
    how = BUDGET_HOW.format(patterns=len(tiles), side=side, large=large, turns=turns)
    section = FigureSection("budgets", "Waiting: budgets that hold", how)
    wide = partial(Problem, tiles, SquareGrid(side, side, wraps=True))
    many = partial(Problem, TileSet.load("pipes"), SquareGrid(large, large))
    cases: list[tuple[str, Callable[[], Problem], Propagation]] = [
        ("wide", wide, "auto"),
        ("wide", wide, "ac4"),
        ("large", many, "auto"),
    ]
    for name, new, propagation in cases:
        for asked in setup.effort.budgets:
            runs = [stop_in_time(new, asked, propagation) for _ in range(turns)]
            for which, (taken, solved) in (("first", runs[0]), ("least", min(runs))):
                row = f"{name}, {propagation}, {asked} ms, {which}{', solved' if solved else ''}"
                add_lateness(section, row, taken, asked)
    return section


def add_lateness(section: FigureSection, row: str, taken: float, asked: int) -> None:
    """How much longer a run took than its budget."""
    late = max(0.0, taken - asked) / max(LATE_MS, 0.02 * asked)
    section.add(row, "taken", taken, "ms")
    section.add(row, "taken / asked", taken / asked, "x")
    section.add(row, "late, of what is allowed", late, "x", "<= 1")


def stop_in_time(new: Callable[[], Problem], asked: int, propagation: Propagation) -> tuple[float, bool]:
    """Wall-clock milliseconds of one run with that budget, and whether it was solved."""
    problem = new()
    started = perf_counter()
    try:
        Solver(problem, 1, "entropy", propagation).run(Budget(ms=asked))
        solved = True
    except OutOfBudget:
        solved = False
    return (perf_counter() - started) * 1e3, solved
