"""Data shared by the engines of one problem, and arrays that later engines reuse."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import Stopped
from wavefold.kernels.structs import CellQueue, KernelGraph, RepairCells, RuleTable, Wave
from wavefold.solver.engine.cell_queue import create_cell_queue, reset_queue
from wavefold.solver.engine.root import Root, RootPropagation
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem


@dataclass(slots=True)
class EngineArrays:
    """Arrays that one engine at a time writes.

    queues : the heuristics and the queue of a search and of its fallback. The references are weak: functions
        of the user may refer to the problem, and spare arrays must not keep it alive
    """

    table: RuleTable
    wave: Wave
    repair_cells: RepairCells | None = None  # created by the first repair
    queues: deque[tuple[ref[Heuristics], CellQueue]] = field(default_factory=lambda: deque(maxlen=2))

    def prepare_queue(self, problem: Problem, heuristics: Heuristics) -> CellQueue:
        """Return the queue of these heuristics, reset or created; `fill_queue` fills it."""
        for known, queue in self.queues:
            if known() is heuristics:
                reset_queue(queue, problem, heuristics)
                return queue
        queue = create_cell_queue(problem, heuristics)
        self.queues.append((ref(heuristics), queue))
        return queue


class SpareArrays:
    """Arrays of finished engines of one problem, for later ones.

    Thread-safe, because `pop` and `append` of a deque are atomic.
    """

    most_bytes = 8 << 20  # of the largest arrays; on larger maps, allocation takes little of the time

    def __init__(self) -> None:
        self._left: deque[EngineArrays] = deque(maxlen=8)

    def take(self) -> EngineArrays | None:
        """Take arrays of an earlier engine; None if there are none."""
        try:
            return self._left.pop()
        except IndexError:
            return None

    def leave(self, arrays: EngineArrays, grown: Wave) -> None:
        """Keep arrays that are no longer used, unless they are large.

        grown : the final wave, whose buffers may have grown; dropped if they are large
        """
        if self._is_small(arrays.table, grown):
            arrays.wave = grown
        if self._is_small(arrays.table, arrays.wave):
            self._left.append(arrays)

    def _is_small(self, table: RuleTable, wave: Wave) -> bool:
        largest = (wave.trail_removed, wave.snapshot, wave.counter, table.weight)
        return sum([array.nbytes for array in largest]) <= self.most_bytes


class SharedData:
    """Data shared by the engines of one problem and one propagation method. Never refers to the problem.

    root : the root without fixed cells; None until the first engine has computed it
    spares : {whether undo uses snapshots: spare arrays}
    """

    def __init__(self) -> None:
        self.root: Root | None = None
        self.spares = {False: SpareArrays(), True: SpareArrays()}
        self._unfinished: deque[RootPropagation] = deque(maxlen=1)  # thread-safe, like `SpareArrays`

    def compute_root(
        self, domains: NDArray[np.uint64], wave: Wave, table: RuleTable, graph: KernelGraph
    ) -> Root:
        """Compute and store the root of these domains. Continues where a checkpoint ended an earlier call."""
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


_shared: WeakKeyDictionary[Problem, dict[int, SharedData]] = (
    WeakKeyDictionary()
)  # {propagation method: shared}


def find_shared_data(problem: Problem, method: int) -> SharedData:
    """Return the data shared by all engines of a problem with this propagation method."""
    by_method = _shared.setdefault(problem, {})
    return by_method.get(method) or by_method.setdefault(method, SharedData())
