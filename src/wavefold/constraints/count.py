"""How often a tile appears."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.solver import Constraint, Problem, WaveView
from wavefold.solver.constraint import CountTest
from wavefold.solver.sat_encoding import bound_count


@dataclass(frozen=True, slots=True)
class Count(Constraint):
    """Place `tile` in at least `at_least` and at most `at_most` cells (None: any number).

    >>> Count("tower", at_least=2, at_most=4)
    """

    tile: Any
    at_least: int = 0
    at_most: int | None = None

    def __post_init__(self) -> None:
        low, high = self.at_least, self.at_most
        for value in (low, high):
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, Integral) or value < 0
            ):
                raise ConfigError(f"a count is a whole number of at least 0, not {value!r}")
        if high is not None and low > high:
            raise ConfigError(f"{self.tile!r} cannot appear at least {low} and at most {high} times")

    def prune(self, view: WaveView) -> None:
        """Remove the tile once there are enough, and all others once only just enough cells are left."""
        mine = view.patterns(self.tile)
        others = np.setdiff1d(np.arange(len(view.rules)), mine)
        possible = view.possible[:, mine].any(axis=1)
        certain = possible & ~view.possible[:, others].any(axis=1)
        undecided = np.flatnonzero(possible & ~certain)
        if self.at_most is not None and certain.sum() >= self.at_most:
            surplus = np.flatnonzero(certain)[self.at_most :]  # emptied, so that the search backtracks
            for cell in surplus if surplus.size else undecided:
                view.remove(int(cell), mine)
        if possible.sum() <= self.at_least:
            missing = possible.sum() < self.at_least
            # Too few cells are left: empty one, so that the search backtracks.
            for cell in np.flatnonzero(possible)[:1] if missing and possible.any() else undecided:
                view.remove(int(cell), np.concatenate([mine, others]) if missing else others)
            if missing and not possible.any():
                view.remove(0, np.flatnonzero(view.possible[0]))

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """A sentence if a finished map has too few or too many."""
        number = int(np.isin(patterns, problem.patterns_named(self.tile)).sum())
        if number >= self.at_least and (self.at_most is None or number <= self.at_most):
            return []
        return [f"{self.message()}; it appears {_times(number)}"]

    def count_tests(self, problem: Problem) -> tuple[CountTest, ...]:
        """The bounds, for refining."""
        mine = np.isin(np.arange(len(problem.rules)), problem.patterns_named(self.tile))
        everywhere = np.ones(problem.cell_count, bool)
        most = problem.cell_count if self.at_most is None else self.at_most
        return (CountTest(mine, everywhere, self.at_least, most),)

    def message(self) -> str:
        """How often the tile must appear."""
        low, high = self.at_least, self.at_most
        if high is None:
            often = f"at least {_times(low)}"
        elif low == 0:
            often = f"at most {_times(high)}"
        else:
            often = f"exactly {_times(low)}" if low == high else f"{low} to {_times(high)}"
        return f"{self.tile!r} must appear {often}"

    def clauses(self, problem: Problem, variable: Any) -> Iterator[list[int]]:
        """For each cell a variable "it is this tile", and bounds on how many of these are true."""
        mine, flags = problem.patterns_named(self.tile).tolist(), []
        for cell in range(problem.cell_count):
            flag, patterns = variable.new(), [variable(cell, pattern) for pattern in mine]
            yield [-flag, *patterns]
            yield from ([-pattern, flag] for pattern in patterns)
            flags.append(flag)
        yield from bound_count(flags, self.at_least, self.at_most, variable.new)


def _times(number: int) -> str:
    return f"{number} time{'s' * (number != 1)}"
