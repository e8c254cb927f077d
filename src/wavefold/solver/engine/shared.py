"""Data that the engines of one problem share, and arrays that later engines reuse."""

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
    """The arrays that one engine at a time writes.

    queues : with the heuristics of each: the order of a search, and that of its fallback. Weak: a function of
        the user may refer to the problem, and arrays that wait for its next engine must not keep it alive
    """

    table: RuleTable
    wave: Wave
    repair_cells: RepairCells | None = None  # made by the first repair
    queues: deque[tuple[ref[Heuristics], CellQueue]] = field(default_factory=lambda: deque(maxlen=2))

    def prepare_queue(self, problem: Problem, heuristics: Heuristics) -> CellQueue:
        """The queue of these heuristics. `fill_queue` is next."""
        for known, queue in self.queues:
            if known() is heuristics:
                reset_queue(queue, problem, heuristics)
                return queue
        queue = create_cell_queue(problem, heuristics)
        self.queues.append((ref(heuristics), queue))
        return queue


class SpareArrays:
    """Arrays that engines of one problem left when they ended.

    Any thread may take and leave them: `pop` and `append` of a deque are atomic.
    """

    most_bytes = 8 << 20  # of the largest arrays; a larger map takes longer to solve than to make room for

    def __init__(self) -> None:
        self._left: deque[EngineArrays] = deque(maxlen=8)

    def take(self) -> EngineArrays | None:
        """Arrays of an earlier engine, or None."""
        try:
            return self._left.pop()
        except IndexError:
            return None

    def leave(self, arrays: EngineArrays, grown: Wave) -> None:
        """Keep arrays that are no longer used, unless they are large.

        grown : the wave in the end, with more room than in the beginning; forgotten if that is much
        """
        if self._is_small(arrays.table, grown):
            arrays.wave = grown
        if self._is_small(arrays.table, arrays.wave):
            self._left.append(arrays)

    def _is_small(self, table: RuleTable, wave: Wave) -> bool:
        largest = (wave.trail_removed, wave.snapshot, wave.counter, table.weight)
        return sum([array.nbytes for array in largest]) <= self.most_bytes


class Shared:
    """Data that the engines of one problem share, for one propagation method. Never refers to the problem.

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
    """The shared data of all engines of a problem."""
    by_method = _shared.setdefault(problem, {})
    return by_method.get(method) or by_method.setdefault(method, Shared())
