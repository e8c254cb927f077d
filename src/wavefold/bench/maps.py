"""Whole maps: hexagons, and public samples against other engines."""

from __future__ import annotations

from itertools import product

import numpy as np

from wavefold.bench.data import PEERS_SOURCE, LearnedSample, fastest_peer, read_samples
from wavefold.bench.figures import FigureSection
from wavefold.bench.setup import DATA_VARIABLE, Setup
from wavefold.bench.timing import run_attempts, run_fresh_attempts
from wavefold.solver import Problem
from wavefold.tiles import TileSet
from wavefold.topology import HexGrid

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
    reach = 5 * GRID_RADIUS + 2
    span = range(-reach, reach + 1)
    centres = [
        (8 * ring_q - 9 * ring_r, 9 * ring_q + 17 * ring_r)
        for ring_q, ring_r in product(range(-2, 3), repeat=2)
        if abs(ring_q + ring_r) <= 2
    ]
    q, r = np.meshgrid(span, span)
    mask = np.zeros(q.shape, bool)
    for centre_q, centre_r in centres:
        across, down = q - centre_q, r - centre_r
        mask |= np.maximum.reduce([abs(across), abs(down), abs(across + down)]) <= GRID_RADIUS
    return HexGrid(radius=reach, mask=mask)


SAMPLES = ("Skyline", "Flowers", "City")
SAMPLE_GOALS = {48: ">= 2", 256: ">= 3"}  # times as fast as the fastest peer
SAMPLES_HOW = (
    "processor time of Solver(problem, seed, order='entropy', search='repair').run() on a ready problem, "
    "median over the seeds that succeeded (backtracking and local repair, no restarts, default budget); "
    "new problem: the mask, Problem and Solver made for each map; peers: " + PEERS_SOURCE
)


def samples_against_peers(setup: Setup) -> FigureSection:
    """Each sample at each size."""
    section = FigureSection("samples", "Overlapping samples, N = 3, entropy order", SAMPLES_HOW)
    if setup.data is None:
        return section.skip(f"no sample pictures: name the folder of public data in {DATA_VARIABLE}")
    samples = {sample.name: sample for _, sample in read_samples(setup.data)}
    for name in SAMPLES:
        for side, seeds in setup.effort.sample_seeds.items():
            measure_sample(section, samples[name], side, range(seeds))
    return section


def measure_sample(section: FigureSection, sample: LearnedSample, side: int, seeds: range) -> None:
    """One sample at one size."""
    ready = run_attempts(sample.problem(side), seeds, order="entropy", search="repair")
    few = seeds[: max(1, len(seeds) // 3)]
    fresh = run_fresh_attempts(lambda: sample.problem(side), few, order="entropy", search="repair")
    row = f"{sample.name} {side}x{side}, {len(sample.tiles)} patterns"
    section.add(row, "whole run", ready.median_ms, "ms")
    section.add(row, "new problem", fresh.median_ms, "ms")
    if peer := fastest_peer(sample.name, side):
        engine, ms = peer
        section.add(row, "fastest peer", ms, "ms", how=f"{engine}; {PEERS_SOURCE}")
        section.remarks.append(f"fastest peer, {sample.name} {side}x{side}: {engine}")
        section.add(row, "peer / run", ms / ready.median_ms, "x", SAMPLE_GOALS.get(side, ""))
        section.add(row, "peer / new problem", ms / fresh.median_ms, "x")
    section.add(row, "failed", ready.failed, f"of {len(seeds)} runs")
    section.add(row, "with backtracks", ready.needing("backtracks"), f"of {len(seeds)} runs")
    section.add(row, "with repairs", ready.needing("repairs"), f"of {len(seeds)} runs")
    section.add(row, "violations", ready.violations(), "", "= 0")
