"""The base class of built-in constraints, and helpers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.options.values import parse_integer
from wavefold.solver import Constraint, Problem, WaveView
from wavefold.solver.constraint import Variables
from wavefold.solver.engine.root import prune_view
from wavefold.solver.propagators import Propagator


class PropagatedConstraint(Constraint):
    """A constraint that consists of propagators, which kernels apply."""

    __slots__ = ()

    @abstractmethod
    def propagators(self, problem: Problem) -> Iterable[Propagator]:
        """The propagators that enforce the constraint."""

    @abstractmethod
    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """List the violations in a finished map [cell], one sentence each.

        It shares no code with the propagators, so that it can check them.
        """

    def check_problem(self, problem: Problem) -> None:
        """Raise or warn if the constraint does not suit the problem; called once per problem."""

    def prune(self, view: WaveView) -> None:
        """Apply the propagators once; searches apply them in compiled code instead."""
        prune_view(view, tuple(self.propagators(view.problem)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PropagatedConstraint):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Hashable:
        """The key for equality: all fields; lists and arrays by content."""
        if not is_dataclass(self):
            return id(self)
        return type(self), *(make_hashable(getattr(self, each.name)) for each in fields(self))


def make_hashable(value: Any) -> Hashable:
    """A hashable key for a value. Lists differ from tuples, which may be cells."""
    if isinstance(value, np.ndarray):
        return "array", value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, list | tuple):
        return type(value).__name__, *map(make_hashable, value)
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(make_hashable, value))
    if isinstance(value, Mapping):
        return "table", frozenset((key, make_hashable(each)) for key, each in value.items())
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value  # type: ignore[no-any-return]


def select_patterns(problem: Problem, name: Any) -> NDArray[np.bool_]:
    """bool [pattern]: the patterns of a tile, a pattern, a group or a list of these."""
    if isinstance(name, list | tuple | set | frozenset) and not name:
        raise ConfigError("a constraint needs at least one tile, not an empty list")
    return np.isin(np.arange(len(problem.rules)), problem.patterns_named(name))


def check_number(what: str, value: object, smallest: int) -> None:
    """Raise unless this is a whole number of at least `smallest`."""
    number = parse_integer(value)
    if number is None or number < smallest:
        raise ConfigError(f"{what} must be a whole number of at least {smallest}, not {value!r}")


def select_cells(problem: Problem, cells: Any, what: str) -> NDArray[np.bool_]:
    """bool [cell]: the cells of a list. On lattices numbers are refused, because (0, 5) is a single cell."""
    if not isinstance(cells, Iterable) or isinstance(cells, str | bytes):
        raise ConfigError(f"{what} must be a list of cells such as [(0, 5), (23, 9)], not {cells!r}")
    listed = list(cells)
    has_coordinates = getattr(problem.topology, "coordinates", None) is not None
    if has_coordinates and any(parse_integer(each) is not None for each in listed):
        raise ConfigError(f"{what} must be a list of coordinates such as [(0, 5)], not {cells!r}")
    found = np.zeros(problem.cell_count, bool)
    found[[problem.cell(each) for each in listed]] = True
    return found


def describe_cells(problem: Problem, cells: NDArray[np.int64]) -> str:
    """Describe the first cells, for messages."""
    shown = [problem.topology.describe(int(each)) for each in cells[:3]]
    return ", ".join(shown) + (", …" if len(cells) > 3 else "")


class CellFlags:
    """For `Constraint.clauses`: a variable per cell, true if the cell has one of the patterns.

    clauses : the definitions of the variables, which the constraint must yield, too
    """

    def __init__(self, variable: Variables, patterns: NDArray[np.bool_], cells: Iterable[int]) -> None:
        mine = np.flatnonzero(patterns).tolist()
        self.clauses: list[list[int]] = []
        self._flag: dict[int, int] = {}
        for cell in cells:
            self._flag[cell] = self._flag_cell([variable(cell, each) for each in mine], variable)

    def _flag_cell(self, ways: Sequence[int], variable: Variables) -> int:
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
