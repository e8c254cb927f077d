"""Against public engines, by their known times, scaled to the machine that runs this."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks.data import DATA_VARIABLE, Setup
from benchmarks.figures import FigureSection, ToSolve, measure_time, run_attempts
from wavefold.kernels.bits import shuffle_cells
from wavefold.solver import Problem
from wavefold.solver.engine.cell_queue import create_cell_queue
from wavefold.solver.heuristics import Heuristics
from wavefold.tiles import LearnedTileSet, TileSet, learn
from wavefold.topology import SquareGrid

# Milliseconds of `measure_reference` on the machine of the figures below. It was not timed there: wavefold's
# own figures from that machine were 1.8 times those of the one on which the reference takes 0.122 ms.
REFERENCE_MILLISECONDS = 0.22
REFERENCE_SIDE, REFERENCE_RUNS = 256, 9
PEERS_SOURCE = (
    "successful solves by public engines in their own default order, processor time, "
    "measured November 2026 on one core of a 2-core machine (noise about 30 %), times how much faster the "
    "reference kernel runs here"
)

# (Sample or tile set, side of the map) -> engine -> milliseconds; engines that never succeeded are left out.
PEER_MILLISECONDS: dict[tuple[str, int], dict[str, float]] = {
    ("Skyline", 48): {
        "fast-wfc (C++)": 21,
        "gridbugs/wfc (Rust)": 43,
        "mxgmn (C#)": 88,
        "DeBroglie (C#)": 57,
    },
    ("Skyline", 128): {
        "fast-wfc (C++)": 265,
        "gridbugs/wfc (Rust)": 400,
        "mxgmn (C#)": 782,
        "DeBroglie (C#)": 547,
    },
    ("Skyline", 256): {
        "fast-wfc (C++)": 1850,
        "gridbugs/wfc (Rust)": 1990,
        "mxgmn (C#)": 6860,
        "DeBroglie (C#)": 2440,
    },
    ("Flowers", 48): {
        "fast-wfc (C++)": 13,
        "gridbugs/wfc (Rust)": 29,
        "mxgmn (C#)": 35,
        "DeBroglie (C#)": 88,
    },
    ("Flowers", 128): {
        "fast-wfc (C++)": 154,
        "gridbugs/wfc (Rust)": 224,
        "mxgmn (C#)": 467,
        "DeBroglie (C#)": 242,
    },
    ("Flowers", 256): {"fast-wfc (C++)": 1190, "gridbugs/wfc (Rust)": 1100, "DeBroglie (C#)": 1030},
    ("City", 48): {
        "C with AVX2": 2.09,
        "fast-wfc (C++)": 4.5,
        "gridbugs/wfc (Rust)": 11.5,
        "mxgmn (C#)": 18,
        "DeBroglie (C#)": 19,
    },
    ("City", 128): {
        "fast-wfc (C++)": 59,
        "gridbugs/wfc (Rust)": 80,
        "mxgmn (C#)": 202,
        "DeBroglie (C#)": 134,
    },
    ("City", 256): {
        "fast-wfc (C++)": 735,
        "gridbugs/wfc (Rust)": 283,
        "mxgmn (C#)": 1580,
        "DeBroglie (C#)": 586,
    },
    ("Rooms", 48): {"C with AVX2": 5.44},
    ("Castle", 64): {"C with AVX2": 3.15},
    ("Knots", 64): {"C with AVX2": 0.57},
}
TILE_SETS = ("Castle", "Knots")  # drawn; the others are learned from samples
GOALS = {48: ">= 1", 256: ">= 3"}  # times as fast as the fastest peer
HOW = (
    "processor time of Solver(problem, seed, order='entropy', search='repair').run() on a ready problem, "
    "median over the seeds that succeeded (backtracking and local repair, no restarts, default budget); "
    "new problem: the mask, Problem and Solver made for each map; peers: " + PEERS_SOURCE
)


@cache
def measure_reference() -> float:
    """Milliseconds of a kernel whose work never changes, as it decides about maps: the order of cells."""
    problem = Problem(TileSet.load("pipes"), SquareGrid(REFERENCE_SIDE, REFERENCE_SIDE))
    queue = create_cell_queue(problem, Heuristics.of("entropy"))
    cells = problem.cell_count
    return min(measure_time(shuffle_cells, queue, 1, 0, cells)[0] for _ in range(REFERENCE_RUNS))


def scale_peer(milliseconds: float) -> float:
    """What a peer would take on this machine."""
    return milliseconds * measure_reference() / REFERENCE_MILLISECONDS


@dataclass(frozen=True, slots=True)
class LearnedSample:
    """What was learned from a picture, and how maps are made from it."""

    name: str
    tiles: LearnedTileSet
    periodic_output: bool

    def problem(self, side: int) -> Problem:
        """A square map; ground becomes a mask."""
        grid = SquareGrid(side, side, wraps=self.periodic_output)
        masks = None if self.tiles.ground_pattern is None else self.tiles.ground_masks(grid)
        return Problem(self.tiles, grid, masks=masks)


def read_samples(data: Path) -> Iterator[tuple[dict[str, Any], LearnedSample]]:
    """Every sample listed in the folder's cases, with its entry there."""
    folder = data / "mxgmn"
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8"))["samples"]:
        path = folder / "samples" / f"{case['name']}.png"
        tiles = learn(path, case["n"], case["symmetry"], case["periodic_input"], case["ground"])
        yield case, LearnedSample(case["name"], tiles, case["periodic_output"])


