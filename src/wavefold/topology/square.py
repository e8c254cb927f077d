"""The plain grid: rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

from wavefold.common.values import MaskLike, Wraps, format_wraps, parse_size, parse_wraps
from wavefold.topology.base import Point, set_frozen
from wavefold.topology.lattice import Bounds, Lattice
from wavefold.topology.traits import constant_steps


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
    steps = constant_steps((0, -1), (1, 0), (0, 1), (-1, 0))
    axes = ("column", "row")
    axis_letters = ("x", "y")

    def __post_init__(self) -> None:
        set_frozen(self, width=parse_size("width", self.width), height=parse_size("height", self.height))
        set_frozen(self, wraps=parse_wraps(self.wraps, "xy"))
        self._read_mask()

    @property
    def _bounds(self) -> Bounds:
        return Bounds((0, 0), (self.width, self.height), parse_wraps(self.wraps, "xy"))

    def centre(self, cell: int) -> Point:
        x, y = self.coordinate(cell)
        return x + 0.5, y + 0.5

    def outline(self, cell: int) -> tuple[Point, ...]:
        return square_outline(*self.coordinate(cell))

    def _spell(self, coordinate: tuple[int, ...]) -> str:
        return "column {}, row {}".format(*coordinate)

    def _extent(self) -> str:
        return f"this grid has {span('column', self.width)} and {span('row', self.height)}"

    def __repr__(self) -> str:
        mask = "" if self.mask is None else f", mask={self.mask!r}"
        return f"SquareGrid({self.width}, {self.height}{format_wraps(self.wraps, 'xy')}{mask})"


def square_outline(x: float, y: float) -> tuple[Point, ...]:
    """The unit square whose northwest corner is (x, y), from that corner clockwise."""
    return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)


def span(noun: str, count: int) -> str:
    """Which numbers an axis that starts at 0 has."""
    return f"{noun}s 0–{count - 1}" if count > 1 else f"only {noun} 0"
