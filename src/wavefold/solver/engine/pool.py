"""Region solvers that are kept, because the same shapes come again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from wavefold.solver.engine.region import RegionSolver


class EnginePool:
    """Region solvers by shape, for each thread its own; the least recently used go first.

    room : bytes of all solvers of a thread; the latest is kept, however large
    most : solvers of a thread
    """

    def __init__(self, room: int, most: int) -> None:
        self.room, self.most = room, most
        self._thread = threading.local()

    @contextmanager
    def borrow(self, shape: Hashable, make: Callable[[], RegionSolver]) -> Iterator[RegionSolver]:
        """This thread's solver for a shape, made if there is none."""
        solvers = self._solvers
        solver = solvers.get(shape)
        if solver is None:
            solver = solvers[shape] = make()
        solvers.move_to_end(shape)
        try:
            yield solver
        finally:
            solver.release()
            self._trim()

    @property
    def nbytes(self) -> int:
        """Memory of this thread's solvers."""
        return sum(solver.nbytes for solver in self._solvers.values())

    def __len__(self) -> int:
        return len(self._solvers)

    @property
    def _solvers(self) -> OrderedDict[Hashable, RegionSolver]:
        solvers: OrderedDict[Hashable, RegionSolver] = self._thread.__dict__.setdefault(
            "solvers", OrderedDict()
        )
        return solvers

    def _trim(self) -> None:
        while len(self) > 1 and (len(self) > self.most or self.nbytes > self.room):
            self._solvers.popitem(last=False)
