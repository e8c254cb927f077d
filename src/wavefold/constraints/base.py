"""What the constraints of this package share: they are made of propagators."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError
from wavefold.solver import Constraint, Problem, WaveView
from wavefold.solver.engine.prune import prune_view
from wavefold.solver.propagators import Propagator


class PropagatedConstraint(Constraint):
    """A constraint that kernels see to: `propagators` says how, `violations` judges finished maps."""

    __slots__ = ()

    @abstractmethod
    def propagators(self, problem: Problem) -> Iterable[Propagator]:
        """What the constraint is made of."""

    @abstractmethod
    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """What is wrong with a finished map [cell]; shares no code with the propagators."""

    def prune(self, view: WaveView) -> None:
        """Remove what the propagators remove, once; a search does it in compiled code."""
        prune_view(view, tuple(self.propagators(view.problem)))


def select_patterns(problem: Problem, name: Any) -> NDArray[np.bool_]:
    """bool [pattern]: those that a tile, a pattern, a group or a list of them stands for."""
    return np.isin(np.arange(len(problem.rules)), problem.patterns_named(name))


def check_number(what: str, value: object, smallest: int) -> None:
    """Raise unless this is a whole number of at least `smallest`."""
    number = parse_integer(value)
    if number is None or number < smallest:
        raise ConfigError(f"{what} is a whole number of at least {smallest}, not {value!r}")


def describe_cells(problem: Problem, cells: NDArray[np.int64]) -> str:
    """The first cells in a message."""
    shown = [problem.topology.describe(int(each)) for each in cells[:3]]
    return ", ".join(shown) + (", …" if len(cells) > 3 else "")


class CellFlags:
    """For `Constraint.clauses`: a variable for each cell, "it has one of these patterns".

    clauses : what makes the variables mean that; to be yielded with those of the constraint
    """

    def __init__(self, variable: Any, patterns: NDArray[np.bool_], cells: Iterable[int]) -> None:
        mine = np.flatnonzero(patterns).tolist()
        self.clauses: list[list[int]] = []
        self._flag: dict[int, int] = {}
        for cell in cells:
            self._flag[cell] = self._flag_cell([variable(cell, each) for each in mine], variable)

    def _flag_cell(self, ways: Sequence[int], variable: Any) -> int:
        if len(ways) == 1:
            return ways[0]
        flag: int = variable.new()
        self.clauses.append([-flag, *ways])
        self.clauses += [[-way, flag] for way in ways]
        return flag

    def __getitem__(self, cell: int) -> int:
        return self._flag[cell]

    def __iter__(self) -> Any:
        return iter(self._flag.values())
