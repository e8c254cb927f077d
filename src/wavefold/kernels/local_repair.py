"""Local repair: undo the decisions near a conflict and keep all others."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import has_one
from wavefold.kernels.choose.cell_queue import refresh_cell, tally_cell
from wavefold.kernels.propagate.classes import reset_live_classes
from wavefold.kernels.propagate.removals import forget_visits
from wavefold.kernels.structs import CellQueue, Domains, KernelGraph, RepairCells, RuleTable, Wave
from wavefold.kernels.trail import schedule_visit
from wavefold.kernels.units import kernel

OUTSIDE, LISTED = 0, 1  # values of `mark` [cell]
COOLING = 32  # repairs elsewhere after which the growth of a cell is reset


@kernel
def list_ball(graph: KernelGraph, cells: RepairCells, centre: int, radius: int) -> int:
    """List the cells at most `radius` steps from `centre`. Return their number."""
    mark, line = cells.mark, cells.line
    mark[centre] = LISTED
    line[0] = centre
    start, stop = 0, 1
    for _ in range(radius):
        ring_end = stop
        for position in range(start, ring_end):
            for direction in range(graph.neighbour.shape[1]):
                other = graph.neighbour[line[position], direction]
                if other != c.NOWHERE and mark[other] == OUTSIDE:
                    mark[other] = LISTED
                    line[stop] = other
                    stop += 1
        start = ring_end
    return stop


@kernel
def list_growing_ball(
    wave: Wave,
    rules: RuleTable,
    graph: KernelGraph,
    cells: RepairCells,
    centre: int,
    radius: int,
    number: int,
) -> int:
    """List the ball for the repair with this number. Return its size.

    The radius grows where conflicts recur. The growth is reset when all cells of the previous ball have been
    decided, and after COOLING repairs elsewhere.
    """
    growth, repaired, ball = cells.growth, cells.repaired, cells.ball
    width = rules.rows.shape[2]
    last = np.int64(ball[ball.size - 1])
    are_decided = last > 0
    for position in range(last):
        are_decided &= has_one(wave.words, np.int64(ball[position]) * width, width)
    if are_decided:
        for position in range(last):
            growth[ball[position]] = 0
    if number - repaired[centre] > COOLING:
        growth[centre] = 0
    size = list_ball(graph, cells, centre, radius + growth[centre])
    grown = growth[centre] + 1
    for position in range(size):
        cell = cells.line[position]
        ball[position], growth[cell], repaired[cell] = cell, grown, number
    ball[ball.size - 1] = size
    return size


def is_free(wave: Wave, root: Domains, cell: int, width: int) -> bool:
    """Whether a cell is undecided and has all the patterns that it had at the root."""
    for at in range(cell * width, cell * width + width):
        if wave.words[at] != root.words[at]:
            return False
    return not has_one(wave.words, cell * width, width)


def list_undecided(wave: Wave, rules: RuleTable, cells: RepairCells, cell: int, listed: int) -> int:
    """Append an undecided cell to the `listed` cells unless it is one of them. Return their new number."""
    width = rules.rows.shape[2]
    if cells.mark[cell] != OUTSIDE or has_one(wave.words, cell * width, width):
        return listed
    cells.mark[cell] = LISTED
    cells.line[listed] = cell
    return listed + 1


def list_changed(wave: Wave, rules: RuleTable, cells: RepairCells, listed: int) -> int:
    """List the undecided cells on the trail, that is, those narrowed since the last repair."""
    width = rules.rows.shape[2]
    for entry in range(wave.state[c.TRAIL]):
        cell = np.int64(wave.trail_at[entry] // width)
        if cell < cells.mark.size:
            listed = list_undecided(wave, rules, cells, cell, listed)
    return listed


def list_narrowed(wave: Wave, rules: RuleTable, cells: RepairCells, root: Domains, listed: int) -> int:
    """List the undecided cells that lost patterns since the root."""
    width = rules.rows.shape[2]
    for cell in range(cells.mark.size):
        if not is_free(wave, root, cell, width):
            listed = list_undecided(wave, rules, cells, cell, listed)
    return listed


def list_affected(
    wave: Wave, rules: RuleTable, graph: KernelGraph, cells: RepairCells, root: Domains, listed: int
) -> int:
    """List the undecided cells whose domains may depend on listed cells or on refuted patterns.

    Every removal follows from neighbours that were decided or had lost patterns. Decided cells are kept, so
    their consequences stay valid. Only cells connected with the others by a path of undecided, narrowed cells
    are affected.
    """
    width = rules.rows.shape[2]
    for position in range(wave.state[c.REFUTED]):
        listed = list_undecided(wave, rules, cells, np.int64(wave.refuted[position]), listed)
    position = 0
    while position < listed:
        cell = np.int64(cells.line[position])
        position += 1
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[cell, direction])
            if other != c.NOWHERE and cells.mark[other] == OUTSIDE and not is_free(wave, root, other, width):
                listed = list_undecided(wave, rules, cells, other, listed)
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
    """Reset the `listed` cells, and all cells that depend on them, to the root. Return the number of cells.

    Call this only between propagations. The next propagation visits the neighbours of the cells, so the
    result is the same as if the decided cells had been pinned at the root. The trail and all refutations are
    discarded. Afterwards, `mark` is OUTSIDE for all cells. The cost depends on the surroundings of the listed
    cells, not on the size of the map.
    """
    state = wave.state
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    mark, line = cells.mark, cells.line
    # Constraints connect distant cells. With a bias, the keys of all narrowed cells must be updated.
    is_local = rules.propagator.shape[0] == 0 and state[c.PRUNING] != c.BY_CALLER
    is_local = is_local and queue.knobs[c.BIASED] == 0
    if not is_local:
        listed = list_changed(wave, rules, cells, listed)
    elif state[c.REFUTED] > wave.refuted.size:
        listed = list_narrowed(wave, rules, cells, root, listed)
    else:
        listed = list_affected(wave, rules, graph, cells, root, listed)
    for name in (
        c.DEPTH,
        c.TRAIL,
        c.PROPAGATED,
        c.KINDS_CHECKED,
        c.REFRESHED,
        c.PROGRESS,
        c.CONFLICTS,
        c.RETURN_TO,
        c.REFUTED,
        c.COMMITTED,
    ):
        state[name] = 0
    state[c.CONSTRAINED] = state[c.NETWORKED] = -1
    for position in range(listed):
        cell = np.int64(line[position])
        wave.collapsed[cell] = 0
        for word in range(cell * width, cell * width + width):
            wave.words[word] = root.words[word]
    for position in range(listed):
        cell = np.int64(line[position])
        if state[c.METHOD] == c.AC3_CLASSES:
            reset_live_classes(wave, rules, graph, cell)
        elif wave.seen.size > 0:
            forget_visits(wave, rules, cell)
        if queue.knobs[c.TALLYING] != 0:
            tally_cell(wave, queue, rules, cell)
        if queue.knobs[c.ORDER] != c.BY_RANK:
            refresh_cell(wave, queue, rules, graph, cell)
        elif queue.rank[cell] < queue.position[0]:
            queue.position[0] = queue.rank[cell]
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            if other == c.NOWHERE or mark[other] != OUTSIDE or wave.changed_by[other] != c.IDLE:
                continue
            if not (is_local and is_free(wave, root, other, width)):
                if state[c.METHOD] == c.AC3_CLASSES:
                    reset_live_classes(wave, rules, graph, other)
                elif wave.seen.size > 0:
                    forget_visits(wave, rules, other)
                schedule_visit(wave, rules, other)
    for position in range(listed):
        mark[line[position]] = OUTSIDE
    state[c.PHASE] = c.PROPAGATING
    return listed
