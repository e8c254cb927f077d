"""Depth-first searches of a whole network, for articulation points, bridges and cycles."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.group_bits import empty_cell
from wavefold.kernels.constraints.network_nodes import (
    FORCED,
    ITSELF,
    LOW_LINK,
    NEEDED,
    NEXT,
    SEEN,
    SUBTREE,
    UNSEEN,
    WALK,
    WAY_BACK,
    divide,
    follow_way,
    is_joining,
    restrict_node,
)
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave


def connect(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int) -> bool:
    """Keep a network connected. Return False if it cannot be connected, or if this empties a cell.

    Articulation points and bridges between required nodes are forced. If the goal is CONNECTED, nodes that no
    required node can reach are removed.
    """
    row, nodes = rules.propagator[propagator, c.ROW], rules.path_mask.shape[1]
    if not is_joining(wave, row):
        return True
    search_network(wave, graph, row, nodes, clear_search(wave, row), 0, False)
    for node in range(wave.joined.shape[1]):
        if wave.required[row, node] != 0 and wave.node[SEEN, node] == UNSEEN:
            empty_cell(wave, rules, node // nodes)
            return False
    is_whole = rules.propagator[propagator, c.GOAL] == c.CONNECTED
    for node in range(wave.joined.shape[1]):
        forced = np.int64(wave.node[FORCED, node])
        is_cut_off = is_whole and wave.joined[row, node] != 0 and wave.node[SEEN, node] == UNSEEN
        if (forced != 0 or is_cut_off) and not restrict_node(wave, rules, propagator, node, forced):
            return False
    return True


def close_loops(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int) -> bool:
    """Remove every node that cannot be on a cycle. Return False if this empties a cell."""
    row, nodes, clock = rules.propagator[propagator, c.ROW], rules.path_mask.shape[1], np.int64(0)
    clear_search(wave, row)
    for node in range(wave.joined.shape[1]):
        if wave.joined[row, node] != 0 and wave.node[SEEN, node] == UNSEEN:
            clock = search_network(wave, graph, row, nodes, node, clock, True)
    for node in range(wave.joined.shape[1]):
        if wave.joined[row, node] != 0 and wave.node[FORCED, node] == 0:
            if not restrict_node(wave, rules, propagator, node, 0):
                return False
    return True


def clear_search(wave: Wave, row: int) -> int:
    """Clear the results of earlier searches. Return the first required node, or -1."""
    start = np.int64(-1)
    wave.state[c.WORK_LEFT] -= wave.joined.shape[1]
    for node in range(wave.joined.shape[1]):
        wave.node[SEEN, node] = UNSEEN
        wave.node[FORCED, node] = 0
        if start < 0 and wave.required[row, node] != 0:
            start = node
    return start


def search_network(
    wave: Wave, graph: KernelGraph, row: int, nodes: int, start: int, clock: int, in_loops: bool
) -> int:
    """Search all possible nodes depth-first from `start` and write what is forced. Return the clock.

    A node is an articulation point if a subtree below it is joined with no earlier node: the required nodes
    of that subtree depend on it. If the subtree is not joined with the node itself by a second side, the side
    between the two is a bridge, on which they also depend.

    in_loops : write the nodes on cycles to FORCED instead. A side that is not a bridge is on a cycle, and so
               are both of its nodes
    """
    node, ways = wave.node, graph.neighbour.shape[1] * nodes
    clock, depth = clock + 1, 0
    enter_node(wave, row, start, clock, -1)
    node[WALK, 0] = start
    while depth >= 0:
        here = np.int64(node[WALK, depth])
        way = np.int64(node[NEXT, here])
        if way < ways:
            node[NEXT, here] += 1
            other = follow_way(wave, graph, row, nodes, here, way)
            if in_loops and other == here:
                node[FORCED, here] = ITSELF
            if other < 0 or way == node[WAY_BACK, here]:
                continue
            if node[SEEN, other] == UNSEEN:
                clock += 1
                back = np.int64(graph.opposite[divide(way, nodes)]) * nodes + here % nodes
                enter_node(wave, row, other, clock, back)
                depth += 1
                node[WALK, depth] = other
            else:
                node[LOW_LINK, here] = min(node[LOW_LINK, here], node[SEEN, other])
            continue
        depth -= 1
        if depth < 0:
            continue
        before = np.int64(node[WALK, depth])
        if in_loops:
            node[LOW_LINK, before] = min(node[LOW_LINK, before], node[LOW_LINK, here])
            if node[LOW_LINK, here] <= node[SEEN, before]:
                node[FORCED, here] = node[FORCED, before] = ITSELF
        else:
            leave_node(wave, graph, row, nodes, here, before)
    return clock


def enter_node(wave: Wave, row: int, here: int, clock: int, way_back: int) -> None:
    """Initialise the rows of a node that the search discovers."""
    wave.node[SEEN, here] = wave.node[LOW_LINK, here] = clock
    wave.node[SUBTREE, here] = wave.required[row, here] != 0
    wave.node[WAY_BACK, here] = way_back
    wave.node[NEXT, here] = 0


def leave_node(wave: Wave, graph: KernelGraph, row: int, nodes: int, here: int, before: int) -> None:
    """Return from a node to its predecessor, and write what the required nodes of its subtree force."""
    node = wave.node
    node[SUBTREE, before] += node[SUBTREE, here]
    node[LOW_LINK, before] = min(node[LOW_LINK, before], node[LOW_LINK, here])
    if node[SUBTREE, here] == 0 or node[SUBTREE, here] == wave.needed[row, NEEDED]:
        return
    if node[LOW_LINK, here] >= node[SEEN, before]:
        node[FORCED, before] |= ITSELF
    if node[LOW_LINK, here] > node[SEEN, before]:
        back = np.int64(node[WAY_BACK, here]) // nodes
        node[FORCED, here] |= ITSELF | (1 << back)
        node[FORCED, before] |= ITSELF | (1 << np.int64(graph.opposite[back]))
