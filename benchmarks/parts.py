"""What the parts are worth: each against what one would write without it.

At the end is Wave Function Collapse in plain Python, to compare with. Its domains are sets of tile objects,
one per cell; how a domain narrows its neighbour is passed in: by a predicate or by tables.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

from benchmarks.data import Setup, forty_tiles, hard_tiles, usual_tiles
from benchmarks.figures import Attempts, FigureSection, measure_time, prepare_engine, run_attempts
from wavefold.kernels import constants as c
from wavefold.solver import Budget, Problem, Solver
from wavefold.tiles import TileSet
from wavefold.topology import SquareGrid

BACKTRACKS = 1000  # allowed to each run that counts contradictions
BYTES_PER_TRAIL_ENTRY = 4 + 8  # where, and which bits
Maps = list[list[int]]
Watch = Callable[[], object]  # called after each decision
OPPOSITE = (2, 3, 0, 1)
Domain = set[Any]
Narrow = Callable[[int, Domain, Domain], Domain]  # direction, domain here, domain there -> what is left there


def tables_or_predicate(setup: Setup) -> FigureSection:
    """The same plain Python, over a predicate and over tables."""
    side, seeds = setup.effort.plain_side, range(min(5, setup.effort.seeds))
    how = (
        f"plain Python, forty tiles, {side}x{side}, median processor time of {len(seeds)} seeds, equal maps; "
        "tables are made before"
    )
    section = FigureSection("tables", "Rules: a predicate or tables", how)
    tiles = plain_tiles(forty_tiles())
    neighbours = SquareGrid(side, side).graph().neighbour.tolist()

    def measure(narrow: Narrow) -> tuple[float, Maps]:
        runs = [measure_time(solve_plainly, tiles, neighbours, narrow, seed) for seed in seeds]
        return median(ms for ms, _ in runs), [found for _, found in runs]

    asked, maps = measure(by_predicate(tiles))
    section.add("predicate per check", "time", asked, "ms")
    for row, narrow, goal in (
        ("table, looked up pair by pair", by_pairs(tiles), ""),
        ("table, looked up row by row", by_rows(tiles), ">= 70"),
    ):
        ms, same = measure(narrow)
        assert same == maps, "the same rules in another form gave another map"
        section.add(row, "time", ms, "ms")
        section.add(row, "less time", (1 - ms / asked) * 100, "%", goal)
    return section


def propagation_or_neighbours(setup: Setup) -> FigureSection:
    """Contradictions with removals followed to their end, or only to the next cell."""
    seeds, sides = setup.effort.contradiction_seeds, setup.effort.contradiction_sides
    how = (
        f"search 'backtrack', at most {BACKTRACKS} backtracks a run, {seeds} seeds each on maps of "
        f"{', '.join(f'{side}x{side}' for side in sides)}; neighbours only: those of a decided cell are "
        "narrowed, and nothing follows from that"
    )
    section = FigureSection("contradictions", "Propagation: to the end, or neighbours only", how)
    for name, tiles in hard_tiles(setup.reference).items():
        for order in ("random", "entropy"):
            near, far = (
                plain_runs(tiles, order, propagation, sides, seeds) for propagation in ("_neighbours", "auto")
            )
            add_contradictions(section, f"{name}, {order} order", near, far)
    return section


def add_contradictions(section: FigureSection, row: str, near: Attempts, far: Attempts) -> None:
    """One tile set in one order, both ways."""
    found = near.total("contradictions"), far.total("contradictions")
    runs = f"of {len(far.stats)} runs"
    section.add(row, "neighbours only", found[0], "contradictions")
    section.add(row, "arc consistency", found[1], "contradictions")
    section.add(row, "fewer", (1 - found[1] / max(1, found[0])) * 100, "%", ">= 40")
    section.add(row, "with any: neighbours only", near.needing("contradictions"), runs)
    section.add(row, "with any: arc consistency", far.needing("contradictions"), runs)
    section.add(row, "given up: neighbours only", near.failed, runs)
    section.add(row, "given up: arc consistency", far.failed, runs)


def plain_runs(tiles: TileSet, order: str, propagation: str, sides: Sequence[int], seeds: int) -> Attempts:
    """Plain backtracking on maps of several sizes."""
    every = Attempts()
    for side in sides:
        problem = Problem(tiles, SquareGrid(side, side))
        options = {"order": order, "search": "backtrack", "propagation": propagation}
        done = run_attempts(problem, range(seeds), Budget(backtracks=BACKTRACKS), **options)
        every.stats += done.stats
        every.failed += done.failed
    return every


def delta_or_snapshot(setup: Setup) -> FigureSection:
    """Undo by what changed, or by copies of everything."""
    side, seeds = setup.effort.map_side, range(min(10, setup.effort.seeds))
    name, tiles = usual_tiles(setup.reference)
    how = (
        f"{name}, {side}x{side}, entropy order, whole runs, median processor time of {len(seeds)} seeds, "
        "equal maps; recorded: bytes that one search wrote to be able to go back"
    )
    section = FigureSection("undo", "Undo: copies or changes", how)
    problem = Problem(tiles, SquareGrid(side, side))
    runs = {undo: run_attempts(problem, seeds, order="entropy", undo=undo) for undo in ("snapshot", "delta")}
    snapshot, delta = runs.values()
    assert list_maps(snapshot) == list_maps(delta), "another way to undo gave another map"
    for undo, done in runs.items():
        section.add(undo, "time", done.median_ms, "ms")
        section.add(undo, "recorded", recorded_bytes(problem, undo) / 1e3, "kB")
    section.add("delta", "snapshot / delta, time", snapshot.median_ms / delta.median_ms, "x")
    return section


def recorded_bytes(problem: Problem, undo: str) -> int:
    """What one search wrote down to be able to go back."""
    engine = prepare_engine(problem, "entropy", 1, undo)
    engine.advance()
    if undo == "delta":
        return int(engine.state[c.TRAIL]) * BYTES_PER_TRAIL_ENTRY
    return engine.depth * engine.wave.words.nbytes


def list_maps(done: Attempts) -> Maps:
    """The patterns of every map."""
    return [each.patterns.tolist() for each in done.solutions]


def arrays_or_objects(setup: Setup) -> FigureSection:
    """The plain solver with a set per cell, and ours."""
    side = setup.effort.plain_side
    how = (
        f"forty tiles, {side}x{side}, above the start: most blocks of the Python allocator in use (sys."
        "getallocatedblocks after each decision), and peak bytes (tracemalloc, which sees NumPy's arrays)"
    )
    section = FigureSection("domains", "Domains: objects or arrays", how)
    tiles, grid = forty_tiles(), SquareGrid(side, side)
    plain, neighbours = plain_tiles(tiles), grid.graph().neighbour.tolist()
    narrow, problem = by_rows(plain), Problem(tiles, grid)

    def with_arrays(watch: Watch) -> object:
        solver = Solver(problem, 1, order="scanline")
        while solver.step() != "solved":
            watch()
        return solver.solution()

    objects, object_bytes = measure_memory(lambda watch: solve_plainly(plain, neighbours, narrow, 1, watch))
    blocks, array_bytes = measure_memory(with_arrays)
    section.add("sets of objects", "blocks", objects)
    section.add("sets of objects", "peak", object_bytes / 1e3, "kB")
    section.add("arrays of words", "blocks", blocks)
    section.add("arrays of words", "fewer blocks", (1 - blocks / objects) * 100, "%", ">= 60")
    section.add("arrays of words", "peak", array_bytes / 1e3, "kB")
    section.add("arrays of words", "fewer bytes", (1 - array_bytes / object_bytes) * 100, "%")
    return section


def measure_memory(work: Callable[[Watch], object]) -> tuple[int, int]:
    """The most blocks above the start that `work` was seen to hold, and its peak of bytes."""
    work(lambda: None)  # fills caches
    most = 0
    start = sys.getallocatedblocks()

    def look() -> None:
        nonlocal most
        most = max(most, sys.getallocatedblocks() - start)

    kept = work(look)
    look()
    del kept
    tracemalloc.start()
    work(lambda: None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, peak


# --- plain Python -------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class BaselineTile:
    """A tile as an object, in sets by its identity."""

    number: int
    sockets: tuple[str, ...]  # one per side
    weight: float


def plain_tiles(tiles: TileSet) -> list[BaselineTile]:
    """One object per pattern of a tile set that was made from sockets."""
    return [
        BaselineTile(number, pattern.sockets or (), pattern.tile.weight)
        for number, pattern in enumerate(tiles.patterns)
    ]


def may_touch(direction: int, here: BaselineTile, there: BaselineTile) -> bool:
    """The rule as an author would write it."""
    return here.sockets[direction] == there.sockets[OPPOSITE[direction]]


def by_predicate(_tiles: Sequence[BaselineTile]) -> Narrow:
    """Ask the rule for every pair, each time."""

    def narrow(direction: int, here: Domain, there: Domain) -> Domain:
        return {b for b in there if any(may_touch(direction, a, b) for a in here)}

    return narrow


def by_pairs(tiles: Sequence[BaselineTile]) -> Narrow:
    """Ask the rule once per pair, before; then look each pair up."""
    table = [[[may_touch(direction, a, b) for b in tiles] for a in tiles] for direction in range(4)]

    def narrow(direction: int, here: Domain, there: Domain) -> Domain:
        side = table[direction]
        return {b for b in there if any(side[a.number][b.number] for a in here)}

    return narrow


def by_rows(tiles: Sequence[BaselineTile]) -> Narrow:
    """Ask the rule once per pair, before; then look up everything a tile allows at once."""
    table = [[{b for b in tiles if may_touch(direction, a, b)} for a in tiles] for direction in range(4)]

    def narrow(direction: int, here: Domain, there: Domain) -> Domain:
        side = table[direction]
        return there & set().union(*(side[a.number] for a in here))

    return narrow


def solve_plainly(
    tiles: Sequence[BaselineTile],
    neighbours: Sequence[Sequence[int]],
    narrow: Narrow,
    seed: int,
    watch: Callable[[], object] = lambda: None,
) -> list[int]:
    """Cell by cell in order: choose by weight, propagate. The number of each cell's tile.

    `watch` is called after each decision. A contradiction starts the map again with the next seed.
    """
    random = Random(seed)
    domains: list[Domain] = [set(tiles) for _ in neighbours]
    for cell, domain in enumerate(domains):
        if len(domain) == 1:
            continue
        choices = sorted(domain, key=lambda tile: tile.number)
        domains[cell] = set(random.choices(choices, [tile.weight for tile in choices]))
        if not propagate_plainly(domains, neighbours, narrow, cell):
            return solve_plainly(tiles, neighbours, narrow, seed + 1_000_003, watch)
        watch()
    return [tile.number for (tile,) in domains]


def propagate_plainly(
    domains: list[Domain], neighbours: Sequence[Sequence[int]], narrow: Narrow, changed: int
) -> bool:
    """Arc consistency from one changed cell. False if a domain was emptied."""
    queue = deque([changed])
    while queue:
        cell = queue.popleft()
        for direction, other in enumerate(neighbours[cell]):
            if other < 0:
                continue
            left = narrow(direction, domains[cell], domains[other])
            if len(left) < len(domains[other]):
                domains[other] = left
                queue.append(other)
                if not left:
                    return False
    return True
