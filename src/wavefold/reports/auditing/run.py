"""Run the stages of an audit."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavefold.errors import TileSetError
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.values import check_flag, check_function
from wavefold.reports.auditing.advice import advise, suggest_tiles
from wavefold.reports.auditing.corners import (
    check_sub_complete,
    count_corners,
    count_triples_without,
    list_corner_pairs,
    list_corner_triples,
)
from wavefold.reports.auditing.looks import compare_orders
from wavefold.reports.auditing.proofs import find_unplaceable
from wavefold.reports.auditing.report import Audit
from wavefold.reports.auditing.side_kinds import SideKinds, list_sides
from wavefold.reports.auditing.trials import (
    E_FOLD,
    FAINT,
    collect_failures,
    find_reach,
    measure_correlation,
    run_trials,
)
from wavefold.solver import Solution
from wavefold.solver.search.certificate import find_certificate
from wavefold.tiles import TileSet
from wavefold.tiles.lint import lint
from wavefold.topology import get_lattice_class

Progress = Callable[[int, int, str], None]
STAGES = 9


class Effort(NamedTuple):
    """How thorough an audit is."""

    sizes: int  # of trial maps, smallest first
    seeds: int
    torus: int  # the most cells of a repeating map
    candidates: int  # repeating maps to compare
    suggestions: int
    looks: int  # measured maps of each order
    patience: float  # milliseconds for a trial map, and for collecting failures
    kinds: int  # the most on a side for which triples are counted; there are kinds³


QUICK = Effort(2, 4, 36, 4, 3, 8, 1_000, 200)
DEEP = Effort(3, 20, 144, 12, 8, 16, 10_000, 1_000)


def audit(tiles: TileSet, deep: bool = False, progress: Progress | None = None) -> Audit:
    """Examine what a tile set can and cannot do.

    deep : whether to examine the set more thoroughly; otherwise an audit takes seconds
    progress : called with the stage, the number of stages, and the name of the stage
    """
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"an audit needs a TileSet, such as TileSet.load('pipes'), not {tiles!r}")
    check_flag("deep", deep)
    check_function("progress", progress)
    if get_lattice_class(tiles.topology).side_sets:
        raise TileSetError(
            f"an audit needs cells with the same sides, which {tiles.topology} cells do not have"
        )
    started = perf_counter()
    effort = DEEP if deep else QUICK
    stage = Stages(progress)
    stage("sides and corners")
    kinds = SideKinds(tiles)
    sides = list_sides(kinds)
    pairs = count_corners(kinds, list_corner_pairs(tiles.topology))
    countable = kinds.most_on_a_side <= effort.kinds
    triples = count_corners(kinds, list_corner_triples(tiles.topology)) if countable else []
    stage("rows without dead ends")
    rows = check_sub_complete(tiles)
    stage("solving maps")
    found, maps = run_trials(tiles, effort.sizes, effort.seeds, effort.patience, stage.tick)
    curve = measure_correlation(tiles, maps)
    reach = find_reach(curve, FAINT)
    stage("tiles that cannot appear")
    shown = {pattern for each in maps for pattern in each.patterns.tolist()}
    unplaceable = find_unplaceable(tiles, find_patterns_inside(maps), shown)
    stage("a map that repeats")
    certificate = find_certificate(tiles, effort.torus, effort.candidates, stage.tick)
    stage("failures")
    chosen = advise(found, reach, rows, tiles.topology)
    width = kinds.grid.sizes.trials[effort.sizes - 1]
    failures = collect_failures(kinds, width, effort.seeds, effort.patience)
    stage("what maps look like")
    looks = compare_orders(tiles, width, effort.looks, effort.patience, stage.tick)
    stage("tiles that would help")
    helpful = suggest_tiles(tiles, effort.suggestions)
    stage("lint")
    return Audit(
        tiles=tiles,
        deep=deep,
        side_kinds=kinds.count,
        sides=tuple(sides),
        pairs=tuple(pairs),
        triples=tuple(triples),
        without=count_triples_without(kinds),
        sub_complete=rows,
        unplaceable=tuple(unplaceable),
        certificate=certificate,
        correlation=tuple(curve),
        correlation_length=find_reach(curve, E_FOLD),
        reach=reach,
        trials=tuple(found),
        advice=chosen,
        suggestions=tuple(helpful),
        failures=failures,
        looks=tuple(looks),
        doubts=tuple(lint(tiles)),
        example=max(maps, key=lambda each: np.unique(each.patterns).size, default=None),
        seconds=perf_counter() - started,
    )


class Stages:
    """Counts the stages and reports progress."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress or (lambda done, total, what: None)
        self.done, self.what = -1, ""

    def __call__(self, what: str) -> None:
        self.done, self.what = self.done + 1, what
        self.tick()

    def tick(self) -> None:
        """Report progress within a stage; the callback may raise an error to stop the audit."""
        checkpoint()
        self.progress(self.done, STAGES, self.what)


def find_patterns_inside(maps: list[Solution]) -> set[int]:
    """Find the patterns that appear in some map at least two cells from any edge."""
    seen: set[int] = set()
    for solution in maps:
        neighbour = solution.problem.graph.neighbour
        near_edge = np.asarray((neighbour < 0).any(axis=1))
        near_edge = near_edge | np.asarray(near_edge[np.maximum(neighbour, 0)].any(axis=1))
        seen.update(solution.patterns[~near_edge].tolist())
    return seen
