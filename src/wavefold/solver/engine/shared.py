"""What the engines of one problem share, and the arrays that each leaves to the next."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from wavefold.common.checkpoint import Stopped
from wavefold.kernels.structs import CellQueue, KernelGraph, RuleTable, Wave
from wavefold.solver.engine.cell_queue import create_cell_queue, renew_queue
from wavefold.solver.engine.root import Root, RootPropagation
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem


@dataclass(slots=True)
class EngineArrays:
    """What one engine at a time writes into.

    heuristics : that the queue was created for. Weak: a function of the user may refer to the problem, which
        must not be kept alive by arrays that wait for its next engine
    """

    table: RuleTable
    wave: Wave
    queue: CellQueue | None = None
    heuristics: ref[Heuristics] | None = None

    def prepare_queue(self, problem: Problem, heuristics: Heuristics) -> CellQueue:
        """The queue of these heuristics. `fill_queue` is next."""
        queue = self.queue
        if queue is None or self.heuristics is None or self.heuristics() is not heuristics:
            queue = self.queue = create_cell_queue(problem, heuristics)
            self.heuristics = ref(heuristics)
        else:
            renew_queue(queue, problem, heuristics)
        return queue


class SpareArrays:
    """Arrays that engines of one problem left when they ended.

    Any thread may take and leave them: `pop` and `append` of a deque are atomic, so nobody takes what another
    has taken.
    """

    most_bytes = 4 << 20  # of the largest arrays; a larger map takes longer to solve than to make room for

    def __init__(self) -> None:
        self._left: deque[EngineArrays] = deque(maxlen=8)

    def take(self) -> EngineArrays | None:
        """Arrays as some engine left them, or None."""
        try:
            return self._left.pop()
        except IndexError:
            return None

    def leave(self, arrays: EngineArrays) -> None:
        """Keep arrays that nobody refers to any more, unless they are large."""
        wave, weights = arrays.wave, arrays.table.weight
        largest = (wave.trail_removed, wave.snapshot, wave.counter, weights)
        if sum([array.nbytes for array in largest]) <= self.most_bytes:
            self._left.append(arrays)


class Shared:
    """What the engines of one problem share, for one method of propagation. It never refers to the problem.

    root : with nothing fixed; None until the first engine has computed it
    spares : by whether undo copies
    """

    def __init__(self) -> None:
        self.root: Root | None = None
        self.spares = {False: SpareArrays(), True: SpareArrays()}
        self._unfinished: deque[RootPropagation] = deque(maxlen=1)  # as `SpareArrays`, for any thread

    def compute_root(
        self, domains: NDArray[np.uint64], wave: Wave, table: RuleTable, graph: KernelGraph
    ) -> Root:
        """The root of these domains: kept as `root`. Goes on where a checkpoint ended an earlier call."""
        try:
            work = self._unfinished.pop()
        except IndexError:
            work = RootPropagation(domains, wave, table, graph)
        try:
            root = self.root = work.run()
        except Stopped:
            self._unfinished.append(work)
            raise
        return root


_shared: WeakKeyDictionary[Problem, dict[int, Shared]] = WeakKeyDictionary()  # {propagation method: shared}


def find_shared(problem: Problem, method: int) -> Shared:
    """What all engines of a problem share."""
    by_method = _shared.setdefault(problem, {})
    return by_method.get(method) or by_method.setdefault(method, Shared())
