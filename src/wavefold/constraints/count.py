"""How often a tile appears."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.solver import Constraint, Problem, WaveView


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
        most = "any number" if self.at_most is None else self.at_most
        return [f"{self.tile!r} appears {number} times; expected {self.at_least} to {most}"]
