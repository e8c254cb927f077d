"""The base class of square, hexagonal and cubic grids, and look-up of kinds by name.

`traits` declares what differs between kinds. Tile sets, rules and files store only the name of a kind;
`get_lattice_class` finds its class through `plugins`, so that kinds of other packages work like built-in
ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from functools import cache, cached_property
from math import prod
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.kernels.structs import CellGraph
from wavefold.options.names import CellLike, Corner
from wavefold.options.values import (
    Mask,
    MaskLike,
    Wraps,
    format_wraps,
    parse_integer,
    parse_size,
    parse_wraps,
)
from wavefold.plugins.registry import find, is_offered, load_all
from wavefold.topology.base import CORNERS, Point, check_corner, set_frozen
from wavefold.topology.traits import MOST_CELLS, LatticeTraits

SIZES = ("width", "height", "depth")  # the fields with the number of cells along each axis


Places: TypeAlias = tuple[NDArray[np.int64] | NDArray[np.float64], ...]  # x, y (and z): [cell] each


class Bounds(NamedTuple):
    """The bounding box, by axis in the order of coordinates (x first); arrays have x last."""

    lowest: tuple[int, ...]
    spans: tuple[int, ...]
    wraps: tuple[bool, ...]


class Lattice(LatticeTraits):
    """Cells with whole-number coordinates inside a box.

    A subclass is a frozen dataclass with a size for each axis (`width`, `height`, `depth`), `wraps` and
    `mask`. It defines `kind`, `directions`, `outline` and traits (at least `steps`, `axes` and
    `axis_letters`). A shape that does not fill its box, such as a disk, overrides `_bounds` and `_form`.
    Cells are numbered in the order of the array: row by row, layer by layer.
    """

    wraps: Wraps
    mask: MaskLike | None

    def __post_init__(self) -> None:
        sizes = zip(SIZES, self.axes, strict=False)
        set_frozen(self, **{name: parse_size(name, getattr(self, name)) for name, _ in sizes})
        set_frozen(self, wraps=self._wraps)
        if prod(self.shape) > MOST_CELLS:
            raise ConfigError(f"a grid of {prod(self.shape):,} cells is too large: at most {MOST_CELLS:,}")
        ways = len(self.side_sets) or 1
        if any(wraps and span % ways for span, wraps in zip(*self._box[1:], strict=True)):
            raise ConfigError(f"sizes of {self.kind} grids along axes that wrap must be multiples of {ways}")
        if self.mask is not None:
            set_frozen(self, mask=Mask.of(self.mask, self.shape))
            if not self.cell_count:
                raise ConfigError("the mask excludes all cells; at least one entry must be True")

    @property
    def parameters(self) -> dict[str, object]:
        """The constructor arguments, without `wraps` and `mask`, as written to files."""
        names = [each.name for each in fields(self) if each.name not in ("wraps", "mask")]  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}

    def without_mask(self) -> Self:
        """Return the same grid without its mask."""
        return replace(self, mask=None)  # type: ignore[type-var]

    def positions(self, coordinates: NDArray[np.int64]) -> Places:
        """The positions of cells, as one array per axis, given coordinates [axis, cell].

        Neighbours are 1 apart.
        """
        return tuple(axis.copy() for axis in coordinates)

    @property
    def _wraps(self) -> tuple[bool, ...]:
        return parse_wraps(self.wraps, "".join(self.axis_letters))

    @property
    def _bounds(self) -> Bounds:
        spans = tuple(getattr(self, name) for name, _ in zip(SIZES, self.axes, strict=False))
        return Bounds((0,) * len(spans), spans, self._wraps)

    @cached_property
    def _box(self) -> Bounds:
        """`_bounds`, cached: every map and every look-up of a cell reads them."""
        return self._bounds

    def _spell(self, coordinate: tuple[int, ...]) -> str:
        """Describe coordinates, even of a cell that does not exist."""
        return ", ".join(f"{axis} {value}" for axis, value in zip(self.axes, coordinate, strict=True))

    def _extent(self) -> str:
        """Describe which coordinates exist."""
        *first, last = (
            f"{axis}s 0–{span - 1}" if span > 1 else f"only {axis} 0"
            for axis, span in zip(self.axes, self._bounds.spans, strict=True)
        )
        return f"this grid has {', '.join(first)} and {last}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self._bounds.spans))}{self._options()})"

    def _options(self, own: str = "") -> str:
        """The last arguments in the repr: `wraps`, `own`, and `mask`, if set."""
        mask = "" if self.mask is None else f", mask={self.mask!r}"
        return f"{format_wraps(self.wraps, ''.join(self.axis_letters))}{own}{mask}"

    def _form(self) -> NDArray[np.bool_]:
        """bool, in `shape`: the cells of the bounding box that belong to the grid, without its mask."""
        return np.ones(self.shape, np.bool_)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._box.spans[::-1]

    @property
    def cell_count(self) -> int:
        return len(self.coordinates)

    @cached_property
    def coordinates(self) -> NDArray[np.int32]:
        """int32 [cell, axis], read-only."""
        array = (np.argwhere(self._exists)[:, ::-1] + self._bounds.lowest).astype(np.int32, order="C")
        array.flags.writeable = False
        return array

    @cached_property
    def _exists(self) -> NDArray[np.bool_]:
        if self.mask is None:
            return self._form()
        return self._form() & Mask.of(self.mask, self.shape).array

    @cached_property
    def _number(self) -> NDArray[np.int32]:
        """int32, in `shape`: the number of each cell, or NOWHERE."""
        number = np.full(self.shape, NOWHERE, np.int32)
        number[self._exists] = np.arange(self.cell_count, dtype=np.int32)
        return number

    def graph(self) -> CellGraph:
        return self._graph

    @cached_property
    def _graph(self) -> CellGraph:
        opposite = np.array(self.opposite_sides(), np.int32)
        rule = np.arange(len(self.steps), dtype=np.int32)  # each side has its own relation
        return CellGraph(self._neighbours(), opposite, rule)

    def _neighbours(self) -> NDArray[np.int32]:
        """int32 [cell, direction]: neighbours, from a shifted view of `_number` per direction."""
        reach = int(np.abs(self.steps).max())
        padded = self._number
        for axis, wraps in enumerate(self._bounds.wraps[::-1]):
            rim = [(reach, reach) if each == axis else (0, 0) for each in range(padded.ndim)]
            if wraps:
                padded = np.pad(padded, rim, mode="wrap")
            else:
                padded = np.pad(padded, rim, constant_values=NOWHERE)
        neighbour = np.empty((self.cell_count, len(self.steps)), np.int32)
        for direction, step in enumerate(self.steps[:, ::-1] + reach):
            window = tuple(slice(start, start + span) for start, span in zip(step, self.shape, strict=True))
            neighbour[:, direction] = padded[window][self._exists]
        way = self.coordinates.sum(axis=1) % (len(self.side_sets) or 1)
        for number, sides in enumerate(self.side_sets):
            missing = np.setdiff1d(np.arange(len(self.steps)), sides)
            neighbour[np.ix_(way == number, missing)] = NOWHERE
        return neighbour

    def cell_at(self, coordinate: CellLike) -> int:
        """The number of the cell at these coordinates, which must be in range even on axes that wrap."""
        place = self._read(coordinate)
        box = self._box
        inside = tuple(value - low for value, low in zip(place, box.lowest, strict=True))
        if not all(0 <= each < span for each, span in zip(inside, box.spans, strict=True)):
            raise ConfigError(f"there is no cell at {self._spell(place)}: {self._extent()}")
        cell = int(self._number[inside[::-1]])
        if cell == NOWHERE:
            reason = "the mask excludes it" if self._form()[inside[::-1]] else self._extent()
            raise ConfigError(f"there is no cell at {self._spell(place)}: {reason}")
        return cell

    def _read(self, coordinate: CellLike) -> tuple[int, ...]:
        parts = tuple(coordinate) if isinstance(coordinate, Iterable) else ()
        place = tuple(number for number in map(parse_integer, parts) if number is not None)
        if len(parts) != len(self.axes) or len(place) != len(parts):
            raise ConfigError(
                f"a cell of a {self.kind} grid must be ({', '.join(self.axes)}) in whole numbers, "
                f"not {coordinate!r}"
            )
        return place

    def coordinate(self, cell: int) -> tuple[int, ...]:
        return tuple(self.coordinates[self._existing(cell)].tolist())

    def centre(self, cell: int) -> Point:
        x, y = zip(*self.outline(cell), strict=True)
        return sum(x) / len(x), sum(y) / len(y)

    def describe(self, cell: int) -> str:
        return self._spell(self.coordinate(cell))

    def to_array(self, values: ArrayLike, missing: object = None) -> NDArray[Any]:
        """Lay out one value (or row of values) per cell in an array of `shape`.

        Places without a cell get `missing`: by default -1 for numbers, False for booleans, "" for text and
        None for objects. If necessary, the type is widened.
        """
        given = np.asarray(values)
        if given.ndim == 0 or len(given) != self.cell_count:
            raise ConfigError(f"expected {self.cell_count} values, one per cell, not shape {given.shape}")
        if self.cell_count == prod(self.shape):
            return given.reshape(self.shape + given.shape[1:]).copy()
        if missing is None:
            missing = {"b": False, "O": None, "U": "", "S": b""}.get(given.dtype.kind, -1)
        wide = np.result_type(given.dtype, np.min_scalar_type(missing))  # type: ignore[arg-type]
        array = np.full(self.shape + given.shape[1:], missing, wide)
        array[self._exists] = given
        return array

    def scan(self, corner: Corner = CORNERS[0]) -> NDArray[np.int32]:
        """All cells by rows of `shape`, from this corner; layer by layer, from the bottom up."""
        check_corner(corner)
        rows = slice(None, None, -1 if corner.startswith("south") else 1)
        columns = slice(None, None, -1 if corner.endswith("east") else 1)
        turned = self._number[..., rows, columns]
        order: NDArray[np.int32] = turned[turned != NOWHERE]
        return order

    @cached_property
    def _offsets(self) -> NDArray[np.int64]:
        """int64 [cell, axis]: twice the offset from the middle of the box, to avoid fractions."""
        box = self._bounds
        middle = 2 * np.array(box.lowest) + np.array(box.spans) - 1
        offsets: NDArray[np.int64] = 2 * self.coordinates.astype(np.int64) - middle
        return offsets

    @cached_property
    def centrality(self) -> NDArray[np.int64]:
        """int64 [cell]: scaled squared distance from the middle of the box. Do not modify it."""
        squared: NDArray[np.int64] = self.squared_length(*self._offsets.T)
        return squared

    def _plane(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[cell] offsets to the right of and below the middle, in any monotonic scale."""
        return self._offsets[:, 0], self._offsets[:, 1]

    def spiral(self) -> NDArray[np.int32]:
        """All cells from the middle outwards; at equal distance by layer, then clockwise from north."""
        right, down = self._plane()
        western = right < 0
        # At one distance the angle grows with `down` in the eastern half and shrinks in the western one.
        turn = np.where(western, -down, down)
        return np.lexsort((turn, western, *self._offsets[:, 2:].T, self.centrality)).astype(np.int32)


