"""Networks: paths through cells that are joined where their sides face each other, and their goals.

After each propagation, the nodes of changed cells are updated, and pieces that were cut off are found
(`network_pieces`). A check of the whole map (`network_walk`, `network_goals`) is stronger, but costs as much
as hundreds of decisions. So there is a pause between checks: it doubles after each check without a conflict,
and is reset by a conflict. Pauses are counted in decisions, because time must not influence maps. A conflict
that is found late cannot be attributed to one decision. The search then returns to the previous check, and
checks more often from there.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.network_goals import break_loops, drain_rivers, limit_steps, place_ends
from wavefold.kernels.constraints.network_nodes import NEEDED, divide, update_node
from wavefold.kernels.constraints.network_pieces import LISTED, LOST, close_pieces
from wavefold.kernels.constraints.network_walk import close_loops, connect
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part

SHORTEST_PAUSE, LONGEST_PAUSE = 64, 4  # the number of cells is divided by these
MOST_LISTED = 256  # if more nodes lost sides at once, checking the whole map is cheaper


def apply_networks(wave: Wave, rules: RuleTable, graph: KernelGraph, is_over: bool) -> int:
    """Update all networks. Check them if a check is due, or if all cells are decided (`is_over`).

    Return CONSISTENT, NARROWED, EMPTY or FULL.
    """
    state = wave.state
    if state[c.PRUNING] == c.NO_PRUNING or rules.path_mask.shape[0] == 0:
        return c.CONSISTENT
    status = np.int64(follow_changes(wave, rules, graph))
    if status != c.CONSISTENT or (not is_over and state[c.DECISIONS] < state[c.NETWORKS_DUE]):
        return status
    status = np.int64(check_networks(wave, rules, graph))
    if status == c.EMPTY:
        state[c.NETWORKS_PAUSE] = 0
        if state[c.DEPTH] > state[c.NETWORKS_DEPTH] + 1:
            state[c.RETURN_TO] = state[c.NETWORKS_DEPTH] + 1
    else:
        longest = graph.neighbour.shape[0] // LONGEST_PAUSE
        state[c.NETWORKS_PAUSE] = min(longest, 2 * state[c.NETWORKS_PAUSE] + 1)
        state[c.NETWORKS_DEPTH] = state[c.DEPTH]
    state[c.NETWORKS_DUE] = state[c.DECISIONS] + state[c.NETWORKS_PAUSE]
    return status


@kernel_part
def follow_changes(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Update the nodes of all networks and find new pieces. Return CONSISTENT, NARROWED, EMPTY or FULL."""
    state, (cells, directions) = wave.state, graph.neighbour.shape
    before, start = state[c.TRAIL], state[c.NETWORKED]
    # Each node removes patterns from a word at most once per side, and twice for other reasons.
    most = (directions + 2) * rules.path_mask.shape[0] * rules.path_mask.shape[1]
    if before > wave.trail_at.size - most * cells * rules.rows.shape[2]:
        return c.FULL
    state[c.NETWORKED] = before
    for propagator in range(rules.propagator.shape[0]):
        if rules.propagator[propagator, c.FAMILY] != c.NETWORK:
            continue
        if start < 0:
            update_all_nodes(wave, rules, propagator)
            state[c.NETWORKS_DUE], state[c.NETWORKS_DEPTH] = state[c.DECISIONS], state[c.DEPTH]
            state[c.NETWORKS_PAUSE] = cells // SHORTEST_PAUSE
            continue
        row, goal = rules.propagator[propagator, c.ROW], rules.propagator[propagator, c.GOAL]
        needed = wave.needed[row, NEEDED]
        listed = list_changes(wave, rules, propagator, start, before, True)
        is_new = wave.needed[row, NEEDED] > needed and (needed < 2 or goal == c.REACHED)
        if is_new or listed > MOST_LISTED:
            state[c.NETWORKS_DUE] = state[c.DECISIONS]
        elif listed > 0 and goal in (c.CONNECTED, c.REACHED):
            if not close_pieces(wave, rules, graph, propagator, listed):
                return c.EMPTY
    return c.CONSISTENT if state[c.TRAIL] == before else c.NARROWED


def update_all_nodes(wave: Wave, rules: RuleTable, propagator: int) -> None:
    """Update all nodes of a network."""
    nodes = rules.path_mask.shape[1]
    for node in range(wave.joined.shape[1]):
        update_node(wave, rules, propagator, divide(node, nodes), node % nodes)
    wave.state[c.WORK_LEFT] -= wave.joined.shape[1]


def list_changes(
    wave: Wave, rules: RuleTable, propagator: int, start: int, stop: int, is_narrowed: bool
) -> int:
    """Update the nodes of the cells on the trail from `start` to `stop`, and list those that lost sides.

    Return the number of listed nodes.

    is_narrowed : the cells lost patterns; False: patterns were restored
    """
    nodes, width, listed = rules.path_mask.shape[1], rules.rows.shape[2], 0
    row = rules.propagator[propagator, c.ROW]
    words = wave.joined.shape[1] // nodes * width
    for entry in range(start, stop):
        at = wave.trail_at[entry]
        if at >= words:
            continue
        cell = divide(np.int64(at), width)
        if width > 1 and entry + 1 < stop and wave.trail_at[entry + 1] // width == cell:
            continue  # the words of one change are adjacent on the trail; process the cell once
        for index in range(nodes):
            if is_narrowed and wave.joined[row, cell * nodes + index] == 0:
                continue  # the node has no sides to lose
            lost = update_node(wave, rules, propagator, cell, index)
            if lost != 0:
                wave.node[LISTED, listed] = cell * nodes + index
                wave.node[LOST, cell * nodes + index] = lost
                listed += 1
    return listed


@kernel_part
def undo_networks(wave: Wave, rules: RuleTable, mark: int) -> None:
    """Update the nodes of restored cells, which are on the trail from `mark`."""
    for propagator in range(rules.propagator.shape[0]):
        if rules.propagator[propagator, c.FAMILY] == c.NETWORK:
            list_changes(wave, rules, propagator, mark, wave.state[c.NETWORKED], False)


@kernel_part
def check_networks(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Check all networks, whose nodes must be current. Return CONSISTENT, NARROWED or EMPTY."""
    before = wave.state[c.TRAIL]
    for propagator in range(rules.propagator.shape[0]):
        if rules.propagator[propagator, c.FAMILY] != c.NETWORK:
            continue
        goal = rules.propagator[propagator, c.GOAL]
        if goal == c.LOOPS:
            fits = close_loops(wave, rules, graph, propagator)
        elif goal == c.NO_LOOPS:
            fits = break_loops(wave, rules, graph, propagator)
        elif goal == c.DRAINED:
            fits = drain_rivers(wave, rules, graph, propagator)
        else:
            fits = place_ends(wave, rules, propagator) and connect(wave, rules, graph, propagator)
            if fits and rules.propagator[propagator, c.SPAN] >= 0:
                fits = limit_steps(wave, rules, graph, propagator)
        if not fits:
            return c.EMPTY
    return c.CONSISTENT if wave.state[c.TRAIL] == before else c.NARROWED
