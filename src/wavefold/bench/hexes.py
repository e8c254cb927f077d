"""Hexagons: 924 states with all their rules, on one grid and on nineteen."""

from __future__ import annotations

from itertools import product

import numpy as np

from wavefold.bench.attempts import attempts
from wavefold.bench.figures import Section
from wavefold.bench.setup import Setup
from wavefold.solver import Problem
from wavefold.tiles import TileSet
from wavefold.topology import HexGrid

PAIRS = 63_640  # that may touch, in each direction
GRID_RADIUS = 8
ORDERS = ("entropy", "domain")
HOW = (
    "processor time of Solver(problem, seed, order).run() on a ready problem, median over {seeds} seeds; "
    "the bundled set medieval: sockets (edge type, absolute level), and 13 tile types that may not touch "
    "their own; maps checked"
)


def hex_maps(setup: Setup) -> Section:
    """One grid of 217 cells and a map of 4,123, by two orders."""
    seeds = range(setup.effort.hex_seeds)
    section = Section("hex", "Hexagons, 924 states", HOW.format(seeds=len(seeds)))
    rules = TileSet.load("medieval").rules
    pairs = rules.allowed.sum(axis=(1, 2))
    assert (pairs == PAIRS).all(), f"the hex rules allow {pairs} pairs, not {PAIRS}"
    one, nineteen = Problem(rules, HexGrid(radius=GRID_RADIUS)), Problem(rules, nineteen_grids())
    for order in ORDERS:
        measure_hex(section, one, order, seeds, "< 5")
        measure_hex(section, nineteen, order, seeds, "< 120")
    return section


def measure_hex(section: Section, problem: Problem, order: str, seeds: range, goal: str) -> None:
    """One map by one order."""
    done = attempts(problem, seeds, order=order)
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
