"""Constraints on more than two touching cells, and the view of the wave that they prune."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from operator import index
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.host.bitsets import single_bits, unpack_bits
from wavefold.kernels.structs import CellGraph
from wavefold.options.names import TileLike
from wavefold.solver.problem import Problem
from wavefold.solver.shares import Shares
from wavefold.tiles import Rules
from wavefold.topology import Topology


class WaveView:
    """The wave after a propagation; only `remove` changes it."""

    def __init__(self, problem: Problem, words: NDArray[np.uint64]) -> None:
        self.problem = problem
        self.words = words  # uint64 [cell, word]: the domains; read-only
        self._possible: NDArray[np.bool_] | None = None
        self.removals: list[tuple[int, NDArray[np.int64]]] = []

    @property
    def topology(self) -> Topology:
        """The topology of the problem."""
        return self.problem.topology

    @property
    def graph(self) -> CellGraph:
        """The neighbours of each cell."""
        return self.problem.graph

    @property
    def rules(self) -> Rules:
        """The rules, with the names and weights of patterns."""
        return self.problem.rules

    @property
    def possible(self) -> NDArray[np.bool_]:
        """bool [cell, pattern], read-only: the remaining patterns, without those this view has removed."""
        view = self._flags.view()
        view.flags.writeable = False
        return view

    @property
    def _flags(self) -> NDArray[np.bool_]:
        if self._possible is None:
            self._possible = unpack_bits(self.words, len(self.rules))
        return self._possible

    @property
    def remaining(self) -> NDArray[np.int64]:
        """int64 [cell]: the number of remaining patterns."""
        return np.asarray(self.possible.sum(axis=1), np.int64)

    def patterns(self, name: TileLike) -> NDArray[np.int64]:
        """Return the patterns that a tile name stands for."""
        return self.problem.patterns_named(name)

    def remove(self, cell: int, patterns: int | NDArray[np.int64]) -> None:
        """Remove patterns from a cell. Patterns that are already removed are ignored."""
        number, gone = index(cell), np.atleast_1d(np.asarray(patterns))
        if not 0 <= number < len(self.words):
            raise ConfigError(f"a constraint names cell {cell}; cells are 0 to {len(self.words) - 1}")
        if gone.dtype.kind not in "iu" or ((gone < 0) | (gone >= len(self.rules))).any():
            last = len(self.rules) - 1
            raise ConfigError(f"a constraint removes {patterns!r}; patterns are 0 to {last}")
        gone = gone[self._flags[number, gone]].astype(np.int64)
        if gone.size:
            self._flags[number, gone] = False
            self.removals.append((number, gone))


class Prunes(Protocol):
    """Any object that removes patterns from a view, and so can be used as a constraint."""

    def prune(self, view: WaveView, /) -> None:
        """Remove patterns that can no longer be part of a solution; see `Constraint.prune`."""


class Variables(Protocol):
    """The variables of a formula, for `Constraint.clauses` and `cuts`."""

    def __call__(self, cell: int, pattern: int, /) -> int:
        """Return the number of the variable "this cell is this pattern"."""

    def new(self) -> int:
        """Return an unused variable."""


ConstraintLike: TypeAlias = Prunes | Shares


class Constraint(ABC):
    """A rule about more than two touching cells.

    Subclasses implement `prune`; the other methods have defaults. Any other object with a method
    `prune(view)` works too, without the defaults. Test a subclass with `wavefold.testing.ConstraintContract`.
    """

    __slots__ = ()

    @abstractmethod
    def prune(self, view: WaveView) -> None:
        """Remove patterns that can no longer be part of a solution, with `view.remove(cell, patterns)`.

        Called after each propagation, and again after its removals were propagated. The engine undoes
        removals when it backtracks, so this method must depend on the view alone. If every cell is decided
        and the constraint does not hold, it must remove a pattern.
        """

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """List the faults of a finished map [cell] as sentences; empty if the constraint holds.

        By default, a map satisfies a constraint if `prune` removes nothing. Override this method for better
        messages, and for a checker that shares no code with the solver.
        """
        view = WaveView(problem, single_bits(patterns, problem.rules.words))
        self.prune(view)
        return [self.message()] if view.removals else []

    def message(self) -> str:
        """Describe the constraint in a sentence, for violations, explanations and contradictions."""
        return f"{self!r} must hold"

    def clauses(self, problem: Problem, variable: Variables) -> Iterable[list[int]]:
        """Yield the constraint as clauses; `search="sat"` requires this method or `cuts`.

        A clause is a list of variables, negative if negated; at least one must be true.

        variable : `variable(cell, pattern)` is the number of the variable "this cell is this pattern", and
            `variable.new()` is an unused variable
        """
        raise NotImplementedError

    def cuts(self, problem: Problem, patterns: NDArray[np.int64], variable: Variables) -> Iterable[list[int]]:
        """Yield clauses that exclude a map [cell] that breaks the constraint; an alternative to `clauses`.

        Every map that satisfies the constraint must satisfy these clauses. Yields none if this map satisfies
        it. SAT search repeats this for each map it finds, so a clause should exclude many maps.
        """
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        """Treat any class with `prune` and `violations` as a subclass of `Constraint`."""
        if cls is not Constraint:
            return NotImplemented  # type: ignore[no-any-return]
        has_both = all(callable(getattr(other, name, None)) for name in ("prune", "violations"))
        return has_both or NotImplemented


def describe_constraint(constraint: Any) -> str:
    """Describe a constraint in an explanation by its message, or by its repr if it has none."""
    message = getattr(constraint, "message", None)
    return f'the constraint "{message()}"' if callable(message) else f"the constraint {constraint!r}"


def has_clauses(constraint: Any, name: str = "clauses") -> bool:
    """Return whether a constraint implements `clauses`, or another method such as "cuts"."""
    method = getattr(type(constraint), name, getattr(constraint, name, None))
    return callable(method) and method is not getattr(Constraint, name)
