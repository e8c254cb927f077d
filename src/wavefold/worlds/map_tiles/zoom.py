"""Positions of cells on map tiles: a plane of whole pixels for each zoom, twice as large as the one before.

At zoom 0 a cell is 4 pixels across, and a tile 256, with its first pixel at (256 x, 256 y). Squares fill the
plane; cell (0, 0) begins at pixel (0, 0). Rows of hexagons overlap: they lie 7/8 of a hexagon's width apart,
which is near enough to the true height and gives whole pixels from zoom 1 on. Every other row is shifted by
half a hexagon, so cells are counted by (row, column) with column = q + r // 2.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.options.values import require_integer
from wavefold.worlds.plan import check_distance

TILE = 256  # pixels across
SMALLEST_ZOOM, LARGEST_ZOOM = -16, 6
CELLS = 64  # across a tile at zoom 0
SAMPLES = 2 * TILE  # across a tile whose cells are at most a pixel wide: four for each pixel
BEYOND = 8  # cells around a tile whose objects may be visible in it
UNITS, ROW_UNITS = 16, 14  # of a hexagon's width, and from row to row
ROW_BEGINS = 3  # units below the top of its hexagons, half-way to the row above

Rows = NDArray[np.int64]


class TileAddress(NamedTuple):
    """A map tile of a zoom."""

    z: int
    x: int
    y: int

    @classmethod
    def parse(cls, z: object, x: object, y: object) -> TileAddress:
        """The same as plain numbers. Raises ConfigError for an unknown zoom."""
        address = cls(require_integer("z", z), require_integer("x", x), require_integer("y", y))
        if not SMALLEST_ZOOM <= address.z <= LARGEST_ZOOM:
            raise ConfigError(
                f"z must be a whole number from {SMALLEST_ZOOM} to {LARGEST_ZOOM}, not {address.z}"
            )
        across = CELLS << (LARGEST_ZOOM - address.z)  # of 1 / 64 cells
        for each in (0, 1):
            check_distance(
                (address.x + each) * across >> LARGEST_ZOOM, (address.y + each) * across >> LARGEST_ZOOM
            )
        return address

    @property
    def size(self) -> int:
        """Pixels across a cell; 0 if a pixel is wider than a cell."""
        return 4 << self.z if self.z >= 0 else 4 >> -self.z


class CellWindow(NamedTuple):
    """Cells of a tile, or a regular sample of them, in rows and columns.

    rows : int64 [row], ascending
    column, columns, stride : the first column, how many there are, and the distance from one to the next
    is_hex : whether the first coordinate of a cell is column - row // 2, instead of the column itself
    """

    rows: Rows
    column: int
    columns: int
    stride: int
    is_hex: bool

    @property
    def shifts(self) -> Rows:
        """[row] the column of the cell whose first coordinate is 0."""
        return self.rows >> 1 if self.is_hex else np.zeros_like(self.rows)

    @property
    def cells(self) -> NDArray[np.int64]:
        """[cell, (x, y)] row by row."""
        columns = self.column + np.arange(self.columns) * self.stride
        x = columns[None] - self.shifts[:, None]
        return np.stack([x, np.broadcast_to(self.rows[:, None], x.shape)], axis=-1).reshape(-1, 2)

    def chunks(self, side: int) -> list[tuple[int, int]]:
        """The chunks, `side` cells across, that contain some of the cells."""
        found = []
        for cy, _, columns in self.by_chunk_row(side):
            found += [(cx, cy) for cx in columns]
        return found

    def count_chunks(self, side: int) -> int:
        """The number of these chunks."""
        return sum(len(columns) for _, _, columns in self.by_chunk_row(side))

    def by_chunk_row(self, side: int) -> list[tuple[int, slice, range]]:
        """For each row of chunks: its number, which of `rows` lie in it, and which chunks have cells."""
        shifts, last = self.shifts, self.column + (self.columns - 1) * self.stride
        bands = self.rows // side
        found = []
        for cy in np.unique(bands).tolist():
            first, end = np.searchsorted(bands, [cy, cy + 1]).tolist()
            low, high = self.column - int(shifts[end - 1]), last - int(shifts[first])
            found.append((cy, slice(first, end), range(low // side, high // side + 1)))
        return found

    def check(self) -> None:
        """Raise ConfigError if a cell is beyond the limit of coordinates."""
        last = self.column + (self.columns - 1) * self.stride
        for row in (int(self.rows[0]), int(self.rows[-1])):
            shift = row >> 1 if self.is_hex else 0
            check_distance(self.column - shift, row)
            check_distance(last - shift, row)


def cell_bounds(tile: TileAddress, is_hex: bool) -> tuple[int, int, int, int]:
    """A rectangle (x0, y0, width, height) with all cells that a tile shows any part of, and few others."""
    across = CELLS << (LARGEST_ZOOM - tile.z)  # of 1 / 64 cells
    left, right = (((tile.x + each) * across >> LARGEST_ZOOM) + (each or -1) * BEYOND for each in (0, 1))
    top, bottom = (((tile.y + each) * across >> LARGEST_ZOOM) + (each or -1) * BEYOND for each in (0, 1))
    if is_hex:
        top, bottom = top * 8 // 7 - 1, bottom * 8 // 7 + 2
        left, right = left - (bottom >> 1) - 1, right - (top >> 1) + 1
    return left, top, right - left + 1, bottom - top + 1


# --- squares ------------------------------------------------------------------------------------


def square_window(tile: TileAddress, margin: int = 0) -> CellWindow:
    """The cells of a tile, of which a pixel shows at most one, and `margin` more on each side."""
    across = TILE // tile.size
    rows = np.arange(tile.y * across - margin, (tile.y + 1) * across + margin)
    return CellWindow(rows, tile.x * across - margin, across + 2 * margin, 1, False)


def square_samples(tile: TileAddress) -> CellWindow:
    """Cells of a tile: a sample of four for each pixel, or all if there are no more."""
    across = CELLS << -tile.z
    stride = across // SAMPLES
    rows = tile.y * across + np.arange(SAMPLES) * stride + stride // 2
    return CellWindow(rows, tile.x * across + stride // 2, SAMPLES, stride, False)


# --- hexagons -----------------------------------------------------------------------------------


class HexSizes(NamedTuple):
    """Hexagons in whole pixels: how far apart they are, and the height of their stamps."""

    across: int
    step: int

    @classmethod
    def at(cls, z: int) -> HexSizes:
        """The sizes at a zoom of at least 1."""
        return cls(4 << z, 7 << (z - 1))

    @property
    def height(self) -> int:
        """The height of a stamp, as in `HexRaster`."""
        return 2 * ceil(self.step * 2 / 3)


def hex_window(tile: TileAddress, pixels: int = TILE, margin: int = 0) -> tuple[CellWindow, int, int]:
    """The hexagons visible in a square of pixels, and where it begins: pixels below the second row of the
    window, and right of its first column.

    pixels : across the square; it begins at (x, y) times that
    """
    sizes = HexSizes.at(tile.z)
    left, top = tile.x * pixels, tile.y * pixels
    first, last = top // sizes.step, (top + pixels - 1) // sizes.step
    column = (left - sizes.across // 2) // sizes.across  # of shifted rows
    end = (left + pixels - 1) // sizes.across
    rows = np.arange(first - 1 - margin, last + 1 + margin)
    window = CellWindow(rows, column - margin, end - column + 1 + 2 * margin, 1, True)
    below = top - (first - margin) * sizes.step
    return window, below, left - (column - margin) * sizes.across


class HexSamples(NamedTuple):
    """Which hexagon is at each of 512 x 512 points of a tile, four points for each pixel."""

    window: CellWindow
    row: Rows  # [point row] its row in the window
    column: Rows  # [parity of the hexagon's row, point column] its column in the window


def hex_samples(tile: TileAddress) -> HexSamples:
    """The samples at a zoom below 0."""
    apart = 4 << (-tile.z - 1)  # units from point to point
    offsets = np.arange(SAMPLES) * apart + apart // 2
    rows = (tile.y * SAMPLES * apart + offsets - ROW_BEGINS) // ROW_UNITS
    points = tile.x * SAMPLES * apart + offsets
    columns = np.stack([points // UNITS, (points - UNITS // 2) // UNITS])
    stride = max(1, apart // UNITS)
    used, row = np.unique(rows, return_inverse=True)
    first = int(columns.min())
    found = (columns - first) // stride
    window = CellWindow(used, first, int(found.max()) + 1, stride, True)
    return HexSamples(window, row.reshape(-1), found)
