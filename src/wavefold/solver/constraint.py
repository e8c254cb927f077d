"""What a constraint sees, and the little it may do."""

from __future__ import annotations

from operator import index
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import unpack_bits
from wavefold.errors import ConfigError
from wavefold.kernels.constants import CellGraph
from wavefold.solver.problem import Problem
from wavefold.tiles import Rules
from wavefold.topology import Topology


class WaveView:
    """The wave, read-only, after a propagation came to rest. `remove` is the only way to change it."""

    def __init__(self, problem: Problem, words: NDArray[np.uint64]) -> None:
        self._problem = problem
        self._words = words  # [cell, word]
        self._possible: NDArray[np.bool_] | None = None
        self.removals: list[tuple[int, NDArray[np.int64]]] = []

    @property
    def topology(self) -> Topology:
        """Where the cells are."""
        return self._problem.topology

    @property
    def graph(self) -> CellGraph:
        """Who touches whom."""
        return self._problem.graph

    @property
    def rules(self) -> Rules:
        """Names and weights of the patterns."""
        return self._problem.rules

    @property
    def possible(self) -> NDArray[np.bool_]:
        """bool [cell, pattern], read-only: what each cell may still be, what this view removed left out."""
        shown = self._flags.view()
        shown.flags.writeable = False
        return shown

    @property
    def _flags(self) -> NDArray[np.bool_]:
        if self._possible is None:
            self._possible = unpack_bits(self._words, len(self.rules))
        return self._possible

    @property
    def remaining(self) -> NDArray[np.int64]:
        """[cell] how many patterns are left."""
        return np.asarray(self.possible.sum(axis=1), np.int64)

    def patterns(self, name: Any) -> NDArray[np.int64]:
        """The patterns a tile's name stands for."""
        return self._problem.patterns_named(name)

    def remove(self, cell: int, patterns: int | NDArray[np.int64]) -> None:
        """Rule patterns out in a cell. Those that are gone already are passed over."""
        number, gone = index(cell), np.atleast_1d(np.asarray(patterns))
        if not 0 <= number < len(self._words):
            raise ConfigError(f"a constraint names cell {cell}: cells go from 0 to {len(self._words) - 1}")
        if gone.dtype.kind not in "iu" or ((gone < 0) | (gone >= len(self.rules))).any():
            last = len(self.rules) - 1
            raise ConfigError(f"a constraint removes {patterns!r}: patterns go from 0 to {last}")
        gone = gone[self._flags[number, gone]].astype(np.int64)
        if gone.size:
            self._flags[number, gone] = False
            self.removals.append((number, gone))


@runtime_checkable
class Constraint(Protocol):
    """A rule about more than two touching cells."""

    def prune(self, view: WaveView) -> None:
        """Remove patterns that can no longer be part of a solution.

        Called after each propagation, and again after what it removed was propagated. Keep no state
        of your own: after a backtrack the view is all that is true. When every cell is decided, a
        constraint that does not hold must remove something.
        """

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """What is wrong with a finished map, in words; empty when the constraint holds."""
