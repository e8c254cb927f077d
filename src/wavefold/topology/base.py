"""The base class of topologies: numbered cells, their neighbours, coordinates and descriptions."""

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

Point = tuple[float, float]  # (x, y) in cells, y downwards


class Topology(ABC):
    """The cells of a map and their neighbours. Topologies are immutable; equal parameters compare equal.

    Cells are numbered 0 … cell_count - 1; masked cells have no number. A plugin derives from this class and
    runs `wavefold.testing.TopologyContract`, or derives from `Lattice` and runs `LatticeContract`.
    """

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of topology: "square", "hex", "cube", "graph", or a plugin's."""

    @property
    @abstractmethod
    def directions(self) -> tuple[str, ...]:
        """The name of each side of a cell, in the order of `graph().neighbour`."""

    @property
    @abstractmethod
    def cell_count(self) -> int:
        """The number of cells."""

    @abstractmethod
    def graph(self) -> CellGraph:
        """The arrays that kernels read, cached. Do not modify them.

        They are not read-only because compiled structs do not accept read-only arrays.
        """

    @abstractmethod
    def cell_at(self, coordinate: CellLike) -> int:
        """The number of the cell at a coordinate. Raises ConfigError if there is none."""

    @abstractmethod
    def coordinate(self, cell: int) -> Hashable:
        """The coordinate of a cell; the inverse of `cell_at`."""

    @abstractmethod
    def describe(self, cell: int) -> str:
        """A description of the cell, for messages."""

    @abstractmethod
    def centre(self, cell: int) -> Point:
        """The middle of the cell, for drawing."""

    @abstractmethod
    def outline(self, cell: int) -> tuple[Point, ...]:
        """The corners of the cell, clockwise, for drawing.

        On flat lattices, the line from corner i to the next corner is the i-th side of the cell.
        """

    @property
    def has_named_cells(self) -> bool:
        """Whether cells have names, as in graphs. A number can be a name."""
        return False

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the bounding box, [row, column] or [layer, row, column]; None for a graph."""
        return None

    def to_array(self, values: ArrayLike, missing: object = None) -> NDArray[Any]:
        """Lay out one value per cell in an array of `shape`; only for lattices."""
        raise ConfigError(f"a {self.kind} has no rows and columns; use the values in the order of the cells")

    @cached_property
    def centrality(self) -> NDArray[np.int64]:
        """int64 [cell]: squared distance from the middle. Do not modify it."""
        return np.zeros(self.cell_count, np.int64)

    def scan(self, corner: Corner = CORNERS[0]) -> NDArray[np.int32]:
        """All cells, line by line from this corner."""
        check_corner(corner)
        if corner != CORNERS[0]:
            raise ConfigError(
                f"a {self.kind} has no {corner} corner; use {CORNERS[0]!r}, the order of its cells"
            )
        return np.arange(self.cell_count, dtype=np.int32)

    def spiral(self) -> NDArray[np.int32]:
        """All cells from the middle outwards, the same on every machine."""
        return np.argsort(self.centrality, kind="stable").astype(np.int32)

    def __len__(self) -> int:
        return self.cell_count

    def _existing(self, cell: int) -> int:
        """Check the number of a cell. Negative numbers, which NumPy would accept, are refused."""
        number = parse_integer(cell)
        if number is None or not 0 <= number < self.cell_count:
            raise ConfigError(f"there is no cell {cell!r}; cells are numbered 0–{self.cell_count - 1}")
        return number


def check_corner(corner: str) -> None:
    if corner not in CORNERS:
        raise ConfigError(f"unknown corner {corner!r}; {suggest(corner, CORNERS)}")


def set_frozen(value: object, **fields: object) -> None:
    """Set fields of a frozen dataclass in its `__init__` or `__post_init__`."""
    for name, content in fields.items():
        object.__setattr__(value, name, content)


class TopologyPart(Topology):
    """Some `cells` of a larger topology, `whole`, with the coordinates they have there.

    The cost of solving depends only on the number of these cells.
    """

    def __init__(self, whole: Topology, cells: ArrayLike) -> None:
        self.whole = whole
        self.cells: NDArray[np.int64] = np.unique(np.asarray(cells, np.int64))
        if not self.cells.size or self.cells[0] < 0 or self.cells[-1] >= whole.cell_count:
            raise ConfigError(f"the cells of a part must be numbers from 0 to {whole.cell_count - 1}")

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
        number = np.full(self.whole.cell_count + 1, NOWHERE, np.int32)  # the last entry is for NOWHERE
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
        """int64 [cell]: squared distance from the middle of the whole."""
        return self.whole.centrality[self.cells]
