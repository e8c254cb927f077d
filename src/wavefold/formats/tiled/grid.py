"""Where the cells of a map lie on Tiled's grid: rows and columns, shifted for hexagons, layers for cubes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.formats.schema import MOST_CELLS
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology


class Chart(NamedTuple):
    """A grid of Tiled, and which cell lies where on it."""

    cells: NDArray[np.int64]  # [layer, row, column] numbers of cells; -1 where there is none
    stagger: str  # "odd" or "even": the rows (columns, if flat) that are shifted by half; "" on squares
    origin: tuple[int, ...]  # the coordinate at the first place (of layer 0)
    corner: tuple[int, int] = (
        0,
        0,
    )  # Tiled's column and row of the first place, on infinite maps

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.cells.shape[2])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.cells.shape[1])


def make_chart(topology: Topology, origin: tuple[int, ...] | None = None) -> Chart:
    """The chart of a topology that Tiled can show; with its origin in a world, on an infinite map.

    Columns and rows of an infinite map are those of the world. Hexagon (q, r), if pointy, lies in column
    q + r // 2 of row r: odd rows are always shifted, wherever the map begins.
    """
    if isinstance(topology, HexGrid):
        return make_hex_chart(topology, origin)
    if not isinstance(topology, SquareGrid | CubeGrid):
        raise ConfigError(f"Tiled shows square, hex and cube cells, not those of a {topology.kind}")
    numbers = topology.to_array(np.arange(topology.cell_count), missing=-1)
    layers = numbers if numbers.ndim == 3 else numbers[None]
    if origin is None:
        return Chart(layers, "", (0,) * len(topology.axes))
    return Chart(layers, "", origin, (origin[0], origin[1]))


def make_hex_chart(topology: HexGrid, origin: tuple[int, ...] | None = None) -> Chart:
    """Axial coordinates as offsets: a row of pointy hexagons moves left by one every second row."""
    q, r = (topology.coordinates + np.array(origin or (0, 0), np.int64)).T
    flat = topology.layout == "flat"
    along, across = (q, r) if flat else (r, q)  # rows of pointy hexagons are columns of flat ones
    lines, places = along, across + along // 2
    first_line, first_place = int(lines.min()), int(places.min())
    size = int(np.ptp(lines) + 1) * int(np.ptp(places) + 1)
    if size > MOST_CELLS:
        raise ConfigError(f"the map has room for {size:,} cells in Tiled; at most {MOST_CELLS:,} can be read")
    cells = np.full((int(np.ptp(lines)) + 1, int(np.ptp(places)) + 1), -1, np.int64)
    cells[lines - first_line, places - first_place] = np.arange(topology.cell_count)
    start = (first_line, first_place - first_line // 2)
    corner = (first_line, first_place) if flat else (first_place, first_line)
    return Chart(
        (cells.T if flat else cells)[None],
        "odd" if origin is not None or first_line % 2 == 0 else "even",
        start if flat else start[::-1],
        (0, 0) if origin is None else corner,
    )


def stagger_axis(topology: Topology) -> str:
    """The axis along which Tiled shifts: y for pointy hexagons, x for flat ones; "" on squares."""
    if not isinstance(topology, HexGrid):
        return ""
    return "x" if topology.layout == "flat" else "y"
