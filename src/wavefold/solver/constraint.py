"""Constraints: rules about more than two touching cells, and the view of the wave that they prune."""

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
    """The wave after a propagation, read-only but for `remove`."""

    def __init__(self, problem: Problem, words: NDArray[np.uint64]) -> None:
        self.problem = problem
        self.words = words  # uint64 [cell, word]: the domains, to be read
        self._possible: NDArray[np.bool_] | None = None
        self.removals: list[tuple[int, NDArray[np.int64]]] = []

    @property
    def topology(self) -> Topology:
        """Where the cells are."""
        return self.problem.topology

    @property
    def graph(self) -> CellGraph:
        """Which cells touch."""
        return self.problem.graph

    @property
    def rules(self) -> Rules:
        """Names and weights of the patterns."""
        return self.problem.rules

    @property
    def possible(self) -> NDArray[np.bool_]:
        """bool [cell, pattern], read-only: what each cell may still be, without what this view removed."""
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
        """[cell] how many patterns are left."""
        return np.asarray(self.possible.sum(axis=1), np.int64)

    def patterns(self, name: TileLike) -> NDArray[np.int64]:
        """The patterns a tile's name stands for."""
        return self.problem.patterns_named(name)

    def remove(self, cell: int, patterns: int | NDArray[np.int64]) -> None:
        """Rule patterns out in a cell. Those that were removed before are ignored."""
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
    """Any object that can stand in a list of constraints: it removes patterns from a view."""

    def prune(self, view: WaveView, /) -> None:
        """Remove patterns that can no longer be part of a solution; see `Constraint.prune`."""


class Variables(Protocol):
    """The variables of a formula, for `Constraint.clauses` and `cuts`."""

    def __call__(self, cell: int, pattern: int, /) -> int:
        """The number of the variable "this cell is this pattern"."""

    def new(self) -> int:
        """A variable that nothing else uses."""


ConstraintLike: TypeAlias = Prunes | Shares


class Constraint(ABC):
    """A rule about more than two touching cells.

    Subclass it and write `prune`; everything else has a default. Any other object with a method `prune(view)`
    works as well, without the defaults. `wavefold.testing.ConstraintContract` tests yours.
    """

    __slots__ = ()

    @abstractmethod
    def prune(self, view: WaveView) -> None:
        """Remove patterns that can no longer be part of a solution, with `view.remove(cell, patterns)`.

        Called after each propagation, and again after what it removed was propagated. The engine undoes
        removals when it backtracks, so keep no state of your own: the view is all there is. When every cell
        is decided and the constraint does not hold, remove something.
        """

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """What is wrong with a finished map [cell], a sentence each; empty if the constraint holds.

        The default follows from `prune`: a map satisfies a constraint if pruning it removes nothing. Write
        your own to say more, and to have the checker share no code with the solver.
        """
        view = WaveView(problem, single_bits(patterns, problem.rules.words))
        self.prune(view)
        return [self.message()] if view.removals else []

    def message(self) -> str:
        """What the constraint requires, in a sentence: for violations, explanations and contradictions."""
        return f"{self!r} must hold"

    def clauses(self, problem: Problem, variable: Variables) -> Iterable[list[int]]:
        """The constraint for `search="sat"`, which refuses constraints without it.

        variable : called with a cell and a pattern, gives the number of the variable "this cell is this
            pattern"; `variable.new()` gives one that nothing else uses
        Yields clauses: lists of variables, negated by a minus sign, of which at least one must be true.
        """
        raise NotImplementedError

    def cuts(self, problem: Problem, patterns: NDArray[np.int64], variable: Variables) -> Iterable[list[int]]:
        """For `search="sat"`, instead of `clauses`: what rules out a map [cell] that breaks the constraint.

        Yields clauses that this map does not satisfy and every map that keeps the constraint does; none if
        it keeps it. Maps are found and cut until one is right, so a clause should rule out many.
        """
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        """Any class with `prune` and `violations` counts as a subclass of `Constraint` itself."""
        if cls is not Constraint:
            return NotImplemented  # type: ignore[no-any-return]
        has_both = all(callable(getattr(other, name, None)) for name in ("prune", "violations"))
        return has_both or NotImplemented


def describe_constraint(constraint: Any) -> str:
    """The constraint in an explanation: its message in quotes, or its repr if it has none."""
    message = getattr(constraint, "message", None)
    return f'the constraint "{message()}"' if callable(message) else f"the constraint {constraint!r}"


def has_clauses(constraint: Any, name: str = "clauses") -> bool:
    """Whether a constraint can be written as clauses for `search="sat"`; or as "cuts", map by map."""
    method = getattr(type(constraint), name, getattr(constraint, name, None))
    return callable(method) and method is not getattr(Constraint, name)
