"""Hexagons: 924 states with all their rules, on one grid and on nineteen."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from wavefold.bench.attempts import attempts
from wavefold.bench.figures import Section
from wavefold.bench.setup import DATA_VARIABLE, Setup
from wavefold.solver import Problem
from wavefold.tiles import Relation, Rules
from wavefold.topology import HexGrid

__all__ = ["hex_maps", "hex_rules", "nineteen_grids"]

PAIRS = 63_640  # that may touch, in each direction
GRID_RADIUS = 8
TURNS = 6
ORDERS = ("entropy", "domain")
HOW = (
    "processor time of Solver(problem, seed, order).run() on a ready problem, median over {seeds} seeds; "
    "rules: sockets (edge type, absolute level), and 13 tile types that may not touch their own; maps checked"
)


def hex_maps(setup: Setup) -> Section:
    """One grid of 217 cells and a map of 4,123, by two orders."""
    seeds = range(setup.effort.hex_seeds)
    section = Section("hex", "Hexagons, 924 states", HOW.format(seeds=len(seeds)))
    if setup.data is None:
        return section.skip(f"no hex tile table: name the folder of public data in {DATA_VARIABLE}")
    rules = hex_rules(setup.data)
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


def hex_rules(data: Path) -> Rules:
    """The public hex tile table: every tile in six turns and at every level where it fits."""
    table = json.loads((data / "hex" / "hex_tiles.json").read_text(encoding="utf-8"))
    tiles = table["tiles"]
    kind_of = number_of_flagged(tiles)
    states = [
        (number, turn, level)
        for number, tile in enumerate(tiles)
        for turn, level in product(range(TURNS), range(table["levels_count"] - tile["level_increment"]))
    ]
    sides = [
        [socket(tiles[number], turn, level, side) for number, turn, level in states] for side in range(TURNS)
    ]
    return Rules(
        [f"{tiles[number]['name']}@r{turn}l{level}" for number, turn, level in states],
        [Relation.from_sockets(sides[side], sides[(side + 3) % TURNS]) for side in range(TURNS)],
        [tiles[number]["weight"] for number, _, _ in states],
        tiles=[tile["name"] for tile in tiles],
        tile_of=[number for number, _, _ in states],
        kinds=[kind_of[number] for number, _, _ in states],
        topology="hex",
    )


def number_of_flagged(tiles: list[dict[str, Any]]) -> list[int]:
    """[tile] consecutive numbers for types that may not touch their own, -1 for the rest."""
    flags = np.array([tile["prevent_chaining"] for tile in tiles])
    return np.where(flags, np.cumsum(flags) - 1, -1).tolist()  # type: ignore[no-any-return]


def socket(tile: dict[str, Any], turn: int, level: int, side: int) -> tuple[str, int]:
    """What a side shows: the type of its edge and its absolute level."""
    edge = (side - turn) % TURNS
    return tile["edges"][edge], level + tile["edge_level_offset"][edge]


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
