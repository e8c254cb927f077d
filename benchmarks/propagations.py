"""Propagation methods side by side: on one map, and over the shapes that rules have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Setup, usual_tiles
from benchmarks.figures import FigureSection, measure_time, run_attempts, solve_within, take_turns
from benchmarks.parts import list_maps
from wavefold.errors import ConfigError
from wavefold.solver import Budget, Problem
from wavefold.solver.engine.rule_table import choose_method
from wavefold.tiles import Tile, TileSet, learn
from wavefold.topology import SquareGrid

METHODS = ("_tables", "_classes", "_removals", "_rows", "ac4")
MOST_MS = 5000  # per run; slower methods are cut off there
MOST_CHOICES = 1 << 20  # decisions times patterns: wide sets are not solved to the end
WANG_COLOURS = (2, 3, 4, 5, 6)  # each makes a set of colours ** 4 tiles with as many classes as colours
SAMPLES = (
    ("islands", 2),
    ("mine", 2),
    ("islands", 3),
    ("metro", 3),
    ("islands", 4),
    ("islands", 5),
    ("lava", 5),
)
TEXTURES = (  # side, colours, blur, n: hundreds of classes with many patterns each, as photographs have
    (50, 10, 1, 2),
    (70, 12, 1, 2),
    (60, 14, 1, 2),
    (45, 4, 3, 3),
    (78, 4, 3, 3),
)
SWEEP_HOW = (
    "least processor time over seeds, in turns, of a run on {side}x{side} cells, entropy order, "
    f"as many decisions as cells, of wide sets {MOST_CHOICES:,} / patterns, and {MOST_MS} ms at most; "
    "auto / best: the method that auto chooses against the fastest"
)


def propagations_side_by_side(setup: Setup) -> FigureSection:
    """Every propagation gives the same map; they differ in time."""
    side, seeds = setup.effort.map_side // 2, range(min(10, setup.effort.seeds))
    name, tiles = usual_tiles(setup.reference)
    how = (
        f"{name}, {side}x{side}, entropy order, whole runs, "
        f"median processor time of {len(seeds)} seeds, equal maps"
    )
    section = FigureSection("propagations", "Propagations side by side", how)
    problem = Problem(tiles, SquareGrid(side, side))
    names = ("ac3", "ac4", "naive")
    runs = {each: run_attempts(problem, seeds, order="entropy", propagation=each) for each in names}
    ac3 = runs["ac3"]
    for propagation, done in runs.items():
        assert list_maps(done) == list_maps(ac3), f"propagation {propagation!r} gave another map"
        section.add(propagation, "time", done.median_ms, "ms")
        section.add(propagation, "times ac3", done.median_ms / ac3.median_ms, "x")
    return section


def methods_by_shape(setup: Setup) -> FigureSection:
    """Every method over patterns and classes per pattern: does `auto` choose well?"""
    side = setup.effort.map_side * 3 // 4
    section = FigureSection(
        "methods", "Propagation methods by the shape of the rules", SWEEP_HOW.format(side=side)
    )
    for tiles in sweep_tiles(setup.effort.widest_set):
        compare_methods(section, tiles, side, range(setup.effort.sweep_seeds))
    return section


def sweep_tiles(most: int) -> Iterator[TileSet]:
    """Sets with few classes, learned ones with many, then wide ones; of at most so many patterns."""
    for colours in WANG_COLOURS:
        if colours**4 <= most:
            sockets = product("abcdef"[:colours], repeat=4)
            yield TileSet([Tile(f"tile {number}", each) for number, each in enumerate(sockets)])
    for sample, n in SAMPLES:
        tiles = learn(sample, n=n, symmetry=8)
        if len(tiles.rules) <= most:
            yield tiles
    for side, colours, blur, n in TEXTURES:
        if side**2 <= 2 * most:
            tiles = learn(draw_texture(side, colours, blur), n=n, symmetry=1)
            if len(tiles.rules) <= most:
                yield tiles


def draw_texture(side: int, colours: int, blur: int) -> NDArray[np.int64]:
    """[row, column]: noise, each cell the sum of blur x blur others, in as many equally common colours."""
    noise = np.random.default_rng(1).integers(0, 1 << 20, (side, side))
    moves = product(range(blur), repeat=2)
    heights = np.sum([np.roll(noise, move, (0, 1)) for move in moves], axis=0)
    borders = np.sort(heights, axis=None)[side**2 * np.arange(1, colours) // colours]
    return np.asarray(np.searchsorted(borders, heights, "right"), np.int64)


def compare_methods(section: FigureSection, tiles: TileSet, side: int, seeds: range) -> None:
    """One row: each method that suits the rules, and how far auto is from the best."""
    rules, problem = tiles.rules, Problem(tiles, SquareGrid(side, side))
    classes = max(len(relation.rows) for relation in rules.relations)
    row = f"{len(rules):,} patterns, {classes:,} classes"
    numbers = {name: choose_method(rules, name) for name in METHODS if suits(tiles, name)}
    times = take_turns({name: run_with(problem, name) for name in numbers}, [seeds[0], *seeds])
    best = {name: min(each[1:]) for name, each in times.items()}  # the first sets up
    for name, each in best.items():
        section.add(row, name.removeprefix("_"), each, "ms")
    chosen = next(name for name, number in numbers.items() if number == choose_method(rules, "auto"))
    section.add(row, "auto / best", best[chosen] / min(best.values()), "x", "<= 1.1")


def suits(tiles: TileSet, propagation: str) -> bool:
    """Whether a method can be used with the rules of a set."""
    try:
        choose_method(tiles.rules, propagation)
    except ConfigError:
        return False
    return True


def run_with(problem: Problem, propagation: str) -> Callable[[int], float]:
    """A run with one method: the seed in, milliseconds out."""
    decisions = min(problem.cell_count, MOST_CHOICES // len(problem.rules))
    budget = Budget(ms=MOST_MS, decisions=decisions)
    return lambda seed: measure_time(
        lambda: solve_within(problem, seed, budget, order="entropy", propagation=propagation)
    )[0]
