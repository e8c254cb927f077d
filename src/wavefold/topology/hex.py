"""Hexagonal grids, in axial coordinates (q, r)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi, sin, sqrt
from typing import Self, get_args

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.options.names import HexForm, HexLayout
from wavefold.options.values import MaskLike, Wraps, parse_size
from wavefold.topology.base import Point, set_frozen
from wavefold.topology.lattice import Bounds, Lattice
from wavefold.topology.traits import MOST_CELLS, Lengths, TypicalSizes, make_steps

# The names of the same six steps in both layouts, which differ by 30 degrees.
DIRECTIONS = {
    "pointy": ("northeast", "east", "southeast", "southwest", "west", "northwest"),
    "flat": ("northeast", "southeast", "south", "southwest", "northwest", "north"),
}
FIRST_CORNER = {"pointy": -pi / 2, "flat": -pi / 3}  # angle of the first corner of side 0
ROW_HEIGHT = 0.8660254037844386  # sqrt(3) / 2: the distance between rows if neighbouring centres are 1 apart
FORMS = get_args(HexForm)


@dataclass(frozen=True, repr=False)
class HexGrid(Lattice):
    """A grid of hexagons: `radius` rings around a centre cell. See also `rectangle` and `rhombus`.

    `layout` is "pointy" for pointy-top or "flat" for flat-top hexagons. In `shape`, rows are r and columns
    are q of the bounding box; `mask` has that shape and is True where a cell exists.
    """

    radius: int | None = 8  # None unless the form is a disk
    layout: HexLayout = "pointy"
    mask: MaskLike | None = None
    form: HexForm = field(default="disk", kw_only=True)
    width: int = field(default=1, kw_only=True)  # for a disk, set from the radius
    height: int = field(default=1, kw_only=True)
    wraps: Wraps = field(default=False, kw_only=True)

    kind = "hex"
    directions = DIRECTIONS["pointy"]  # overridden in flat-top grids
    steps = make_steps((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
    axes = ("q", "r")
    axis_letters = ("q", "r")
    turning_sides = 6
    mirror_axis = 5
    rectangular_cells = False
    rows_show = True
    sizes = TypicalSizes((8,), (3,), (9, 17, 25), 5, 8, 12, 8, (14, 8))

    @classmethod
    def box(cls, *sizes: int, wraps: Wraps = False, mask: MaskLike | None = None) -> Self:
        """Make a rhombus."""
        width, height = sizes
        return cls.rhombus(width, height, wraps, mask=mask)

    @classmethod
    def of_size(cls, *sizes: int, wraps: Wraps = False) -> Self:
        """Make a rectangle; a rhombus if it wraps."""
        width, height = sizes
        return cls.rhombus(width, height, wraps) if wraps else cls.rectangle(width, height)

    @classmethod
    def of_width(cls, width: int) -> Self:
        """Make a disk."""
        return cls(radius=width // 2)

    @classmethod
    def of_radius(cls, radius: int, wraps: Wraps = False) -> Self:
        """Make a disk."""
        return cls(radius, wraps=wraps)

    @classmethod
    def containing(cls, coordinates: NDArray[np.int64], most_cells: int = MOST_CELLS) -> Self:
        """Make a disk, a rhombus or a rectangle of exactly these cells; otherwise a disk with a mask."""
        q, r = coordinates.T
        radius = int(np.abs(np.stack([q, r, q + r])).max())
        if (2 * radius + 1) ** 2 > most_cells:
            raise ConfigError(f"a cell is {radius:,} steps from the middle; the grid would be too large")
        columns, rows = int(q.max()) + 1, int(r.max()) + 1
        candidates = [cls(radius)]
        if r.min() == 0:
            candidates.append(cls.box(columns, rows))
            candidates.append(cls.of_size(int((q + r // 2).max()) + 1, rows))
        if q.min() == 0:
            height = max(int((r + q // 2).max()), 0) + 1
            candidates.append(cls.rectangle(columns, height, "flat"))
        cells = set(map(tuple, coordinates.tolist()))
        for grid in candidates:
            if grid.cell_count == len(cells) and cells == set(map(tuple, grid.coordinates.tolist())):
                return grid
        mask = np.zeros((2 * radius + 1,) * 2, np.bool_)
        mask[r + radius, q + radius] = True
        return cls(radius, mask=mask)

    @classmethod
    def distance(cls, *offset: int) -> int:
        q, r = offset
        return max(abs(q), abs(r), abs(q + r))

    @classmethod
    def squared_length(cls, *offset: Lengths) -> Lengths:
        q, r = offset
        squared: Lengths = q * q + q * r + r * r
        return squared

    @classmethod
    def rectangle(
        cls, width: int, height: int, layout: HexLayout = "pointy", mask: MaskLike | None = None
    ) -> Self:
        """Make a rectangle, with q = column - row // 2 (flat layout: r = row - column // 2)."""
        return cls(None, layout, mask, form="rectangle", width=width, height=height)

    @classmethod
    def rhombus(
        cls,
        width: int,
        height: int,
        wraps: Wraps = False,
        layout: HexLayout = "pointy",
        mask: MaskLike | None = None,
    ) -> Self:
        """Make a rhombus, q from 0 to width - 1 and r from 0 to height - 1. Only this form can wrap."""
        return cls(None, layout, mask, form="rhombus", width=width, height=height, wraps=wraps)

    def __post_init__(self) -> None:
        if self.layout not in DIRECTIONS:
            raise ConfigError(f"unknown hex layout {self.layout!r}; {suggest(self.layout, DIRECTIONS)}")
        if self.form not in FORMS:
            raise ConfigError(f"unknown hex form {self.form!r}; {suggest(self.form, FORMS)}")
        if self.form != "rhombus" and any(self._wraps):
            raise ConfigError(
                f"a hex {self.form} cannot wrap",
                advice="only HexGrid.rhombus(…, wraps=True) can",
                flag_advice="use --size instead of --radius",
            )
        if self.layout != "pointy":
            set_frozen(self, directions=DIRECTIONS[self.layout])
        if self.form == "disk":
            radius = parse_size("radius", self.radius, smallest=0)
            set_frozen(self, radius=radius, width=2 * radius + 1, height=2 * radius + 1)
        else:
            set_frozen(self, radius=None)
        super().__post_init__()

    @property
    def parameters(self) -> dict[str, object]:
        sizes = (
            {"radius": self.radius} if self.form == "disk" else {"width": self.width, "height": self.height}
        )
        return {"form": self.form, "layout": self.layout, **sizes}

    @property
    def _slant(self) -> int:
        """The shift of the far edge of a rectangle in axial coordinates."""
        across = self.height if self.layout == "pointy" else self.width
        return (across - 1) // 2

    @property
    def _bounds(self) -> Bounds:
        if self.form == "rhombus":
            return super()._bounds
        if self.form == "disk":
            return Bounds((-(self.width // 2),) * 2, (self.width, self.height), (False, False))
        if self.layout == "pointy":
            return Bounds((-self._slant, 0), (self.width + self._slant, self.height), (False, False))
        return Bounds((0, -self._slant), (self.width, self.height + self._slant), (False, False))

    def _form(self) -> NDArray[np.bool_]:
        (low_q, low_r), (columns, rows), _ = self._bounds
        q = np.arange(low_q, low_q + columns)[None, :]
        r = np.arange(low_r, low_r + rows)[:, None]
        if self.form == "rhombus":
            return np.ones(self.shape, np.bool_)
        if self.form == "disk":
            return is_within(q + r, -(self.width // 2), self.width)
        if self.layout == "pointy":
            return is_within(q + r // 2, 0, self.width)
        return is_within(r + q // 2, 0, self.height)

    def _plane(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        q, r = self._offsets.T
        return (2 * q + r, r) if self.layout == "pointy" else (q, 2 * r + q)

    def positions(self, coordinates: NDArray[np.int64]) -> tuple[NDArray[np.float64], ...]:
        q, r = coordinates
        return (q + r / 2, r * ROW_HEIGHT) if self.layout == "pointy" else (q * ROW_HEIGHT, r + q / 2)

    def centre(self, cell: int) -> Point:
        """The middle of the cell; the unit is the distance from the middle of a hexagon to its corners."""
        q, r = self.coordinate(cell)
        if self.layout == "pointy":
            return sqrt(3) * (q + r / 2), 1.5 * r
        return 1.5 * q, sqrt(3) * (r + q / 2)

    def outline(self, cell: int) -> tuple[Point, ...]:
        x, y = self.centre(cell)
        angles = [FIRST_CORNER[self.layout] + corner * pi / 3 for corner in range(6)]
        return tuple((x + cos(angle), y + sin(angle)) for angle in angles)

    def _spell(self, coordinate: tuple[int, ...]) -> str:
        return "hex q={}, r={}".format(*coordinate)

    def _extent(self) -> str:
        columns, rows = f"0 to {self.width - 1}", f"0 to {self.height - 1}"
        if self.form == "disk":
            return f"this disk has q, r and q + r from -{self.radius} to {self.radius}"
        if self.form == "rhombus":
            return f"this rhombus has q from {columns} and r from {rows}"
        if self.layout == "pointy":
            return f"this rectangle has r from {rows} and q + r // 2 from {columns}"
        return f"this rectangle has q from {columns} and r + q // 2 from {rows}"

    def __repr__(self) -> str:
        if self.form == "disk":
            text = f"HexGrid({self.radius}"
        else:
            text = f"HexGrid.{self.form}({self.width}, {self.height}"
        layout = "" if self.layout == "pointy" else f", layout={self.layout!r}"
        return f"{text}{self._options(layout)})"


def is_within(values: NDArray[np.int64], lowest: int, count: int) -> NDArray[np.bool_]:
    """Whether each value is at least `lowest` and below `lowest + count`."""
    return (values >= lowest) & (values < lowest + count)
