"""The wave and the kernels that work on it: everything about a solve that is not about people."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import ac4, constants, local_repair, priority, propagation, regions, search
from wavefold.kernels.bits import to_signed
from wavefold.kernels.constants import CONSISTENT, EMPTY, FULL, PRUNE
from wavefold.kernels.soft_masks import apply_soft_masks
from wavefold.kernels.structs import CellQueue, Graph, Wave
from wavefold.solver.constraint import WaveView
from wavefold.solver.engine.arrays import (
    count_class_words,
    create_cell_queue,
    create_wave,
    fill_queue,
    grow_buffers,
)
from wavefold.solver.engine.rule_table import build_rule_table, choose_method
from wavefold.solver.problem import Problem
from wavefold.solver.search.heuristics import Heuristics

UNLIMITED = (1 << 62) - 1
NONE = np.zeros(0, np.int32)


class Root(NamedTuple):
    """What holds before any decision."""

    words: NDArray[np.uint64]  # as in Wave.words
    empty_cell: int  # a cell that nothing fits, or -1


class Engine:
    """One wave, driven from outside. Knows no names, no budget and no listener."""

    def __init__(
        self,
        problem: Problem,
        heuristics: Heuristics,
        propagation: str = "auto",
        undo: str = "delta",
    ) -> None:
        self.problem = problem
        self.graph = problem.shared("graph", lambda: Graph(*problem.graph))
        self.method = choose_method(problem.rules, propagation)
        self.table = build_rule_table(problem.rules, self.method, self.graph, problem.weights)
        self.width = problem.rules.words
        self.snapshot = undo == "snapshot"
        self.root: Root = problem.shared(self.method, lambda: self.root_of(problem.domains))
        self.heuristics = heuristics
        self.addresses: dict[int, int] = {}
        self.from_root = True  # no cell was kept by a repair, so a dead end at depth 0 is a proof
        self.pinned = [pin.cell for pin in problem.pins]
        self._place = np.zeros(problem.cell_count, np.uint8)
        self._line = np.empty(problem.cell_count, np.int32)
        self._reopened = self._unvisited = NONE
        self.queue: CellQueue
        self.wave = self._new_wave(self.root.words.copy())

    @property
    def state(self) -> NDArray[np.int64]:
        """The numbers of the search; see `kernels.constants`."""
        return self.wave.state

    @property
    def domains(self) -> NDArray[np.uint64]:
        """[cell, word] a view of the domains as they are."""
        return self.wave.words[: self.problem.cell_count * self.width].reshape(-1, self.width)

    @property
    def root_domains(self) -> NDArray[np.uint64]:
        """[cell, word] a view of the domains at the root."""
        return self.root.words[: self.problem.cell_count * self.width].reshape(-1, self.width)

    def root_of(self, domains: NDArray[np.uint64]) -> Root:
        """Propagate these domains [cell, word] to their end."""
        words = np.zeros(domains.size + count_class_words(self.graph, self.table, self.method), np.uint64)
        words[: domains.size] = domains.reshape(-1)
        empty = np.flatnonzero(~domains.any(axis=1))
        if empty.size:
            return Root(words, int(empty[0]))
        wave = self._settled(self._new_wave(words, snapshot=False))
        failed = wave.state[constants.PHASE] == constants.CONFLICT
        return Root(words, int(wave.state[constants.EMPTY_CELL]) if failed else -1)

    def granted(
        self, root: Root, wishes: NDArray[np.uint64], cells: NDArray[np.int64]
    ) -> tuple[Root, NDArray[np.bool_]]:
        """The root with `wishes` [cell, word] granted cell by cell, where that empties nothing; and where.

        `cells` are those that have a wish, in the order in which they are asked.
        """
        wave = self._settled(self._new_wave(root.words.copy(), snapshot=False))
        met = np.zeros(self.problem.cell_count, np.uint8)
        wave.state[constants.TRAIL] = wave.state[constants.KINDS_CHECKED] = wave.state[
            constants.PROPAGATED
        ] = 0
        while apply_soft_masks(wave, self.table, self.graph, cells, wishes, met) == FULL:
            wave = grow_buffers(wave)
        return Root(wave.words, -1), met.astype(bool)

    def begin(self, seed: int) -> None:
        """Go to the root and forget everything but the counts, with a new seed."""
        wave, state = self.wave, self.wave.state
        regions.load_words(wave, self.root.words)
        if self.pinned:
            wave.collapsed[self.pinned] = 1
        state[constants.PROGRESS] = state[constants.CONFLICTS] = 0
        state[constants.LIMIT] = state[constants.BACKTRACK_LIMIT] = UNLIMITED
        state[constants.SEED] = to_signed(seed)
        self.from_root = True
        if self.root.empty_cell >= 0:
            state[constants.EMPTY_CELL] = self.root.empty_cell
            state[constants.PHASE] = constants.CONFLICT
        else:
            state[constants.PRUNING] = bool(self.problem.constraints)
            state[constants.PHASE] = constants.PRUNED if self.problem.constraints else constants.CHOOSING
        if self.method == constants.AC4:
            ac4.count_supports(wave, self.table, self.graph)
        tally = self.queue.tally if hasattr(self, "queue") else None
        self.queue = self._new_queue(seed)
        if tally is not None:
            self.queue.tally[: constants.TALLIED] = tally[: constants.TALLIED]

    def advance(self) -> int:
        """Search on, making room and asking constraints as needed."""
        while True:
            status = search.advance(self.wave, self.queue, self.table, self.graph)
            if status == FULL:
                self.wave = grow_buffers(self.wave)
            elif status == PRUNE:
                self._prune()
                if self.state[constants.WATCHING]:
                    return constants.WATCHED
            else:
                return int(status)

    def decisions(self) -> list[tuple[int, int]]:
        """The decisions that stand, oldest first: cell and pattern."""
        depth = int(self.state[constants.DEPTH])
        cells, patterns = self.wave.decision_cell[:depth], self.wave.decision_pattern[:depth]
        return list(zip(cells.tolist(), patterns.tolist(), strict=True))

    def undo(self) -> tuple[int, int]:
        """Take back the last decision: its cell and pattern."""
        pattern = int(self.wave.decision_pattern[self.state[constants.DEPTH] - 1])
        cell = int(search.undo_decision(self.wave, self.queue, self.table, self.graph))
        self._look_again()
        return cell, pattern

    def checkpoint(self) -> Callable[[], None]:
        """Remember everything; the result, called, brings it back."""
        records = (self.wave, self.queue)
        kept = [[array.copy() for array in record.arrays()] for record in records]

        def restore() -> None:
            for record, copies in zip(records, kept, strict=True):
                for array, copy in zip(record.arrays(), copies, strict=True):
                    array[...] = copy
            self.wave, self.queue = records

        return restore

    def leave_conflict(self) -> None:
        """Undo the propagation that failed half-way, and the decision that led to it."""
        if self.state[constants.PHASE] == constants.CONFLICT:
            # Without a decision to undo, the last repair itself failed: its cells are open and unvisited.
            self._unvisited = self._reopened if self.state[constants.DEPTH] == 0 else NONE
            search.undo_decision(self.wave, self.queue, self.table, self.graph)
            self._look_again()

    def are_decided(self, cells: NDArray[np.int32]) -> bool:
        """Whether each of these cells is down to one pattern."""
        return bool((np.bitwise_count(self.domains[cells]).sum(axis=1) == 1).all())

    def reopen(self, cell: int, radius: int) -> NDArray[np.int32]:
        """Open the cells around one again and keep the rest; which they were. `leave_conflict` first."""
        size = local_repair.list_ball(self.graph, cell, radius, self._place, self._line)
        inside = self._line[:size].copy()
        more = self._unvisited[self._place[self._unvisited] == local_repair.OUTSIDE]
        self._line[size : size + more.size] = more
        self._place[more] = local_repair.LISTED
        self._reopen(size + more.size)
        if self.method == constants.AC4:
            self.wave = self._settled(self.wave)
            self.state[constants.CONTRADICTIONS] += self.state[constants.PHASE] == constants.CONFLICT
        self.from_root = size == self.problem.cell_count
        return inside

    def change_root(self, root: Root) -> None:
        """Go on from a narrower root that the wave as it is agrees with; every decision stands."""
        made, decisions = int(self.state[constants.DECISIONS]), self.decisions()
        while self.state[constants.DEPTH] > 0:
            self.undo()
        self.root = root
        from_root = self.from_root
        undecided = np.flatnonzero(np.bitwise_count(self.domains).sum(axis=1) != 1)
        self._line[: undecided.size] = undecided
        self._place[undecided] = local_repair.LISTED
        self._reopen(undecided.size)
        if self.method == constants.AC4:
            self.wave = self._settled(self.wave)
        self._propagate()
        for cell, pattern in decisions:
            self._make_room(self.width)
            search.decide(self.wave, self.queue, self.table, cell, pattern)
            self._propagate()
        self.state[constants.DECISIONS] = made
        self.from_root = from_root

    def can_lose(self, cell: int, patterns: NDArray[np.int64]) -> bool:
        """Whether the wave as it is could do without these patterns. Leaves no trace."""
        mark = int(self.state[constants.TRAIL])
        phase = self.state[constants.PHASE]
        fits = self._remove(np.full(patterns.size, cell), patterns) and self._comes_to_rest()
        propagation.undo_to(self.wave, self.table, self.graph, mark, -1)
        self.state[constants.PHASE] = phase
        return bool(fits)

    def entropies(self) -> NDArray[np.int64]:
        """[cell] in nats / 2**20."""
        result = np.empty(self.problem.cell_count, np.int64)
        priority.compute_entropies(self.wave, self.queue, self.table, result)
        return result

    def _comes_to_rest(self) -> bool:
        """Propagate what was removed; False if a cell is emptied by it."""
        while (status := propagation.propagate(self.wave, self.table, self.graph)) == FULL:
            self.wave = grow_buffers(self.wave)
        return bool(status == CONSISTENT)

    def _propagate(self) -> None:
        """Propagate what is known to be consistent, and bring the queue up to date."""
        self._comes_to_rest()
        search.resume_choosing(self.wave, self.queue, self.table, self.graph)
        self._look_again()

    def _look_again(self) -> None:
        """Have constraints look at the wave as it is before anything is chosen."""
        self.state[constants.PHASE] = constants.PRUNED if self.problem.constraints else constants.CHOOSING

    def _reopen(self, listed: int) -> None:
        """Reopen the cells listed in `_line` and marked in `_place`."""
        self._make_room(self.problem.cell_count)
        if not self.queue.rank.size:  # a fixed order needs ranks only to find its way back
            rank = np.empty(self.problem.cell_count, np.int32)
            rank[self.queue.sequence] = np.arange(rank.size, dtype=np.int32)
            self.queue = self.queue.with_changes(rank=rank)
        arrays = (self.wave, self.queue, self.table, self.graph)
        listed = local_repair.undecide_cells(*arrays, self.root.words, self._place, self._line, listed)
        self._reopened, self._unvisited = self._line[:listed].copy(), NONE
        self.wave.collapsed[self.pinned] = 1

    def _prune(self) -> None:
        view = WaveView(self.problem, self.domains)
        for constraint in self.problem.constraints:
            constraint.prune(view)
        if not view.removals:
            search.resume_choosing(self.wave, self.queue, self.table, self.graph)
            return
        cells = np.concatenate([np.full(patterns.size, cell) for cell, patterns in view.removals])
        patterns = np.concatenate([patterns for _, patterns in view.removals])
        if self._remove(cells, patterns):
            self.state[constants.PHASE] = constants.PROPAGATING
        else:
            self.state[constants.CONTRADICTIONS] += 1
            self.state[constants.PHASE] = constants.CONFLICT

    def _remove(self, cells: NDArray[np.int64], patterns: NDArray[np.int64]) -> bool:
        self._make_room(patterns.size)
        cells = cells.astype(np.int64)
        return bool(search.remove_patterns(self.wave, self.table, cells, patterns.astype(np.int64)))

    def _make_room(self, entries: int) -> None:
        while self.state[constants.TRAIL] + entries >= self.wave.trail_at.size:
            self.wave = grow_buffers(self.wave)

    def _new_wave(self, words: NDArray[np.uint64], snapshot: bool | None = None) -> Wave:
        copies = self.snapshot if snapshot is None else snapshot
        return create_wave(self.graph, self.table, self.method, words, copies)

    def _settled(self, wave: Wave) -> Wave:
        """The wave with all consequences drawn; its phase tells whether a cell was emptied."""
        while True:
            status = propagation.schedule_all(wave, self.table, self.graph)
            if status == CONSISTENT:
                status = propagation.propagate(wave, self.table, self.graph)
            if status != FULL:
                break
            wave = grow_buffers(wave)
        if status == EMPTY:
            wave.changed_by[:] = constants.IDLE
            wave.state[constants.HEAD] = wave.state[constants.TAIL]
        wave.state[constants.PHASE] = constants.CONFLICT if status == EMPTY else constants.PROPAGATING
        return wave

    def _new_queue(self, seed: int) -> CellQueue:
        queue = create_cell_queue(self.problem, self.heuristics, seed)
        for knob, address in self.addresses.items():
            queue.knobs[knob] = address
            queue.knobs[constants.PLAIN] &= knob != constants.WEIGHT_ADDRESS
        fill_queue(queue, self.wave, self.table, self.graph)
        return queue
