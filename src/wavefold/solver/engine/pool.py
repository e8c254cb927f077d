"""Region solvers that are kept, because the same shapes come again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from wavefold.solver.engine.region import RegionSolver


class EnginePool:
    """Region solvers by shape, for each thread its own.

    room : bytes of all solvers of a thread. When another is made, the least recently used go
    most : solvers of a thread
    """

    def __init__(self, room: int, most: int) -> None:
        self.room, self.most = room, most
        self._thread = threading.local()

    def get(self, shape: Hashable, make: Callable[[], RegionSolver]) -> RegionSolver:
        """This thread's solver for a shape, made if there is none."""
        solvers = self._solvers
        solver = solvers.get(shape)
        if solver is None:
            while solvers and (len(solvers) >= self.most or self.nbytes > self.room):
                solvers.popitem(last=False)
            solver = solvers[shape] = make()
        solvers.move_to_end(shape)
        return solver

    @property
    def nbytes(self) -> int:
        """Memory of this thread's solvers."""
        return sum(solver.nbytes for solver in self._solvers.values())

    def __len__(self) -> int:
        return len(self._solvers)

    @property
    def _solvers(self) -> OrderedDict[Hashable, RegionSolver]:
        solvers: OrderedDict[Hashable, RegionSolver] | None = getattr(self._thread, "solvers", None)
        if solvers is None:
            solvers = self._thread.solvers = OrderedDict()
        return solvers
