"""Rivers: from every node there is a way to an end that never rises.

A cell has two nodes for each level: one has all sides on which a river passes, the next only the lowest of
them; its bit behind all sides says that the river may end here.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.network_nodes import SEEN, UNSEEN, WALK, restrict_node
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave


def drain_rivers(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> bool:
    """Remove every node whose water has no way to an end. False if that empties a cell."""
    row, nodes = rules.propagator[each, c.ROW], rules.path_mask.shape[1]
    found = list_ends(wave, graph, row, nodes)
    position = 0
    while position < found:
        here = np.int64(wave.node[WALK, position])
        position += 1
        for direction in range(graph.neighbour.shape[1]):
            neighbour = np.int64(graph.neighbour[here // nodes, direction])
            if neighbour == c.NOWHERE or (wave.joined[row, here] >> direction) & 1 == 0:
                continue
            for other in range(neighbour * nodes, neighbour * nodes + nodes, 2):
                flows = (wave.joined[row, other + 1] >> np.int64(graph.opposite[direction])) & 1 != 0
                if flows and wave.node[SEEN, other] == UNSEEN:
                    wave.node[SEEN, other] = 1
                    wave.node[WALK, found] = other
                    found += 1
    for node in range(0, wave.joined.shape[1], 2):
        if wave.joined[row, node] != 0 and wave.node[SEEN, node] == UNSEEN:
            if not restrict_node(wave, rules, each, node, 0):
                return False
    return True


def list_ends(wave: Wave, graph: KernelGraph, row: int, nodes: int) -> int:
    """List the nodes where a river may end, or leave the map; returns how many."""
    directions, found = graph.neighbour.shape[1], 0
    wave.state[c.WORK_LEFT] -= wave.joined.shape[1]
    for node in range(0, wave.joined.shape[1], 2):
        is_end = (wave.joined[row, node + 1] >> directions) & 1 != 0
        for direction in range(directions):
            if (wave.joined[row, node + 1] >> direction) & 1 != 0:
                is_end |= graph.neighbour[node // nodes, direction] == c.NOWHERE
        wave.node[SEEN, node] = UNSEEN
        if is_end:
            wave.node[SEEN, node] = 1
            wave.node[WALK, found] = node
            found += 1
    return found
