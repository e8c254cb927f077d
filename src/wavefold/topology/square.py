"""Rows and columns of squares, and the same stacked in layers: cubes."""

from __future__ import annotations

from dataclasses import dataclass

from wavefold.options.values import MaskLike, Wraps
from wavefold.topology.base import Point
from wavefold.topology.lattice import Lattice
from wavefold.topology.traits import TypicalSizes, make_steps


@dataclass(frozen=True, repr=False)
class SquareGrid(Lattice):
    """`width` columns and `height` rows of squares; a cell is (column, row), rows grow downwards.

    `wraps` joins opposite edges, on both axes or as (x, y) on each. `mask` [row, column] is True where a
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
    """`depth` layers of `width` columns and `height` rows; a cell is (column, row, layer).

    Layer 0 is the lowest, "up" leads to the next. `wraps` joins opposite faces, on all axes or as
    (x, y, z) on each. `mask` [layer, row, column] is True where a cell exists.
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
        """The middle of the footprint: drawings look down on a layer."""
        x, y, _ = self.coordinate(cell)
        return x + 0.5, y + 0.5

    def outline(self, cell: int) -> tuple[Point, ...]:
        """The footprint: drawings look down on a layer."""
        x, y, _ = self.coordinate(cell)
        return make_square_outline(x, y)


def make_square_outline(x: float, y: float) -> tuple[Point, ...]:
    """The unit square whose northwest corner is (x, y), from that corner clockwise."""
    return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
