"""Limits on how often a tile appears."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.areas import AreaLike, describe_area, read_area
from wavefold.constraints.base import CellFlags, PropagatedConstraint, check_number, select_patterns
from wavefold.errors import ConfigError
from wavefold.options.names import TileLike
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.solver.propagators import Propagator, Tally
from wavefold.solver.sat.sat_encoding import bound_count


@dataclass(frozen=True, slots=True, eq=False)
class Count(PropagatedConstraint):
    """Require `tile` in at least `at_least` and at most `at_most` cells, of the map or of an area.

    >>> Count("tower", at_least=2, at_most=4)
    """

    tile: TileLike
    at_least: int = 0
    at_most: int | None = None
    area: AreaLike | None = None

    def __post_init__(self) -> None:
        low, high = self.at_least, self.at_most
        check_number("at_least", low, 0)
        if high is not None:
            check_number("at_most", high, 0)
        if high is not None and low > high:
            raise ConfigError(
                f"at_least must not exceed at_most; for {self.tile!r} they are {low} and {high}"
            )

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A tally: at the upper limit it bans the tile, at the lower limit it pins the remaining cells."""
        area = None if self.area is None else read_area(problem, self.area)
        patterns = select_patterns(problem, self.tile)
        return (Tally(patterns=patterns, area=area, least=self.at_least, most=self.at_most),)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the number of cells with the tile if it is too small or too large."""
        counted = np.isin(patterns, problem.patterns_named(self.tile))
        number = int(counted.sum() if self.area is None else (counted & read_area(problem, self.area)).sum())
        if number >= self.at_least and (self.at_most is None or number <= self.at_most):
            return []
        return [f"{self.message()}; it appears {format_times(number)}"]

    def message(self) -> str:
        """The constraint in words."""
        low, high = self.at_least, self.at_most
        if high is None:
            often = f"at least {format_times(low)}"
        elif low == 0:
            often = f"at most {format_times(high)}"
        else:
            often = f"exactly {format_times(low)}" if low == high else f"{low} to {format_times(high)}"
        where = "" if self.area is None else f" in the area {describe_area(self.area)}"
        return f"{self.tile!r} must appear {often}{where}"

    def clauses(self, problem: Problem, variable: Variables) -> Iterator[list[int]]:
        """A variable per cell, true if it has the tile, and bounds on the number of true variables."""
        cells = np.arange(problem.cell_count)
        inside = cells if self.area is None else cells[read_area(problem, self.area)]
        flags = CellFlags(variable, select_patterns(problem, self.tile), inside.tolist())
        yield from flags.clauses
        yield from bound_count(list(flags), self.at_least, self.at_most, variable.new)


def format_times(number: int) -> str:
    return f"{number} time{'s' * (number != 1)}"
