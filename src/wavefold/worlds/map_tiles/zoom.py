"""Positions of cells on map tiles. The plane has whole pixels at each zoom, twice as many as at the last.

At zoom 0 a cell is 4 pixels across, and a tile 256, with its first pixel at (256 x, 256 y). Cell (0, 0)
begins at pixel (0, 0). Rows of hexagons overlap: the distance between rows is 7/8 of a hexagon's width, which
is close to the true distance and a whole number of pixels from zoom 1 on. Every other row is shifted by half
a hexagon, so cells are numbered by (row, column) with column = q + r // 2.
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
SAMPLES = 2 * TILE  # across a tile whose cells are at most a pixel wide, so four for each pixel
OBJECT_CELLS = 8  # around a tile, whose objects may be visible in it
UNITS, ROW_UNITS = 16, 14  # across a hexagon, and from row to row
ROW_BEGINS = 3  # units below the top of its hexagons, half-way to the row above

RowNumbers = NDArray[np.int64]  # [row] or [point row]


class TileAddress(NamedTuple):
    """The zoom and the position of a map tile."""

    z: int
    x: int
    y: int

    @classmethod
    def parse(cls, z: object, x: object, y: object) -> TileAddress:
        """Parse an address. Raises ConfigError for an unknown zoom."""
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
        """The number of pixels across a cell; 0 if a pixel is wider than a cell."""
        return 4 << self.z if self.z >= 0 else 4 >> -self.z


class CellWindow(NamedTuple):
    """Cells of a tile, or a regular sample of them, in rows and columns.

    rows : int64 [row], ascending
    column, columns, stride : the first column, the number of columns, and the distance between two
    is_hex : whether the first coordinate of a cell is column - row // 2 instead of the column
    """

    rows: RowNumbers
    column: int
    columns: int
    stride: int
    is_hex: bool

    @property
    def shifts(self) -> RowNumbers:
        """[row]: the column of the cell whose first coordinate is 0."""
        return self.rows >> 1 if self.is_hex else np.zeros_like(self.rows)

    @property
    def cells(self) -> NDArray[np.int64]:
        """[cell, (x, y)]: the cells, row by row."""
        columns = self.column + np.arange(self.columns) * self.stride
        x = columns[None] - self.shifts[:, None]
        return np.stack([x, np.broadcast_to(self.rows[:, None], x.shape)], axis=-1).reshape(-1, 2)

    def chunks(self, side: int) -> list[tuple[int, int]]:
        """List the chunks, `side` cells across, that contain some of the cells."""
        found = []
        for cy, _, columns in self.by_chunk_row(side):
            found += [(cx, cy) for cx in columns]
        return found

    def count_chunks(self, side: int) -> int:
        """Count these chunks."""
        return sum(len(columns) for _, _, columns in self.by_chunk_row(side))

    def by_chunk_row(self, side: int) -> list[tuple[int, slice, range]]:
        """List for each row of chunks its number, which of `rows` lie in it, and the chunks with cells."""
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
    """Return a rectangle (x0, y0, width, height) of all cells visible in a tile, with few others."""
    across = CELLS << (LARGEST_ZOOM - tile.z)  # of 1 / 64 cells
    left, right = (
        ((tile.x + each) * across >> LARGEST_ZOOM) + (each or -1) * OBJECT_CELLS for each in (0, 1)
    )
    top, bottom = (
        ((tile.y + each) * across >> LARGEST_ZOOM) + (each or -1) * OBJECT_CELLS for each in (0, 1)
    )
    if is_hex:
        top, bottom = top * 8 // 7 - 1, bottom * 8 // 7 + 2
        left, right = left - (bottom >> 1) - 1, right - (top >> 1) + 1
    return left, top, right - left + 1, bottom - top + 1


# --- squares ------------------------------------------------------------------------------------


def find_square_window(tile: TileAddress, margin: int = 0) -> CellWindow:
    """Return the cells of a tile, which have at least a pixel each, and `margin` more on each side."""
    across = TILE // tile.size
    rows = np.arange(tile.y * across - margin, (tile.y + 1) * across + margin)
    return CellWindow(rows, tile.x * across - margin, across + 2 * margin, 1, False)


def find_square_samples(tile: TileAddress) -> CellWindow:
    """Return a sample of the cells of a tile, four for each pixel, or all if there are fewer."""
    across = CELLS << -tile.z
    stride = across // SAMPLES
    rows = tile.y * across + np.arange(SAMPLES) * stride + stride // 2
    return CellWindow(rows, tile.x * across + stride // 2, SAMPLES, stride, False)


# --- hexagons -----------------------------------------------------------------------------------


class HexSizes(NamedTuple):
    """The sizes of hexagons in whole pixels: the distances between columns and rows."""

    across: int
    step: int

    @classmethod
    def at(cls, z: int) -> HexSizes:
        """Return the sizes at a zoom of at least 1."""
        return cls(4 << z, 7 << (z - 1))

    @property
    def height(self) -> int:
        """The height of a stamp, as in `HexRaster`."""
        return 2 * ceil(self.step * 2 / 3)


def find_hex_window(tile: TileAddress, pixels: int = TILE, margin: int = 0) -> tuple[CellWindow, int, int]:
    """Find the hexagons visible in a square of pixels.

    Also returns the position of the square: pixels below the second row of the window, and right of its first
    column.

    pixels : the size of the square, which begins at (x, y) * pixels
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
    """The hexagon at each of 512 x 512 points of a tile, four for each pixel."""

    window: CellWindow
    row: RowNumbers  # [point row] its row in the window
    column: NDArray[np.int64]  # [parity of the hexagon's row, point column] its column in the window


def find_hex_samples(tile: TileAddress) -> HexSamples:
    """Find the samples at a zoom below 0."""
    apart = 4 << (-tile.z - 1)  # units between points
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
