"""The two ends of a network: cells and tiles that it must join, and the steps between them."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.group_bits import empty_cell, find_presence, keep_group, remove_group
from wavefold.kernels.constraints.network_nodes import (
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


def place_ends(wave: Wave, rules: RuleTable, each: int) -> bool:
    """Where one end is given as cells and the other as tiles, restrict both. False if that empties a cell.

    The cells are on the path as soon as any cell has such a tile; if one cannot be, no cell may have one.
    """
    starts, goals = rules.propagator[each, c.JOINS], rules.propagator[each, c.GOALS]
    if (starts < 0) == (goals < 0):
        return True
    given, path, tiles, met = starts, c.FIRST, c.SECOND, ENDS
    if starts < 0:
        given, path, tiles, met = goals, c.SECOND, c.FIRST, STARTS
    path, tiles = rules.propagator[each, path], rules.propagator[each, tiles]
    is_met, is_cut_off = wave.needed[rules.propagator[each, c.ROW], met] > 0, False
    for cell in range(rules.area.shape[1]):
        if rules.area[given, cell] == 0:
            continue
        presence = find_presence(wave, rules, cell, path, -1)
        is_cut_off |= presence == c.ABSENT
        if is_met and presence == c.ABSENT:
            empty_cell(wave, rules, cell)
            return False
        if is_met and presence == c.OPEN and not keep_group(wave, rules, cell, path):
            return False
    if is_cut_off:
        for cell in range(rules.area.shape[1]):
            if not remove_group(wave, rules, cell, tiles):
                return False
    return True


def limit_steps(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> bool:
    """False if a goal is further from a start than the network allows, by the shortest way still possible."""
    row, nodes = rules.propagator[each, c.ROW], rules.path_mask.shape[1]
    if wave.needed[row, STARTS] == 0 or wave.needed[row, ENDS] == 0:
        return True
    for start in range(wave.joined.shape[1]):
        if wave.required[row, start] & IS_START == 0:
            continue
        measure_steps(wave, graph, row, nodes, start)
        for node in range(wave.joined.shape[1]):
            seen = wave.node[SEEN, node]
            if wave.required[row, node] & IS_GOAL != 0 and (
                seen == UNSEEN or seen - 1 > rules.propagator[each, c.SPAN]
            ):
                empty_cell(wave, rules, divide(node, nodes))
                return False
    return True


def measure_steps(wave: Wave, graph: KernelGraph, row: int, nodes: int, start: int) -> None:
    """Write one more than the steps from a node to each, or UNSEEN."""
    node, ways = wave.node, graph.neighbour.shape[1] * nodes
    wave.state[c.WORK_LEFT] -= wave.joined.shape[1]
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
