"""Walks over a whole network: what its required nodes need to be in one piece, and what is on a cycle."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.group_bits import empty_cell
from wavefold.kernels.constraints.network_nodes import (
    BEHIND,
    CAME,
    FORCED,
    ITSELF,
    LOWEST,
    NEEDED,
    NEXT,
    SEEN,
    UNSEEN,
    WALK,
    divide,
    follow_way,
    is_joining,
    restrict_node,
)
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave


def connect(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> bool:
    """Keep a network in one piece, and force what it needs for that. False if it is in several."""
    row, nodes = rules.propagator[each, c.ROW], rules.path_mask.shape[1]
    if not is_joining(wave, row):
        return True
    walk_network(wave, graph, row, nodes, start_walk(wave, row), 0, False)
    for node in range(wave.joined.shape[1]):
        if wave.required[row, node] != 0 and wave.node[SEEN, node] == UNSEEN:
            empty_cell(wave, rules, node // nodes)
            return False
    is_whole = rules.propagator[each, c.GOAL] == c.CONNECTED
    for node in range(wave.joined.shape[1]):
        forced = np.int64(wave.node[FORCED, node])
        is_cut_off = is_whole and wave.joined[row, node] != 0 and wave.node[SEEN, node] == UNSEEN
        if (forced != 0 or is_cut_off) and not restrict_node(wave, rules, each, node, forced):
            return False
    return True


def close_loops(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> bool:
    """Remove every node that can be on no cycle. False if that empties a cell."""
    row, nodes, clock = rules.propagator[each, c.ROW], rules.path_mask.shape[1], np.int64(0)
    start_walk(wave, row)
    for node in range(wave.joined.shape[1]):
        if wave.joined[row, node] != 0 and wave.node[SEEN, node] == UNSEEN:
            clock = walk_network(wave, graph, row, nodes, node, clock, True)
    for node in range(wave.joined.shape[1]):
        if wave.joined[row, node] != 0 and wave.node[FORCED, node] == 0:
            if not restrict_node(wave, rules, each, node, 0):
                return False
    return True


def start_walk(wave: Wave, row: int) -> int:
    """Clear what earlier walks found; returns the first required node."""
    start = np.int64(-1)
    wave.state[c.WORK_LEFT] -= wave.joined.shape[1]
    for node in range(wave.joined.shape[1]):
        wave.node[SEEN, node] = UNSEEN
        wave.node[FORCED, node] = 0
        if start < 0 and wave.required[row, node] != 0:
            start = node
    return start


def walk_network(
    wave: Wave, graph: KernelGraph, row: int, nodes: int, start: int, clock: int, in_loops: bool
) -> int:
    """Walk over all possible nodes from a required one, depth first, and write what is forced; the clock.

    Behind a node that comes back to nothing earlier, whatever is required depends on it (articulation point)
    and, if it does not even come back to the node before it, on the side between the two (bridge).

    in_loops : instead, write the nodes on cycles. A side that is no bridge is on one, and so are its nodes
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
            if other < 0 or way == node[CAME, here]:
                continue
            if node[SEEN, other] == UNSEEN:
                clock += 1
                back = np.int64(graph.opposite[divide(way, nodes)]) * nodes + here % nodes
                enter_node(wave, row, other, clock, back)
                depth += 1
                node[WALK, depth] = other
            else:
                node[LOWEST, here] = min(node[LOWEST, here], node[SEEN, other])
            continue
        depth -= 1
        if depth < 0:
            continue
        before = np.int64(node[WALK, depth])
        if in_loops:
            node[LOWEST, before] = min(node[LOWEST, before], node[LOWEST, here])
            if node[LOWEST, here] <= node[SEEN, before]:
                node[FORCED, here] = node[FORCED, before] = ITSELF
        else:
            leave_node(wave, graph, row, nodes, here, before)
    return clock


def enter_node(wave: Wave, row: int, here: int, clock: int, came: int) -> None:
    """Come to a node for the first time."""
    wave.node[SEEN, here] = wave.node[LOWEST, here] = clock
    wave.node[BEHIND, here] = wave.required[row, here] != 0
    wave.node[CAME, here] = came
    wave.node[NEXT, here] = 0


def leave_node(wave: Wave, graph: KernelGraph, row: int, nodes: int, here: int, before: int) -> None:
    """Go back from a node to the one before it, and write what depends on the two."""
    node = wave.node
    node[BEHIND, before] += node[BEHIND, here]
    node[LOWEST, before] = min(node[LOWEST, before], node[LOWEST, here])
    if node[BEHIND, here] == 0 or node[BEHIND, here] == wave.needed[row, NEEDED]:
        return
    if node[LOWEST, here] >= node[SEEN, before]:
        node[FORCED, before] |= ITSELF
    if node[LOWEST, here] > node[SEEN, before]:
        back = np.int64(node[CAME, here]) // nodes
        node[FORCED, here] |= ITSELF | (1 << back)
        node[FORCED, before] |= ITSELF | (1 << np.int64(graph.opposite[back]))
