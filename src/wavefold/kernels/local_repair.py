"""Local repair: open a ball around a conflict again and keep the rest."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.ac3_classes import reset_live_classes
from wavefold.kernels.cell_queue import refresh_cell, tally_cell
from wavefold.kernels.constants import (
    AC3_CLASSES,
    BY_RANK,
    CONFLICTS,
    DEPTH,
    IDLE,
    KINDS_CHECKED,
    METHOD,
    NOWHERE,
    ORDER,
    PHASE,
    PROGRESS,
    PROPAGATED,
    PROPAGATING,
    REFRESHED,
    TALLYING,
    TRAIL,
)
from wavefold.kernels.domains import has_one
from wavefold.kernels.jit import inner, kernel
from wavefold.kernels.propagation import schedule_visit
from wavefold.kernels.structs import CellQueue, Graph, RuleTable, Wave

OUTSIDE, REOPENED = 0, 1


@kernel
def list_ball(graph: Graph, centre: int, radius: int, place: np.ndarray, line: np.ndarray) -> int:
    """List the cells at most `radius` steps away in `line` and mark them REOPENED; how many they are."""
    place[centre] = REOPENED
    line[0] = centre
    start, stop = 0, 1
    for _ in range(radius):
        ring_end = stop
        for position in range(start, ring_end):
            for direction in range(graph.neighbour.shape[1]):
                other = graph.neighbour[line[position], direction]
                if other != NOWHERE and place[other] == OUTSIDE:
                    place[other] = REOPENED
                    line[stop] = other
                    stop += 1
        start = ring_end
    return stop


@inner
def list_narrowed(
    wave: Wave, rules: RuleTable, graph: Graph, place: np.ndarray, line: np.ndarray, listed: int
) -> int:
    """Add every undecided cell that is no longer as it was at the root: the trail names them all."""
    cells = graph.neighbour.shape[0]
    width = rules.rows.shape[2]
    for entry in range(wave.state[TRAIL]):
        cell = np.int64(wave.trail_at[entry] // width)
        if cell < cells and place[cell] == OUTSIDE and not has_one(wave.words, cell * width, width):
            place[cell] = REOPENED
            line[listed] = cell
            listed += 1
    return listed


@kernel
def undecide_cells(
    wave: Wave,
    queue: CellQueue,
    rules: RuleTable,
    graph: Graph,
    root: np.ndarray,
    place: np.ndarray,
    line: np.ndarray,
    listed: int,
) -> int:
    """Give the listed cells, and all narrowed ones, the domain of the root; how many they are.

    The wave must be at rest, not half-way in a propagation. What the decided cells imply is propagated
    anew, so the result is the same as if they had been pinned at the root. All refutations are gone with
    the domains that held them, and so is the trail. `place` is clean again afterwards. The cost is that
    of the cells touched since the last repair.
    """
    state = wave.state
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    listed = list_narrowed(wave, rules, graph, place, line, listed)
    for name in (DEPTH, TRAIL, PROPAGATED, KINDS_CHECKED, REFRESHED, PROGRESS, CONFLICTS):
        state[name] = 0
    for position in range(listed):
        cell = np.int64(line[position])
        wave.collapsed[cell] = 0
        for word in range(cell * width, cell * width + width):
            wave.words[word] = root[word]
    for position in range(listed):
        cell = np.int64(line[position])
        if state[METHOD] == AC3_CLASSES:
            reset_live_classes(wave, rules, graph, cell)
        if queue.knobs[TALLYING] != 0:
            tally_cell(wave, queue, rules, cell)
        if queue.knobs[ORDER] != BY_RANK:
            refresh_cell(wave, queue, rules, graph, cell)
        elif queue.rank[cell] < queue.size[0, 0]:
            queue.size[0, 0] = queue.rank[cell]
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            if other != NOWHERE and place[other] == OUTSIDE and wave.changed_by[other] == IDLE:
                if state[METHOD] == AC3_CLASSES:
                    reset_live_classes(wave, rules, graph, other)
                schedule_visit(wave, rules, other)
    for position in range(listed):
        place[line[position]] = OUTSIDE
    state[PHASE] = PROPAGATING
    return listed
