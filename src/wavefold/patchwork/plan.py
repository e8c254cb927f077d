"""The plan of a patchwork: which cells belong to which grid, and which grids touch.

A grid of hexagons is a disk; its key (gx, gz) is an odd-q offset on a lattice of flat-topped hexagons.
A grid of squares is a square; its key is its column and row.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, TileSetError
from wavefold.options.groups import LARGEST_RADIUS
from wavefold.options.names import PatchworkKind
from wavefold.options.values import parse_in_range, parse_integer
from wavefold.topology import HexGrid, Lattice, SquareGrid

Cell = tuple[int, int]  # (q, r) of a hexagon, (x, y) of a square
Key = tuple[int, int]  # (gx, gz)

LARGEST_COORDINATE = 1 << 40  # cells
MOST_GRIDS = 10_000


class GridPlan(ABC):
    """A division of the plane into grids of one radius. Keys are positions on a lattice of grids."""

    lattice: ClassVar[type[Lattice]]
    fields_preset: ClassVar[str]  # the preset of fields that suits tiles of this kind
    around: ClassVar[tuple[Cell, ...]]  # steps to adjacent grids, clockwise from the north
    corner: ClassVar[Cell]  # the step to the northwest corner of the ring of grids around a grid
    ring_side: ClassVar[int]  # grids along a side of that ring, from corner to corner

    def __init__(self, radius: int) -> None:
        self.radius = radius
        self.steps: NDArray[np.int32] = self.lattice.steps  # [direction, axis]
        self.moves: tuple[Cell, ...] = tuple((int(x), int(y)) for x, y in self.steps)

    @abstractmethod
    def centre(self, key: Key) -> Cell:
        """Return the cell in the middle of a grid."""

    @abstractmethod
    def owner(self, cell: Cell) -> Key:
        """Return the grid to which a cell belongs."""

    @staticmethod
    @abstractmethod
    def count_cells(radius: int) -> int:
        """Return the number of cells of a grid of this radius."""

    @staticmethod
    def to_lattice(key: Key) -> tuple[int, int]:
        """Convert a key to a position on the lattice of grids, where steps to neighbours are constant."""
        return key

    @staticmethod
    def to_key(across: int, down: int) -> Key:
        """Convert a position on the lattice of grids to a key."""
        return across, down

    @cached_property
    def grid(self) -> Lattice:
        """The cells of one grid as a topology."""
        return self.lattice.of_width(2 * self.radius + 1)

    @cached_property
    def grid_centre(self) -> Cell:
        """The coordinates of the cell in the middle of `grid`."""
        cells = self.grid.coordinates
        x, y = ((cells.min(axis=0) + cells.max(axis=0)) // 2).tolist()
        return x, y

    @cached_property
    def offsets(self) -> tuple[Cell, ...]:
        """The cells of a grid relative to its centre, column by column."""
        x, y = self.grid_centre
        return tuple(sorted((column - x, row - y) for column, row in self.grid.coordinates.tolist()))

    def cells(self, key: Key) -> list[Cell]:
        """Return the cells of a grid."""
        x, y = self.centre(key)
        return [(x + dx, y + dy) for dx, dy in self.offsets]

    def neighbours(self, key: Key) -> tuple[Key, ...]:
        """Return the grids that touch a grid, clockwise from the north."""
        across, down = self.to_lattice(key)
        return tuple(self.to_key(across + i, down + j) for i, j in self.around)

    def surroundings(self, keys: Collection[Key]) -> list[Key]:
        """List the other grids that touch these: around the first, then around the second, …"""
        there = dict.fromkeys(keys)
        found = dict.fromkeys(other for key in there for other in self.neighbours(key))
        return [key for key in found if key not in there and self.in_reach(key)]

    def islands(self, keys: Iterable[Key]) -> list[list[Key]]:
        """Group keys of grids that touch, independent of the order of the keys."""
        left, found = dict.fromkeys(sorted(keys)), []
        while left:
            island = [left.popitem()[0]]
            for key in island:  # grows during the loop
                for other in self.neighbours(key):
                    if other in left:
                        del left[other]
                        island.append(other)
            found.append(sorted(island))
        return found

    def ring(self, key: Key, far: int) -> list[Cell]:
        """Return the cells `far` steps away from a grid, in a fixed order."""
        x, y = self.centre(key)
        return [(x + dx, y + dy) for dx, dy in self._ring(far)]

    def touching(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell."""
        x, y = cell
        return [(x + dx, y + dy) for dx, dy in self.moves]

    def disk(self, cell: Cell, radius: int) -> list[Cell]:
        """Return the cells within `radius` steps of a cell, nearest first."""
        found = dict.fromkeys([cell])
        edge = [cell]
        for _ in range(radius):
            edge = [other for each in edge for other in self.touching(each) if other not in found]
            edge = list(dict.fromkeys(edge))
            found |= dict.fromkeys(edge)
        return list(found)

    def distance(self, a: Cell, b: Cell) -> int:
        """Return the number of steps from one cell to another."""
        return self.lattice.distance(b[0] - a[0], b[1] - a[1])

    def in_reach(self, key: Key) -> bool:
        """Return whether the centre of a grid is within the limit of coordinates."""
        return max(map(abs, self.centre(key))) <= LARGEST_COORDINATE

    def _ring(self, far: int) -> tuple[Cell, ...]:
        while len(self._rings) <= far:
            inside = set(self._rings[-1]) | set(self._rings[-2] if len(self._rings) > 1 else ())
            around = [other for each in self._rings[-1] for other in self.touching(each)]
            self._rings.append(tuple(each for each in dict.fromkeys(around) if each not in inside))
        return self._rings[far]

    @cached_property
    def _rings(self) -> list[tuple[Cell, ...]]:
        return [self.offsets]


