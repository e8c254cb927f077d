"""What the parts are worth: each against what one would write without it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from wavefold.bench.attempts import Attempts, attempts, prepared_engine
from wavefold.bench.baselines import Narrow, by_pairs, by_predicate, by_rows, plain_tiles, solve_plainly
from wavefold.bench.figures import Section
from wavefold.bench.rulesets import forty_tiles, hard_tiles, usual_tiles
from wavefold.bench.setup import Setup
from wavefold.bench.timing import timed
from wavefold.kernels import constants
from wavefold.solver import Budget, Problem
from wavefold.tiles import TileSet
from wavefold.topology import SquareGrid

BACKTRACKS = 1000  # allowed to each run that counts contradictions
BYTES_PER_TRAIL_ENTRY = 4 + 8  # where, and which bits
Maps = list[list[int]]


def tables_or_predicate(setup: Setup) -> Section:
    """The same plain Python, over a predicate and over tables."""
    side, seeds = setup.effort.plain_side, range(min(5, setup.effort.seeds))
    how = (
        f"plain Python, forty tiles, {side}x{side}, median processor time of {len(seeds)} seeds, equal maps; "
        "tables are made before"
    )
    section = Section("tables", "Rules: a predicate or tables", how)
    tiles = plain_tiles(forty_tiles())
    neighbours = SquareGrid(side, side).graph().neighbour.tolist()

    def measure(narrow: Narrow) -> tuple[float, Maps]:
        runs = [timed(solve_plainly, tiles, neighbours, narrow, seed) for seed in seeds]
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


def propagation_or_neighbours(setup: Setup) -> Section:
    """Contradictions with removals followed to their end, or only to the next cell."""
    seeds, sides = setup.effort.contradiction_seeds, setup.effort.contradiction_sides
    how = (
        f"search 'backtrack', at most {BACKTRACKS} backtracks a run, {seeds} seeds each on maps of "
        f"{', '.join(f'{side}x{side}' for side in sides)}; neighbours only: those of a decided cell are "
        "narrowed, and nothing follows from that"
    )
    section = Section("contradictions", "Propagation: to the end, or neighbours only", how)
    for name, tiles in hard_tiles(setup.reference).items():
        for order in ("random", "entropy"):
            count_contradictions(section, f"{name}, {order} order", tiles, order, setup)
    return section


def count_contradictions(section: Section, row: str, tiles: TileSet, order: str, setup: Setup) -> None:
    """One tile set in one order, both ways."""
    near, far = (
        plain_runs(
            tiles, order, propagation, setup.effort.contradiction_sides, setup.effort.contradiction_seeds
        )
        for propagation in ("_neighbours", "auto")
    )
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
        done = attempts(problem, range(seeds), Budget(backtracks=BACKTRACKS), **options)
        every.stats += done.stats
        every.failed += done.failed
    return every


def delta_or_snapshot(setup: Setup) -> Section:
    """Undo by what changed, or by copies of everything."""
    side, seeds = setup.effort.map_side, range(min(10, setup.effort.seeds))
    name, tiles = usual_tiles(setup.reference)
    how = (
        f"{name}, {side}x{side}, entropy order, whole runs, median processor time of {len(seeds)} seeds, "
        "equal maps; recorded: bytes that one search wrote to be able to go back"
    )
    section = Section("undo", "Undo: copies or changes", how)
    problem = Problem(tiles, SquareGrid(side, side))
    snapshot = attempts(problem, seeds, order="entropy", undo="snapshot")
    delta = attempts(problem, seeds, order="entropy", undo="delta")
    assert maps_of(snapshot) == maps_of(delta), "another way to undo gave another map"
    section.add("snapshot", "time", snapshot.median_ms, "ms")
    section.add("snapshot", "recorded", recorded_bytes(problem, "snapshot") / 1e3, "kB")
    section.add("delta", "time", delta.median_ms, "ms")
    section.add("delta", "recorded", recorded_bytes(problem, "delta") / 1e3, "kB")
    section.add("delta", "snapshot / delta, time", snapshot.median_ms / delta.median_ms, "x")
    return section


def recorded_bytes(problem: Problem, undo: str) -> int:
    """What one search wrote down to be able to go back."""
    engine = prepared_engine(problem, "entropy", 1, undo)
    engine.advance()
    if undo == "delta":
        return int(engine.state[constants.TRAIL]) * BYTES_PER_TRAIL_ENTRY
    return engine.depth * engine.wave.words.nbytes


def propagations_side_by_side(setup: Setup) -> Section:
    """Every propagation gives the same map; they differ in time."""
    side, seeds = setup.effort.map_side // 2, range(min(10, setup.effort.seeds))
    name, tiles = usual_tiles(setup.reference)
    how = (
        f"{name}, {side}x{side}, entropy order, whole runs, "
        f"median processor time of {len(seeds)} seeds, equal maps"
    )
    section = Section("propagations", "Propagations side by side", how)
    problem = Problem(tiles, SquareGrid(side, side))
    ac3 = attempts(problem, seeds, order="entropy", propagation="ac3")
    for propagation in ("ac3", "ac4", "naive"):
        done = attempts(problem, seeds, order="entropy", propagation=propagation)
        assert maps_of(done) == maps_of(ac3), f"propagation {propagation!r} gave another map"
        section.add(propagation, "time", done.median_ms, "ms")
        section.add(propagation, "times ac3", done.median_ms / ac3.median_ms, "x")
    return section


def maps_of(done: Attempts) -> Maps:
    """The patterns of every map."""
    return [each.patterns.tolist() for each in done.solutions]
