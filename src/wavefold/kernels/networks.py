"""Networks: paths through cells, joined where their sides face each other, of which something must hold.

After each propagation, nodes are brought up to date, and pieces that were cut off are found
(`network_pieces`). A look at the whole map (`network_walk`) finds more, and costs as much as hundreds of
decisions. So there are pauses: twice as long after each look that found all well, none after a conflict.
They are counted in decisions, as all that shapes maps. A conflict that a look finds late is blamed on no
single decision: the search goes back to the look before, and looks more often from there.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import (
    BY_NOBODY,
    CONNECTED,
    CONSISTENT,
    DECISIONS,
    DEPTH,
    DRAINED,
    EMPTY,
    FAMILY,
    FULL,
    GOAL,
    LOOPS,
    NARROWED,
    NETWORK,
    NETWORKED,
    NETWORKS_DEPTH,
    NETWORKS_DUE,
    NETWORKS_PAUSE,
    NO_LOOPS,
    PRUNING,
    REACHED,
    RETURN_TO,
    ROW,
    SPAN,
    TRAIL,
    WORK_LEFT,
)
from wavefold.kernels.network_drains import drain_rivers
from wavefold.kernels.network_loops import break_loops
from wavefold.kernels.network_nodes import NEEDED, divide, rate_node
from wavefold.kernels.network_pieces import LISTED, LOST, close_pieces
from wavefold.kernels.network_steps import limit_steps
from wavefold.kernels.network_walk import close_loops, connect
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part

SHORTEST_PAUSE, LONGEST_PAUSE = 64, 4  # the first and the last, as shares of the cells of the map
MOST_LISTED = 256  # if more nodes lost sides at once, a look at the whole map is cheaper


def apply_networks(wave: Wave, rules: RuleTable, graph: KernelGraph, is_over: bool) -> int:
    """Follow the changes of all networks; look at them if it is time, or the map is finished.

    CONSISTENT, NARROWED, EMPTY or FULL.
    """
    state = wave.state
    if state[PRUNING] == BY_NOBODY or rules.path_mask.shape[0] == 0:
        return CONSISTENT
    status = np.int64(follow_changes(wave, rules, graph))
    if status != CONSISTENT or (not is_over and state[DECISIONS] < state[NETWORKS_DUE]):
        return status
    status = np.int64(look_at_networks(wave, rules, graph))
    if status == EMPTY:
        state[NETWORKS_PAUSE] = 0
        if state[DEPTH] > state[NETWORKS_DEPTH] + 1:
            state[RETURN_TO] = state[NETWORKS_DEPTH] + 1
    else:
        longest = graph.neighbour.shape[0] // LONGEST_PAUSE
        state[NETWORKS_PAUSE] = min(longest, 2 * state[NETWORKS_PAUSE] + 1)
        state[NETWORKS_DEPTH] = state[DEPTH]
    state[NETWORKS_DUE] = state[DECISIONS] + state[NETWORKS_PAUSE]
    return status


@kernel_part
def follow_changes(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Bring the nodes of all networks up to date: CONSISTENT, NARROWED, EMPTY or FULL."""
    state, (cells, directions) = wave.state, graph.neighbour.shape
    before, start = state[TRAIL], state[NETWORKED]
    # Each node of each network removes from a word at most once for a side, and a few times else.
    most = (directions + 2) * rules.path_mask.shape[0] * rules.path_mask.shape[1]
    if before > wave.trail_at.size - most * cells * rules.rows.shape[2]:
        return FULL
    state[NETWORKED] = before
    for each in range(rules.propagator.shape[0]):
        if rules.propagator[each, FAMILY] != NETWORK:
            continue
        if start < 0:
            rate_all(wave, rules, each)
            state[NETWORKS_DUE], state[NETWORKS_DEPTH] = state[DECISIONS], state[DEPTH]
            state[NETWORKS_PAUSE] = cells // SHORTEST_PAUSE
            continue
        row, goal = rules.propagator[each, ROW], rules.propagator[each, GOAL]
        needed = wave.needed[row, NEEDED]
        listed = list_changes(wave, rules, each, start, before, True)
        is_new = wave.needed[row, NEEDED] > needed and (needed < 2 or goal == REACHED)
        if is_new or listed > MOST_LISTED:
            state[NETWORKS_DUE] = state[DECISIONS]
        elif listed > 0 and goal in (CONNECTED, REACHED):
            if not close_pieces(wave, rules, graph, each, listed):
                return EMPTY
    return CONSISTENT if state[TRAIL] == before else NARROWED


def rate_all(wave: Wave, rules: RuleTable, each: int) -> None:
    """Rate the nodes of a network in all cells."""
    nodes = rules.path_mask.shape[1]
    for node in range(wave.joined.shape[1]):
        rate_node(wave, rules, each, divide(node, nodes), node % nodes)
    wave.state[WORK_LEFT] -= wave.joined.shape[1]


def list_changes(wave: Wave, rules: RuleTable, each: int, start: int, stop: int, is_narrowed: bool) -> int:
    """Rate the nodes of the cells on a stretch of the trail, and list those that lost sides; how many.

    is_narrowed : the cells lost patterns; else they got some back
    """
    nodes, width, listed = rules.path_mask.shape[1], rules.rows.shape[2], 0
    row = rules.propagator[each, ROW]
    words = wave.joined.shape[1] // nodes * width
    for entry in range(start, stop):
        at = wave.trail_at[entry]
        if at >= words:
            continue
        cell = divide(np.int64(at), width)
        if width > 1 and entry + 1 < stop and wave.trail_at[entry + 1] // width == cell:
            continue  # the words of one change are adjacent on the trail: the last one is enough
        for index in range(nodes):
            if is_narrowed and wave.joined[row, cell * nodes + index] == 0:
                continue  # what cannot be joined has nothing to lose
            lost = rate_node(wave, rules, each, cell, index)
            if lost != 0:
                wave.node[LISTED, listed] = cell * nodes + index
                wave.node[LOST, cell * nodes + index] = lost
                listed += 1
    return listed


@kernel_part
def undo_networks(wave: Wave, rules: RuleTable, mark: int) -> None:
    """Rate the nodes anew of cells that changed after `mark`, a length of the trail, and are restored."""
    for each in range(rules.propagator.shape[0]):
        if rules.propagator[each, FAMILY] == NETWORK:
            list_changes(wave, rules, each, mark, wave.state[NETWORKED], False)


@kernel_part
def look_at_networks(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Look at all networks, whose nodes are up to date: CONSISTENT, NARROWED or EMPTY."""
    before = wave.state[TRAIL]
    for each in range(rules.propagator.shape[0]):
        if rules.propagator[each, FAMILY] != NETWORK:
            continue
        goal = rules.propagator[each, GOAL]
        if goal == LOOPS:
            fits = close_loops(wave, rules, graph, each)
        elif goal == NO_LOOPS:
            fits = break_loops(wave, rules, graph, each)
        elif goal == DRAINED:
            fits = drain_rivers(wave, rules, graph, each)
        else:
            fits = connect(wave, rules, graph, each)
            if fits and rules.propagator[each, SPAN] >= 0:
                fits = limit_steps(wave, rules, graph, each)
        if not fits:
            return EMPTY
    return CONSISTENT if wave.state[TRAIL] == before else NARROWED
