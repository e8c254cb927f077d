"""Areas: cells of a map, given as a mask, a rectangle, a polygon or a picture."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Sequence
from math import inf
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError
from wavefold.fields import Fields
from wavefold.fields.sources import is_picture
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.solver import Problem

if TYPE_CHECKING:
    from PIL import Image

# A mask, a rectangle, a polygon, or a picture or its path
AreaLike: TypeAlias = "ArrayLike | Sequence[tuple[float, float]] | os.PathLike[str] | Image.Image"

AREAS = (
    "an area is a mask of True and False, a rectangle (x0, y0, width, height), a polygon [(x, y), ...] "
    "or a picture, bright inside"
)


def read_area(problem: Problem, area: Any) -> NDArray[np.bool_]:
    """bool [cell]: the cells of an area."""
    if isinstance(area, str | os.PathLike) or is_picture(area):
        values = Fields(area=area).sampled(problem.topology).values["area"]
        inside: NDArray[np.bool_] = values >= 0.5
    elif is_rectangle(area):
        inside = find_inside_rectangle(problem, *area)
    elif is_polygon(area):
        inside = find_inside_polygon(problem, read_corners(problem, area))
    else:
        inside = read_mask(problem, area)
    if not inside.any():
        raise ConfigError(f"the area {describe_area(area)} has no cell of the map; {AREAS}")
    return inside


def describe_area(area: Any) -> str:
    """Describe an area, for messages."""
    if is_rectangle(area):
        return f"{tuple(int(each) for each in area)}"
    if is_polygon(area):
        return f"of {len(area)} corners"
    return f"{area!r}" if isinstance(area, str | os.PathLike) else "given as a mask"


def is_rectangle(area: Any) -> bool:
    """Whether the area is a rectangle: four whole numbers."""
    if not isinstance(area, list | tuple) or len(area) != 4:
        return False
    return all(isinstance(each, Integral) and not isinstance(each, bool) for each in area)


def is_polygon(area: Any) -> bool:
    """Whether the area is a polygon: a list of at least three points."""
    return (
        isinstance(area, list | tuple)
        and len(area) >= 3
        and all(isinstance(each, list | tuple) and len(each) == 2 for each in area)
        and all(isinstance(value, Real) and not isinstance(value, bool) for each in area for value in each)
    )


def find_inside_rectangle(problem: Problem, x0: int, y0: int, width: int, height: int) -> NDArray[np.bool_]:
    """bool [cell]: the cells in a rectangle, given in coordinates of the map."""
    x, y = get_plane_coordinates(problem)
    if width < 1 or height < 1:
        raise ConfigError(f"an area must be at least 1 x 1, not {width} x {height}")
    left, top, right, bottom = find_bounds(problem)
    if x0 < left or y0 < top or x0 + width - 1 > right or y0 + height - 1 > bottom:
        raise make_outside_error(problem, (x0, y0, width, height))
    return np.asarray((x >= x0) & (x < x0 + width) & (y >= y0) & (y < y0 + height))


def read_corners(problem: Problem, area: Any) -> NDArray[np.float64]:
    """float64 [corner, (x, y)] of a polygon. Corners may be one cell beyond the outermost cells."""
    left, top, right, bottom = find_bounds(problem)
    if not all(-inf <= value <= inf for corner in area for value in corner):
        raise ConfigError(f"the corners of an area must be numbers, not NaN: {reprlib.repr(area):.80}")
    if not all(left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1 for x, y in area):
        raise make_outside_error(problem, area)
    return np.array(area, np.float64)


def find_bounds(problem: Problem) -> tuple[int, int, int, int]:
    """The smallest x and y of all cells, and the largest x and y."""
    x, y = get_plane_coordinates(problem)
    return int(x.min()), int(y.min()), int(x.max()), int(y.max())


def make_outside_error(problem: Problem, area: Any) -> ConfigError:
    """Make the error for an area that reaches outside of the map."""
    left, top, right, bottom = find_bounds(problem)
    return ConfigError(
        f"the area {describe_area(area)} reaches outside of the map; "
        f"cells range from ({left}, {top}) to ({right}, {bottom})"
    )


def find_inside_polygon(problem: Problem, corners: NDArray[np.float64]) -> NDArray[np.bool_]:
    """bool [cell]: the cells with coordinates inside a polygon or on its edge."""
    x, y = get_plane_coordinates(problem)
    inside, on_edge = np.zeros(x.size, bool), np.zeros(x.size, bool)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        checkpoint()
        turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)  # its sign is the side of the edge
        between = (np.minimum(x1, x2) <= x) & (x <= np.maximum(x1, x2))
        between &= (np.minimum(y1, y2) <= y) & (y <= np.maximum(y1, y2))
        on_edge |= between & (turn == 0)
        crosses = (y1 > y) != (y2 > y)
        inside ^= crosses & ((turn > 0) == (y2 > y1)) & (turn != 0)
    return np.asarray(inside | on_edge)


def read_mask(problem: Problem, area: Any) -> NDArray[np.bool_]:
    """bool [cell] from a mask [cell], [row, column] or [layer, row, column]."""
    try:
        mask = np.asarray(area)
    except ValueError:
        mask = np.zeros(0)
    if mask.dtype != bool or mask.shape not in ((problem.cell_count,), problem.topology.shape):
        has_size = mask.shape in ((problem.cell_count,), problem.topology.shape)
        is_number = has_size and np.issubdtype(mask.dtype, np.number)
        is_array = isinstance(area, np.ndarray)
        shown = f"an array {mask.shape} of {mask.dtype}" if is_array else f"{reprlib.repr(area):.80}"
        advice = "convert it to a mask, such as values > 0.5 or .astype(bool)" if is_number else AREAS
        raise ConfigError(f"{shown} is not an area of this map; {advice}")
    if mask.ndim == 1:
        return mask
    coordinates: Any = problem.topology.to_array(np.arange(problem.cell_count), -1)
    inside = np.zeros(problem.cell_count, bool)
    inside[coordinates[(coordinates >= 0) & mask]] = True
    return inside


def get_plane_coordinates(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The x and y coordinates of all cells."""
    coordinates = getattr(problem.topology, "coordinates", None)
    if coordinates is None:
        raise ConfigError("on a graph, an area must be a mask with one True or False per cell")
    return coordinates[:, 0].astype(np.int64), coordinates[:, 1].astype(np.int64)
