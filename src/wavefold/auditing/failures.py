"""Real failures: the neighbourhoods in which contradictions happened while maps were made."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from wavefold.auditing.maps import attempt
from wavefold.auditing.side_kinds import SideKinds
from wavefold.errors import WavefoldError
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.solver.engine.events import CELL, CONTRADICTION, KIND, Batch
from wavefold.topology import lattice_class

MOST_LOOKED_AT = 300  # contradictions in each map: the commonest show soon
SHOWN = 12


@dataclass(frozen=True, slots=True)
class Failure:
    """A neighbourhood in which nothing fitted."""

    asked: tuple[tuple[str, str], ...]  # side, kind: what settled neighbours asked for
    times: int
    known: bool  # no pattern at all meets these demands: an impossible corner


@dataclass(frozen=True, slots=True)
class Failures:
    """What was seen in a number of maps."""

    maps: int
    contradictions: int
    at_impossible_corners: int
    common: tuple[Failure, ...]


def collect_failures(demands: SideKinds, side: int, seeds: int, order: str, patience: float) -> Failures:
    """Make maps by plain backtracking and look around each cell that was left with nothing.

    To watch a map being made takes a hundred times as long as to make it: what goes well is not watched,
    and when `patience`, in milliseconds, is at an end, no more maps are made.
    """
    problem = Problem(demands.tiles, lattice_class(demands.tiles.topology).of_width(side))
    decisions = 2 * problem.cell_count
    seen: Counter[tuple[tuple[int, int], ...]] = Counter()
    ends = perf_counter() + patience / 1e3
    maps = 0
    for seed in range(seeds):
        left = (ends - perf_counter()) * 1e3
        if left <= 0:
            break
        alone = attempt(problem, seed, decisions, order, "backtrack", left)
        if not isinstance(alone, Solution) or alone.stats.contradictions:
            watch_solver(
                demands, Solver(problem, seed, order, search="backtrack"), Budget(left, decisions), seen
            )
        maps += 1
    return summarize_failures(demands, seen, maps)


def watch_solver(
    demands: SideKinds, solver: Solver, budget: Budget, seen: Counter[tuple[tuple[int, int], ...]]
) -> None:
    """Add what is around every cell that is left with nothing."""
    before = seen.total()

    def look(batch: Batch) -> None:
        for cell in batch[batch[:, KIND] == CONTRADICTION, CELL].tolist():
            seen[neighbour_kinds(demands, solver, cell)] += 1
            if seen.total() - before == MOST_LOOKED_AT:
                raise EnoughSeen

    solver.listen(look, batches=True)
    with suppress(WavefoldError, EnoughSeen):
        solver.run(budget)


class EnoughSeen(Exception):
    """Ends a run that has shown enough."""


def neighbour_kinds(demands: SideKinds, solver: Solver, cell: int) -> tuple[tuple[int, int], ...]:
    """(side, kind) of each neighbour that asks for one kind only."""
    partial = solver.partial()
    found = []
    for side, neighbour in enumerate(solver.problem.graph.neighbour[cell].tolist()):
        if neighbour < 0:
            continue
        kinds = np.unique(demands.kind_of[side][partial.possible[neighbour]])
        if kinds.size == 1:
            found.append((side, int(kinds[0])))
    return tuple(found)


def summarize_failures(demands: SideKinds, seen: Counter[tuple[tuple[int, int], ...]], maps: int) -> Failures:
    """The counts in words, commonest first."""
    known = {asked: not any_pattern_fits(demands, asked) for asked in seen}
    common = sorted(seen.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
    return Failures(
        maps,
        seen.total(),
        sum(times for asked, times in seen.items() if known[asked]),
        tuple(
            Failure(
                name_kinds(demands, asked),
                times,
                known[asked],
            )
            for asked, times in common
        ),
    )


def name_kinds(demands: SideKinds, asked: tuple[tuple[int, int], ...]) -> tuple[tuple[str, str], ...]:
    """Sides and kinds by their names."""
    return tuple((demands.tiles.directions[side], demands.labels[side][kind]) for side, kind in asked)


def any_pattern_fits(demands: SideKinds, asked: tuple[tuple[int, int], ...]) -> bool:
    """Whether some pattern meets all these demands."""
    left = np.ones(len(demands.tiles), bool)
    for side, kind in asked:
        left &= demands.fits[side][kind]
    return bool(left.any())
