"""Undecided cells by key: a tree of minima with FAN children to a node, over the cells in their own order.

An entry is a key and a rank in one word, unique per cell, so the order of arrival never decides. The tree is
a pure function of the entries: none is ever outdated, and the first cell is at the top.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import NOWHERE, RANK_BITS
from wavefold.kernels.structs import CellQueue
from wavefold.kernels.units import kernel

RANK_MASK = np.int64((1 << RANK_BITS) - 1)
NOTHING = np.int64((1 << 63) - 1)  # the entry of a decided cell: larger than all others
FAN, FAN_BITS = 16, 4

WIDTH, SHIFT, LEVEL_END = np.uint64(FAN), np.uint64(FAN_BITS), np.uint64(1)


def tree_size(cells: int) -> int:
    """Words of a tree: all levels, each but the last filled up to a multiple of FAN."""
    total = 0
    while True:
        cells = -(-cells // FAN)
        total += cells * FAN
        if cells == 1:
            return total + 1


def lesser(one: int, other: int) -> int:
    """The lesser of two entries."""
    return one if one < other else other


def least_child(tree: np.ndarray, start: np.uint64) -> int:
    """The least of FAN words. Four chains of comparisons: a single chain would wait for each result."""
    one, two = tree[start], tree[start + np.uint64(1)]
    three, four = tree[start + np.uint64(2)], tree[start + np.uint64(3)]
    for i in range(start + np.uint64(4), start + WIDTH, np.uint64(4)):
        one = lesser(one, tree[i])
        two = lesser(two, tree[i + np.uint64(1)])
        three = lesser(three, tree[i + np.uint64(2)])
        four = lesser(four, tree[i + np.uint64(3)])
    return lesser(lesser(one, two), lesser(three, four))


def set_entry(queue: CellQueue, criterion: int, cell: int, new: int) -> None:
    """Replace the entry of a cell, and update the minima above it.

    A lesser entry goes up to the top without a branch: where it stops being the least cannot be predicted.
    """
    tree = queue.tree[criterion]
    old = tree[cell]
    if new == old:
        return
    tree[cell] = new
    is_less = new < old
    level, position = np.uint64(0), np.uint64(cell)
    nodes = np.uint64(queue.rank.size)
    while True:
        nodes = (nodes + WIDTH - LEVEL_END) >> SHIFT  # on the level above
        above, node = level + (nodes << SHIFT), position >> SHIFT
        least = tree[above + node]
        if is_less:
            tree[above + node] = lesser(new, least)
        elif old == least:
            tree[above + node] = least_child(tree, level + (node << SHIFT))
        else:
            return
        if nodes == LEVEL_END:
            return
        level, position = above, node


@kernel
def build_trees(queue: CellQueue) -> None:
    """Compute all minima from the entries of the cells."""
    for criterion in range(queue.tree.shape[0]):
        tree = queue.tree[criterion]
        level, used = 0, queue.rank.size
        while used > 1 or level == 0:
            nodes = (used + FAN - 1) // FAN
            above = level + nodes * FAN
            for at in range(level + used, above):
                tree[at] = NOTHING
            for node in range(nodes):
                tree[above + node] = least_child(tree, np.uint64(level + node * FAN))
            level, used = above, nodes


def entry_of(queue: CellQueue, cell: int, key: int) -> int:
    """The entry of a cell under a key."""
    return (key << RANK_BITS) | np.int64(queue.rank[cell])


def key_of(entry: int) -> int:
    """The key of an entry."""
    return entry >> RANK_BITS


def first_entry(queue: CellQueue, criterion: int) -> int:
    """The least entry; NOTHING if all cells are decided."""
    return queue.tree[criterion, queue.tree.shape[1] - 1]


def cell_of(queue: CellQueue, entry: int) -> int:
    """The cell of an entry, or NOWHERE."""
    return np.int64(queue.sequence[entry & RANK_MASK]) if entry != NOTHING else NOWHERE
