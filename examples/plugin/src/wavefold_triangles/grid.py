"""A topology: triangles in rows, in turn pointing up and down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.options.values import MaskLike, Wraps
from wavefold.topology import Lattice, Lengths, Point, make_steps

HALF, HEIGHT = 3**0.5 / 2, 1.5  # of a triangle whose middle is 1 from those of its neighbours


@dataclass(frozen=True, repr=False)
class TriangleGrid(Lattice):
    """`width` triangles in each of `height` rows; a cell (column, row) points up if the sum is even."""

    width: int
    height: int
    wraps: Wraps = False
    mask: MaskLike | None = None

    kind = "triangle"
    axes = ("column", "row")
    axis_letters = ("x", "y")
    # All sides that any cell has, clockwise from north, and the step that leads across each.
    directions = ("north", "northeast", "southeast", "south", "southwest", "northwest")
    steps = make_steps((0, -1), (1, 0), (1, 0), (0, 1), (-1, 0), (-1, 0))
    side_sets = ((1, 3, 5), (0, 2, 4))  # a cell that points up has a northeast, a south and a northwest side
    turning_sides = 6  # all six go round: turned by 60 degrees, a tile that points up points down
    mirror_axis = 0  # side 0, north, stays; 1, northeast, becomes -1: that is 5, northwest
    rectangular_cells = False  # a picture of a cell has corners that are not shown

    @classmethod
    def distance(cls, *offset: int) -> int:
        """Steps of a shortest way, for patchworks; the fewest, where it matters which way a cell points."""
        column, row = map(abs, offset)
        return max(column + row, 2 * row - (column + row) % 2)

    @classmethod
    def squared_length(cls, *offset: Lengths) -> Lengths:
        """For orders that begin in the middle: rows are √3 times as far apart as columns."""
        column, row = offset
        squared: Lengths = column * column + 3 * row * row
        return squared

    def positions(self, coordinates: NDArray[np.int64]) -> tuple[NDArray[np.float64], ...]:
        """For fields: neighbours are 1 apart."""
        column, row = coordinates
        return column * HALF, row * HEIGHT - (column + row) % 2 / 2

    def outline(self, cell: int) -> tuple[Point, ...]:
        """Clockwise; corner 0 is where the first side of the cell begins."""
        column, row = self.coordinate(cell)
        left, middle, right = (HALF * each for each in (column, column + 1, column + 2))
        top, bottom = HEIGHT * row, HEIGHT * (row + 1)
        if (column + row) % 2 == 0:
            return (middle, top), (right, bottom), (left, bottom)
        return (left, top), (right, top), (middle, bottom)
