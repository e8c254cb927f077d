"""The engine: one wave and the kernels that work on it, without names, messages or budgets.

Only this package writes the wave and the state of a search; `Solver` and the ladder call its methods.
`RegionSolver` also replaces the table by one with other weights, and creates the queues of its regions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from weakref import WeakMethod

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels import regions, search
from wavefold.kernels.bits import to_signed
from wavefold.kernels.host.checkpoint import Work, slices
from wavefold.kernels.propagate import ac4
from wavefold.kernels.structs import CellMasks, CellPatterns, CellQueue, CellWords, Domains, RepairCells
from wavefold.solver.budget import UNLIMITED
from wavefold.solver.constraint import WaveView
from wavefold.solver.engine.arrays import (
    SearchState,
    count_counter_bytes,
    forget_decisions,
    grow_buffers,
    reset_state,
)
from wavefold.solver.engine.cell_queue import fill_queue, is_filled_at_once
from wavefold.solver.engine.propagator_table import tabulate_propagators
from wavefold.solver.engine.root import Root, compute_root, prepare_wave, propagate_slices, start_slice
from wavefold.solver.engine.rule_table import build_rule_table, choose_method
from wavefold.solver.engine.shared import EngineArrays, SpareArrays, find_shared_data
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.memory import check_map_memory
from wavefold.solver.problem import Problem

UNDOABLE_DECISIONS = 2048  # the last ones, when older decisions become final
MASKED_AT_ONCE = 1 << 14  # cells between two checkpoints while soft masks are applied


class Engine(SearchState):
    """One wave and the operations of a search on it.

    The wave is undefined before `begin` or `fix_cells`.

    heuristics : read by the next `begin`
    queue_maker : creates the queue of a search from its seed, instead of `heuristics`. A weak reference: its
        owner owns the engine, and a reference cycle would keep large arrays until garbage collection
    from_root : whether no cell was kept by a local repair and no decision became final, so that a dead end at
        depth 0 is a proof
    reuse : use the arrays of a finished engine, and pass them on to the next. Only for owners that keep no
        views of the arrays
    """

    _spares: SpareArrays | None = None  # where `__del__` leaves the arrays; None also if `__init__` fails

    def __init__(
        self,
        problem: Problem,
        heuristics: Heuristics,
        propagation: str = "auto",
        undo: str = "delta",
        *,
        reuse: bool = False,
    ) -> None:
        self.problem = problem
        self.graph = problem.kernel_graph
        self.method = choose_method(problem.rules, propagation)
        check_map_memory(problem.rules, problem.cell_count, count_counter_bytes(problem.rules, self.method))
        self.width = problem.rules.words
        self.snapshot = undo == "snapshot"
        shared = find_shared_data(problem, self.method)
        # A constraint may keep the view of the wave that it was called with.
        spares = shared.spares[self.snapshot] if reuse and not problem.pruners else None
        left = None if spares is None else spares.take()
        self._arrays = left or self._new_arrays()
        self.table, self.wave = self._arrays.table, self._arrays.wave
        root = shared.root
        if root is None:
            root = shared.compute_root(problem.domains, self.wave, self.table, self.graph)
        self._spares = spares  # only now: an unfinished set-up must not leave its arrays
        self.root = self._base = root
        self.state = self.wave.state  # stays the same array when the wave grows
        reset_state(self.state, self.method, self.snapshot)
        self.heuristics = heuristics
        self.queue_maker: WeakMethod[Callable[[int], CellQueue]] | None = None
        self.addresses: dict[int, int] = {}  # {knob: address of a user's function}
        self.from_root = True
        self.pinned = [pin.cell for pin in problem.pins]
        self._region_root: Root | None = None  # written by `fix_cells`
        self._queue: CellQueue | None = None
        self._filling: Work[None] | None = None  # of the queue; None when it is filled

    def _new_arrays(self) -> EngineArrays:
        problem = self.problem
        table = build_rule_table(problem.rules, self.method, self.graph, problem.weights)
        if problem.propagators:
            table = table.with_changes(**tabulate_propagators(problem.propagators))
        return EngineArrays(table, prepare_wave(self.graph, table, self.method, self.snapshot))

    def __del__(self) -> None:
        if self._spares is not None:
            self._spares.leave(self._arrays, self.wave)

    @property
    def root_domains(self) -> NDArray[np.uint64]:
        """[cell, word]: a view of the domains of the root."""
        return self.root.words[: self.problem.cell_count * self.width].reshape(-1, self.width)

    @property
    def nbytes(self) -> int:
        """The memory of the arrays that only this engine uses."""
        queue = [] if self._queue is None else self._queue.arrays()
        region = [] if self._region_root is None else [self._region_root.words]
        arrays = [*self.wave.arrays(), *queue, self.root.words, *region]
        return sum(array.nbytes for array in arrays)

    @property
    def repair_cells(self) -> RepairCells:
        """The arrays that local repairs write."""
        arrays = self._arrays
        if arrays.repair_cells is None:
            cells = self.problem.cell_count
            mark, line = np.zeros(cells, np.uint8), np.empty(cells, np.int32)
            ball, (growth, repaired) = np.zeros(cells + 1, np.int32), np.zeros((2, cells), np.int32)
            arrays.repair_cells = RepairCells(mark, line, ball, growth, repaired)
        return arrays.repair_cells

    # --- roots ---------------------------------------------------------------------------------

    def root_of(self, domains: NDArray[np.uint64]) -> Root:
        """Propagate these domains [cell, word] to the fixpoint."""
        wave = prepare_wave(self.graph, self.table, self.method)
        return compute_root(domains, wave, self.table, self.graph)

    def fix_cells(
        self,
        cells: NDArray[np.int64],
        patterns: NDArray[np.int64],
        required: NDArray[np.int64],
        words: NDArray[np.uint64],
    ) -> int | None:
        """Set the root to one where `cells` have these patterns [n], and `required` cells one of `words`.

        Returns an emptied cell, or None. Only the consequences of these cells are propagated, because all
        other cells are as in the root of the problem. Not for ac4, whose counters are not stored with a root.

        words : uint64 [n, word] the patterns of each required cell
        """
        if self._base.empty_cell >= 0:
            return self._base.empty_cell
        regions.load_words(self.wave, self._base.domains)
        fixed = CellPatterns(cells, patterns), CellWords(required, words)
        empty = int(regions.fix_cells(self.wave, self.table, *fixed))
        if empty >= 0:
            return empty
        if not self.propagate():
            return self.empty_cell
        if self._region_root is None:
            self._region_root = Root(Domains(np.empty_like(self._base.words)), -1)
        self.root = self._region_root
        self.root.words[:] = self.wave.words
        return None

    def apply_soft_masks(self, cells: NDArray[np.int64], words: NDArray[np.uint64]) -> None:
        """Restrict `cells` to their words [cell, word] one by one; skip those that would empty a cell.

        Also restricts the root. Call it after `fix_cells` and before `begin`.
        """
        applied = np.zeros(self.problem.cell_count, np.uint8)
        words = np.ascontiguousarray(words)
        for part in slices(cells.size, MASKED_AT_ONCE):
            while self._apply_masks(cells[part], words, applied) == c.FULL:
                self.wave = grow_buffers(self.wave)
        self.root.words[:] = self.wave.words

    def _apply_masks(
        self, cells: NDArray[np.int64], words: NDArray[np.uint64], applied: NDArray[np.uint8]
    ) -> int:
        for name in (c.TRAIL, c.KINDS_CHECKED, c.PROPAGATED):
            self.state[name] = 0
        self.state[c.CONSTRAINED] = -1
        masks = CellMasks(cells, words, applied)
        return int(regions.apply_soft_masks(self.wave, self.table, self.graph, masks))

    # --- search --------------------------------------------------------------------------------

    def begin(self, seed: int, patience: int = -1, jumps: int = 0, start: Root | None = None) -> None:
        """Start a search at the root with a new seed; only the counts are kept.

        patience : conflicts without progress before the search jumps back or is stuck; -1: no limit
        jumps : how often it may jump back
        start : where to start instead of the root; its narrower domains are kept as after a local repair
        """
        wave, state = self.wave, self.state
        regions.load_words(wave, (start or self.root).domains)
        if self.pinned:
            wave.collapsed[self.pinned] = 1
        state[c.PROGRESS] = state[c.CONFLICTS] = 0
        state[c.PATIENCE], state[c.JUMPS_LEFT] = patience, jumps
        state[c.JUMP_LENGTH] = 1
        state[c.SEED] = to_signed(seed)
        self.set_limits()
        self.from_root = start is None
        if self.root.empty_cell >= 0:
            state[c.EMPTY_CELL] = self.root.empty_cell
            state[c.PHASE] = c.CONFLICT
        else:
            has_networks = len(self.table.path_mask) > 0
            state[c.PRUNING] = c.BY_NETWORKS if has_networks else c.NO_PRUNING
            if self.problem.pruners:
                state[c.PRUNING] = c.BY_CALLER
            state[c.RETURN_TO] = 0
            self.choose_next()
        if self.method == c.AC4:
            ac4.count_supports(wave, self.table, self.graph, 0, self.problem.cell_count)
        tally = 0 if self._queue is None else self.tally[: c.TALLIED].copy()
        self._queue = self.make_queue(seed)
        self.tally[: c.TALLIED] = tally

    @property
    def queue(self) -> CellQueue:
        """The filled queue of the search."""
        self.complete_queue()
        assert self._queue is not None
        return self._queue

    @queue.setter
    def queue(self, queue: CellQueue) -> None:
        self._queue = queue

    def complete_queue(self) -> None:
        """Fill the queue. Continues where a checkpoint ended an earlier call."""
        if self._filling is not None:
            self._filling.finish()
            self._filling = None

    @property
    def tally(self) -> NDArray[np.int64]:
        """The counts of the queue, which may be unfilled."""
        assert self._queue is not None
        return self._queue.tally

    def set_limits(self, decisions: int = UNLIMITED, backtracks: int = UNLIMITED) -> None:
        """Set the total numbers of decisions and backtracks after which `advance` pauses."""
        self.state[c.LIMIT], self.state[c.BACKTRACK_LIMIT] = decisions, backtracks

    def reset_counts(self) -> None:
        """Reset the counts to 0, so that random numbers do not depend on earlier searches."""
        state = self.state
        state[c.DECISIONS] = state[c.BACKTRACKS] = state[c.CONTRADICTIONS] = 0

    def interrupt(self) -> None:
        """End the current slice of work, so that a checkpoint follows soon. Thread-safe."""
        self.state[c.WORK_LEFT] = -1

    def advance(self, one_transition: bool = False, may_forget: bool = False) -> int:
        """Continue the search; returns a status of `kernels.constants`.

        Grows arrays and runs constraints as needed.

        one_transition : return after a decision with its consequences, or after a step back
        may_forget : whether old decisions may become final to save memory
        """
        self.state[c.WATCHING] = one_transition
        while True:
            status = search.advance(self.wave, self.queue, self.table, self.graph)
            if status == c.FULL:
                if not may_forget or not self._forget_decisions():
                    self.wave = grow_buffers(self.wave)
            elif status == c.WORKED:
                start_slice(self.wave)
            elif status == c.PRUNE:
                self._prune()
                if one_transition:
                    return c.WATCHED
            else:
                return int(status)

    def _forget_decisions(self) -> bool:
        """Make all but the last decisions final, to free space on the trail; False if that is not possible.

        Only used if patience ends a search long before it would return to these decisions.
        """
        count = self.depth - UNDOABLE_DECISIONS
        needs_trail = self.snapshot or self.method == c.AC4 or bool(self.problem.constraints)
        needs_trail |= self.queue.knobs[c.BIASED] != 0  # see `local_repair.undecide_cells`
        is_patient = self.state[c.PATIENCE] < 0 or self.state[c.JUMPS_LEFT] > UNDOABLE_DECISIONS
        if needs_trail or is_patient or count <= 0:
            return False
        if 2 * self.wave.decision_mark[count, 0] < self.state[c.TRAIL]:
            return False
        forget_decisions(self.wave, count)
        self.from_root = False
        return True

    def undo(self) -> tuple[int, int]:
        """Undo the last decision; returns its cell and pattern."""
        pattern = int(self.wave.decision_pattern[self.depth - 1])
        cell = int(search.undo_decision(self.wave, self.queue, self.table, self.graph))
        self.choose_next()
        return cell, pattern

    def change_bias(self, bias: NDArray[np.int64]) -> None:
        """Replace the factors [cell] on the keys of the queue, between two decisions."""
        if (bias != self.queue.bias).any() and self.is_choosing:
            self.queue.bias[:] = bias
            # Recompute only keys of cells that the last decision touched: other factors cannot have changed.
            mark = self.wave.decision_mark[self.depth - 1, 0] if self.depth else 0
            self.state[c.REFRESHED] = mark
            search.resume_choosing(self.wave, self.queue, self.table, self.graph)

    def make_queue(self, seed: int) -> CellQueue:
        """Create the queue of a search from this seed. On large maps, it is filled when first used."""
        self._filling = None
        if self.queue_maker is not None and (make := self.queue_maker()) is not None:
            return make(seed)
        queue = self._arrays.prepare_queue(self.problem, self.heuristics)
        for knob, address in self.addresses.items():
            queue.knobs[knob] = address
            queue.knobs[c.PLAIN] &= knob != c.WEIGHT_ADDRESS
        shuffled_by = seed if self.heuristics.is_shuffled else None
        fill = partial(fill_queue, queue, self.wave, self.table, self.graph, shuffled_by)
        if is_filled_at_once(self.problem.cell_count):
            for _ in fill():
                pass
        else:
            self._filling = Work(fill)
        return queue

    def _prune(self) -> None:
        """Call the constraints with a view, and apply their removals."""
        view = WaveView(self.problem, self.domains)
        for constraint in self.problem.pruners:
            constraint.prune(view)
        if not view.removals:
            search.resume_choosing(self.wave, self.queue, self.table, self.graph)
            return
        cells = np.concatenate([np.full(patterns.size, cell) for cell, patterns in view.removals])
        patterns = np.concatenate([patterns for _, patterns in view.removals])
        if self.remove_patterns(cells, patterns):
            self.state[c.PHASE] = c.PROPAGATING
        else:
            self.state[c.CONTRADICTIONS] += 1
            self.state[c.PHASE] = c.CONFLICT

    # --- steps of a search, for code that changes a running one ------------------------------------

    def choose_next(self) -> None:
        """Continue with a choice, after constraints have pruned the current wave."""
        is_pruned = self.state[c.PRUNING] != c.NO_PRUNING
        self.state[c.PHASE] = c.PRUNED if is_pruned else c.CHOOSING

    def remove_patterns(self, cells: NDArray[np.int64], patterns: NDArray[np.int64]) -> bool:
        """Remove a pattern from each of these cells, without propagation; False if one is emptied."""
        self.make_room(patterns.size)
        cells = cells.astype(np.int64)
        removed = CellPatterns(cells, patterns.astype(np.int64))
        return bool(search.remove_patterns(self.wave, self.table, removed))

    def make_room(self, entries: int) -> None:
        """Grow the trail until it has room for this number of entries."""
        while self.state[c.TRAIL] + entries >= self.wave.trail_at.size:
            self.wave = grow_buffers(self.wave)

    def finish_propagation(self) -> None:
        """Complete a propagation that a checkpoint interrupted."""
        if self.state[c.PHASE] != c.PROPAGATING:
            return
        if self.propagate():
            search.resume_choosing(self.wave, self.queue, self.table, self.graph)
            self.choose_next()
        else:
            self.state[c.CONTRADICTIONS] += 1
            self.state[c.PHASE] = c.CONFLICT

    def propagate(self) -> bool:
        """Propagate removals; False if a cell is emptied."""
        while (status := propagate_slices(self.wave, self.table, self.graph)) == c.FULL:
            self.wave = grow_buffers(self.wave)
        return status == c.CONSISTENT
