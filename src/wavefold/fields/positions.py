"""Positions of cells in the plane or in space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.options.values import parse_integer
from wavefold.topology import Lattice, Topology

Axes: TypeAlias = tuple[NDArray[np.int64] | NDArray[np.float64], ...]  # x, y (and z), each [place]


@dataclass(frozen=True)
class CellPositions:
    """The cells of a topology; as a part of a world, its cell (0, 0) lies at `origin`."""

    topology: Topology
    origin: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.topology, Topology):
            raise ConfigError(f"topology must be a grid such as SquareGrid(64, 48), not {self.topology!r}")
        if self.origin is not None and not self._is_coordinate(self.origin):
            raise ConfigError(f"origin must be a cell of the world, in whole numbers, not {self.origin!r}")

    def _is_coordinate(self, origin: object) -> bool:
        return (
            isinstance(self.topology, Lattice)
            and isinstance(origin, tuple | list)
            and len(origin) == len(self.topology.axes)
            and all(parse_integer(each) is not None for each in origin)
        )

    @property
    def count(self) -> int:
        """The number of cells."""
        return self.topology.cell_count

    @property
    def lattice(self) -> Lattice:
        """The topology as a lattice; check `in_space` first."""
        assert isinstance(self.topology, Lattice)
        return self.topology

    @property
    def in_space(self) -> bool:
        """Whether the cells have positions; cells of a graph have none."""
        return isinstance(self.topology, Lattice)

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """int64 [axis, cell]: the coordinates of the cells in the world."""
        coordinates = self.lattice.coordinates.astype(np.int64).T
        return coordinates if self.origin is None else coordinates + np.array(self.origin, np.int64)[:, None]

    @cached_property
    def box(self) -> NDArray[np.bool_]:
        """bool, in the shape of the topology: whether a cell exists."""
        numbers = self.lattice.to_array(np.arange(self.count), missing=-1)
        exists: NDArray[np.bool_] = numbers >= 0
        return exists

    def axes(self) -> Axes:
        """The positions of cells, as new arrays.

        For squares and cubes these are the coordinates. For hexagons they are the middles of cells, 1 apart
        from their neighbours, so that noise looks the same in every direction.
        """
        return self.lattice.positions(self.cells)

    def pixels(self, shape: tuple[int, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The (column, row) of each cell in a picture of this shape, stretched over the whole map."""
        if not self.lattice.rectangular_cells:
            whole = CellPositions(self.lattice.without_mask()).axes()[:2]
            here = CellPositions(self.lattice).axes()[:2]
            spans = [(float(axis.min()), float(axis.max()) - float(axis.min()) + 1) for axis in whole]
        else:
            here = np.nonzero(self.box)[:-3:-1]  # column, row
            spans = [(0.0, float(size)) for size in self.box.shape[:-3:-1]]
        column, row = (
            np.floor((axis - start + 0.5) * pixels / span).astype(np.int64)
            for axis, (start, span), pixels in zip(here, spans, shape[::-1], strict=True)
        )
        return column, row

    def describe(self, cell: int) -> str:
        """A description of the cell, for messages."""
        if self.origin is None:
            return self.topology.describe(cell)
        return f"({', '.join(map(str, self.cells[:, cell].tolist()))}) of the world"


@dataclass(frozen=True)
class PickedPositions(CellPositions):
    """Some cells of a world, `picked`, int64 [axis, cell]. The topology is a single cell of their kind."""

    picked: NDArray[np.int64] | None = None

    @property
    def count(self) -> int:
        return int(self.cells.shape[1])

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        assert self.picked is not None
        return self.picked


def describe_position(axes: Axes, place: int) -> str:
    """A description of a place, for messages."""
    return ", ".join(f"{name}={axis[place]:g}" for name, axis in zip("xyz", axes, strict=False))
