"""What is made of a map once the solver has finished it: refined, painted or regrown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.api import refine_solved
from wavefold.solver import BatchColumns, Budget, Solution, count_sweeps, single_bits
from wavefold_server.live.command_log import no_room

FRAME_SECONDS = 1 / 60  # between two pictures
MOST_CELLS = 1 << 23  # of all maps of a session together: 64 MB


class MapVersion(NamedTuple):
    """A map, whether it was refined last, and the locks {cell: pattern} that ended with it."""

    solution: Solution
    is_refined: bool
    freed: dict[int, int]


class FinishedMaps:
    """Maps made from the solver's, each from the one before. The last counts; without any, the solver's."""

    def __init__(self) -> None:
        self._maps: list[MapVersion] = []

    def __len__(self) -> int:
        return len(self._maps)

    @property
    def last(self) -> Solution | None:
        """The map that counts, unless it is the solver's."""
        return self._maps[-1].solution if self._maps else None

    @property
    def is_refined(self) -> bool:
        """Whether the last map is a refined one."""
        return bool(self._maps) and self._maps[-1].is_refined

    def find_unrefined(self) -> Solution | None:
        """Return the last map that is not refined, where each refinement starts; None for the solver's."""
        kept = self._maps[:-1] if self.is_refined else self._maps
        return kept[-1].solution if kept else None

    def add(self, solution: Solution, is_refined: bool, freed: dict[int, int] | None = None) -> None:
        """Make this the current map. A refined map replaces a refined one."""
        if is_refined and self.is_refined:
            self._maps.pop()
        most = MOST_CELLS // solution.patterns.size
        if len(self._maps) >= most:
            detail = f"this map has been edited {most:,} times, which is the most that fit in memory"
            raise no_room(detail, "Undo some, or lock what you like and go on with another seed.")
        if self._maps:  # what its problem has computed can be computed again
            last, problem = self._maps[-1], self._maps[-1].solution.problem
            fresh = replace(last.solution, problem=problem.replace(pins=problem.pins))
            self._maps[-1] = last._replace(solution=fresh)
        self._maps.append(MapVersion(solution, is_refined, freed or {}))

    def undo(self) -> MapVersion:
        """Remove and return the current map; the one before it, or the solver's, becomes current."""
        return self._maps.pop()


def refine_map(
    solution: Solution,
    sweeps: int | str,
    has_custom_order: bool,
    budget: Budget | int | None,
    show: Callable[[NDArray[np.uint64]], None],
) -> Solution:
    """As `wf.generate` refines a map that it has solved. `show` gets the wave [cell, word] now and then."""
    count, left_out = count_sweeps(sweeps, solution.problem, has_custom_order)
    patterns, shown = solution.patterns.copy(), perf_counter()

    def take_sweep(batch: NDArray[np.int32]) -> None:
        nonlocal shown
        columns = BatchColumns.of(batch)
        patterns[columns.cells] = columns.patterns
        if perf_counter() - shown > FRAME_SECONDS:
            show(single_bits(patterns, solution.problem.rules.words))
            shown = perf_counter()

    stats = solution.stats
    left = Budget.of(budget).left_after(sum(stats.seconds.values()) * 1e3, stats.decisions)
    return refine_solved(solution, count, left_out, left, None, take_sweep)
