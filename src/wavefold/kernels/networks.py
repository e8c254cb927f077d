"""Networks: paths through cells, joined where their sides face each other, that must be one piece.

A cell has one or more *nodes*: a pattern whose path sides all meet has node 0, a bridge one for each way.
A node is *possible* while some pattern of the cell has it, and *required* once all patterns have. All
required nodes must be connected by possible ones; a node or a side without which they are not is forced.

A look at the whole map costs as much as hundreds of decisions. So there are pauses: twice as long after
each look that found all well, none after a conflict. They are counted in decisions, as all that shapes maps.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, is_same_domain, lowest_bit
from wavefold.kernels.constants import (
    BY_NOBODY,
    CONSISTENT,
    DECISIONS,
    EMPTY,
    EMPTY_CELL,
    FAMILY,
    FULL,
    JOINS,
    NARROWED,
    NETWORK,
    NETWORKS_DUE,
    NETWORKS_PAUSE,
    NOWHERE,
    PRUNING,
    ROW,
    TRAIL,
    WHERE,
    WORK_LEFT,
)
from wavefold.kernels.group_bits import empty_cell
from wavefold.kernels.jit import COMPILED, inner
from wavefold.kernels.on_demand import on_demand, prepare
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import clear_bits

LONGEST_PAUSE = 32  # the map has so many times as many cells as there are decisions in the longest pause
UNSEEN = 0

# Columns of Wave.node.
(
    JOINED,  # the sides on which the node may be joined, as bits
    REQUIRED,  # 1: it is there in every case
    SEEN,  # when the walk came to it: 1, 2, …; or UNSEEN
    LOWEST,  # the earliest node that it or one behind it is joined with
    BEHIND,  # how many required nodes are behind it, itself included
    CAME,  # the way the walk came from: direction * nodes + node of that cell, or -1
    NEXT,  # the way it tries next
    WALK,  # the nodes from the start to where the walk is
    FORCED,  # sides that must be joined, as bits, and ITSELF: the node must be there
    NODE_COLUMNS,
) = range(10)
ITSELF = 1 << 30


@inner
def apply_networks(wave: Wave, rules: RuleTable, graph: KernelGraph, is_over: bool) -> int:
    """Look at all networks if it is time, or the map is finished: CONSISTENT, NARROWED, EMPTY or FULL."""
    state = wave.state
    if state[PRUNING] == BY_NOBODY or rules.path_side.shape[0] == 0:
        return CONSISTENT
    if not is_over and state[DECISIONS] < state[NETWORKS_DUE]:
        return CONSISTENT
    status = np.int64(look_at_networks(wave, rules, graph))
    if status == EMPTY:
        state[NETWORKS_PAUSE] = 0
    elif status == CONSISTENT:
        longest = graph.neighbour.shape[0] // LONGEST_PAUSE
        state[NETWORKS_PAUSE] = min(longest, 2 * state[NETWORKS_PAUSE] + 1)
    if status != FULL:
        state[NETWORKS_DUE] = state[DECISIONS] + (state[NETWORKS_PAUSE] if status == CONSISTENT else 0)
    return status


@on_demand
def look_at_networks(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Look at all networks: CONSISTENT, NARROWED, EMPTY or FULL."""
    cells, directions = graph.neighbour.shape
    before = wave.state[TRAIL]
    if before > wave.trail_at.size - (directions + 2) * cells * rules.rows.shape[2]:
        return FULL
    for each in range(rules.propagator.shape[0]):
        if rules.propagator[each, FAMILY] == NETWORK and not connect(wave, rules, graph, each):
            return EMPTY
    return CONSISTENT if wave.state[TRAIL] == before else NARROWED


