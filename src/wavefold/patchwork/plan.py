"""Where grids lie: which cells belong to which, and which grids touch. Plain arithmetic.

A grid of hexagons is a disk; its key (gx, gz) is an odd-q offset on a lattice of flat-topped hexagons.
A grid of squares is a square; its key is its column and its row.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, TileSetError
from wavefold.topology import HexGrid, Lattice, SquareGrid

Cell = tuple[int, int]  # (q, r) of a hexagon, (x, y) of a square
Key = tuple[int, int]  # (gx, gz)

LARGEST_RADIUS = 128
FARTHEST = 1 << 40  # cells, as in an endless world


class GridPlan(ABC):
    """A tiling of the plane by grids of one radius."""

    kind: str
    lattice: type[Lattice]
    steps: NDArray[np.int32]  # [direction, axis]

    def __init__(self, radius: int) -> None:
        self.radius = radius
        self.moves: tuple[Cell, ...] = tuple((int(x), int(y)) for x, y in self.steps)

    @abstractmethod
    def centre(self, key: Key) -> Cell:
        """The cell in the middle of a grid."""

    @abstractmethod
    def owner(self, cell: Cell) -> Key:
        """The grid a cell belongs to."""

    @abstractmethod
    def neighbours(self, key: Key) -> tuple[Key, ...]:
        """The grids that touch this one, clockwise from the north."""

    @cached_property
    @abstractmethod
    def offsets(self) -> tuple[Cell, ...]:
        """The cells of a grid, seen from its centre: column by column."""

    @staticmethod
    @abstractmethod
    def count_cells(radius: int) -> int:
        """How many cells a grid of this radius has."""

    def cells(self, key: Key) -> list[Cell]:
        """The cells of a grid."""
        x, y = self.centre(key)
        return [(x + dx, y + dy) for dx, dy in self.offsets]

    def ring(self, key: Key, far: int) -> list[Cell]:
        """The cells this many steps away from a grid, in a fixed order."""
        x, y = self.centre(key)
        return [(x + dx, y + dy) for dx, dy in self._ring(far)]

    def touching(self, cell: Cell) -> list[Cell]:
        """The neighbours of a cell."""
        x, y = cell
        return [(x + dx, y + dy) for dx, dy in self.moves]

    def disk(self, cell: Cell, radius: int) -> list[Cell]:
        """The cells at most so many steps away, nearest first."""
        found = dict.fromkeys([cell])
        edge = [cell]
        for _ in range(radius):
            edge = [other for each in edge for other in self.touching(each) if other not in found]
            edge = list(dict.fromkeys(edge))
            found |= dict.fromkeys(edge)
        return list(found)

    def distance(self, a: Cell, b: Cell) -> int:
        """Steps from one cell to another."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        return self.lattice.distance(dx, dy)

    def in_reach(self, key: Key) -> bool:
        """Whether coordinates go that far."""
        return max(map(abs, self.centre(key))) <= FARTHEST

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
    """Disks of hexagons: 3R² + 3R + 1 cells each, and no gap between them."""

    kind = "hex"
    lattice = HexGrid
    steps = HexGrid.steps

    @staticmethod
    def count_cells(radius: int) -> int:
        return 3 * radius * (radius + 1) + 1

    @cached_property
    def offsets(self) -> tuple[Cell, ...]:
        span = range(-self.radius, self.radius + 1)
        return tuple((q, r) for q in span for r in span if abs(q + r) <= self.radius)

    def centre(self, key: Key) -> Cell:
        across, down = to_axial(key)
        near, far = self.radius, self.radius + 1
        return across * near - down * far, across * far + down * (near + far)

    def owner(self, cell: Cell) -> Key:
        near, far = self.radius, self.radius + 1
        q, r = cell
        area = 3 * near * far + 1
        across = ((near + far) * q + far * r) // area
        down = (near * r - far * q) // area
        # The cell lies in a rhombus of four centres, and belongs to one of them.
        corners = [(across + i, down + j) for i in (0, 1) for j in (0, 1)]
        return min(
            (to_grid_key(*each) for each in corners), key=lambda key: self.distance(self.centre(key), cell)
        )

    def neighbours(self, key: Key) -> tuple[Key, ...]:
        across, down = to_axial(key)
        around = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
        return tuple(to_grid_key(across + i, down + j) for i, j in around)


class SquarePlan(GridPlan):
    """Squares of (2R + 1)² cells."""

    kind = "square"
    lattice = SquareGrid
    steps = SquareGrid.steps

    @staticmethod
    def count_cells(radius: int) -> int:
        return (2 * radius + 1) ** 2

    @cached_property
    def offsets(self) -> tuple[Cell, ...]:
        span = range(-self.radius, self.radius + 1)
        return tuple((x, y) for x in span for y in span)

    def centre(self, key: Key) -> Cell:
        side = 2 * self.radius + 1
        return key[0] * side, key[1] * side

    def owner(self, cell: Cell) -> Key:
        side = 2 * self.radius + 1
        return (cell[0] + self.radius) // side, (cell[1] + self.radius) // side

    def neighbours(self, key: Key) -> tuple[Key, ...]:
        x, y = key
        return (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)


PLANS: dict[str, type[GridPlan]] = {"hex": HexPlan, "square": SquarePlan}


def to_axial(key: Key) -> tuple[int, int]:
    """An odd-q key as axial coordinates: steps to the southeast and to the south."""
    gx, gz = key
    return gx, gz - (gx - (gx & 1)) // 2


def to_grid_key(across: int, down: int) -> Key:
    """Inverse of `to_axial`."""
    return across, down + (across - (across & 1)) // 2


def make_plan(topology: str, radius: object) -> GridPlan:
    """The plan for tiles of a kind; raises unless the radius is valid."""
    if topology not in PLANS:
        raise TileSetError(f"a patchwork needs hex or square tiles; these are {topology} tiles")
    number = parse_integer(radius)
    if number is None or not 1 <= number <= LARGEST_RADIUS:
        raise ConfigError(f"radius must be a whole number from 1 to {LARGEST_RADIUS}, not {radius!r}")
    return PLANS[topology](number)


MOST_GRIDS = 10_000

# Steps along a ring from its northwest corner, clockwise, and the way to that corner.
HEX_SIDES, HEX_CORNER = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)), (-1, 0)
SQUARE_SIDES, SQUARE_CORNER = ((1, 0), (0, 1), (-1, 0), (0, -1)), (-1, -1)


def build_order(topology: str, count: int) -> list[Key]:
    """The first `count` grids. Each touches one before it.

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
        keys += list_ring(topology, far)
    return keys[:number]


def list_rings(topology: str, far: int) -> list[Key]:
    """The first grid and all around it that are at most so many grids away."""
    return build_order(topology, count_grids_within(topology, far))


def count_grids_within(topology: str, far: int) -> int:
    """How many grids are at most so many grids away from the first, with it."""
    return PLANS[topology].count_cells(far)  # grids lie as cells do


def list_ring(topology: str, far: int) -> list[Key]:
    """The grids so many grids away from the first. It ends at its northwest corner."""
    is_hex = topology == "hex"
    sides, (across, down) = (HEX_SIDES, HEX_CORNER) if is_hex else (SQUARE_SIDES, SQUARE_CORNER)
    x, y = across * far, down * far
    keys = []
    for right, below in sides:
        for _ in range(far if is_hex else 2 * far):
            x, y = x + right, y + below
            keys.append(to_grid_key(x, y) if is_hex else (x, y))
    return keys
