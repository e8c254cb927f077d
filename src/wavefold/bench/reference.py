"""Against the reference kernels: the same rules, in the same process, by ratio."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import numpy as np

from wavefold.bench.data import RuleSet, load_rule_sets
from wavefold.bench.figures import FigureSection
from wavefold.bench.setup import Setup
from wavefold.bench.timing import Attempts, measure_search_ms, measure_time, median_ratio, take_turns
from wavefold.solver import Problem, Solver
from wavefold.topology import SquareGrid

BACKTRACKS = 300  # what the reference may take back
HOW = (
    "processor time, medians over {seeds} seeds of a {side}x{side} map, taking turns in one process, kernels "
    "compiled first; ratios: median of those of each turn; "
    "reference: one call of its solve; whole run: Solver(problem, seed, order='scanline').run() "
    "on a ready problem; new problem: Problem and Solver made for each map; "
    "search: the kernels alone, from a settled root"
)


def against_reference(setup: Setup) -> FigureSection:
    """Every rule table of the folder: scanline against the reference, entropy against our scanline."""
    seeds, side = setup.effort.seeds, setup.effort.map_side
    section = FigureSection("reference", "Against the reference kernels", HOW.format(seeds=seeds, side=side))
    sets = load_rule_sets(setup.reference)
    if setup.reference is None or not sets:
        return section.skip("no reference kernels: name their folder with --against FOLDER")
    kernel = load_kernel(setup.reference)
    for rules in sets.values():
        compare(section, kernel, rules, side, range(seeds))
    return section


def load_kernel(folder: Path) -> ModuleType:
    """The reference kernels as a module."""
    return load_module("kernel", folder)


def load_module(name: str, folder: Path) -> ModuleType:
    """A file of the reference, under the name that others import and that compiled copies on disk know."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def contestants(
    kernel: Any, rules: RuleSet, side: int, scanline: Attempts, entropy: Attempts
) -> dict[str, Callable[[int], float]]:
    """Who takes turns: each takes a seed and gives milliseconds; ours are also counted."""
    grid = SquareGrid(side, side)
    problem = Problem(rules.tiles, grid)
    return {
        "reference": reference_run(kernel, rules, side),
        "whole run": lambda seed: scanline.run(problem, seed, order="scanline"),
        "search": lambda seed: measure_search_ms(problem, "scanline", seed),
        "new problem": lambda seed: new_problem_ms(rules, grid, seed),
        "entropy order": lambda seed: entropy.run(problem, seed, order="entropy"),
    }


def compare(section: FigureSection, kernel: Any, rules: RuleSet, side: int, seeds: range) -> None:
    """One rule table: theirs, ours, and the ratios."""
    take_turns(contestants(kernel, rules, side, Attempts(), Attempts()), seeds[:1])  # compiles
    scanline, entropy = Attempts(), Attempts()
    times = take_turns(contestants(kernel, rules, side, scanline, entropy), seeds)
    row = f"{rules.name}, {len(rules.tiles)} patterns"
    for name in ("reference", "whole run", "search", "entropy order"):
        section.add(row, name, median(times[name]), "ms")
    section.add(row, "run / reference", median_ratio(times, "whole run", "reference"), "x", "<= 1")
    section.add(row, "search / reference", median_ratio(times, "search", "reference"), "x", "<= 1")
    section.add(row, "new problem / reference", median_ratio(times, "new problem", "reference"), "x")
    section.add(row, "entropy / scanline", median_ratio(times, "entropy order", "whole run"), "x", "<= 4")
    section.remarks.append(
        f"{rules.name}, {len(seeds)} seeds: scanline failed {scanline.failed}, entropy {entropy.failed}; "
        f"runs with backtracks {scanline.needing('backtracks')} and {entropy.needing('backtracks')}, "
        f"with repairs {scanline.needing('repairs')} and {entropy.needing('repairs')}"
    )


def new_problem_ms(rules: RuleSet, grid: SquareGrid, seed: int) -> float:
    """Everything but the tiles and the grid made for one map."""
    return measure_time(lambda: Solver(Problem(rules.tiles, grid), seed, order="scanline").run())[0]


def reference_run(kernel: Any, rules: RuleSet, side: int) -> Callable[[int], float]:
    """One call of the reference's solve; its tables and neighbours are made before."""
    table = kernel.sliced_tables(rules.allowed)
    neighbour = kernel.square_neighbours(side, side)
    sequence = np.arange(side * side, dtype=np.int32)
    full = np.uint64((1 << rules.allowed.shape[1]) - 1)

    def run(seed: int) -> float:
        domain = np.full(side * side, full, np.uint64)
        number = np.uint64(seed)
        return measure_time(
            lambda: kernel.solve(domain, neighbour, table, rules.weight, sequence, number, BACKTRACKS)
        )[0]

    return run
