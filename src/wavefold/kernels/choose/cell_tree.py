"""A tree of minima over the entries of all cells, in cell order, with FAN children per node.

An entry is a key and a rank in one word. Entries are unique, so the order of insertion has no effect. The
tree is a pure function of the entries and has no outdated ones. Its root is the least entry.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import NOWHERE, RANK_BITS
from wavefold.kernels.structs import CellQueue
from wavefold.kernels.units import kernel

RANK_MASK = np.int64((1 << RANK_BITS) - 1)
NOTHING = np.int64((1 << 63) - 1)  # entry of decided cells, greater than all others
FAN, FAN_BITS = 16, 4

WIDTH, SHIFT, LEVEL_END = np.uint64(FAN), np.uint64(FAN_BITS), np.uint64(1)


def tree_size(cells: int) -> int:
    """Return the number of words of a tree. All levels but the root are padded to a multiple of FAN."""
    total = 0
    while True:
        cells = -(-cells // FAN)
        total += cells * FAN
        if cells == 1:
            return total + 1


def take_lesser(one: int, other: int) -> int:
    """Return the lesser of two entries."""
    return one if one < other else other


def find_least_child(tree: np.ndarray, start: np.uint64) -> int:
    """Return the least of FAN words. Four independent chains of comparisons run in parallel."""
    one, two = tree[start], tree[start + np.uint64(1)]
    three, four = tree[start + np.uint64(2)], tree[start + np.uint64(3)]
    for i in range(start + np.uint64(4), start + WIDTH, np.uint64(4)):
        one = take_lesser(one, tree[i])
        two = take_lesser(two, tree[i + np.uint64(1)])
        three = take_lesser(three, tree[i + np.uint64(2)])
        four = take_lesser(four, tree[i + np.uint64(3)])
    return take_lesser(take_lesser(one, two), take_lesser(three, four))


def set_entry(queue: CellQueue, criterion: int, cell: int, new: int) -> None:
    """Replace the entry of a cell and update the minima above it.

    A lesser entry is propagated to the root without branching, because the level where it stops being the
    least cannot be predicted.
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
        nodes = (nodes + WIDTH - LEVEL_END) >> SHIFT  # of the level above
        above, node = level + (nodes << SHIFT), position >> SHIFT
        least = tree[above + node]
        if is_less:
            tree[above + node] = take_lesser(new, least)
        elif old == least:
            tree[above + node] = find_least_child(tree, level + (node << SHIFT))
        else:
            return
        if nodes == LEVEL_END:
            return
        level, position = above, node


@kernel
def build_trees(queue: CellQueue) -> None:
    """Compute all minima from the entries."""
    for criterion in range(queue.tree.shape[0]):
        tree = queue.tree[criterion]
        level, used = 0, queue.rank.size
        while used > 1 or level == 0:
            nodes = (used + FAN - 1) // FAN
            above = level + nodes * FAN
            for at in range(level + used, above):
                tree[at] = NOTHING
            for node in range(nodes):
                tree[above + node] = find_least_child(tree, np.uint64(level + node * FAN))
            level, used = above, nodes


def entry_of(queue: CellQueue, cell: int, key: int) -> int:
    """Return the entry of a cell with this key."""
    return (key << RANK_BITS) | np.int64(queue.rank[cell])


def key_of(entry: int) -> int:
    """Return the key of an entry."""
    return entry >> RANK_BITS


def first_entry(queue: CellQueue, criterion: int) -> int:
    """Return the least entry, or NOTHING if all cells are decided."""
    return queue.tree[criterion, queue.tree.shape[1] - 1]


def cell_of(queue: CellQueue, entry: int) -> int:
    """Return the cell of an entry, or NOWHERE for NOTHING."""
    return np.int64(queue.sequence[entry & RANK_MASK]) if entry != NOTHING else NOWHERE
