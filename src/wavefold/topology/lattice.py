"""What square, hexagonal and cubic grids share: cells in a box, and the same steps from each of them.

What differs from kind to kind (sides, steps, distances, sizes that suit it) is said by the class itself, so
that other packages ask `wavefold.topology.lattice_class(kind)` and never test for a name.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from functools import cache, cached_property
from math import prod
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.common.values import Mask, MaskLike, Wraps, parse_integer
from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE, CellGraph
from wavefold.topology.base import CORNERS, Topology, check_corner, settle

MOST_CELLS = 2**31 - 1  # cells are numbered in 32 bits


class Bounds(NamedTuple):
    """The bounding box, by coordinate axis (x first); arrays run the other way (x last)."""

    lowest: tuple[int, ...]
    spans: tuple[int, ...]
    wraps: tuple[bool, ...]


class TypicalSizes(NamedTuple):
    """How large maps of a kind are where nobody gives a size; cells across, unless something else is said."""

    race: tuple[int, ...]  # arguments of the class: the map on which order="auto" compares orders
    preview: tuple[int, ...]  # arguments of the class: a map that shows what tiles look like
    trials: tuple[int, ...]  # maps an audit tries to solve, smallest first
    surroundings: int  # a map with one pattern in its middle: can the pattern be surrounded?
    refuted: int  # the largest open map an audit tries to prove impossible
    window: int  # a part of a finished map that is solved again
    safe_window: int  # the window an audit recommends if no size was solved without a failure
    repeated: tuple[int, ...]  # cells along each axis of a picture of a small map, repeated


PLANAR_SIZES = TypicalSizes((32, 32), (12, 8), (16, 32, 64), 5, 8, 14, 8, (16, 8))


def constant_steps(*steps: tuple[int, ...]) -> NDArray[np.int32]:
    """[direction, axis], read-only because all grids of a class share it."""
    array = np.array(steps, np.int32)
    array.flags.writeable = False
    return array


class Lattice(Topology):
    """Cells with whole-number coordinates inside a box.

    A subclass gives `steps`, its `_bounds`, perhaps a `_form` inside them, and the words; the other class
    attributes and class methods default to those of squares. Cells are numbered in the order of the array:
    row by row, layer by layer.
    """

    steps: ClassVar[NDArray[np.int32]]  # [direction, axis]: the step to the neighbour
    axes: ClassVar[tuple[str, ...]]  # what users call the axes, in the order of coordinates
    axis_letters: ClassVar[tuple[str, ...]]  # the same in one letter each, as in the columns of a table
    turning_sides: ClassVar[int] = 4  # sides 0 … n - 1 go round when a tile is turned; others (up, down) stay
    mirror_axis: ClassVar[int] = 0  # mirrored left to right, side s becomes (mirror_axis - s) % turning_sides
    rectangular_cells: ClassVar[bool] = True  # whether a picture of a cell fills its whole rectangle
    sizes: ClassVar[TypicalSizes] = PLANAR_SIZES
    mask: MaskLike | None

    @classmethod
    def box(cls, *sizes: int, wraps: Wraps = False, mask: MaskLike | None = None) -> Self:
        """The grid whose coordinates run from 0 to size - 1 on every axis. Only such a grid can wrap."""
        return cls(*sizes, wraps=wraps, mask=mask)  # type: ignore[call-arg]

    @classmethod
    def of_size(cls, *sizes: int, wraps: Wraps = False) -> Self:
        """The grid people expect of a size such as 64 x 48: its edges are straight when drawn."""
        return cls.box(*sizes, wraps=wraps)

    @classmethod
    def of_width(cls, width: int) -> Self:
        """An open grid about `width` cells across in every direction."""
        return cls.box(*(width for _ in cls.axes))

    @classmethod
    def of_radius(cls, radius: int, wraps: Wraps = False) -> Self:
        """The grid of all cells at most `radius` steps from the origin; only hexagons have a name for it."""
        raise ConfigError(f"radius is for hexagons, not for {cls.kind} cells: use size")

    @classmethod
    def containing(cls, coordinates: NDArray[np.int64], most_cells: int = MOST_CELLS) -> Self:
        """The plainest grid of exactly these cells [cell, axis]; with a mask, if there is none without.

        Raises ConfigError if its bounding box has more than `most_cells`.
        """
        sizes = (coordinates.max(axis=0) + 1).tolist()
        if prod(sizes) > most_cells:
            raise ConfigError(f"there is room for {prod(sizes):,} cells; at most {most_cells:,} can be read")
        mask = np.zeros(sizes[::-1], np.bool_)
        mask[tuple(coordinates.T[::-1])] = True
        return cls.box(*sizes) if mask.all() else cls.box(*sizes, mask=mask)

    @classmethod
    def distance(cls, *offset: int) -> int:
        """How many steps lead from a cell to the one at this offset, if nothing is in the way."""
        return sum(map(abs, offset))

    @classmethod
    def squared_length(cls, *offset: Any) -> Any:
        """The square of the straight distance, for whole numbers or arrays of them; every step counts 1."""
        return sum(each * each for each in offset)

    @classmethod
    @cache
    def opposite_sides(cls) -> tuple[int, ...]:
        """[side] -> the side of the neighbour that faces it."""
        opposite = (cls.steps[:, None] + cls.steps[None] == 0).all(axis=2).argmax(axis=1)
        return tuple(opposite.tolist())

    @classmethod
    def sides_before(cls, corner: str) -> tuple[int, ...]:
        """The sides whose neighbours come before a cell when rows are scanned from this corner.

        They are listed clockwise, faces last. Layers are scanned from the bottom up, whatever the corner.
        """
        check_corner(corner)
        down, right = (1 if "north" in corner else -1), (1 if "west" in corner else -1)
        ahead = [(*step[:1:-1], down * step[1], right * step[0]) for step in cls.steps.tolist()]
        before = {side for side, step in enumerate(ahead) if step < (0,) * len(step)}
        round_ = [side for side in range(cls.turning_sides) if side in before]
        start = next((side for side in round_ if (side - 1) % cls.turning_sides not in before), 0)
        first = round_.index(start) if round_ else 0
        return (*round_[first:], *round_[:first], *sorted(before - set(round_)))

    @classmethod
    def neighbours_touch(cls) -> bool:
        """Whether the neighbours on two sides next to each other are neighbours, as among hexagons."""
        between = cls.steps[1] - cls.steps[0]
        return bool((cls.steps == between).all(axis=1).any())

    def positions(self, coordinates: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        """Where cells lie in the plane or in space, from coordinates [axis, cell]; neighbours are 1 apart."""
        return tuple(axis.copy() for axis in coordinates)

    @property
    @abstractmethod
    def _bounds(self) -> Bounds: ...

    @abstractmethod
    def _spell(self, coordinate: tuple[int, ...]) -> str:
        """These coordinates in words, whether or not there is a cell."""

    @abstractmethod
    def _extent(self) -> str:
        """Which coordinates exist, in words."""

    def _form(self) -> NDArray[np.bool_]:
        """The cells of the box that belong to this shape before any mask."""
        return np.ones(self.shape, np.bool_)

    def _settle_mask(self) -> None:
        """Subclasses end their `__post_init__` with this."""
        if prod(self.shape) > MOST_CELLS:
            raise ConfigError(f"a grid of {prod(self.shape):,} cells is too large: at most {MOST_CELLS:,}")
        if self.mask is not None:
            settle(self, mask=Mask.of(self.mask, self.shape))
            if not self.cell_count:
                raise ConfigError("mask leaves no cell: at least one place must be True")

    @property
    def shape(self) -> tuple[int, ...]:
        return self._bounds.spans[::-1]

    @property
    def cell_count(self) -> int:
        return len(self.coordinates)

    @cached_property
    def coordinates(self) -> NDArray[np.int32]:
        """[cell, axis], read-only."""
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
        """The bounding box with the number of each cell in its place, or NOWHERE."""
        number = np.full(self.shape, NOWHERE, np.int32)
        number[self._exists] = np.arange(self.cell_count, dtype=np.int32)
        return number

    def graph(self) -> CellGraph:
        return self._graph

    @cached_property
    def _graph(self) -> CellGraph:
        opposite = np.array(self.opposite_sides(), np.int32)
        rule = np.arange(len(self.steps), dtype=np.int32)  # every side has a relation of its own
        return CellGraph(self._neighbours(), opposite, rule)

    def _neighbours(self) -> NDArray[np.int32]:
        """Every neighbour of every cell: one shifted view of the numbered box per direction."""
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
        return neighbour

    def cell_at(self, coordinate: Any) -> int:
        """The number of the cell at these coordinates; on wrapped axes too they must lie in range."""
        place = self._read(coordinate)
        box = self._bounds
        inside = tuple(value - low for value, low in zip(place, box.lowest, strict=True))
        if not all(0 <= each < span for each, span in zip(inside, box.spans, strict=True)):
            raise ConfigError(f"there is no cell at {self._spell(place)}: {self._extent()}")
        cell = int(self._number[inside[::-1]])
        if cell == NOWHERE:
            reason = "the mask leaves it out" if self._form()[inside[::-1]] else self._extent()
            raise ConfigError(f"there is no cell at {self._spell(place)}: {reason}")
        return cell

    def _read(self, coordinate: Any) -> tuple[int, ...]:
        parts = tuple(coordinate) if isinstance(coordinate, Iterable) else ()
        place = tuple(number for number in map(parse_integer, parts) if number is not None)
        if len(parts) != len(self.axes) or len(place) != len(parts):
            raise ConfigError(
                f"a cell of a {self.kind} grid is written ({', '.join(self.axes)}), "
                f"all whole numbers; got {coordinate!r}"
            )
        return place

    def coordinate(self, cell: int) -> tuple[int, ...]:
        return tuple(self.coordinates[self._existing(cell)].tolist())

    def describe(self, cell: int) -> str:
        return self._spell(self.coordinate(cell))

    def to_array(self, values: ArrayLike, missing: Any = None) -> NDArray[Any]:
        """One value (or row of values) per cell, laid out in `shape`.

        Places without a cell hold `missing`: unless you say otherwise -1 for numbers, False for truth
        values, "" for text and None for objects. The type widens if it cannot hold `missing`.
        """
        given = np.asarray(values)
        if given.ndim == 0 or len(given) != self.cell_count:
            raise ConfigError(f"expected {self.cell_count} values, one per cell; got shape {given.shape}")
        if self.cell_count == prod(self.shape):
            return given.reshape(self.shape + given.shape[1:]).copy()
        if missing is None:
            missing = {"b": False, "O": None, "U": "", "S": b""}.get(given.dtype.kind, -1)
        wide = np.result_type(given.dtype, np.min_scalar_type(missing))
        array = np.full(self.shape + given.shape[1:], missing, wide)
        array[self._exists] = given
        return array

    def scan(self, corner: str = CORNERS[0]) -> NDArray[np.int32]:
        """Row by row from this corner (layer by layer, bottom up), as rows and columns lie in `shape`."""
        check_corner(corner)
        rows = slice(None, None, -1 if corner.startswith("south") else 1)
        columns = slice(None, None, -1 if corner.endswith("east") else 1)
        turned = self._number[..., rows, columns]
        order: NDArray[np.int32] = turned[turned != NOWHERE]
        return order

    @cached_property
    def _offsets(self) -> NDArray[np.int64]:
        """[cell, axis]: twice the way from the middle of the box, so that halves stay whole."""
        box = self._bounds
        middle = 2 * np.array(box.lowest) + np.array(box.spans) - 1
        offsets: NDArray[np.int64] = 2 * self.coordinates.astype(np.int64) - middle
        return offsets

    @cached_property
    def centrality(self) -> NDArray[np.int64]:
        """[cell] -> squared distance from the middle of the box, scaled to integers; never write to it."""
        squared: NDArray[np.int64] = self.squared_length(*self._offsets.T)
        return squared

    def _plane(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How far right and how far down of the middle each cell lies; only order and sign count."""
        return self._offsets[:, 0], self._offsets[:, 1]

    def spiral(self) -> NDArray[np.int32]:
        """From the middle outwards; cells equally far away go layer by layer, clockwise from north."""
        right, down = self._plane()
        western = right < 0
        # At one distance the angle grows with `down` in the eastern half and shrinks in the western one.
        turn = np.where(western, -down, down)
        return np.lexsort((turn, western, *self._offsets[:, 2:].T, self.centrality)).astype(np.int32)
