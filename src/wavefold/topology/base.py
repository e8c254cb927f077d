"""What every topology offers: numbered cells, their neighbours, and words for them in messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, suggest
from wavefold.kernels.constants import CellGraph

CORNERS = ("northwest", "northeast", "southwest", "southeast")

Point = tuple[float, float]  # where to draw: x to the right, y downwards, in cell units


class Topology(ABC):
    """A frozen value: two topologies made with the same parameters are equal and hash alike.

    Cells are numbered 0 … cell_count-1; cells a mask leaves out have no number at all. Plugins inherit
    this class (or `Lattice`) and run `wavefold.testing.TopologyContract`.
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
        """The arrays kernels read, made once. Never write to them.

        They are left writeable only because Numba would compile every kernel a second time for
        read-only arrays.
        """

    @abstractmethod
    def cell_at(self, coordinate: Any) -> int:
        """The number of the cell there. Raises ConfigError, saying what exists, if there is none."""

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
        """The corners of the cell, clockwise, for drawing. On flat lattices side i faces direction i."""

    @property
    def has_named_cells(self) -> bool:
        """Whether users name cells as they like, as in graphs; then a number may be such a name."""
        return False

    @property
    def shape(self) -> tuple[int, ...] | None:
        """[row, column] or [layer, row, column] of the bounding box; None for a graph."""
        return None

    def to_array(self, values: ArrayLike, missing: Any = None) -> NDArray[Any]:
        """One value per cell, laid out in `shape`; only lattices have one."""
        raise ConfigError(
            f"a {self.kind} has no rows and columns to lay values out in: "
            "use them as they are, one per cell, in the order of the cells"
        )

    @cached_property
    def centrality(self) -> NDArray[np.int64]:
        """[cell] -> squared distance from the middle, in integers; never write to it."""
        return np.zeros(self.cell_count, np.int64)

    def scan(self, corner: str = CORNERS[0]) -> NDArray[np.int32]:
        """All cells line by line, starting at this corner."""
        check_corner(corner)
        if corner != CORNERS[0]:
            raise ConfigError(
                f"a {self.kind} has no {corner} corner: it can only be scanned in the order of its cells, "
                f"which is what {CORNERS[0]!r} means here"
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
            raise ConfigError(
                f"there is no cell number {cell!r}: the cells are numbered 0–{self.cell_count - 1}"
            )
        return number


def check_corner(corner: str) -> None:
    if corner not in CORNERS:
        raise ConfigError(f"unknown corner {corner!r}; {suggest(corner, CORNERS)}")


def set_frozen(value: object, **fields: object) -> None:
    """Write fields of a frozen dataclass while it is being made: what was given becomes what is kept."""
    for name, content in fields.items():
        object.__setattr__(value, name, content)
