"""Grids of squares, and of cubes in layers."""

from __future__ import annotations

from dataclasses import dataclass

from wavefold.options.values import MaskLike, Wraps
from wavefold.topology.base import Point
from wavefold.topology.lattice import Lattice
from wavefold.topology.traits import TypicalSizes, make_steps


@dataclass(frozen=True, repr=False)
class SquareGrid(Lattice):
    """A grid of `width` columns and `height` rows; a cell is (column, row), with row 0 at the top.

    `wraps` joins opposite edges, on both axes or per axis, as (x, y). `mask` [row, column] is True where a
    cell exists.
    """

    width: int
    height: int
    wraps: Wraps = False
    mask: MaskLike | None = None

    kind = "square"
    directions = ("north", "east", "south", "west")
    steps = make_steps((0, -1), (1, 0), (0, 1), (-1, 0))
    axes = ("column", "row")
    axis_letters = ("x", "y")

    def centre(self, cell: int) -> Point:
        x, y = self.coordinate(cell)
        return x + 0.5, y + 0.5

    def outline(self, cell: int) -> tuple[Point, ...]:
        return make_square_outline(*self.coordinate(cell))


@dataclass(frozen=True, repr=False)
class CubeGrid(Lattice):
    """A grid of `depth` layers of `width` columns and `height` rows; a cell is (column, row, layer).

    Layer 0 is the lowest; "up" leads to the next layer. `wraps` joins opposite faces, on all axes or per
    axis, as (x, y, z). `mask` [layer, row, column] is True where a cell exists.
    """

    width: int
    height: int
    depth: int
    wraps: Wraps = False
    mask: MaskLike | None = None

    kind = "cube"
    directions = ("north", "east", "south", "west", "up", "down")
    steps = make_steps((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))
    axes = ("column", "row", "layer")
    axis_letters = ("x", "y", "z")
    sizes = TypicalSizes((8, 8, 8), (6, 6, 6), (5, 8, 12), 3, 4, 5, 4, (6, 6, 3))

    def centre(self, cell: int) -> Point:
        """The middle of the cell, seen from above."""
        x, y, _ = self.coordinate(cell)
        return x + 0.5, y + 0.5

    def outline(self, cell: int) -> tuple[Point, ...]:
        """The outline of the cell, seen from above."""
        x, y, _ = self.coordinate(cell)
        return make_square_outline(x, y)


def make_square_outline(x: float, y: float) -> tuple[Point, ...]:
    """The corners of a unit square, clockwise from its northwest corner (x, y)."""
    return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
