"""Goals of networks besides connection: starts and goals, limited distances, no cycles, rivers."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.group_bits import empty_cell, find_presence, keep_group, remove_group
from wavefold.kernels.constraints.network_nodes import (
    ENDS,
    FORCED,
    IS_GOAL,
    IS_START,
    PARENT,
    SEEN,
    STARTS,
    UNSEEN,
    WALK,
    divide,
    find_root,
    follow_way,
    restrict_node,
)
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import check_nonempty, narrow_word

CERTAIN = FORCED  # row of Wave.node: the sides on which a node is joined in every pattern, as bits


def place_ends(wave: Wave, rules: RuleTable, propagator: int) -> bool:
    """Restrict both ends of a path if one end is given as cells and the other as tiles.

    Once any cell is sure to have such a tile, all given cells must be on the path. If one of them cannot be
    on the path, the tiles are removed from all cells. Return False if this empties a cell.
    """
    starts, goals = rules.propagator[propagator, c.JOINS], rules.propagator[propagator, c.GOALS]
    if (starts < 0) == (goals < 0):
        return True
    given, path, tiles, met = starts, c.FIRST, c.SECOND, ENDS
    if starts < 0:
        given, path, tiles, met = goals, c.SECOND, c.FIRST, STARTS
    path, tiles = rules.propagator[propagator, path], rules.propagator[propagator, tiles]
    is_met, is_cut_off = wave.needed[rules.propagator[propagator, c.ROW], met] > 0, False
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


def limit_steps(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int) -> bool:
    """Return False if a goal is more than SPAN steps from a start, on the shortest way that is possible."""
    row, nodes = rules.propagator[propagator, c.ROW], rules.path_mask.shape[1]
    if wave.needed[row, STARTS] == 0 or wave.needed[row, ENDS] == 0:
        return True
    for start in range(wave.joined.shape[1]):
        if wave.required[row, start] & IS_START == 0:
            continue
        measure_steps(wave, graph, row, nodes, start)
        for node in range(wave.joined.shape[1]):
            seen = wave.node[SEEN, node]
            if wave.required[row, node] & IS_GOAL != 0 and (
                seen == UNSEEN or seen - 1 > rules.propagator[propagator, c.SPAN]
            ):
                empty_cell(wave, rules, divide(node, nodes))
                return False
    return True


def measure_steps(wave: Wave, graph: KernelGraph, row: int, nodes: int, start: int) -> None:
    """Write 1 + the number of steps from `start` to each node to the row SEEN, or UNSEEN (breadth-first)."""
    node, ways = wave.node, graph.neighbour.shape[1] * nodes
    wave.state[c.WORK_LEFT] -= wave.joined.shape[1]
    for other in range(wave.joined.shape[1]):
        node[SEEN, other] = UNSEEN
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


def break_loops(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int) -> bool:
    """Remove sides that would close a cycle. Return False if a cycle exists, or if this empties a cell.

    Nodes that are certainly joined form a union-find forest. A side between two nodes of one tree closes a
    cycle.
    """
    row, nodes = rules.propagator[propagator, c.ROW], rules.path_mask.shape[1]
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
                continue  # no neighbour, or processed from the other end
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
            if is_open and find_root(wave, node) == find_root(wave, other):
                if not remove_side(wave, rules, row, other, back):
                    return False
    return True


def find_certain_sides(wave: Wave, rules: RuleTable, row: int, node: int) -> int:
    """Return the sides on which every pattern of the cell joins a node, as bits."""
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
    """Merge the trees of two joined nodes. Return False if the nodes were already connected."""
    first, second = find_root(wave, node), find_root(wave, other)
    wave.node[PARENT, max(first, second)] = min(first, second)
    return first != second


def remove_side(wave: Wave, rules: RuleTable, row: int, node: int, side: int) -> bool:
    """Remove the patterns that join a node on a side. Return False if this empties the cell."""
    nodes, width, left = rules.path_mask.shape[1], rules.rows.shape[2], np.uint64(0)
    cell = divide(node, nodes)
    for word in range(width):
        at = cell * width + word
        joined = rules.path_mask[row, node - cell * nodes, side + 1, word]
        left |= narrow_word(wave, at, cell, wave.words[at] & joined)
    return check_nonempty(wave, cell, left)


def drain_rivers(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int) -> bool:
    """Remove every node from which no way down leads to an end. Return False if this empties a cell.

    A breadth-first search from all ends follows rivers upstream. A cell has two nodes per level: an even node
    with all sides on which a river passes, and an odd node with only the lowest of these sides. The bit after
    the last side of an odd node means that the river may end there.
    """
    row, nodes = rules.propagator[propagator, c.ROW], rules.path_mask.shape[1]
    found = list_river_ends(wave, graph, row, nodes)
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
            if not restrict_node(wave, rules, propagator, node, 0):
                return False
    return True


def list_river_ends(wave: Wave, graph: KernelGraph, row: int, nodes: int) -> int:
    """Write the nodes where a river may end or leave the map to the row WALK. Return their number."""
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
