"""The queue of slots to visit while what follows from a choice is propagated within a window."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE
from wavefold.kernels.constants import IDLE, MANY
from wavefold.kernels.refine_structs import RefineMap
from wavefold.kernels.structs import KernelGraph


def schedule_visit(
    chain: RefineMap, graph: KernelGraph, slot: int, direction: int, tail: np.uint64
) -> np.uint64:
    """Put a slot that was narrowed from the side it lies on into the queue; returns its new end."""
    back = graph.opposite[direction]
    if chain.queued[slot] == IDLE:
        chain.queued[slot] = back if back < MANY else MANY
        chain.queue[tail & np.uint64(chain.queue.size - 1)] = slot
        return tail + ONE
    if chain.queued[slot] != back:
        chain.queued[slot] = MANY
    return tail


def empty_queue(chain: RefineMap, head: int, tail: int) -> None:
    """Forget what is left to visit."""
    while head != tail:
        chain.queued[chain.queue[head & (chain.queue.size - 1)]] = IDLE
        head += 1
