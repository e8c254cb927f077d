"""A part of another topology: some of its cells, with the sides they have there."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE, CellGraph
from wavefold.topology.base import Point, Topology


class Part(Topology):
    """The cells of `whole` that are numbered in `cells`; what touches there touches here.

    To solve a few cells of a large map without paying for the rest. Coordinates stay those of the whole.
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

    def cell_at(self, coordinate: Any) -> int:
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
