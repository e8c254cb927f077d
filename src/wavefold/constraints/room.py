"""Limits on the sizes of rooms, which are connected areas of a tile or a group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import PropagatedConstraint, check_number, select_patterns
from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.options.names import TileLike
from wavefold.solver import Problem
from wavefold.solver.propagators import AreaSize, Propagator


@dataclass(frozen=True, slots=True, eq=False)
class Room(PropagatedConstraint):
    """Require each connected area of `tile` to have at least `smallest` and at most `largest` cells.

    >>> Room("floor", smallest=9, largest=80)
    """

    tile: TileLike
    smallest: int = 1
    largest: int | None = None

    def __post_init__(self) -> None:
        check_number("smallest", self.smallest, 1)
        if self.largest is not None:
            check_number("largest", self.largest, 1)
            if self.largest < self.smallest:
                raise ConfigError(
                    f"smallest must not exceed largest; for {self.tile!r} they are {self.smallest} and "
                    f"{self.largest}"
                )

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A limit on the sizes of connected areas."""
        if self.smallest > problem.cell_count:
            raise ConfigError(
                f"rooms of {self.smallest} cells are larger than the map; {problem.topology!r} has "
                f"{problem.cell_count} cells"
            )
        patterns = select_patterns(problem, self.tile)
        return (AreaSize(patterns=patterns, least=self.smallest, most=self.largest),)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first room that is too small or too large."""
        left = set(np.flatnonzero(np.isin(patterns, problem.patterns_named(self.tile))).tolist())
        while left:
            start = min(left)
            room, line = {start}, [start]
            while line:
                near = problem.graph.neighbour[line.pop()].tolist()
                fresh = [each for each in near if each != NOWHERE and each in left and each not in room]
                room.update(fresh)
                line += dict.fromkeys(fresh)
            if len(room) < self.smallest or (self.largest is not None and len(room) > self.largest):
                return [f"{self.message()}; the one at {problem.topology.describe(start)} has {len(room)}"]
            left -= room
        return []

    def message(self) -> str:
        """The constraint in words."""
        sizes = f"at least {self.smallest}"
        if self.largest is not None:
            sizes = f"{self.smallest} to {self.largest}" if self.smallest > 1 else f"at most {self.largest}"
        return f"each room of {self.tile!r} must have {sizes} cells"
