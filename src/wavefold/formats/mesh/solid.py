"""A body of flat faces, before any program gets to see it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Solid(NamedTuple):
    """Corners, what is seen there, and triangles between them, counter-clockwise from outside."""

    vertices: NDArray[np.float64]  # [vertex, (x, y, z)]; y points up, z south
    surface: NDArray[Any]  # [vertex, (u, v)] on the picture, or [vertex, RGBA]
    faces: NDArray[np.int64]  # [triangle, 3]


def quads(count: int, start: int = 0) -> NDArray[np.int64]:
    """Two triangles for each four vertices that follow one another."""
    corners = start + 4 * np.arange(count)[:, None]
    return np.asarray(corners + np.array([0, 1, 2, 0, 2, 3])).reshape(-1, 3)
