"""What stands in an area."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.values import check_flag
from wavefold.constraints.areas import describe_area, read_area
from wavefold.constraints.base import PropagatedConstraint, describe_cells, select_patterns
from wavefold.solver import Problem
from wavefold.solver.propagators import Propagator, Restriction


class Placement(PropagatedConstraint):
    """Some cells have one of the tiles; or, with `ban`, none of them. Subclasses say which cells."""

    __slots__ = ()

    tile: Any
    ban: bool

    def cells(self, problem: Problem) -> NDArray[np.bool_]:
        """bool [cell]"""
        raise NotImplementedError

    def where(self) -> str:
        """Which cells, for messages."""
        raise NotImplementedError

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A restriction of domains."""
        patterns = select_patterns(problem, self.tile)
        return (Restriction(patterns=patterns != self.ban, area=self.cells(problem)),)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """A sentence if a cell has something else."""
        has_tile = np.isin(patterns, problem.patterns_named(self.tile))
        wrong = np.flatnonzero(self.cells(problem) & (has_tile == self.ban))
        return [f"{self.message()}; wrong: {describe_cells(problem, wrong)}"] if wrong.size else []

    def message(self) -> str:
        """What must be where."""
        return f"{self.tile!r} must {'not ' * self.ban}be {self.where()}"

    def clauses(self, problem: Problem, variable: Any) -> Iterator[list[int]]:
        """Each pattern that a cell may not have is false."""
        (restriction,) = self.propagators(problem)
        forbidden = np.flatnonzero(~restriction.patterns).tolist()
        for cell in np.flatnonzero(self.cells(problem)).tolist():
            yield from ([-variable(cell, pattern)] for pattern in forbidden)


@dataclass(frozen=True, slots=True, eq=False)
class Area(Placement):
    """Have `tile` in all cells of an area; with `ban`, in none of them.

    >>> Area("water", (0, 0, 8, 4))
    """

    tile: Any
    area: Any
    ban: bool = False

    def __post_init__(self) -> None:
        check_flag("ban", self.ban)

    def cells(self, problem: Problem) -> NDArray[np.bool_]:
        """The area."""
        return read_area(problem, self.area)

    def where(self) -> str:
        """The area, in words."""
        return f"{'' if self.ban else 'everywhere '}in the area {describe_area(self.area)}"
