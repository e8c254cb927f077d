"""How far the borders of a chunk reach into it: a ragged line, so that nothing can be seen there.

Edges are made in one piece with what lies on both sides of the border. If all but the border itself were
made anew, both sides would fit it, but know nothing of each other: what crosses the border would end right
behind it more often than elsewhere. So what lies near the border stays, too, here deeper and there less
deep: a straight line would only move the trouble. Only where an edge could not do what fields wish for is it
made anew up to the border: there the base was in the way, which an interior does not see.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.world.plan import Plan, Window

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = 32  # of a walk, in one key
ROOM = 5  # cells around a wish that is not met


def fixed_near_border(
    plan: Plan, window: Window, seed: int, unmet: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """[row, column] of an interior with its rim: what stays as its borders have it.

    unmet : [row, column] where what is there is not what fields wish for
    """
    side = plan.chunk + 1
    deep = np.arange(side)  # from the north or the west
    i, j = window.i, window.j
    north, east, south, west = (
        depths(mix(seed, window.stage, direction, i, j), side, plan.shallowest, plan.deepest)
        for direction in (NORTH, EAST, SOUTH, WEST)
    )
    stays = (deep[:, None] <= north) | (deep[::-1, None] <= south)
    stays |= (deep <= west[:, None]) | (deep[::-1] <= east[:, None])
    if unmet is not None:
        stays &= ~spread(unmet, ROOM)
        stays[[0, -1]] = stays[:, [0, -1]] = True
    return np.asarray(stays)


def spread(marks: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """The marks, and whatever is no farther from one, across and down."""
    for axis in (0, 1):
        rows = marks if axis == 0 else marks.T
        wider = rows.copy()
        for step in range(1, reach + 1):
            wider[step:] |= rows[:-step]
            wider[:-step] |= rows[step:]
        marks = wider if axis == 0 else wider.T
    return marks


def depths(seed: int, length: int, least: int, most: int) -> NDArray[np.int64]:
    """[place] cells that stay behind the border: a random walk between two bounds, turned back at both."""
    words = np.array([mix(seed, part) for part in range(-(-length // STEPS))], np.uint64)
    bits = words[:, None] >> np.arange(0, 2 * STEPS, 2, dtype=np.uint64) & np.uint64(3)
    steps = np.array([-1, 0, 0, 1])[bits.reshape(-1)[:length]]
    span = max(1, most - least)
    walk = (np.cumsum(steps) + seed % (2 * span)) % (2 * span)
    return np.asarray(np.minimum(least + np.abs(walk - span), most))
