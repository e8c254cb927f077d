"""Regions: some cells of a problem are fixed, and the others are solved.

Windows of worlds, edits, joins of patchworks, repairs, audits and explanations all pass a `Region` to a
`RegionSolver`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar
from weakref import WeakMethod

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import has_bit, single_bits
from wavefold.kernels.structs import CellQueue
from wavefold.solver.budget import UNLIMITED
from wavefold.solver.engine.cell_queue import create_cell_queue, fill_queue
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.rule_table import GroupWeights, PreviousWeights, with_weights
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.search.ladder import Ladder, LadderRun

CellList: TypeAlias = NDArray[np.int64]  # [n] numbers of cells
PatternList: TypeAlias = NDArray[np.int64]  # [n] a pattern for each cell of a list
WordRows: TypeAlias = NDArray[np.uint64]  # [cell, word]
NO_CELLS = np.zeros(0, np.int64)
EVEN_BIAS = 1 << 16  # a factor of 1 on the key of a cell, in 1/65536
SCANLINE, ENTROPY = Heuristics.of("scanline"), Heuristics.of("entropy")
RESTORE_LADDER = Ladder(patience=16)  # of the search that restores previous patterns


class SoftMasks(NamedTuple):
    """Preferred patterns of cells, applied one by one; a mask that would empty a cell is skipped."""

    cells: CellList  # in the order in which they are applied
    words: WordRows  # for all cells of the problem


class Region(NamedTuple):
    """The conditions on a problem's cells before they are solved. Cells that are not fixed are free.

    fixed : cells, and the pattern that each of them keeps
    required : cells, and the permitted patterns of each, uint64 [n, word]
    preferred : soft masks
    weights : float64 [cell, pattern], instead of the problem's own
    group_factors : float64 [cell, group], factors on the weights of the solver's groups of patterns
    previous : cells, and the old pattern of each. Its weight is multiplied by `previous_weight`, a cell that
        has lost it is decided before all others, and unnecessary changes are undone at the end
    restore_first : whether to apply `previous` like soft masks, before `preferred`
    """

    fixed: tuple[CellList, PatternList] = (NO_CELLS, NO_CELLS)
    required: tuple[CellList, WordRows] | None = None
    preferred: SoftMasks | None = None
    weights: NDArray[np.float64] | None = None
    group_factors: NDArray[np.float64] | None = None
    previous: tuple[CellList, PatternList] | None = None
    previous_weight: float = 1.0
    restore_first: bool = False


class Attempt(NamedTuple):
    """The outcome of solving a region once."""

    patterns: NDArray[np.int32] | None  # [cell] of the problem; None if not solved
    is_proof: bool = False  # a failure that proves that nothing fits with the soft masks that were applied
    at_root: bool = False  # a failure before any soft mask was applied or any cell decided
    conflict: int = -1  # the cell that was emptied last
    backtracks: int = 0
    reopened: int = 0  # cells that local repairs un-decided


class CellSequence:
    """A fixed order of cells, in addition to those of `Heuristics`. Compared by identity."""

    def __init__(self, cells: NDArray[np.int32]) -> None:
        self.cells = cells
        self.rank = np.empty_like(cells)  # the inverse, for local repairs
        self.rank[cells] = np.arange(cells.size, dtype=np.int32)


class RegionSolver:
    """Solves regions of one problem, one after another. Not thread-safe.

    The rule table, the arrays and the root without fixed cells are computed once. Results never depend on
    regions solved before. An unsolved `Region` can be passed again with another order or seed, and reuses its
    root.

    group_of : int32 [pattern] -> the group whose factor multiplies its weight (`Region.group_factors`), or -1
    """

    def __init__(self, problem: Problem, group_of: NDArray[np.int32] | None = None) -> None:
        self.problem = problem
        self._engine = engine = Engine(problem, ENTROPY)
        engine.queue_maker = WeakMethod(self._make_queue)
        self._shared_table = self._plain_table = engine.table
        self._previous = PreviousWeights(problem.rules, engine.table, problem.cell_count)
        self._groups = None
        if group_of is not None:
            self._groups = GroupWeights(problem.rules, engine.table, problem.cell_count, group_of)
            engine.table = self._plain_table = self._groups.table
        self._region: Region | None = None  # whose root the engine is at
        self._sequence: CellSequence | None = None
        self._queues: dict[CellSequence, CellQueue] = {}
        self._nothing_required = (NO_CELLS, np.zeros((0, problem.rules.words), np.uint64))

    def release(self) -> None:
        """Release the last region, whose weights are the largest of all arrays."""
        self._region, self._engine.table = None, self._plain_table

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, without those that all solvers of a tile set share."""
        return self._engine.nbytes + (0 if self._groups is None else self._groups.nbytes)

    def solve(
        self,
        region: Region,
        order: Heuristics | CellSequence,
        seed: int,
        ladder: Ladder,
        decisions: int = UNLIMITED,
        backtracks: int = UNLIMITED,
    ) -> Attempt:
        """Fix the fixed cells, then search within limits on decisions and backtracks."""
        if region is not self._region:
            conflict = self._prepare(region)
            if conflict is not None:
                return Attempt(None, is_proof=True, at_root=True, conflict=conflict)
        engine = self._engine
        answer, reopened = self._search(region, order, seed, ladder, (decisions, backtracks))
        undone = engine.backtracks
        if answer != c.SOLVED:
            is_proof = answer == c.IMPOSSIBLE and engine.from_root
            return Attempt(None, is_proof, False, engine.empty_cell, undone, reopened)
        patterns = engine.read_patterns()
        if region.previous is not None:
            patterns = self._restore_previous(region, patterns)
        self.release()
        return Attempt(patterns, backtracks=undone, reopened=reopened)

    def _prepare(self, region: Region) -> int | None:
        """Compute the root of a region and apply its soft masks; returns an emptied cell, or None."""
        self.release()
        conflict = self._fix(region)
        if conflict is not None:
            return conflict
        if region.previous is not None and region.restore_first:
            cells, patterns = region.previous
            words = np.zeros((self.problem.cell_count, self.problem.rules.words), np.uint64)
            words[cells] = single_bits(patterns, self.problem.rules.words)
            self._engine.apply_soft_masks(cells, words)
        if region.preferred is not None:
            self._engine.apply_soft_masks(*region.preferred)
        self._weigh(region)
        self._region = region
        return None

    def _fix(self, region: Region) -> int | None:
        return self._engine.fix_cells(*region.fixed, *(region.required or self._nothing_required))

    def _weigh(self, region: Region) -> None:
        """Use the weights of a region."""
        if region.group_factors is not None and self._groups is not None:
            self._groups.write(region.group_factors)
        if region.previous is not None:
            previous = (*region.previous, region.previous_weight)
            self._engine.table = self._previous.write(region.weights, *previous)
        elif region.weights is not None:
            self._engine.table = with_weights(self._shared_table, region.weights)

    def _search(
        self,
        region: Region,
        order: Heuristics | CellSequence,
        seed: int,
        ladder: Ladder,
        limits: tuple[int, int] = (UNLIMITED, UNLIMITED),
    ) -> tuple[int, int]:
        """Search from the root; returns the last status, and how many cells repairs un-decided."""
        engine = self._engine
        self._sequence = order if isinstance(order, CellSequence) else None
        engine.heuristics = order if isinstance(order, Heuristics) else SCANLINE
        engine.reset_counts()
        run = LadderRun(engine, ladder, seed)
        run.start()
        while (answer := self._advance(region, limits)) not in (c.SOLVED, c.PAUSED):
            is_proof = answer == c.IMPOSSIBLE and engine.from_root
            if is_proof or run.take_next_rung(engine.last_cell) is None:
                break
        return answer, run.reopened

    def _advance(self, region: Region, limits: tuple[int, int]) -> int:
        """Continue the search; with previous patterns, update the bias after each decision.

        After twice as many decisions as cells, conflicts matter more than the order, and the bias stays.
        """
        engine = self._engine
        if region.previous is not None:
            while engine.decision_count < 2 * self.problem.cell_count:
                engine.change_bias(self._bias(region))
                engine.set_limits(min(limits[0], engine.decision_count + 1), limits[1])
                answer = engine.advance()
                is_over = engine.decision_count >= limits[0] or engine.backtracks >= limits[1]
                if answer != c.PAUSED or is_over:
                    return answer
        engine.set_limits(*limits)
        return engine.advance()

    def _bias(self, region: Region) -> NDArray[np.int64]:
        """Return factors [cell] on the keys of the queue: 0 (first) for cells that lost their pattern."""
        assert region.previous is not None
        cells, patterns = region.previous
        bias = np.full(self.problem.cell_count, EVEN_BIAS, np.int64)
        bias[cells[~has_bit(self._engine.domains, cells, patterns)]] = 0
        return bias

    def _restore_previous(self, region: Region, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Restore previous patterns of a solution where they fit its other cells."""
        assert region.previous is not None
        cells, patterns = region.previous
        changed = found[cells] != patterns
        self._region = None
        if not changed.any() or self._fix(region) is not None:
            return found
        others = np.setdiff1d(np.arange(found.size), cells[changed])
        words = single_bits(found, self.problem.rules.words)
        words[cells[changed]] = single_bits(patterns[changed], self.problem.rules.words)
        self._engine.apply_soft_masks(np.concatenate([others, cells[changed]]), words)
        self._region = region._replace(weights=None)
        self._weigh(self._region)
        answer, _ = self._search(self._region, ENTROPY, 0, RESTORE_LADDER)
        return self._engine.read_patterns() if answer == c.SOLVED else found

    def _make_queue(self, seed: int) -> CellQueue:
        engine = self._engine
        if self._sequence is None or engine.heuristics is not SCANLINE:
            return self._new_queue(seed)
        order = {"sequence": self._sequence.cells, "rank": self._sequence.rank}
        if engine.table is not self._plain_table:  # a region with its own weights needs other settings
            return self._new_queue(seed).with_changes(**order)
        queue = self._queues.get(self._sequence)
        if queue is None:
            # Queues share all arrays but the order, because only one is used at a time.
            some = next(iter(self._queues.values()), None) or self._new_queue(seed)
            queue = self._queues[self._sequence] = some.with_changes(**order)
        queue.position[0] = 0
        return queue

    def _new_queue(self, seed: int) -> CellQueue:
        engine, region = self._engine, self._region
        queue = create_cell_queue(self.problem, engine.heuristics)
        if engine.table is not self._shared_table:
            queue.knobs[c.PER_CELL], queue.knobs[c.PLAIN] = 1, 0
        if region is not None and region.previous is not None:
            queue.knobs[c.BIASED] = 1
            queue = queue.with_changes(bias=self._bias(region))
        shuffled_by = seed if engine.heuristics.is_shuffled else None
        for _ in fill_queue(queue, engine.wave, engine.table, engine.graph, shuffled_by):
            pass  # regions are small
        return queue


class Reusable(Protocol):
    """An object of one thread that is reused for regions of the same shape."""

    @property
    def nbytes(self) -> int:
        """The memory of the object."""


T = TypeVar("T", bound=Reusable)


class SolverPool(threading.local, Generic[T]):
    """Solvers by shape, separate for each thread: `__init__` runs in every thread that uses the pool.

    room : bytes of all solvers of a thread; beyond, the least recently used are dropped
    most : limit on the number of solvers of a thread
    """

    def __init__(self, room: int, most: int) -> None:
        self.room, self.most = room, most
        self._solvers: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, shape: Hashable, make: Callable[[], T]) -> T:
        """Return this thread's solver for a shape; creates it if necessary."""
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
        """The memory of this thread's solvers."""
        return sum(solver.nbytes for solver in self._solvers.values())

    def __len__(self) -> int:
        return len(self._solvers)
