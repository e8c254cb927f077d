"""Un-deciding cells while a search is under way: near a conflict, or for a pin or ban that comes late."""

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
    """Un-decides cells of one search of an engine, and keeps the rest."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._undecided = NO_CELLS  # by the last repair
        self._unvisited = NO_CELLS  # un-decided by the last repair, which failed before it came to them
        self._forgotten = 0  # decisions, when cells were un-decided last

    def leave_conflict(self) -> None:
        """Undo the propagation that failed half-way, and the decision that led to it."""
        engine = self._engine
        if engine.in_conflict:
            # Without a decision to undo, the last repair itself failed: its cells are free and unvisited.
            has_failed = engine.depth == 0 and engine.state[c.COMMITTED] == self._forgotten
            self._unvisited = self._undecided if has_failed else NO_CELLS
            search.undo_decision(engine.wave, engine.queue, engine.table, engine.graph)
            engine.choose_next()

    def undecide_ball(self, cell: int, radius: int, number: int) -> int:
        """Un-decide the cells at most `radius` steps from one, or more where conflicts recur; how many.

        Call `leave_conflict` first. No jumps after that: they would lead back across the repair.

        number : of the repair; the first one, 0, forgets earlier ones
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
        """Begin with the smallest radius everywhere."""
        self._cells.growth[:] = 0

    def undecide(self, cells: NDArray[np.int32], words: NDArray[np.uint64] | None = None) -> None:
        """Un-decide these cells; with `words`, as of a whole wave, set them to those instead.

        Call `leave_conflict` first. What follows is propagated when the search goes on.
        """
        self._undecide_listed(self._list(cells), None if words is None else Domains(words))
        self._engine.from_root = False
        self._engine.state[c.JUMPS_LEFT] = 0

    def list_around(self, centres: NDArray[np.int64], radius: int) -> NDArray[np.int32]:
        """The cells at most `radius` steps from one of these."""
        cells = self._cells
        near = np.zeros(cells.mark.size, bool)
        for centre in centres.tolist():
            size = local_repair.list_ball(self._engine.graph, cells, centre, radius)
            near[cells.line[:size]] = True
            cells.mark[cells.line[:size]] = local_repair.OUTSIDE
        return np.flatnonzero(near).astype(np.int32)

    def restrict(self, cell: int, patterns: NDArray[np.int64], is_pin: bool) -> bool:
        """Narrow a cell to these patterns for good: in the wave, and in the root of repairs and restarts.

        Every decision stays in force. False, leaving no trace, if nothing fits then.
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
        """Whether the current wave can lose these patterns. Restores it afterwards."""
        engine, state = self._engine, self._engine.state
        mark, phase = int(state[c.TRAIL]), state[c.PHASE]
        fits = engine.remove_patterns(np.full(patterns.size, cell), patterns) and engine.propagate()
        propagation.undo_to(engine.wave, engine.table, engine.graph, mark, -1)
        state[c.PHASE] = phase
        return fits

    def _change_root(self, root: Root) -> None:
        """Continue from a narrower root that the current wave satisfies."""
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
        """List these cells after the first `size`; how many there are then."""
        cells = self._cells
        cells.line[size : size + added.size] = added
        cells.mark[added] = local_repair.LISTED
        return size + added.size

    def _undecide_listed(self, size: int, domains: Domains | None = None) -> None:
        """Un-decide the first listed cells, which are marked; or give them these domains."""
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
        """Propagate what is known to be consistent, and bring the queue up to date."""
        engine = self._engine
        engine.propagate()
        search.resume_choosing(engine.wave, engine.queue, engine.table, engine.graph)
        engine.choose_next()


def copy_arrays(engine: Engine) -> Callable[[], None]:
    """Copy the wave and the queue of an engine; the result, called, restores them."""
    structs = (engine.wave, engine.queue)
    copies = [[array.copy() for array in struct.arrays()] for struct in structs]

    def restore() -> None:
        for struct, kept in zip(structs, copies, strict=True):
            for array, copy in zip(struct.arrays(), kept, strict=True):
                array[...] = copy
        engine.wave, engine.queue = structs

    return restore
