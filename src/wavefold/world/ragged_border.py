"""How far the borders of a chunk reach into it: a ragged line, so that nothing can be seen there.

An edge is solved together with the cells on both sides of the border. If all but the border itself were
solved again, each side would fit it independently of the other: what crosses the border would end right
behind it more often than elsewhere. So cells near the border stay, too, more of them here and fewer there: a
straight line would only move the problem. Only where an edge could not meet a soft mask of the fields is it
solved again up to the border: there the base was in the way, which an interior does not touch.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.world.plan import Plan, Window

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = 32  # of a walk, from one 64-bit number
ROOM = 5  # cells around a soft mask that is not met


def find_fixed_cells(
    plan: Plan, window: Window, seed: int, unmet: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """bool [row, column] of an interior with its rim: cells that stay as its borders have them.

    unmet : [row, column] where a soft mask of the fields is not met
    """
    side = plan.chunk + 1
    depth = np.arange(side)  # from the north or the west
    i, j = window.i, window.j
    north, east, south, west = (
        walk_depths(mix(seed, window.stage, direction, i, j), side, plan.shallowest, plan.deepest)
        for direction in (NORTH, EAST, SOUTH, WEST)
    )
    fixed = (depth[:, None] <= north) | (depth[::-1, None] <= south)
    fixed |= (depth <= west[:, None]) | (depth[::-1] <= east[:, None])
    if unmet is not None:
        fixed &= ~dilate(unmet, ROOM)
        fixed[[0, -1]] = fixed[:, [0, -1]] = True
    return np.asarray(fixed)


def dilate(marks: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """The marks, and all cells within a square of 2 * reach + 1 around each."""
    size = 2 * reach + 1
    rows = sliding_window_view(np.pad(marks, reach), size, axis=0).any(axis=-1)
    return np.asarray(sliding_window_view(rows, size, axis=1).any(axis=-1))


def walk_depths(seed: int, length: int, least: int, most: int) -> NDArray[np.int64]:
    """[cell along the border] how many cells behind it stay: a random walk, reflected at both bounds."""
    words = np.array([mix(seed, part) for part in range(-(-length // STEPS))], np.uint64)
    bits = words[:, None] >> np.arange(0, 2 * STEPS, 2, dtype=np.uint64) & np.uint64(3)
    steps = np.array([-1, 0, 0, 1])[bits.reshape(-1)[:length]]
    span = max(1, most - least)
    walk = (np.cumsum(steps) + seed % (2 * span)) % (2 * span)
    return np.asarray(np.minimum(least + np.abs(walk - span), most))
