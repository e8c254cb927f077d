"""Grids in three dimensions: square grids stacked in layers."""

from __future__ import annotations

from dataclasses import dataclass

from wavefold.common.values import MaskLike, Wraps, format_wraps, parse_size, parse_wraps
from wavefold.topology.base import Point, set_frozen
from wavefold.topology.lattice import Bounds, Lattice
from wavefold.topology.square import span, square_outline
from wavefold.topology.traits import TypicalSizes, constant_steps


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
    steps = constant_steps((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))
    axes = ("column", "row", "layer")
    axis_letters = ("x", "y", "z")
    sizes = TypicalSizes((8, 8, 8), (6, 6, 6), (5, 8, 12), 3, 4, 5, 4, (6, 6, 3))

    def __post_init__(self) -> None:
        set_frozen(self, width=parse_size("width", self.width), height=parse_size("height", self.height))
        set_frozen(self, depth=parse_size("depth", self.depth), wraps=parse_wraps(self.wraps, "xyz"))
        self._read_mask()

    @property
    def _bounds(self) -> Bounds:
        return Bounds((0, 0, 0), (self.width, self.height, self.depth), parse_wraps(self.wraps, "xyz"))

    def centre(self, cell: int) -> Point:
        """The middle of the footprint: drawings look down on a layer."""
        x, y, _ = self.coordinate(cell)
        return x + 0.5, y + 0.5

    def outline(self, cell: int) -> tuple[Point, ...]:
        """The footprint: drawings look down on a layer."""
        x, y, _ = self.coordinate(cell)
        return square_outline(x, y)

    def _spell(self, coordinate: tuple[int, ...]) -> str:
        return "column {}, row {}, layer {}".format(*coordinate)

    def _extent(self) -> str:
        columns, rows = span("column", self.width), span("row", self.height)
        return f"this grid has {columns}, {rows} and {span('layer', self.depth)}"

    def __repr__(self) -> str:
        sizes = f"{self.width}, {self.height}, {self.depth}"
        mask = "" if self.mask is None else f", mask={self.mask!r}"
        return f"CubeGrid({sizes}{format_wraps(self.wraps, 'xyz')}{mask})"