class HexPlan(GridPlan):
    """Disks of 3R² + 3R + 1 hexagons without gaps between them."""

    lattice = HexGrid
    fields_preset = "hex"
    around = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
    corner = (-1, 0)
    ring_side = 1

    @staticmethod
    def count_cells(radius: int) -> int:
        return 3 * radius * (radius + 1) + 1

    @staticmethod
    def to_lattice(key: Key) -> tuple[int, int]:
        """Convert an odd-q key to axial coordinates: steps to the southeast and to the south."""
        gx, gz = key
        return gx, gz - (gx - (gx & 1)) // 2

    @staticmethod
    def to_key(across: int, down: int) -> Key:
        return across, down + (across - (across & 1)) // 2

    def centre(self, key: Key) -> Cell:
        across, down = self.to_lattice(key)
        near, far = self.radius, self.radius + 1
        return across * near - down * far, across * far + down * (near + far)

    def owner(self, cell: Cell) -> Key:
        near, far = self.radius, self.radius + 1
        q, r = cell
        area = 3 * near * far + 1
        across = ((near + far) * q + far * r) // area
        down = (near * r - far * q) // area
        # The cell lies in a rhombus between four centres, and belongs to the nearest.
        corners = [self.to_key(across + i, down + j) for i in (0, 1) for j in (0, 1)]
        return min(corners, key=lambda key: self.distance(self.centre(key), cell))


class SquarePlan(GridPlan):
    """Squares of (2R + 1)² cells."""

    lattice = SquareGrid
    fields_preset = "terrain"
    around = ((0, -1), (1, 0), (0, 1), (-1, 0))
    corner = (-1, -1)
    ring_side = 2

    @staticmethod
    def count_cells(radius: int) -> int:
        return (2 * radius + 1) ** 2

    def centre(self, key: Key) -> Cell:
        side = 2 * self.radius + 1
        return key[0] * side, key[1] * side

    def owner(self, cell: Cell) -> Key:
        side = 2 * self.radius + 1
        return (cell[0] + self.radius) // side, (cell[1] + self.radius) // side


PLANS: dict[str, type[GridPlan]] = {plan.lattice.kind: plan for plan in (HexPlan, SquarePlan)}


def find_plan(topology: str) -> type[GridPlan]:
    """Return the class of plans for a topology. Raises TileSetError if there is none."""
    if topology not in PLANS:
        raise TileSetError(f"a patchwork needs hex or square tiles; these are {topology} tiles")
    return PLANS[topology]


def make_plan(topology: str, radius: object) -> GridPlan:
    """Return the plan for a topology and a radius; raises if the radius is invalid."""
    return find_plan(topology)(parse_in_range("radius", radius, 1, LARGEST_RADIUS))


def build_order(topology: PatchworkKind, count: int) -> list[Key]:
    """List the first `count` grids; each touches an earlier one.

    >>> build_order("hex", 4)
    [(0, 0), (0, -1), (1, -1), (1, 0)]
    """
    number = parse_integer(count)
    if number is None or not 1 <= number <= MOST_GRIDS:
        raise ConfigError(f"a map has 1 to {MOST_GRIDS:,} grids, not {count!r}")
    if topology not in PLANS:
        raise ConfigError(f"a patchwork needs hex or square tiles, not {topology!r}")
    keys = [(0, 0)]
    far = 0
    while len(keys) < number:
        far += 1
        keys += list_ring(PLANS[topology], far)
    return keys[:number]


def list_ring(plan: type[GridPlan], far: int) -> list[Key]:
    """List the grids `far` grids away from the first, clockwise, ending at the northwest corner."""
    x, y = plan.corner[0] * far, plan.corner[1] * far
    keys = []
    for right, below in (*plan.around[1:], plan.around[0]):
        for _ in range(plan.ring_side * far):
            x, y = x + right, y + below
            keys.append(plan.to_key(x, y))
    return keys
