"""What maps look like: plain orders and refined maps side by side, against the noise of as many maps."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isfinite
from typing import NamedTuple

import numpy as np

from benchmarks.data import Setup
from benchmarks.figures import FigureSection
from wavefold.reports.measuring import Measurement, measure
from wavefold.reports.measuring.blocks import (
    count_by_block,
    estimate_block_floor,
    measure_variation,
    number_blocks,
)
from wavefold.reports.seams import measure_bias
from wavefold.solver import Problem, Solution, Solver
from wavefold.solver.shares import Shares
from wavefold.tiles import TileSet, learn
from wavefold.topology import SquareGrid, make_box
from wavefold.worlds import World

ORDERS = ("entropy", "scanline", "spiral", "random")
BEGUN = ("entropy", "scanline")  # orders that refined maps are begun in
LEARNED = ("islands", "mine", "towers")
SEED = 7
HEX = "medieval"
HEX_SIDE = 32
ALLOWED = 0.02  # beyond the noise
LOOKS_HOW = (
    "{maps} maps of {side}x{side} cells, measured together by wf.measure; tiles: total variation between "
    "frequencies and weights (of learned sets, patterns and the sample), noise: of as many such maps; "
    "uneven: the share of straight runs that would have to turn for directions to be equal, of the kind "
    "that is worst compared with its noise; refined: begun in entropy order, {sweeps} sweeps"
)
REFINED_HOW = (
    "{maps} maps of {side}x{side} cells, {sweeps} sweeps with Shares of the weights; from asked: total "
    "variation of tiles, pooled; more sweeps: one map of them with {more}; entropy to scanline: between maps "
    "begun in these orders, noise: between two sets of maps begun in the same; rivers: of castle, straight"
)
BORDERS_HOW = (
    "{across}x{across} chunks of 64x64 cells: cells on straight lines and edges of 8 cells and longer, 0 to "
    "3 cells from a border, as a multiple of the middle of chunks; uneven: how far from 1, in multiples of "
    "the noise, the worst of these; equal: cells that two seeds have in common, beyond chance"
)
MOST_UNEVEN = 3.0  # multiples of the noise, which is the mean deviation: 2.4 standard deviations


class LookSet(NamedTuple):
    """A tile set and the maps that are measured."""

    name: str
    problem: Problem


def load_sets(setup: Setup, side: int) -> list[LookSet]:
    """Bundled sets, and a few that are learned."""
    found = []
    for name in (*setup.effort.world_sets, HEX, *LEARNED[: setup.effort.look_samples]):
        tiles = learn(name) if name in LEARNED else TileSet.load(name)
        across = min(side, HEX_SIDE) if name == HEX else side
        found.append(LookSet(name, Problem(tiles, make_box(tiles.topology, across, across))))
    return found


def solve_maps(problem: Problem, order: str, seeds: Sequence[int]) -> list[Solution]:
    """Maps in one order, by the usual search."""
    return [Solver(problem, seed, order).run() for seed in seeds]


def refine_maps(maps: Sequence[Solution], sweeps: int, shares: Shares | None = None) -> list[Solution]:
    """The same maps, refined."""
    return [each.refine(sweeps, seed=each.seed, shares=shares) for each in maps]


def looks_of_orders(setup: Setup) -> FigureSection:
    """Plain orders and refined maps of every bundled set."""
    effort = setup.effort
    seeds, side, sweeps = range(effort.look_maps), effort.map_side, effort.look_sweeps
    how = LOOKS_HOW.format(maps=len(seeds), side=side, sweeps=sweeps)
    section = FigureSection("looks", "What maps look like", how)
    for name, problem in load_sets(setup, side):
        maps = {order: solve_maps(problem, order, seeds) for order in ORDERS}
        maps["refined"] = refine_maps(maps[BEGUN[0]], sweeps)
        for way, made in maps.items():
            add_look(section, f"{name}, {way}", measure(made))
    return section


def add_look(section: FigureSection, row: str, found: Measurement) -> None:
    """One row: faithful, isotropic, repetitive, dull."""
    tiles, worst = found.faithfulness.tiles, found.isotropy.worst
    section.add(row, "tiles", tiles.distance)
    section.add(row, "noise", tiles.floor)
    if found.faithfulness.pairs is not None:
        section.add(row, "pairs", found.faithfulness.pairs.distance)
    if worst is not None:
        section.add(row, "uneven", worst.uneven.distance)
        section.add(row, "its noise", worst.uneven.floor)
        section.add(row, "by chance", 100 * found.isotropy.chance, "%")
    if found.repetition is not None:
        section.add(row, "repeated", 100 * found.repetition.again, "%")
    section.add(row, "largest area", 100 * found.dullness.share, "%")


def goals_of_refining(setup: Setup) -> FigureSection:
    """Frequencies on target, no trace of the order, no preferred direction."""
    effort = setup.effort
    seeds, side, sweeps = range(effort.look_maps), effort.map_side, effort.look_sweeps
    more = effort.most_sweeps
    how = REFINED_HOW.format(maps=len(seeds), side=side, sweeps=sweeps, more=more)
    section = FigureSection("refined", "Refined maps", how)
    for name in effort.world_sets:
        tiles = TileSet.load(name)
        problem = Problem(tiles, SquareGrid(side, side))
        begun = {order: solve_maps(problem, order, seeds) for order in BEGUN}
        add_shares(section, name, tiles, begun["scanline"], sweeps, more)
        add_orders(section, name, {order: refine_maps(maps, sweeps) for order, maps in begun.items()})
    return section


def add_shares(
    section: FigureSection, row: str, tiles: TileSet, maps: Sequence[Solution], sweeps: int, more: int
) -> None:
    """How far tiles are off target before and after refining, and after many sweeps."""
    weights = np.bincount(tiles.rules.tile_of, tiles.asked_weights)
    shares = Shares(dict(zip(tiles.rules.tiles, (weights / weights.sum()).tolist(), strict=True)), 0.0)
    refined = measure(refine_maps(maps, sweeps, shares)).faithfulness
    reached = measure(refine_maps(maps[:1], more, shares)).faithfulness.tiles.distance
    section.add(row, "scanline from asked", measure(maps).faithfulness.tiles.distance)
    limit = max(refined.tiles.floor + ALLOWED, reached)
    section.add(row, "refined from asked", refined.tiles.distance, "", f"<= {limit:.3f}")
    section.add(row, "noise", refined.tiles.floor)
    section.add(row, "independent", refined.tiles_independent)
    section.add(row, "more sweeps", reached)


def add_orders(section: FigureSection, row: str, refined: dict[str, list[Solution]]) -> None:
    """How far apart maps are that were begun in different orders, and how uneven lines are."""
    apart, noise = compare_tiles(*(refined[order] for order in BEGUN))
    section.add(row, "entropy to scanline", apart, "", f"<= {2 * noise:.3f}")
    section.add(row, "its noise", noise)
    isotropy = measure(refined["scanline"]).isotropy
    if isotropy.worst is not None:
        section.add(row, "uneven", isotropy.worst.uneven.distance)
        section.add(row, "uneven by chance", 100 * isotropy.chance, "%", ">= 1")
    rivers = [each for each in isotropy.counts if each.name == "mm~" and row == "castle"]
    for counts in rivers:
        for direction, runs in counts.runs.items():
            section.add(row, f"rivers of {counts.length}+ {direction}", runs)


def borders_of_worlds(setup: Setup) -> FigureSection:
    """What a person would see of chunk borders, and of the base that all seeds share."""
    effort = setup.effort
    section = FigureSection("borders", "Borders of chunks", BORDERS_HOW.format(across=effort.border_chunks))
    for name in (*effort.world_sets, *LEARNED[: effort.look_samples]):
        tiles = learn(name) if name in LEARNED else TileSet.load(name)
        found = measure_bias(World(tiles, SEED), effort.border_chunks, plain=False)
        long = [each for each in found.features if each.length == 8 and each.distances[1] < 4]
        for each in long:
            if isfinite(each.ratio):
                section.add(name, f"{each.kind} {each.way}, {each.distances[0]} away", each.ratio)
        known = [abs(each.ratio - 1) / each.noise for each in long if each.noise > 0 and isfinite(each.ratio)]
        if known:
            section.add(name, "uneven", max(known), "", f"<= {MOST_UNEVEN:g}")
        section.add(name, "equal", equal_beyond_chance(tiles, effort.border_chunks), "", "<= 0.02")
    return section


def equal_beyond_chance(tiles: TileSet, across: int) -> float:
    """The share of cells that worlds of two seeds have in common, beyond what their frequencies explain."""
    size = 64 * across
    one, other = (World(tiles, SEED + number).region(0, 0, size, size) for number in range(2))
    shares = [np.bincount(each.reshape(-1), minlength=len(tiles)) / each.size for each in (one, other)]
    return float((one == other).mean() - shares[0] @ shares[1])


def compare_tiles(ones: Sequence[Solution], others: Sequence[Solution]) -> tuple[float, float]:
    """Total variation between the tiles of two sets of maps, and of two sets of the same kind."""
    rules = ones[0].problem.rules
    counts = []
    for maps in (ones, others):
        blocks = number_blocks([each.array.shape for each in maps])
        total = int(blocks[-1].max()) + 1
        at = np.concatenate([each.reshape(-1) for each in blocks])
        kinds = rules.tile_of[np.concatenate([each.array.reshape(-1) for each in maps])].astype(np.int64)
        counts.append(count_by_block(at, kinds, total, len(rules.tiles)))
    one, other = (each.sum(axis=0) for each in counts)
    # Two samples vary independently, each by its own floor.
    noise = hypot(*(estimate_block_floor(each) for each in counts))
    return float(measure_variation(one, other / other.sum())), noise
