"""Endless worlds: how long a chunk takes, cold and warm, and what becomes of its windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from wavefold.bench.figures import Section
from wavefold.bench.reference import load_kernel, load_module
from wavefold.bench.rulesets import RuleSet, load_rule_sets
from wavefold.bench.setup import Setup
from wavefold.bench.timing import timed
from wavefold.checker import check
from wavefold.tiles import TileSet
from wavefold.world import World

SQUARE = ("castle", "circuit", "dungeon", "knots", "meadow", "pipes", "terrain")
SEED = 7
SPREAD = 1 << 20  # chunks: places drawn from so many have no window in common
NEIGHBOURS = 3  # of so many chunks across and down, for warm ones
HOW = (
    "processor time of world.chunk(x, y), 64x64 cells ({hex_side}x{hex_side} hexagons), {chunks} chunks at "
    "random places in random order; cold: nothing of a chunk is known, corners, edges and joints are made, "
    "too; warm: these are known, the interior is made; known: the chunk was asked for before; "
    "kept: windows, small ones included, that kept their witness"
)


def endless_worlds(setup: Setup) -> Section:
    """Every bundled square set, and the hexagons."""
    chunks, hex_side = setup.effort.world_chunks, 32
    section = Section("worlds", "Endless worlds", HOW.format(chunks=chunks, hex_side=hex_side))
    for name in SQUARE:
        tiles = TileSet.load(name)
        goals = {"cold p99": "< 30", "warm p50": "< 4", "cold slowest": "< 100"}
        measure_world(section, f"{name}, {len(tiles)} patterns", tiles, 64, chunks, goals)
    tiles = TileSet.load("medieval")
    goals = {"cold p99": "< 80"}
    few = max(4, chunks // 5)
    measure_world(
        section, f"medieval {hex_side}x{hex_side}, {len(tiles)} states", tiles, hex_side, few, goals
    )
    return section


def measure_world(
    section: Section, row: str, tiles: TileSet, side: int, chunks: int, goals: dict[str, str]
) -> None:
    """One tile set: cold chunks all over the place, then the chunks of a small block, seams first."""
    World(tiles, SEED, side).chunk(0, 0)  # compiles, and makes the tables of every shape
    world = World(tiles, SEED, side)
    cold = np.array([timed(world.chunk, x, y)[0] for x, y in places(chunks)])
    for name, share in (("p50", 50), ("p95", 95), ("p99", 99)):
        column = f"cold {name}"
        section.add(row, column, float(np.percentile(cold, share)), "ms", goals.get(column, ""))
    section.add(row, "cold slowest", float(cold.max()), "ms", goals.get("cold slowest", ""))
    section.add(row, "all", float(cold.sum() / 1e3), "s")
    warm, known = warm_ms(tiles, side, max(2, chunks // 40))
    section.add(row, "warm p50", float(np.median(warm)), "ms", goals.get("warm p50", ""))
    section.add(row, "known p50", float(np.median(known)) * 1e3, "µs")
    report = world.report
    section.add(row, "windows", report.windows)
    section.add(row, "kept", report.unchanged)
    x, y = next(places(1))
    wrong = check(world, x * side - 8, y * side - 8, side + 16, side + 16)
    section.add(row, "violations", len(wrong), "", "= 0")


def warm_ms(tiles: TileSet, side: int, blocks: int) -> tuple[list[float], list[float]]:
    """Milliseconds of interiors whose borders are known, and of chunks that are known themselves."""
    warm, known = [], []
    world: Any = World(tiles, SEED + 1, side)
    for left, top in places(blocks):
        inside = [(left + i, top + j) for j in range(NEIGHBOURS) for i in range(NEIGHBOURS)]
        for x, y in inside:
            for window in world.plan.needs(world.plan.interior(x, y)):
                world._generator.window(window)
        warm += [timed(world.chunk, x, y)[0] for x, y in inside]
        known += [timed(world.chunk, x, y)[0] for x, y in inside]
    return warm, known


def places(count: int) -> Iterator[tuple[int, int]]:
    """Chunks all over the plane, in no order; the same every time."""
    random = np.random.default_rng(SEED)
    yield from map(tuple, random.integers(-SPREAD, SPREAD, (count, 2)).tolist())


def worlds_against_reference(setup: Setup) -> Section:
    """The same rules, the same size, cold chunks in turns: ours and the reference's."""
    chunks = max(3, setup.effort.world_chunks // 20)
    how = (
        f"processor time of a cold chunk of 64x64 cells, median of {chunks} at random places, in turns in "
        "one process; reference: chunk() of witness.py; both make four corners, four edges and the interior, "
        "ours the joints, too; ratio: median of those of each turn"
    )
    section = Section("worlds-reference", "Endless worlds against the reference", how)
    sets = load_rule_sets(setup.reference)
    if setup.reference is None or not sets or not (setup.reference / "witness.py").is_file():
        return section.skip(
            "no reference of the seam scheme: name the folder of witness.py with --against FOLDER"
        )
    load_kernel(setup.reference)  # under the name that the module asks for
    witness = load_module("witness", setup.reference)
    for rules in sets.values():
        compare(section, witness, rules, chunks)
    return section


def compare(section: Section, witness: Any, rules: RuleSet, chunks: int) -> None:
    """One rule table."""
    theirs = witness.Rules(rules.allowed, rules.weight)
    base = theirs.base()
    world = World(rules.tiles, SEED)
    world.chunk(0, 0)
    witness.chunk(theirs, base, SEED, 0, 0)
    ours_ms, theirs_ms = [], []
    for x, y in places(chunks):
        ours_ms.append(timed(world.chunk, x, y)[0])
        theirs_ms.append(timed(witness.chunk, theirs, base, SEED, x, y)[0])
    row = f"{rules.name}, {len(rules.tiles)} patterns"
    section.add(row, "ours p50", float(np.median(ours_ms)), "ms")
    section.add(row, "ours p99", float(np.percentile(ours_ms, 99)), "ms", "< 30")
    section.add(row, "reference p50", float(np.median(theirs_ms)), "ms")
    section.add(row, "reference p99", float(np.percentile(theirs_ms, 99)), "ms")
    ratios = np.array(ours_ms) / np.array(theirs_ms)
    section.add(row, "ours / reference", float(np.median(ratios)), "x")
    section.add(row, "kept", world.report.unchanged)
    section.add(row, "violations", len(check(world, -8, -8, 80, 80)), "", "= 0")
