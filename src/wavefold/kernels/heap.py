"""Undecided cells by key: a heap with lazy deletion, beside a sorted list of the cells not touched yet.

An entry is a key and a rank in one word, unique per cell, so the order of arrival never decides. Entries of
cells that changed since are skipped when they come up, and dropped once there are many.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import DECIDED_KEY, NOWHERE, RANK_BITS
from wavefold.kernels.structs import CellQueue

RANK_MASK = np.uint64((1 << RANK_BITS) - 1)
NOTHING = ~np.uint64(0)  # larger than every entry
ROOM_TO_GROW = 1024  # entries
TOP = np.int64(0)


def is_current(queue: CellQueue, criterion: int, entry: np.uint64) -> bool:
    """Whether the cell of an entry is undecided and still has the key of the entry."""
    cell = queue.sequence[np.int64(entry & RANK_MASK)]
    key = np.int64(entry >> np.uint64(RANK_BITS))
    return key == queue.key[criterion, cell] and key != DECIDED_KEY


def entry_of(queue: CellQueue, criterion: int, cell: int) -> np.uint64:
    """The entry of a cell under its current key."""
    return (np.uint64(queue.key[criterion, cell]) << np.uint64(RANK_BITS)) | np.uint64(queue.rank[cell])


def sift_down(heap: np.ndarray, size: int, position: int) -> None:
    """Move the entry at `position` down until no child is smaller."""
    entry = heap[position]
    while True:
        child = 2 * position + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= entry:
            break
        heap[position] = heap[child]
        position = child
    heap[position] = entry


def compact_heap(queue: CellQueue, criterion: int) -> None:
    """Drop outdated entries and duplicates."""
    heap = queue.heap[criterion]
    clock = queue.stamp.size - 1
    queue.stamp[clock] += 1
    kept = np.int64(0)
    for position in range(queue.size[criterion, 1]):
        entry = heap[position]
        cell = queue.sequence[np.int64(entry & RANK_MASK)]
        if is_current(queue, criterion, entry) and queue.stamp[cell] != queue.stamp[clock]:
            queue.stamp[cell] = queue.stamp[clock]
            heap[kept] = entry
            kept += 1
    for position in range(kept // 2 - 1, -1, -1):
        sift_down(heap, kept, position)
    queue.size[criterion, 1] = kept
    # Few current entries among many outdated ones would only fill the cache.
    limit = 2 * kept + ROOM_TO_GROW
    queue.size[criterion, 2] = limit if limit < heap.size else heap.size


def push(queue: CellQueue, criterion: int, cell: int) -> None:
    """Add a cell under its current key."""
    heap = queue.heap[criterion]
    if queue.size[criterion, 1] >= queue.size[criterion, 2]:
        compact_heap(queue, criterion)
    position = queue.size[criterion, 1]
    queue.size[criterion, 1] += 1
    entry = entry_of(queue, criterion, cell)
    while position > 0:
        parent = (position - 1) >> 1
        if heap[parent] <= entry:
            break
        heap[position] = heap[parent]
        position = parent
    heap[position] = entry


def pop(queue: CellQueue, criterion: int, key_wanted: int) -> int:
    """Remove and return the first cell if its key is `key_wanted` (negative: any); else NOWHERE."""
    heap, untouched, size = queue.heap[criterion], queue.untouched[criterion], queue.size[criterion]
    while size[0] < untouched.size and not is_current(queue, criterion, untouched[size[0]]):
        size[0] += 1
    while size[1] > 0 and not is_current(queue, criterion, heap[0]):
        size[1] -= 1
        heap[0] = heap[size[1]]
        sift_down(heap, size[1], TOP)
    waiting = untouched[size[0]] if size[0] < untouched.size else NOTHING
    changed = heap[0] if size[1] > 0 else NOTHING
    entry = waiting if waiting < changed else changed
    if entry == NOTHING or (key_wanted >= 0 and np.int64(entry >> np.uint64(RANK_BITS)) != key_wanted):
        return NOWHERE
    if changed == entry:
        size[1] -= 1
        heap[0] = heap[size[1]]
        sift_down(heap, size[1], TOP)
    if waiting == entry:
        size[0] += 1
    return np.int64(queue.sequence[np.int64(entry & RANK_MASK)])
