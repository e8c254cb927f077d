"""No cycle in a network: two nodes that are connected must not be joined again."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.group_bits import empty_cell
from wavefold.kernels.constraints.network_nodes import FORCED, LOWEST, divide, follow_way
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import clear_bits

# Rows of Wave.node, which a walk uses otherwise.
CERTAIN = FORCED  # the sides on which a node is joined in every case, as bits
PARENT = LOWEST  # [node] another node of its piece, or itself


def break_loops(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> bool:
    """Remove sides that would close a cycle. False if there is one."""
    row, nodes = rules.propagator[each, c.ROW], rules.path_mask.shape[1]
    ways = graph.neighbour.shape[1] * nodes
    wave.state[c.WORK_LEFT] -= 2 * wave.joined.shape[1]
    for node in range(wave.joined.shape[1]):
        wave.node[PARENT, node] = node
        wave.node[CERTAIN, node] = find_certain_sides(wave, rules, row, node)
    for node in range(wave.joined.shape[1]):
        for way in range(ways if wave.node[CERTAIN, node] != 0 else 0):
            other = follow_way(wave, graph, row, nodes, node, way)
            side = divide(way, nodes)
            back = np.int64(graph.opposite[side])
            if other < node or (other == node and back < side):
                continue  # nowhere, or seen from the other end
            if (wave.node[CERTAIN, node] >> side) & (wave.node[CERTAIN, other] >> back) & 1 == 0:
                continue
            if not join_roots(wave, node, other):
                empty_cell(wave, rules, divide(node, nodes))
                return False
    for node in range(wave.joined.shape[1]):
        for way in range(ways if wave.node[CERTAIN, node] != 0 else 0):
            other = follow_way(wave, graph, row, nodes, node, way)
            side = divide(way, nodes)
            if other < 0 or (wave.node[CERTAIN, node] >> side) & 1 == 0:
                continue
            back = np.int64(graph.opposite[side])
            is_open = (wave.node[CERTAIN, other] >> back) & 1 == 0
            if is_open and find_piece(wave, node) == find_piece(wave, other):
                if not remove_side(wave, rules, row, other, back):
                    return False
    return True


def find_certain_sides(wave: Wave, rules: RuleTable, row: int, node: int) -> int:
    """The sides on which a node is joined in every pattern that its cell may have, as bits."""
    nodes, width, certain = rules.path_mask.shape[1], rules.rows.shape[2], 0
    if wave.required[row, node] == 0:
        return 0
    cell = divide(node, nodes)
    for side in range(rules.path_mask.shape[2] - 1):
        lacking = np.uint64(0)
        for word in range(width):
            domain = wave.words[cell * width + word]
            lacking |= domain & ~rules.path_mask[row, node - cell * nodes, side + 1, word]
        if lacking == 0:
            certain |= 1 << side
    return certain


def join_roots(wave: Wave, node: int, other: int) -> bool:
    """Record that two nodes are joined; False if they were connected already."""
    first, second = find_piece(wave, node), find_piece(wave, other)
    wave.node[PARENT, max(first, second)] = min(first, second)
    return first != second


def find_piece(wave: Wave, node: int) -> int:
    """The node that stands for the piece of a node."""
    while wave.node[PARENT, node] != node:
        wave.node[PARENT, node] = wave.node[PARENT, wave.node[PARENT, node]]
        node = np.int64(wave.node[PARENT, node])
    return node


def remove_side(wave: Wave, rules: RuleTable, row: int, node: int, side: int) -> bool:
    """Remove the patterns in which a node is joined on a side. False if that empties the cell."""
    nodes, width, left = rules.path_mask.shape[1], rules.rows.shape[2], np.uint64(0)
    cell = divide(node, nodes)
    for word in range(width):
        at = cell * width + word
        removed = wave.words[at] & rules.path_mask[row, node - cell * nodes, side + 1, word]
        if removed != 0:
            clear_bits(wave, at, cell, removed)
        left |= wave.words[at]
    if left == 0:
        wave.state[c.EMPTY_CELL] = cell
    return left != 0