@inner
def connect(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> bool:
    """Keep a network in one piece. False if it is not."""
    nodes = rules.path_side.shape[1]
    start = rate_nodes(wave, rules, graph, each)
    if start < 0:
        return True
    required = np.int64(0)
    for node in range(wave.node.shape[1]):
        required += wave.node[REQUIRED, node]
    walk_network(wave, graph, nodes, start, required)
    for node in range(wave.node.shape[1]):
        if wave.node[REQUIRED, node] != 0 and wave.node[SEEN, node] == UNSEEN:
            empty_cell(wave, rules, node // nodes)
            return False
    is_whole = rules.propagator[each, JOINS] < 0
    for node in range(wave.node.shape[1]):
        forced = wave.node[FORCED, node]
        is_cut_off = is_whole and wave.node[JOINED, node] != 0 and wave.node[SEEN, node] == UNSEEN
        if (forced != 0 or is_cut_off) and not restrict_node(wave, rules, each, node, forced):
            return False
    return True


@inner
def rate_nodes(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int) -> int:
    """Write which nodes are possible, and which required; the first required one, or -1."""
    cells, nodes = graph.neighbour.shape[0], rules.path_side.shape[1]
    row, where, joins = (
        rules.propagator[each, ROW],
        rules.propagator[each, WHERE],
        rules.propagator[each, JOINS],
    )
    width = rules.rows.shape[2]
    start = np.int64(-1)
    wave.state[WORK_LEFT] -= cells * nodes
    for cell in range(cells):
        is_outside = where >= 0 and rules.area[where, cell] == 0
        is_repeated = where < 0 and cell > 0 and is_same_domain(wave, cell, cell - 1, width)
        for each_node in range(nodes):
            node = cell * nodes + each_node
            if is_repeated:
                wave.node[JOINED, node] = wave.node[JOINED, node - nodes]
                everywhere = wave.node[WALK, node - nodes] != 0
            else:
                everywhere = rate_node(wave, rules, row, cell, each_node, is_outside)
            wave.node[WALK, node] = everywhere  # for the next cell
            is_asked = joins < 0 or rules.area[joins, cell] != 0
            wave.node[REQUIRED, node] = everywhere and is_asked
            if everywhere and is_asked and start < 0:
                start = node
            wave.node[SEEN, node] = UNSEEN
            wave.node[FORCED, node] = 0
    return start


@inner
def rate_node(wave: Wave, rules: RuleTable, row: int, cell: int, each_node: int, is_outside: bool) -> bool:
    """Write on which sides a node may be joined; whether every pattern of its cell has it."""
    width, nodes = rules.rows.shape[2], rules.path_side.shape[1]
    sides, everywhere = np.uint32(0), not is_outside
    for word in range(0 if is_outside else width):
        rest = wave.words[cell * width + word]
        while rest != 0:
            joined = rules.path_side[row, each_node, word * 64 + lowest_bit(rest)]
            rest &= rest - ONE
            sides |= joined
            everywhere = everywhere and joined != 0
    wave.node[JOINED, cell * nodes + each_node] = sides
    return everywhere


@inner
def walk_network(wave: Wave, graph: KernelGraph, nodes: int, start: int, required: int) -> None:
    """Walk over all possible nodes from a required one, depth first, and write what is forced.

    Behind a node that comes back to nothing earlier, whatever is required depends on it (articulation point)
    and, if it does not even come back to the node before it, on the side between the two (bridge).
    """
    node, ways = wave.node, graph.neighbour.shape[1] * nodes
    clock, depth = 1, 0
    enter_node(wave, start, 1, -1)
    node[WALK, 0] = start
    while depth >= 0:
        here = np.int64(node[WALK, depth])
        way = np.int64(node[NEXT, here])
        if way < ways:
            node[NEXT, here] += 1
            other = follow_way(wave, graph, nodes, here, way)
            if other < 0 or way == node[CAME, here]:
                continue
            if node[SEEN, other] == UNSEEN:
                clock += 1
                back = np.int64(graph.opposite[way // nodes]) * nodes + here % nodes
                enter_node(wave, other, clock, back)
                depth += 1
                node[WALK, depth] = other
            else:
                node[LOWEST, here] = min(node[LOWEST, here], node[SEEN, other])
            continue
        depth -= 1
        if depth >= 0:
            leave_node(wave, graph, nodes, here, np.int64(node[WALK, depth]), required)


@inner
def enter_node(wave: Wave, here: int, clock: int, came: int) -> None:
    """Come to a node for the first time."""
    wave.node[SEEN, here] = wave.node[LOWEST, here] = clock
    wave.node[BEHIND, here] = wave.node[REQUIRED, here]
    wave.node[CAME, here] = came
    wave.node[NEXT, here] = 0


@inner
def leave_node(wave: Wave, graph: KernelGraph, nodes: int, here: int, before: int, required: int) -> None:
    """Go back from a node to the one before it, and write what depends on the two."""
    node = wave.node
    node[BEHIND, before] += node[BEHIND, here]
    node[LOWEST, before] = min(node[LOWEST, before], node[LOWEST, here])
    if node[BEHIND, here] == 0 or node[BEHIND, here] == required:
        return
    if node[LOWEST, here] >= node[SEEN, before]:
        node[FORCED, before] |= ITSELF
    if node[LOWEST, here] > node[SEEN, before]:
        back = np.int64(node[CAME, here]) // nodes
        node[FORCED, here] |= ITSELF | (1 << back)
        node[FORCED, before] |= ITSELF | (1 << np.int64(graph.opposite[back]))


@inner
def follow_way(wave: Wave, graph: KernelGraph, nodes: int, here: int, way: int) -> int:
    """The node that a way leads to, if both may be joined on that side, or -1."""
    direction, cell = way // nodes, here // nodes
    if (wave.node[JOINED, here] >> direction) & 1 == 0:
        return -1
    neighbour = np.int64(graph.neighbour[cell, direction])
    if neighbour == NOWHERE:
        return -1
    other = neighbour * nodes + way % nodes
    if (wave.node[JOINED, other] >> np.int64(graph.opposite[direction])) & 1 == 0:
        return -1
    return other


@inner
def restrict_node(wave: Wave, rules: RuleTable, each: int, node: int, forced: int) -> bool:
    """Remove the patterns that lack what is forced on a node; if nothing is, those that have the node.

    False if that empties the cell.
    """
    row, width, nodes = rules.propagator[each, ROW], rules.rows.shape[2], rules.path_side.shape[1]
    cell, sides = node // nodes, np.uint32(forced & ~ITSELF)
    left = np.uint64(0)
    for word in range(width):
        at = cell * width + word
        removed, rest = np.uint64(0), wave.words[at]
        while rest != 0:
            joined = rules.path_side[row, node % nodes, word * 64 + lowest_bit(rest)]
            is_wrong = joined != 0 if forced == 0 else joined == 0 or joined & sides != sides
            if is_wrong:
                removed |= rest & (~rest + ONE)
            rest &= rest - ONE
        if removed != 0:
            clear_bits(wave, at, cell, removed)
        left |= wave.words[at]
    if left == 0:
        wave.state[EMPTY_CELL] = cell
    return left != 0


def prepare_networks(rules: RuleTable) -> None:
    """Load or compile what networks need. Not a kernel."""
    if COMPILED and len(rules.path_side):
        prepare(look_at_networks)
