"""Create, fill and reset the queue of undecided cells, or restrict it to a window."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.bits import shuffle_cells, to_signed
from wavefold.kernels.choose.cell_queue import enter_cells, tally_all_cells
from wavefold.kernels.choose.cell_tree import build_trees, tree_size
from wavefold.kernels.host.checkpoint import Steps
from wavefold.kernels.structs import CellQueue, KernelGraph, RuleTable, Wave
from wavefold.solver.engine.arrays import SearchState
from wavefold.solver.engine.rule_table import compute_usage_quotas
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem

FILLED_AT_ONCE = 1 << 17  # cells between two checkpoints

_knobs: WeakKeyDictionary[Problem, WeakKeyDictionary[Heuristics, NDArray[np.int64]]] = WeakKeyDictionary()


def create_cell_queue(problem: Problem, heuristics: Heuristics) -> CellQueue:
    """Create the queue of a problem; `fill_queue` fills it."""
    cells, tiles = problem.cell_count, len(problem.rules.tiles)
    knobs = _find_knobs(problem, heuristics)
    ranked = knobs[c.ORDER] == c.BY_RANK
    tallying = bool(knobs[c.TALLYING])
    queues = 1 + int(knobs[c.BY_TWO])
    memo = 0 if ranked else 1 << c.MEMO_BITS
    shuffled = heuristics.is_shuffled
    sequence = np.empty(cells, np.int32) if shuffled else heuristics.sequence(problem)
    rank = np.empty(cells, np.int32)
    if not shuffled:
        rank[sequence] = np.arange(cells, dtype=np.int32)
    none = np.zeros(0, np.int64)
    shares = np.bincount(problem.rules.tile_of, problem.rules.weights, tiles) if tallying else np.ones(1)
    queue = CellQueue(
        sequence=sequence,
        rank=rank,
        tree=np.empty((queues, 0 if ranked else tree_size(cells)), np.int64),
        memo_word=np.zeros(memo, np.uint64),
        memo_key=np.zeros(memo, np.int64),
        position=np.zeros(1, np.int64),
        stamp=np.zeros(cells + 1, np.int64),
        bias=np.empty(cells if knobs[c.BIASED] else 0, np.int64),
        centrality=problem.topology.centrality if knobs[c.CENTRAL] else none,
        shortlist=np.empty((4, 2 * int(knobs[c.SHORTLIST])), np.int32),
        candidate=np.zeros(len(problem.rules), np.int64),
        cap=heuristics.cap_counts(problem) if heuristics.caps else none,
        share=np.rint(shares / shares.sum() * 65536).astype(np.int64),
        quota=compute_usage_quotas(problem.rules, cells, heuristics.prior_counts(problem))
        if knobs[c.CARRYING]
        else none.reshape(0, 2),
        used=np.zeros(tiles, np.int64),
        counted_as=np.full(cells if tallying else 0, -1, np.int32),
        knobs=np.empty_like(knobs),
        tally=np.zeros(c.TALLY_SIZE, np.int64),
    )
    reset_queue(queue, problem, heuristics)
    return queue


def reset_queue(queue: CellQueue, problem: Problem, heuristics: Heuristics) -> None:
    """Reset a queue of the same problem and heuristics before it is filled again."""
    queue.knobs[:] = _find_knobs(problem, heuristics)
    if queue.bias.size:
        queue.bias[:] = heuristics.biases(problem)


def _find_knobs(problem: Problem, heuristics: Heuristics) -> NDArray[np.int64]:
    known = _knobs.setdefault(problem, WeakKeyDictionary())
    knobs = known.get(heuristics)
    if knobs is None:
        knobs = known[heuristics] = heuristics.knobs(problem)
    return knobs


def is_filled_at_once(cells: int) -> bool:
    """Return whether a queue of this number of cells is filled in one step."""
    return cells <= FILLED_AT_ONCE


def fill_queue(
    queue: CellQueue, wave: Wave, table: RuleTable, graph: KernelGraph, shuffled_by: int | None = None
) -> Steps[None]:
    """Queue every undecided cell of the wave in steps, and count the tiles of decided cells if TALLYING.

    shuffled_by : the seed of a random sequence of cells; None: the sequence is already written
    """
    slices = [
        (start, min(start + FILLED_AT_ONCE, wave.collapsed.size))
        for start in range(0, wave.collapsed.size, FILLED_AT_ONCE)
    ]
    queue.position[0] = 0
    # Touch new memory in steps: the code below writes in random order, and its first step would take long.
    for start, stop in slices[1:]:
        if shuffled_by is not None:
            queue.sequence[start:stop] = 0
        queue.tree[:, start:stop] = 0
        yield
    if shuffled_by is not None:
        for start, stop in slices:
            shuffle_cells(queue, to_signed(shuffled_by), start, stop)
            yield
    if queue.knobs[c.TALLYING]:
        tally_all_cells(wave, queue, table)
    if queue.tree.size:
        for start, stop in slices:
            enter_cells(wave, queue, table, graph, start, stop)
            yield
        build_trees(queue)


class WindowOrder:
    """Restricts the fixed order of a search to the cells of one window after another.

    Otherwise the search would visit all cells of the map in each window. Orders with a queue of undecided
    cells need no change.
    """

    def __init__(self, search: SearchState) -> None:
        self._search = search
        self._whole: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None  # sequence and rank
        self._rank = np.zeros(0, np.int32)  # in the window

    def begin(self, cells: NDArray[np.int32], by_rank: bool) -> None:
        """Restrict the order to these cells, in the order of the map (`by_rank`) or as listed."""
        queue = self._search.queue
        if queue.knobs[c.ORDER] != c.BY_RANK:
            return
        if self._whole is None:
            self._whole = queue.sequence, queue.rank
            self._rank = np.zeros(queue.rank.size, np.int32)
        order = cells[np.argsort(self._whole[1][cells])] if by_rank else cells
        self._rank[order] = np.arange(order.size, dtype=np.int32)
        order = np.ascontiguousarray(order, np.int32)
        self._search.queue = queue.with_changes(sequence=order, rank=self._rank)
        queue.position[0] = 0

    def end(self) -> None:
        """Restore the order of all cells, all of which are decided."""
        if self._whole is not None:
            sequence, rank = self._whole
            self._search.queue = self._search.queue.with_changes(sequence=sequence, rank=rank)
            self._search.queue.position[0] = sequence.size
            self._whole = None
