"""What every topology offers: numbered cells, their neighbours, and words for them in messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.kernels.constants import NOWHERE
from wavefold.kernels.structs import CellGraph
from wavefold.options.names import CellLike, Corner
from wavefold.options.values import parse_integer

CORNERS: tuple[Corner, ...] = get_args(Corner)

Point = tuple[float, float]  # where to draw: x to the right, y downwards, in cell units


class Topology(ABC):
    """A frozen value: topologies with the same parameters are equal and have the same hash.

    Cells are numbered 0 … cell_count-1; masked cells have no number. Plugins inherit this class and run
    `wavefold.testing.TopologyContract`, or inherit `Lattice` and run `LatticeContract`.
    """

    @property
    @abstractmethod
    def kind(self) -> str:
        """What tile sets are drawn for: "square", "hex", "cube" or "graph"."""

    @property
    @abstractmethod
    def directions(self) -> tuple[str, ...]:
        """The name of each side of a cell, in the order of `graph().neighbour`."""

    @property
    @abstractmethod
    def cell_count(self) -> int:
        """How many cells there are."""

    @abstractmethod
    def graph(self) -> CellGraph:
        """The arrays that kernels read, made once. Never write to them.

        They are writeable because compiled structs accept no read-only arrays.
        """

    @abstractmethod
    def cell_at(self, coordinate: CellLike) -> int:
        """The number of the cell at a coordinate. Raises ConfigError if there is none."""

    @abstractmethod
    def coordinate(self, cell: int) -> Hashable:
        """How a user writes this cell: the inverse of `cell_at`."""

    @abstractmethod
    def describe(self, cell: int) -> str:
        """This cell in words, for messages."""

    @abstractmethod
    def centre(self, cell: int) -> Point:
        """The middle of the cell, for drawing."""

    @abstractmethod
    def outline(self, cell: int) -> tuple[Point, ...]:
        """The corners of the cell, clockwise, for drawing.

        On flat lattices the line from corner i to the next is side i, or the i-th of those the cell has.
        """

    @property
    def has_named_cells(self) -> bool:
        """Whether users name the cells, as in graphs; a number can then be a name."""
        return False

    @property
    def shape(self) -> tuple[int, ...] | None:
        """[row, column] or [layer, row, column] of the bounding box; None for a graph."""
        return None

    def to_array(self, values: ArrayLike, missing: object = None) -> NDArray[Any]:
        """One value per cell, laid out in `shape`; only lattices have one."""
        raise ConfigError(f"a {self.kind} has no rows and columns: use the values in the order of the cells")

    @cached_property
    def centrality(self) -> NDArray[np.int64]:
        """[cell] -> squared distance from the middle, in integers; never write to it."""
        return np.zeros(self.cell_count, np.int64)

    def scan(self, corner: Corner = CORNERS[0]) -> NDArray[np.int32]:
        """All cells line by line, starting at this corner."""
        check_corner(corner)
        if corner != CORNERS[0]:
            raise ConfigError(
                f"a {self.kind} has no {corner} corner: use {CORNERS[0]!r}, the order of its cells"
            )
        return np.arange(self.cell_count, dtype=np.int32)

    def spiral(self) -> NDArray[np.int32]:
        """All cells from the middle outwards; integers decide, so every machine agrees."""
        return np.argsort(self.centrality, kind="stable").astype(np.int32)

    def __len__(self) -> int:
        return self.cell_count

    def _existing(self, cell: int) -> int:
        """This cell number, or an error: NumPy would read a negative one from the end."""
        number = parse_integer(cell)
        if number is None or not 0 <= number < self.cell_count:
            raise ConfigError(f"there is no cell number {cell!r}: cells are numbered 0–{self.cell_count - 1}")
        return number


def check_corner(corner: str) -> None:
    if corner not in CORNERS:
        raise ConfigError(f"unknown corner {corner!r}; {suggest(corner, CORNERS)}")


def set_frozen(value: object, **fields: object) -> None:
    """Set fields of a frozen dataclass in its `__init__` or `__post_init__`."""
    for name, content in fields.items():
        object.__setattr__(value, name, content)


class TopologyPart(Topology):
    """Some `cells` of a larger topology, `whole`, with their neighbours and coordinates there.

    Solving a few cells of a large map then costs no more than those cells.
    """

    def __init__(self, whole: Topology, cells: ArrayLike) -> None:
        self.whole = whole
        self.cells: NDArray[np.int64] = np.unique(np.asarray(cells, np.int64))
        if not self.cells.size or self.cells[0] < 0 or self.cells[-1] >= whole.cell_count:
            raise ConfigError(f"a part needs cells numbered 0 to {whole.cell_count - 1}")

    @property
    def kind(self) -> str:
        return self.whole.kind

    @property
    def directions(self) -> tuple[str, ...]:
        return self.whole.directions

    @property
    def has_named_cells(self) -> bool:
        return self.whole.has_named_cells

    @property
    def cell_count(self) -> int:
        return int(self.cells.size)

    def graph(self) -> CellGraph:
        return self._graph

    @cached_property
    def _graph(self) -> CellGraph:
        whole = self.whole.graph()
        number = np.full(self.whole.cell_count + 1, NOWHERE, np.int32)  # the last is what NOWHERE points at
        number[self.cells] = np.arange(self.cells.size, dtype=np.int32)
        neighbour = np.ascontiguousarray(number[whole.neighbour[self.cells]])
        return CellGraph(neighbour, whole.opposite, whole.rule)

    def cell_at(self, coordinate: CellLike) -> int:
        cell = self.whole.cell_at(coordinate)
        place = int(np.searchsorted(self.cells, cell))
        if place == self.cells.size or self.cells[place] != cell:
            raise ConfigError(f"{self.whole.describe(cell)} is not in this part of the map")
        return place

    def coordinate(self, cell: int) -> Hashable:
        return self.whole.coordinate(int(self.cells[self._existing(cell)]))

    def describe(self, cell: int) -> str:
        return self.whole.describe(int(self.cells[self._existing(cell)]))

    def centre(self, cell: int) -> Point:
        return self.whole.centre(int(self.cells[self._existing(cell)]))

    def outline(self, cell: int) -> tuple[Point, ...]:
        return self.whole.outline(int(self.cells[self._existing(cell)]))

    @cached_property
    def centrality(self) -> NDArray[np.int64]:
        """[cell] -> squared distance from the middle of the whole."""
        return self.whole.centrality[self.cells]
