"""An order of cells from the rim of a window inwards, ending in one of many points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

SPACING = 7  # cells across a window for every two points in which such an order can end,
MOST_POINTS = 8  # up to so many


def count_end_points(shape: tuple[int, int]) -> tuple[int, int]:
    """How many points there are, down and across, in which an order inwards can end.

    What comes last differs a little from the rest. So there are many of them, and always an even number:
    none is the middle of a window, which is where chunks meet.
    """
    down, across = (min(MOST_POINTS, 2 * max(1, span // SPACING)) for span in shape)
    return down, across


def order_inwards(
    shape: tuple[int, int], end: int, squared_length: Callable[..., NDArray[np.int64]]
) -> NDArray[np.int32]:
    """[rank] -> cell of a window [row, column], farthest first from one of its end points.

    squared_length : of an offset (x, y) on the lattice.

    A scanline ends in a row between what it made and the rim, a window wide, where nothing may fit; here
    the last cells are few and have each other on most sides.
    """
    (height, width), (down, across) = shape, count_end_points(shape)
    row, column = divmod(end, across)
    below = 2 * down * np.arange(height)[:, None] - (2 * row + 1) * (height - 1)
    beside = 2 * across * np.arange(width)[None, :] - (2 * column + 1) * (width - 1)
    below, beside = below * across, beside * down  # in equal units
    distance = squared_length(beside, below)
    return np.argsort(-distance.reshape(-1), kind="stable").astype(np.int32)
