"""Un-decide cells during a search: near a conflict, or for a pin or ban added later."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels import local_repair, search
from wavefold.kernels.host.bitsets import count_set_bits
from wavefold.kernels.propagate import propagation
from wavefold.kernels.structs import Domains, RepairCells
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.root import Root, WavePropagation

NO_CELLS = np.zeros(0, np.int32)


class LocalRepair:
    """Un-decides cells of a search, and keeps all others."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._undecided = NO_CELLS  # by the last repair
        self._unvisited = NO_CELLS  # un-decided by the last repair, which failed before it decided them
        self._forgotten = 0  # final decisions when cells were last un-decided

    def leave_conflict(self) -> None:
        """Undo the failed propagation and the decision that caused it."""
        engine = self._engine
        if engine.in_conflict:
            # Without a decision to undo, the last repair itself failed: its cells are free and unvisited.
            has_failed = engine.depth == 0 and engine.state[c.COMMITTED] == self._forgotten
            self._unvisited = self._undecided if has_failed else NO_CELLS
            search.undo_decision(engine.wave, engine.queue, engine.table, engine.graph)
            engine.choose_next()

    def undecide_ball(self, cell: int, radius: int, number: int) -> int:
        """Un-decide the cells within `radius` steps of a cell, or more where conflicts recur.

        Call `leave_conflict` first. Disables jumps, which could go back beyond the repair. Returns the number
        of cells.

        number : the number of the repair; 0 resets the record of earlier repairs
        """
        engine, cells = self._engine, self._cells
        if number == 0:
            cells.ball[-1] = cells.repaired[:] = cells.growth[:] = 0
        size = inside = local_repair.list_growing_ball(
            engine.wave, engine.table, engine.graph, cells, cell, radius, number
        )
        if self._unvisited.size:
            size = self._list(self._unvisited[cells.mark[self._unvisited] == local_repair.OUTSIDE], size)
        self._undecide_listed(size)
        engine.state[c.CONTRADICTIONS] += engine.in_conflict
        engine.from_root = self._undecided.size == engine.problem.cell_count
        engine.state[c.JUMPS_LEFT] = 0
        return int(inside)

    def forget_conflicts(self) -> None:
        """Reset the radius of the next repair to the smallest everywhere."""
        self._cells.growth[:] = 0

    def undecide(self, cells: NDArray[np.int32], words: NDArray[np.uint64] | None = None) -> None:
        """Un-decide these cells, or set them to the domains in `words`, those of a whole wave.

        Call `leave_conflict` first. The consequences are propagated when the search continues.
        """
        self._undecide_listed(self._list(cells), None if words is None else Domains(words))
        self._engine.from_root = False
        self._engine.state[c.JUMPS_LEFT] = 0

    def list_around(self, centres: NDArray[np.int64], radius: int) -> NDArray[np.int32]:
        """List the cells within `radius` steps of one of these."""
        cells = self._cells
        near = np.zeros(cells.mark.size, bool)
        for centre in centres.tolist():
            size = local_repair.list_ball(self._engine.graph, cells, centre, radius)
            near[cells.line[:size]] = True
            cells.mark[cells.line[:size]] = local_repair.OUTSIDE
        return np.flatnonzero(near).astype(np.int32)

    def restrict(self, cell: int, patterns: NDArray[np.int64], is_pin: bool) -> bool:
        """Restrict a cell to these patterns permanently, in the wave and in the root.

        All decisions stay in force. Returns False, without any change, if nothing fits.
        """
        engine = self._engine
        rules = engine.problem.rules
        engine.finish_propagation()
        restore = copy_arrays(engine)
        is_refuted = engine.in_conflict and engine.depth == 0 and engine.from_root
        if not is_refuted:
            self.leave_conflict()
        removed = np.setdiff1d(np.arange(len(rules)), patterns)
        if is_refuted or not self._can_lose(cell, removed):
            restore()
            return False
        words = engine.root_domains.copy()
        words[cell] &= rules.words_for(patterns)
        if is_pin:
            engine.pinned.append(cell)
        self._change_root(engine.root_of(words))
        return True

    def _can_lose(self, cell: int, patterns: NDArray[np.int64]) -> bool:
        """Return whether the current wave can lose these patterns; restores it afterwards."""
        engine, state = self._engine, self._engine.state
        mark, phase = int(state[c.TRAIL]), state[c.PHASE]
        fits = engine.remove_patterns(np.full(patterns.size, cell), patterns) and engine.propagate()
        propagation.undo_to(engine.wave, engine.table, engine.graph, mark, -1)
        state[c.PHASE] = phase
        return fits

    def _change_root(self, root: Root) -> None:
        """Continue with a narrower root that the current wave satisfies."""
        engine = self._engine
        made, decisions, from_root = engine.decision_count, engine.decisions(), engine.from_root
        while engine.depth > 0:
            engine.undo()
        engine.root = root
        undecided = np.flatnonzero(count_set_bits(engine.domains) != 1)
        forgotten = int(engine.state[c.COMMITTED])
        self._undecide_listed(self._list(undecided))
        self._forgotten = engine.state[c.COMMITTED] = forgotten  # these stay decided
        self._propagate_consistent()
        for cell, pattern in decisions:
            engine.make_room(engine.width)
            search.decide(engine.wave, engine.queue, engine.table, cell, pattern)
            self._propagate_consistent()
        engine.state[c.DECISIONS] = made
        engine.from_root = from_root

    @property
    def _cells(self) -> RepairCells:
        return self._engine.repair_cells

    def _list(self, added: NDArray[np.int32] | NDArray[np.int64], size: int = 0) -> int:
        """Append these cells to the first `size` listed ones; returns the new size."""
        cells = self._cells
        cells.line[size : size + added.size] = added
        cells.mark[added] = local_repair.LISTED
        return size + added.size

    def _undecide_listed(self, size: int, domains: Domains | None = None) -> None:
        """Un-decide the first `size` listed cells, which are marked; or set them to these domains."""
        engine, cells = self._engine, self._cells
        arrays = (engine.wave, engine.queue, engine.table, engine.graph, cells)
        size = local_repair.undecide_cells(*arrays, domains or engine.root.domains, size)
        self._undecided, self._unvisited = cells.line[:size].copy(), NO_CELLS
        self._forgotten = 0
        if engine.pinned:
            engine.wave.collapsed[engine.pinned] = 1
        if engine.method == c.AC4:
            engine.wave = WavePropagation(engine.wave, engine.table, engine.graph).run()

    def _propagate_consistent(self) -> None:
        """Propagate a wave that is known to be consistent, and update the queue."""
        engine = self._engine
        engine.propagate()
        search.resume_choosing(engine.wave, engine.queue, engine.table, engine.graph)
        engine.choose_next()


def copy_arrays(engine: Engine) -> Callable[[], None]:
    """Copy the wave and the queue of an engine; returns a function that restores them."""
    structs = (engine.wave, engine.queue)
    copies = [[array.copy() for array in struct.arrays()] for struct in structs]

    def restore() -> None:
        for struct, kept in zip(structs, copies, strict=True):
            for array, copy in zip(struct.arrays(), kept, strict=True):
                array[...] = copy
        engine.wave, engine.queue = structs

    return restore
