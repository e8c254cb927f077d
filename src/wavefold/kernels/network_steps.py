"""Steps from the starts of a network to its goals."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import ROW, SPAN, WORK_LEFT
from wavefold.kernels.group_bits import empty_cell
from wavefold.kernels.network_nodes import (
    ENDS,
    IS_GOAL,
    IS_START,
    SEEN,
    STARTS,
    UNSEEN,
    WALK,
    divide,
    follow_way,
)
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave


def limit_steps(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> bool:
    """False if a goal is further from a start than the network allows, by the shortest way still possible."""
    row, nodes = rules.propagator[each, ROW], rules.path_mask.shape[1]
    if wave.needed[row, STARTS] == 0 or wave.needed[row, ENDS] == 0:
        return True
    for start in range(wave.joined.shape[1]):
        if wave.required[row, start] & IS_START == 0:
            continue
        measure_steps(wave, graph, row, nodes, start)
        for node in range(wave.joined.shape[1]):
            seen = wave.node[SEEN, node]
            if wave.required[row, node] & IS_GOAL != 0 and (
                seen == UNSEEN or seen - 1 > rules.propagator[each, SPAN]
            ):
                empty_cell(wave, rules, divide(node, nodes))
                return False
    return True


def measure_steps(wave: Wave, graph: KernelGraph, row: int, nodes: int, start: int) -> None:
    """Write one more than the steps from a node to each, or UNSEEN."""
    node, ways = wave.node, graph.neighbour.shape[1] * nodes
    wave.state[WORK_LEFT] -= wave.joined.shape[1]
    for each in range(wave.joined.shape[1]):
        node[SEEN, each] = UNSEEN
    node[SEEN, start], node[WALK, 0] = 1, start
    position, found = 0, 1
    while position < found:
        here = np.int64(node[WALK, position])
        position += 1
        for way in range(ways):
            other = follow_way(wave, graph, row, nodes, here, way)
            if other >= 0 and node[SEEN, other] == UNSEEN:
                node[SEEN, other] = node[SEEN, here] + 1
                node[WALK, found] = other
                found += 1