@cache
def find_lattice_class(kind: str) -> type[Lattice] | None:
    """The class of lattices of this kind; None for graphs and for unknown kinds."""
    found = find("topology", kind) if is_offered("topology", kind) else None
    return found if isinstance(found, type) and issubclass(found, Lattice) else None


def get_lattice_class(kind: str) -> type[Lattice]:
    """The class of lattices of this kind. Raises ConfigError for a graph, PluginError for an unknown kind."""
    found = find_lattice_class(kind)
    if found is None:
        find("topology", kind)  # raises PluginError for an unknown kind
        raise ConfigError(f"a {kind} is not a grid: its cells have no rows and columns")
    return found


def is_lattice(kind: object) -> bool:
    """Whether this is the name of a kind of lattice; graphs and unknown names are not."""
    return isinstance(kind, str) and find_lattice_class(kind) is not None


def list_lattice_kinds() -> list[str]:
    """The names of all kinds of lattices, built-in ones first."""
    return [kind for kind in load_all("topology") if is_lattice(kind)]


def is_plane(kind: object) -> bool:
    """Whether lattices of this kind have two axes."""
    found = find_lattice_class(kind) if isinstance(kind, str) else None
    return found is not None and len(found.axes) == 2


def is_uniform_plane(kind: object) -> bool:
    """Whether lattices of this kind have two axes and cells that all point the same way, as worlds need."""
    return isinstance(kind, str) and is_plane(kind) and not get_lattice_class(kind).side_sets


def make_box(kind: str, *sizes: int, wraps: Wraps = False, mask: MaskLike | None = None) -> Lattice:
    """Make a grid of this kind with coordinates from 0 to size - 1 on every axis; for hexagons a rhombus."""
    return get_lattice_class(kind).box(*sizes, wraps=wraps, mask=mask)


def list_drawn_directions(kind: str) -> tuple[str, ...]:
    """The names of the sides of a tile as drawn, in the order of its sockets."""
    cell = make_single_cell(kind)
    return tuple(cell.directions[side] for side in cell.drawn_sides())


@cache
def make_single_cell(kind: str) -> Lattice:
    """Make a grid of one cell, to read the directions and sides of the kind."""
    grid = get_lattice_class(kind)
    return grid.box(*(1 for _ in grid.axes))