def fastest_peer(name: str, side: int) -> tuple[str, float] | None:
    """The engine that was fastest on this sample at this size, and its milliseconds."""
    times = PEER_MILLISECONDS.get((name, side))
    return None if times is None else min(times.items(), key=lambda each: each[1])


def samples_against_peers(setup: Setup) -> FigureSection:
    """Each sample or tile set at each size."""
    section = FigureSection("samples", "Public samples and tile sets, entropy order", HOW)
    if setup.data is None:
        return section.skip(f"no public data: name its folder in {DATA_VARIABLE}")
    section.add("reference kernel", "time", measure_reference(), "ms")
    section.add("reference kernel", "on the machine of the peers", REFERENCE_MILLISECONDS, "ms")
    samples = {sample.name: sample for _, sample in read_samples(setup.data)}
    for name, side in PEER_MILLISECONDS:
        seeds = setup.effort.sample_seeds.get(48 if side == 64 else side)
        if seeds is None:
            continue
        if name in TILE_SETS:
            tiles = TileSet.load(str(setup.data / "mxgmn" / "tilesets" / f"{name}.xml"))
            problem = Problem(tiles, SquareGrid(side, side))
            measure_against(section, name, side, len(tiles.rules), problem, range(seeds))
        else:
            sample = samples[name]
            measure_against(
                section, name, side, len(sample.tiles), partial(sample.problem, side), range(seeds)
            )
    return section


def measure_against(
    section: FigureSection, name: str, side: int, patterns: int, problem: ToSolve, seeds: range
) -> None:
    """One sample or tile set at one size."""
    made = problem if isinstance(problem, Problem) else problem()
    ready = run_attempts(made, seeds, order="entropy", search="repair")
    row = f"{name} {side}x{side}, {patterns} patterns"
    section.add(row, "whole run", ready.median_ms, "ms")
    if not isinstance(problem, Problem):
        few = seeds[: max(1, len(seeds) // 3)]
        fresh = run_attempts(problem, few, order="entropy", search="repair")
        section.add(row, "new problem", fresh.median_ms, "ms")
    if peer := fastest_peer(name, side):
        engine, recorded = peer
        ms = scale_peer(recorded)
        section.add(row, "fastest peer", ms, "ms", how=f"{engine}; {PEERS_SOURCE}")
        section.remarks.append(f"fastest peer, {name} {side}x{side}: {engine}, {recorded:g} ms there")
        section.add(row, "peer / run", ms / ready.median_ms, "x", GOALS.get(side, ""))
    section.add(row, "failed", ready.failed, f"of {len(seeds)} runs")
    section.add(row, "with backtracks", ready.needing("backtracks"), f"of {len(seeds)} runs")
    section.add(row, "with repairs", ready.needing("repairs"), f"of {len(seeds)} runs")
    section.add(row, "violations", ready.violations(), "", "= 0")
