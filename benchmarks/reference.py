"""Against reference kernels in the same process."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.data import RuleSet, Setup, load_rule_sets
from benchmarks.figures import (
    Attempts,
    FigureSection,
    measure_search_ms,
    measure_time,
    median_ratio,
    take_turns,
)
from benchmarks.worlds import SEED, choose_chunks
from wavefold.reports.checker import check
from wavefold.solver import Problem
from wavefold.topology import SquareGrid
from wavefold.worlds import World

BACKTRACKS = 300  # what the reference may take back
HOW = (
    "processor time, medians over {seeds} seeds of a {side}x{side} map, taking turns in one process, after a "
    "turn that is not counted; ratios: median of those of each turn; "
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
    kernel = load_module("kernel", setup.reference)
    for rules in sets.values():
        compare(section, kernel, rules, side, range(seeds))
    return section


def load_module(name: str, folder: Path) -> ModuleType:
    """A file of the reference, under the name that imports and cached compilations use."""
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
        "new problem": lambda seed: Attempts().run(
            lambda: Problem(rules.tiles, grid), seed, order="scanline"
        ),
        "entropy order": lambda seed: entropy.run(problem, seed, order="entropy"),
    }


def compare(section: FigureSection, kernel: Any, rules: RuleSet, side: int, seeds: range) -> None:
    """One rule table: theirs, ours, and the ratios."""
    take_turns(
        contestants(kernel, rules, side, Attempts(), Attempts()), seeds[:1]
    )  # compiles the reference, fills caches
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


def worlds_against_reference(setup: Setup) -> FigureSection:
    """The same rules, the same size, cold chunks in turns: ours and the reference's."""
    chunks = max(3, setup.effort.world_chunks // 20)
    how = (
        f"processor time of a cold chunk of 64x64 cells, median of {chunks} at random places, in turns in "
        "one process; reference: chunk() of witness.py; both make four corners, four edges and the interior, "
        "ours the joints, too; ratio: median of those of each turn"
    )
    section = FigureSection("worlds-reference", "Endless worlds against the reference", how)
    sets = load_rule_sets(setup.reference)
    if setup.reference is None or not sets or not (setup.reference / "witness.py").is_file():
        return section.skip(
            "no reference of the seam scheme: name the folder of witness.py with --against FOLDER"
        )
    load_module("kernel", setup.reference)  # under the name that the module asks for
    witness = load_module("witness", setup.reference)
    for rules in sets.values():
        compare_worlds(section, witness, rules, chunks)
    return section


def compare_worlds(section: FigureSection, witness: Any, rules: RuleSet, chunks: int) -> None:
    """One rule table."""
    theirs = witness.Rules(rules.allowed, rules.weight)
    base = theirs.base()
    world = World(rules.tiles, SEED)
    world.chunk(0, 0)
    witness.chunk(theirs, base, SEED, 0, 0)
    ours_ms, theirs_ms = [], []
    for x, y in choose_chunks(chunks):
        ours_ms.append(measure_time(world.chunk, x, y)[0])
        theirs_ms.append(measure_time(witness.chunk, theirs, base, SEED, x, y)[0])
    row = f"{rules.name}, {len(rules.tiles)} patterns"
    section.add(row, "ours p50", float(np.median(ours_ms)), "ms")
    section.add(row, "ours p99", float(np.percentile(ours_ms, 99)), "ms", "< 30")
    section.add(row, "reference p50", float(np.median(theirs_ms)), "ms")
    section.add(row, "reference p99", float(np.percentile(theirs_ms, 99)), "ms")
    ratios = np.array(ours_ms) / np.array(theirs_ms)
    section.add(row, "ours / reference", float(np.median(ratios)), "x")
    section.add(row, "kept", world.report.unchanged)
    section.add(row, "violations", len(check(world, -8, -8, 80, 80)), "", "= 0")
