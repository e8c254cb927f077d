"""What the constraints of this package share: they are made of propagators."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
