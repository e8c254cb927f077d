"""Limits on slopes: tiles may not touch where a field differs too much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import CellFlags, PropagatedConstraint, select_patterns
from wavefold.constraints.paths import MOST_DIRECTIONS
from wavefold.errors import ConfigError, suggest
from wavefold.fields import Fields
from wavefold.fields.sources import FieldLike
from wavefold.kernels.constants import NOWHERE
from wavefold.options.names import TileLike
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.solver.propagators import DistanceLimit, Propagator

UNITS = 10**6  # values are rounded to millionths, so that 0.3 and 0.1 differ by exactly 0.2
LARGEST_VALUE = 10**12


@dataclass(frozen=True, slots=True, eq=False)
class Slope(PropagatedConstraint):
    """Require touching cells of `tile` to differ by at most `at_most` in a field.

    field : the name of a field of the problem; or an array, noise, a picture or a function, as for `Fields`.
        Values are rounded to millionths

    >>> Slope("height", "road", 0.1)
    """

    field: FieldLike
    tile: TileLike
    at_most: float

    def __post_init__(self) -> None:
        is_number = isinstance(self.at_most, Real) and not isinstance(self.at_most, bool)
        if not is_number or not 0 <= float(self.at_most) <= LARGEST_VALUE:
            raise ConfigError(f"at_most must be a number of at least 0, not {self.at_most!r}")

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A limit on distances: cells with the tile do not touch on steep sides."""
        neighbour = problem.graph.neighbour
        if neighbour.shape[1] > MOST_DIRECTIONS:
            raise ConfigError(
                f"Slope supports at most {MOST_DIRECTIONS} directions; this graph has {neighbour.shape[1]}"
            )
        values = self._values(problem)
        is_steep = np.abs(values[:, None] - values[neighbour]) > self._limit
        is_steep &= neighbour != NOWHERE
        sides = (is_steep * (1 << np.arange(neighbour.shape[1]))).sum(axis=1).astype(np.uint32)
        return (DistanceLimit(patterns=select_patterns(problem, self.tile), distance=1, across=sides),)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first pair of touching cells with too large a difference."""
        mine = np.isin(patterns, problem.patterns_named(self.tile))
        for cell, other in self._steep_pairs(problem):
            if mine[cell] and mine[other]:
                here, there = problem.topology.describe(cell), problem.topology.describe(other)
                return [f"{self.message()}; it differs more between {here} and {there}"]
        return []

    def message(self) -> str:
        """The constraint in words."""
        name = f"{self.field!r}" if isinstance(self.field, str) else "the field"
        return f"{name} may differ by at most {self.at_most:g} between touching cells of {self.tile!r}"

    def clauses(self, problem: Problem, variable: Variables) -> Iterator[list[int]]:
        """Of two touching cells with too large a difference, one has another tile."""
        flags = CellFlags(variable, select_patterns(problem, self.tile), range(problem.cell_count))
        yield from flags.clauses
        for cell, other in self._steep_pairs(problem):
            yield [-flags[cell], -flags[other]]

    def _steep_pairs(self, problem: Problem) -> Iterator[tuple[int, int]]:
        """Yield the pairs of touching cells with too large a difference."""
        values = self._values(problem).tolist()
        for cell, row in enumerate(problem.graph.neighbour.tolist()):
            for other in row:
                if other > cell and abs(values[cell] - values[other]) > self._limit:
                    yield cell, other

    @property
    def _limit(self) -> int:
        return round(float(self.at_most) * UNITS)

    def _values(self, problem: Problem) -> NDArray[np.int64]:
        """int64 [cell]: the field in millionths."""
        if isinstance(self.field, str) and self.field in problem.field_values:
            values = problem.field_values[self.field]
        elif isinstance(self.field, str):
            known = problem.field_values
            advice = "define it with fields=Fields(height=…), or with [fields] in the configuration"
            raise ConfigError(
                f"there is no field {self.field!r}; {suggest(self.field, known) if known else advice}"
            )
        else:
            values = Fields(field=self.field).at(problem.topology)["field"]
        if np.abs(values).max(initial=0) > LARGEST_VALUE:
            raise ConfigError(
                f"the values of the field of a Slope must be between -{LARGEST_VALUE:,} and {LARGEST_VALUE:,}"
            )
        return np.rint(values * UNITS).astype(np.int64)
