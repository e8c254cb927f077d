"""Create and grow the wave, and read the state of a search by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels import constants as c
from wavefold.kernels import regions
from wavefold.kernels.choose import priority
from wavefold.kernels.constraints.network_nodes import NEEDED_SIZE, NODE_ROWS
from wavefold.kernels.structs import CellNumbers, CellPattern, CellQueue, KernelGraph, RuleTable, Wave
from wavefold.kernels.vectors import ROW
from wavefold.solver.problem import Problem
from wavefold.tiles import Rules

MOST_SNAPSHOT_BYTES = 4 << 30
MOST_NEW_ENTRIES = 1 << 20  # of a new trail, or two for each cell


def create_wave(
    graph: KernelGraph, table: RuleTable, method: int, words: NDArray[np.uint64], snapshot: bool
) -> Wave:
    """Create a wave, without propagation.

    words : domains, then live classes if the method uses them
    """
    cells, directions = graph.neighbour.shape
    width = table.rows.shape[2]
    classes = table.rows.shape[1]
    if snapshot and cells * words.nbytes > MOST_SNAPSHOT_BYTES:
        raise ConfigError(
            f"undo='snapshot' may need {cells * words.nbytes / 2**30:.0f} GiB for this map; use undo='delta'"
        )
    # Large, because unwritten memory costs nothing. On large maps, old decisions become final instead.
    room = min(16 * cells * width, max(2 * cells, MOST_NEW_ENTRIES))
    room += 64 * (directions + 2) * (width + 2 * -(-classes // 64))
    wave = Wave(
        words=words,
        changed=np.empty(1 << int(cells).bit_length(), np.int32),
        changed_by=np.full(cells, c.IDLE, np.uint8),
        trail_at=np.empty(room, np.int32),
        trail_removed=np.empty(room, np.uint64),
        counter=np.zeros((cells, directions, classes) if method == c.AC4 else (0, 0, 0), np.int32),
        seen=words[: words.size if method in (c.AC3_REMOVALS, c.AC3_ROWS) else 0].copy(),
        gone=np.zeros(ROW if method == c.AC3_ROWS else width, np.uint64),
        listed=np.zeros(2 * width * 64 + 1, np.int32),
        decision_cell=np.empty(cells + 1, np.int32),
        decision_pattern=np.empty(cells + 1, np.int32),
        decision_mark=np.empty((cells + 1, 2), np.int64),
        refuted=np.empty(cells, np.int32),
        collapsed=np.zeros(cells, np.uint8),
        snapshot=np.empty((64 if snapshot else 0, words.size), np.uint64),
        scratch=np.zeros(ROW + width + len(table.rows) * -(-classes // 64), np.uint64),
        state=np.empty(c.STATE_SIZE, np.int64),
        **create_propagator_arrays(table, cells),
    )
    reset_state(wave.state, method, snapshot)
    return wave


def create_propagator_arrays(table: RuleTable, cells: int) -> dict[str, NDArray[Any]]:
    """Create the arrays of a wave that the propagators of a table write."""
    families = table.propagator[:, c.FAMILY]
    tallies, networks = int((families == c.TALLY).sum()), int((families == c.NETWORK).sum())
    spreads = bool(np.isin(families, c.SPREADING).any())
    nodes = cells * table.path_mask.shape[1] if networks else 0
    return {
        "presence": np.zeros((tallies, cells), np.uint8),
        "total": np.zeros((tallies, 2), np.int64),
        "reached": np.zeros((cells + 1) * spreads, np.int64),
        "frontier": np.zeros(cells * spreads, np.int32),
        "joined": np.zeros((networks, nodes), np.int32),
        "required": np.zeros((networks, nodes), np.uint8),
        "needed": np.zeros((networks, NEEDED_SIZE), np.int64),
        "node": np.zeros((NODE_ROWS, nodes + bool(nodes)), np.int32),  # labels begin with 1
    }


def reset_state(state: NDArray[np.int64], method: int, snapshot: bool) -> None:
    """Reset the state to that of a new wave."""
    state.fill(0)
    state[c.METHOD] = method
    state[c.PATIENCE] = -1
    state[c.WORK_LEFT] = c.WORK_SLICE
    state[c.JUMP_LENGTH] = 1
    state[c.EMPTY_CELL] = state[c.LAST_CELL] = c.NOWHERE
    state[c.SNAPSHOT] = snapshot
    state[c.CONSTRAINED] = state[c.NETWORKED] = -1


def count_counter_bytes(rules: Rules, method: int) -> int:
    """Return the bytes per cell of the counters of ac4; 0 for other methods."""
    return sum(4 * len(relation.rows) for relation in rules.relations) if method == c.AC4 else 0


def count_extra_words(graph: KernelGraph, table: RuleTable, method: int) -> int:
    """Count the words after the domains in `Wave.words`: live classes, or padding of the last row."""
    if method == c.AC3_CLASSES:
        return int(graph.neighbour.size * -(-table.rows.shape[1] // 64))
    return ROW - 1 if method == c.AC3_ROWS else 0


def forget_decisions(wave: Wave, count: int) -> None:
    """Make the first `count` decisions final, so that they can no longer be undone."""
    state = wave.state
    depth, used = int(state[c.DEPTH]), int(state[c.TRAIL])
    mark = int(wave.decision_mark[count, 0])
    logs: list[NDArray[Any]] = [wave.trail_at, wave.trail_removed]
    for array in logs:
        array[: used - mark] = array[mark:used].copy()
    decisions: list[NDArray[Any]] = [wave.decision_cell, wave.decision_pattern, wave.decision_mark]
    for array in decisions:
        array[: depth - count] = array[count:depth].copy()
    wave.decision_mark[: depth - count, 0] -= mark
    state[c.TRAIL] -= mark
    for name in (c.REFRESHED, c.KINDS_CHECKED):
        state[name] = max(0, int(state[name]) - mark)
    state[c.DEPTH] -= count
    state[c.PROGRESS] -= count
    state[c.COMMITTED] += count


def grow_buffers(wave: Wave) -> Wave:
    """Return the wave with a trail twice as long, and twice as many snapshots."""
    used = int(wave.state[c.TRAIL])
    trail_at = np.empty(2 * wave.trail_at.size, np.int32)
    trail_removed = np.empty(2 * wave.trail_at.size, np.uint64)
    trail_at[:used], trail_removed[:used] = wave.trail_at[:used], wave.trail_removed[:used]
    snapshot = wave.snapshot
    if snapshot.size:
        snapshot = np.empty((2 * len(snapshot), wave.words.size), np.uint64)
        snapshot[: len(wave.snapshot)] = wave.snapshot
    return wave.with_changes(trail_at=trail_at, trail_removed=trail_removed, snapshot=snapshot)


class SearchState:
    """Read access to a search; `Engine` adds the methods that change it."""

    problem: Problem
    table: RuleTable
    wave: Wave
    queue: CellQueue
    state: NDArray[np.int64]  # of the wave, see `kernels.constants`; read-only outside this package

    @property
    def domains(self) -> NDArray[np.uint64]:
        """uint64 [cell, word]: a view of the current domains."""
        width = self.problem.rules.words
        return self.wave.words[: self.problem.cell_count * width].reshape(-1, width)

    @property
    def depth(self) -> int:
        """The number of decisions in force."""
        return int(self.state[c.DEPTH])

    @property
    def decision_count(self) -> int:
        """The number of decisions made, including undone ones."""
        return int(self.state[c.DECISIONS])

    @property
    def backtracks(self) -> int:
        """The number of decisions that were undone and refuted."""
        return int(self.state[c.BACKTRACKS])

    @property
    def contradictions(self) -> int:
        """How often a cell was emptied."""
        return int(self.state[c.CONTRADICTIONS])

    @property
    def empty_cell(self) -> int:
        """The cell that was emptied last, or -1."""
        return int(self.state[c.EMPTY_CELL])

    @property
    def last_cell(self) -> int:
        """The cell of the last decision."""
        return max(0, int(self.state[c.LAST_CELL]))

    @property
    def in_conflict(self) -> bool:
        """Whether a cell is empty, so that the next step goes back."""
        return bool(self.state[c.PHASE] == c.CONFLICT)

    @property
    def is_choosing(self) -> bool:
        """Whether all consequences are propagated, so that the next step is a decision."""
        return bool(self.state[c.PHASE] == c.CHOOSING)

    def decisions(self) -> list[tuple[int, int]]:
        """List the decisions in force, oldest first, as cell and pattern."""
        cells, patterns = self.wave.decision_cell[: self.depth], self.wave.decision_pattern[: self.depth]
        return list(zip(cells.tolist(), patterns.tolist(), strict=True))

    def entropies(self) -> NDArray[np.int64]:
        """Compute the entropy [cell] in nats / 2**20."""
        result = CellNumbers(np.empty(self.problem.cell_count, np.int64))
        priority.compute_entropies(self.wave, self.queue, self.table, result)
        return result.number

    def read_patterns(self) -> NDArray[np.int32]:
        """Return the lowest pattern of each cell."""
        result = CellPattern(np.empty(self.wave.collapsed.size, np.int32))
        regions.read_patterns(self.wave, self.table, result)
        return result.pattern
