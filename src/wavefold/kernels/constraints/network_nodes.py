"""Nodes of networks: whether they are possible or required, and which nodes they may be joined with.

A cell has one or more *nodes*. A pattern whose path sides all meet has node 0; a bridge has one node for each
way across. A node is *possible* while any pattern in the domain of the cell has it, and *required* when all
of them have it. Node i of cell c has the number c * nodes + i. A *way* from a node is direction * nodes + i,
where i is the node of the neighbour.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import check_nonempty, narrow_word

UNSEEN = 0
ITSELF = 1 << 30

# Rows of Wave.node [row, node]: scratch of searches of a whole network. Some rows have other uses, too.
(
    LABEL,  # the source that a piece grew from: 1, 2, …; 0 for all nodes between two calls
    SEEN,  # discovery time in the depth-first search: 1, 2, …; or UNSEEN
    LOW_LINK,  # the least discovery time among the nodes joined with its subtree
    SUBTREE,  # number of required nodes in its subtree, including itself
    WAY_BACK,  # the way back to the node that it was reached from, or -1
    NEXT,  # the next way to try
    WALK,  # the stack of the depth-first search, or the queue of a breadth-first search
    FORCED,  # sides that must be joined, as bits; ITSELF: the node must exist
    NODE_ROWS,
) = range(9)
PARENT = LOW_LINK  # the parent of a node or label in a union-find forest; a root is its own parent

# Bits of Wave.required, and columns of Wave.needed, the number of nodes with these bits.
IS_START, IS_GOAL = 1, 2
STARTS, ENDS, NEEDED, NEEDED_SIZE = range(4)


def update_node(wave: Wave, rules: RuleTable, propagator: int, cell: int, index: int) -> int:
    """Update the sides on which a node may be joined and whether it is required. Return the lost sides."""
    row, where = rules.propagator[propagator, c.ROW], rules.propagator[propagator, c.WHERE]
    first, second = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.SECOND]
    width = rules.rows.shape[2]
    node = cell * rules.path_mask.shape[1] + index
    sides, no_start, no_goal = 0, np.uint64(0), np.uint64(0)
    if where >= 0 and rules.area[where, cell] == 0:
        no_start = no_goal = ~np.uint64(0)
    else:
        for word in range(width):
            domain, having = wave.words[cell * width + word], rules.path_mask[row, index, 0, word]
            no_start |= domain & ~(having & rules.group[first, word])
            no_goal |= domain & ~(having & rules.group[second, word])
            if domain & having != 0:
                for side in range(rules.path_mask.shape[2] - 1):
                    if domain & rules.path_mask[row, index, side + 1, word] != 0:
                        sides |= 1 << side
    required = 0
    if no_start == 0 and is_listed(rules, rules.propagator[propagator, c.JOINS], cell):
        required = IS_START
    if no_goal == 0 and is_listed(rules, rules.propagator[propagator, c.GOALS], cell):
        required |= IS_GOAL
    if required != wave.required[row, node]:
        count_required(wave, row, wave.required[row, node], -1)
        count_required(wave, row, required, 1)
    lost = np.int64(wave.joined[row, node]) & ~sides
    wave.joined[row, node], wave.required[row, node] = sides, required
    return lost


def is_listed(rules: RuleTable, area: int, cell: int) -> bool:
    """Whether a cell is in an area; area -1 contains all cells."""
    return area < 0 or rules.area[area, cell] != 0


def count_required(wave: Wave, row: int, required: int, step: int) -> None:
    """Add a required node to the totals (`step` 1), or remove it (`step` -1)."""
    wave.needed[row, STARTS] += step * np.int64(required & IS_START != 0)
    wave.needed[row, ENDS] += step * np.int64(required & IS_GOAL != 0)
    wave.needed[row, NEEDED] += step * np.int64(required != 0)


def is_joining(wave: Wave, row: int) -> bool:
    """Whether any nodes must be connected: a start and a goal are required, and at least two nodes."""
    return wave.needed[row, STARTS] > 0 and wave.needed[row, ENDS] > 0 and wave.needed[row, NEEDED] > 1


def divide(number: int, divisor: int) -> int:
    """Return number // divisor. Most divisors are 1, and a comparison is faster than a division."""
    return number if divisor == 1 else number // divisor


def follow_way(wave: Wave, graph: KernelGraph, row: int, nodes: int, here: int, way: int) -> int:
    """Return the node that a way leads to, or -1 if the two cannot be joined."""
    direction = divide(way, nodes)
    if (wave.joined[row, here] >> direction) & 1 == 0:
        return -1
    neighbour = np.int64(graph.neighbour[divide(here, nodes), direction])
    if neighbour == c.NOWHERE:
        return -1
    other = neighbour * nodes + way - direction * nodes
    if (wave.joined[row, other] >> np.int64(graph.opposite[direction])) & 1 == 0:
        return -1
    return other


def restrict_node(wave: Wave, rules: RuleTable, propagator: int, node: int, forced: int) -> bool:
    """Remove the patterns without the forced sides of a node. Return False if this empties the cell.

    forced : see FORCED; 0: remove the patterns that have the node
    """
    row, width, nodes = rules.propagator[propagator, c.ROW], rules.rows.shape[2], rules.path_mask.shape[1]
    cell, index, left = node // nodes, node % nodes, np.uint64(0)
    for word in range(width):
        at = cell * width + word
        kept = rules.path_mask[row, index, 0, word]
        for side in range(rules.path_mask.shape[2] - 1):
            if (forced >> side) & 1 != 0:
                kept &= rules.path_mask[row, index, side + 1, word]
        left |= narrow_word(wave, at, cell, wave.words[at] & (kept if forced == 0 else ~kept))
    return check_nonempty(wave, cell, left)


def find_root(wave: Wave, member: int) -> int:
    """Return the root of a node or label in the union-find forest, and halve the path to it."""
    while wave.node[PARENT, member] != member:
        wave.node[PARENT, member] = wave.node[PARENT, wave.node[PARENT, member]]
        member = np.int64(wave.node[PARENT, member])
    return member
