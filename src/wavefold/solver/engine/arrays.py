"""The arrays that change while solving: created, enlarged, filled, and read by name."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import count_set_bits
from wavefold.errors import ConfigError
from wavefold.kernels import constants, priority, regions
from wavefold.kernels.cell_queue import tally_cell
from wavefold.kernels.constants import AC3_CLASSES, AC3_REMOVALS, AC4, NOWHERE
from wavefold.kernels.priority import compute_all_keys
from wavefold.kernels.search import prepare_search
from wavefold.kernels.structs import CellQueue, KernelGraph, RuleTable, Wave
from wavefold.solver.engine.weights import usage_quotas
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.tiles import Rules

MOST_SNAPSHOT_BYTES = 4 << 30

_knobs: WeakKeyDictionary[Problem, WeakKeyDictionary[Heuristics, NDArray[np.int64]]] = WeakKeyDictionary()


def create_wave(
    graph: KernelGraph, table: RuleTable, method: int, words: NDArray[np.uint64], snapshot: bool
) -> Wave:
    """A wave with these words: domains, then live classes if the method needs them. Nothing is propagated."""
    cells, directions = graph.neighbour.shape
    width = table.rows.shape[2]
    classes = table.rows.shape[1]
    if snapshot and cells * words.nbytes > MOST_SNAPSHOT_BYTES:
        raise ConfigError(
            f"undo='snapshot' may need {cells * words.nbytes / 2**30:.0f} GiB here; use undo='delta'"
        )
    state = np.zeros(constants.STATE_SIZE, np.int64)
    state[constants.METHOD] = method
    state[constants.PATIENCE] = -1
    state[constants.WORK_LEFT] = constants.WORK_SLICE
    state[constants.JUMP_LENGTH] = 1
    state[constants.EMPTY_CELL] = state[constants.LAST_CELL] = NOWHERE
    state[constants.SNAPSHOT] = snapshot
    # Generous: memory that is never written costs nothing.
    room = 16 * cells * width + 64 * (directions + 2) * (width + 2 * -(-classes // 64))
    return Wave(
        words=words,
        changed=np.empty(1 << int(cells).bit_length(), np.int32),
        changed_by=np.full(cells, constants.IDLE, np.uint8),
        trail_at=np.empty(room, np.int32),
        trail_removed=np.empty(room, np.uint64),
        counter=np.zeros((cells, directions, classes) if method == AC4 else (0, 0, 0), np.int32),
        seen=words[: cells * width if method == AC3_REMOVALS else 0].copy(),
        gone=np.zeros(width, np.uint64),
        listed=np.zeros(width * 64, np.int32),
        decision_cell=np.empty(cells + 1, np.int32),
        decision_pattern=np.empty(cells + 1, np.int32),
        decision_mark=np.empty((cells + 1, 2), np.int64),
        collapsed=np.zeros(cells, np.uint8),
        snapshot=np.empty((64 if snapshot else 0, words.size), np.uint64),
        scratch=np.zeros(4 + width + len(table.rows) * -(-classes // 64), np.uint64),
        state=state,
    )


def bytes_of_counters(rules: Rules, method: int) -> int:
    """What the counters of ac4 take for each cell; other methods have none."""
    return sum(4 * len(relation.rows) for relation in rules.relations) if method == AC4 else 0


def count_class_words(graph: KernelGraph, table: RuleTable, method: int) -> int:
    """How many words of live classes follow the domains in `Wave.words`."""
    return int(graph.neighbour.size) * -(-table.rows.shape[1] // 64) if method == AC3_CLASSES else 0


def grow_buffers(wave: Wave) -> Wave:
    """The same wave with a trail twice as long, and twice as many snapshots."""
    used = int(wave.state[constants.TRAIL])
    trail_at = np.empty(2 * wave.trail_at.size, np.int32)
    trail_removed = np.empty(2 * wave.trail_at.size, np.uint64)
    trail_at[:used], trail_removed[:used] = wave.trail_at[:used], wave.trail_removed[:used]
    snapshot = wave.snapshot
    if snapshot.size:
        snapshot = np.empty((2 * len(snapshot), wave.words.size), np.uint64)
        snapshot[: len(wave.snapshot)] = wave.snapshot
    return wave.with_changes(trail_at=trail_at, trail_removed=trail_removed, snapshot=snapshot)


def create_cell_queue(problem: Problem, heuristics: Heuristics, seed: int) -> CellQueue:
    """The queue of a problem before any key is computed."""
    cells, tiles = problem.cell_count, len(problem.rules.tiles)
    known = _knobs.setdefault(problem, WeakKeyDictionary())
    if heuristics not in known:
        known[heuristics] = heuristics.knobs(problem)
    knobs = known[heuristics].copy()
    ranked = knobs[constants.ORDER] == constants.BY_RANK
    tallying = bool(knobs[constants.TALLYING])
    queues = 1 + int(knobs[constants.SECOND])
    queued = 0 if ranked else cells
    sequence = heuristics.sequence(problem, seed)
    rank = np.empty(0 if ranked else cells, np.int32)
    if not ranked:
        rank[sequence] = np.arange(cells, dtype=np.int32)
    none = np.zeros(0, np.int64)
    shares = np.bincount(problem.rules.tile_of, problem.rules.weights, tiles) if tallying else np.ones(1)
    return CellQueue(
        sequence=sequence,
        rank=rank,
        key=np.zeros((queues, queued), np.int64),
        untouched=np.zeros((queues, queued), np.uint64),
        heap=np.empty((queues, 2 * queued + 2048), np.uint64),
        size=np.zeros((queues, 3), np.int64),
        stamp=np.zeros(cells + 1, np.int64),
        bias=heuristics.biases(problem) if knobs[constants.BIASED] else none,
        centrality=problem.topology.centrality if knobs[constants.CENTRAL] else none,
        shortlist=np.empty((4, 2 * int(knobs[constants.SHORTLIST])), np.int32),
        candidate=np.zeros(len(problem.rules), np.int64),
        cap=heuristics.cap_counts(problem) if heuristics.caps else none,
        share=np.rint(shares / shares.sum() * 65536).astype(np.int64),
        quota=usage_quotas(problem.rules, cells, heuristics.prior_counts(problem))
        if knobs[constants.CARRYING]
        else none.reshape(0, 2),
        used=np.zeros(tiles, np.int64),
        counted_as=np.full(cells if tallying else 0, -1, np.int32),
        knobs=knobs,
        tally=np.zeros(constants.TALLY_SIZE, np.int64),
    )


def fill_queue(queue: CellQueue, wave: Wave, table: RuleTable, graph: KernelGraph) -> None:
    """Add every undecided cell of the wave to the queue, and count the tiles of decided ones if TALLYING."""
    prepare_search(queue)
    if queue.knobs[constants.TALLYING]:
        for cell in range(wave.changed_by.size):
            tally_cell(wave, queue, table, cell)
    for criterion in range(len(queue.key) if queue.key.size else 0):
        compute_all_keys(wave, queue, table, graph, criterion == 1)
        waiting = queue.key[criterion][queue.sequence]
        rank = np.arange(waiting.size)
        if (waiting != waiting[0]).any():
            rank = np.argsort(waiting, kind="stable")
            waiting = waiting[rank]
        queue.untouched[criterion] = (waiting << constants.RANK_BITS) | rank


class SearchState:
    """A search as it stands. `Engine` adds everything that changes it."""

    problem: Problem
    table: RuleTable
    wave: Wave
    queue: CellQueue
    state: NDArray[np.int64]  # of the wave: see `kernels.constants`. Read only, outside of this package

    @property
    def domains(self) -> NDArray[np.uint64]:
        """[cell, word] a view of the domains as they are."""
        width = self.problem.rules.words
        return self.wave.words[: self.problem.cell_count * width].reshape(-1, width)

    @property
    def depth(self) -> int:
        """How many decisions are in force."""
        return int(self.state[constants.DEPTH])

    @property
    def decision_count(self) -> int:
        """How many decisions were made, undone ones included."""
        return int(self.state[constants.DECISIONS])

    @property
    def backtracks(self) -> int:
        """How many decisions were undone and refuted."""
        return int(self.state[constants.BACKTRACKS])

    @property
    def contradictions(self) -> int:
        """How often a cell was emptied."""
        return int(self.state[constants.CONTRADICTIONS])

    @property
    def empty_cell(self) -> int:
        """The cell that was emptied last, or -1."""
        return int(self.state[constants.EMPTY_CELL])

    @property
    def last_cell(self) -> int:
        """The cell of the last decision, by which the search steers."""
        return max(0, int(self.state[constants.LAST_CELL]))

    @property
    def in_conflict(self) -> bool:
        """A cell is empty; the next step goes back."""
        return bool(self.state[constants.PHASE] == constants.CONFLICT)

    @property
    def is_choosing(self) -> bool:
        """All consequences are propagated; the next step is a decision."""
        return bool(self.state[constants.PHASE] == constants.CHOOSING)

    def decisions(self) -> list[tuple[int, int]]:
        """The decisions in force, oldest first: cell and pattern."""
        cells, patterns = self.wave.decision_cell[: self.depth], self.wave.decision_pattern[: self.depth]
        return list(zip(cells.tolist(), patterns.tolist(), strict=True))

    def entropies(self) -> NDArray[np.int64]:
        """[cell] in nats / 2**20."""
        result = np.empty(self.problem.cell_count, np.int64)
        priority.compute_entropies(self.wave, self.queue, self.table, result)
        return result

    def are_decided(self, cells: NDArray[np.int32]) -> bool:
        """Whether each of these cells is down to one pattern."""
        return bool((count_set_bits(self.domains[cells]) == 1).all())

    def read_patterns(self) -> NDArray[np.int32]:
        """[cell] the lowest pattern of each cell."""
        patterns = np.empty(self.wave.collapsed.size, np.int32)
        regions.read_patterns(self.wave, self.table, patterns)
        return patterns
