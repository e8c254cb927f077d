"""Local repair: un-decide the cells near a conflict and keep the rest."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.ac3_classes import reset_live_classes
from wavefold.kernels.ac3_removals import forget_visits
from wavefold.kernels.bits import has_one
from wavefold.kernels.cell_queue import refresh_cell, tally_cell
from wavefold.kernels.constants import (
    AC3_CLASSES,
    BY_RANK,
    CONFLICTS,
    CONSTRAINED,
    DEPTH,
    IDLE,
    KINDS_CHECKED,
    METHOD,
    NETWORKED,
    NOWHERE,
    ORDER,
    PHASE,
    PROGRESS,
    PROPAGATED,
    PROPAGATING,
    REFRESHED,
    RETURN_TO,
    TALLYING,
    TRAIL,
)
from wavefold.kernels.structs import CellQueue, Domains, KernelGraph, RepairCells, RuleTable, Wave
from wavefold.kernels.trail import schedule_visit
from wavefold.kernels.units import kernel

OUTSIDE, LISTED = 0, 1  # values of `mark` [cell]


@kernel
def list_ball(graph: KernelGraph, cells: RepairCells, centre: int, radius: int) -> int:
    """List the cells at most `radius` steps from `centre`; returns their number."""
    mark, line = cells.mark, cells.line
    mark[centre] = LISTED
    line[0] = centre
    start, stop = 0, 1
    for _ in range(radius):
        ring_end = stop
        for position in range(start, ring_end):
            for direction in range(graph.neighbour.shape[1]):
                other = graph.neighbour[line[position], direction]
                if other != NOWHERE and mark[other] == OUTSIDE:
                    mark[other] = LISTED
                    line[stop] = other
                    stop += 1
        start = ring_end
    return stop


def list_narrowed(wave: Wave, rules: RuleTable, cells: RepairCells, listed: int) -> int:
    """List every undecided cell that was narrowed since the root; the trail names them all."""
    mark, line = cells.mark, cells.line
    width = rules.rows.shape[2]
    for entry in range(wave.state[TRAIL]):
        cell = np.int64(wave.trail_at[entry] // width)
        if cell < mark.size and mark[cell] == OUTSIDE and not has_one(wave.words, cell * width, width):
            mark[cell] = LISTED
            line[listed] = cell
            listed += 1
    return listed


@kernel
def undecide_cells(
    wave: Wave,
    queue: CellQueue,
    rules: RuleTable,
    graph: KernelGraph,
    cells: RepairCells,
    root: Domains,
    listed: int,
) -> int:
    """Reset the first `listed` cells, and all narrowed ones, to their root; returns their number.

    The wave must not be in the middle of a propagation. What the decided cells imply is propagated again,
    so the result is the same as if they had been pinned at the root. All refutations are dropped with the
    domains that held them, and so is the trail. `mark` is all OUTSIDE afterwards. The cost depends on the
    cells touched since the last repair, not on the size of the map.
    """
    state = wave.state
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    mark, line = cells.mark, cells.line
    listed = list_narrowed(wave, rules, cells, listed)
    for name in (DEPTH, TRAIL, PROPAGATED, KINDS_CHECKED, REFRESHED, PROGRESS, CONFLICTS, RETURN_TO):
        state[name] = 0
    state[CONSTRAINED] = state[NETWORKED] = -1
    for position in range(listed):
        cell = np.int64(line[position])
        wave.collapsed[cell] = 0
        for word in range(cell * width, cell * width + width):
            wave.words[word] = root.words[word]
    for position in range(listed):
        cell = np.int64(line[position])
        if state[METHOD] == AC3_CLASSES:
            reset_live_classes(wave, rules, graph, cell)
        elif wave.seen.size > 0:
            forget_visits(wave, rules, cell)
        if queue.knobs[TALLYING] != 0:
            tally_cell(wave, queue, rules, cell)
        if queue.knobs[ORDER] != BY_RANK:
            refresh_cell(wave, queue, rules, graph, cell)
        elif queue.rank[cell] < queue.position[0]:
            queue.position[0] = queue.rank[cell]
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            if other != NOWHERE and mark[other] == OUTSIDE and wave.changed_by[other] == IDLE:
                if state[METHOD] == AC3_CLASSES:
                    reset_live_classes(wave, rules, graph, other)
                elif wave.seen.size > 0:
                    forget_visits(wave, rules, other)
                schedule_visit(wave, rules, other)
    for position in range(listed):
        mark[line[position]] = OUTSIDE
    state[PHASE] = PROPAGATING
    return listed
