"""Failures that were seen: the neighbourhoods in which contradictions occurred while maps were solved."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from wavefold.auditing.side_kinds import SideKinds
from wavefold.auditing.trials import try_solve
from wavefold.errors import WavefoldError
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.solver.engine.events import CELL, CONTRADICTION, KIND, Batch

MOST_WATCHED = 300  # contradictions in each map: the most common ones appear early
SHOWN = 12

Neighbourhood = tuple[tuple[int, int], ...]  # (side, kind) of decided neighbours


@dataclass(frozen=True, slots=True)
class Failure:
    """A neighbourhood in which nothing fits."""

    asked: tuple[tuple[str, str], ...]  # (side, kind): what decided neighbours required
    times: int
    known: bool  # no pattern fits these kinds: an impossible corner


@dataclass(frozen=True, slots=True)
class Failures:
    """Contradictions in a number of maps."""

    maps: int
    contradictions: int
    at_impossible_corners: int
    common: tuple[Failure, ...]


def collect_failures(kinds: SideKinds, width: int, seeds: int, order: str, patience: float) -> Failures:
    """Solve maps `width` cells across by plain backtracking and look around each cell that has nothing left.

    Watching a solve takes a hundred times as long as the solve itself, so maps without a contradiction are
    not watched, and no map is started after `patience`, in milliseconds.
    """
    problem = Problem(kinds.tiles, kinds.grid.of_width(width))
    decisions = 2 * problem.cell_count
    seen: Counter[Neighbourhood] = Counter()
    ends = perf_counter() + patience / 1e3
    maps = 0
    for seed in range(seeds):
        left = (ends - perf_counter()) * 1e3
        if left <= 0:
            break
        plain = try_solve(problem, seed, decisions, order, "backtrack", left)
        if not isinstance(plain, Solution) or plain.stats.contradictions:
            watch_solver(
                kinds, Solver(problem, seed, order, search="backtrack"), Budget(left, decisions), seen
            )
        maps += 1
    return summarize_failures(kinds, seen, maps)


def watch_solver(kinds: SideKinds, solver: Solver, budget: Budget, seen: Counter[Neighbourhood]) -> None:
    """Count in `seen` what is around every cell that has nothing left."""
    before = seen.total()

    def look(batch: Batch) -> None:
        for cell in batch[batch[:, KIND] == CONTRADICTION, CELL].tolist():
            seen[neighbour_kinds(kinds, solver, cell)] += 1
            if seen.total() - before == MOST_WATCHED:
                raise EnoughSeen

    solver.listen(look, batches=True)
    with suppress(WavefoldError, EnoughSeen):
        solver.run(budget)


class EnoughSeen(Exception):
    """Ends a run that has shown enough."""


def neighbour_kinds(kinds: SideKinds, solver: Solver, cell: int) -> Neighbourhood:
    """(side, kind) of each neighbour whose patterns are all of one kind."""
    partial = solver.partial()
    found = []
    for side, neighbour in enumerate(solver.problem.graph.neighbour[cell].tolist()):
        if neighbour < 0:
            continue
        these = np.unique(kinds.kind_of[side][partial.possible[neighbour]])
        if these.size == 1:
            found.append((side, int(these[0])))
    return tuple(found)


def summarize_failures(kinds: SideKinds, seen: Counter[Neighbourhood], maps: int) -> Failures:
    """The counts with names, the most common failures first."""
    known = {asked: not any_pattern_fits(kinds, asked) for asked in seen}
    common = sorted(seen.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
    return Failures(
        maps,
        seen.total(),
        sum(times for asked, times in seen.items() if known[asked]),
        tuple(Failure(name_kinds(kinds, asked), times, known[asked]) for asked, times in common),
    )


def name_kinds(kinds: SideKinds, asked: Neighbourhood) -> tuple[tuple[str, str], ...]:
    """(side, kind) as names."""
    return tuple((kinds.tiles.directions[side], kinds.labels[side][kind]) for side, kind in asked)


def any_pattern_fits(kinds: SideKinds, asked: Neighbourhood) -> bool:
    """Whether some pattern fits all these kinds [(side, kind)]."""
    left = np.ones(len(kinds.tiles), bool)
    for side, kind in asked:
        left &= kinds.fits[side][kind]
    return bool(left.any())
