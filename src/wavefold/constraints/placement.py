"""Tiles in an area or at the edge of a map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.areas import AreaLike, describe_area, read_area
from wavefold.constraints.base import PropagatedConstraint, describe_cells, select_patterns
from wavefold.errors import ConfigError, suggest
from wavefold.kernels.constants import NOWHERE
from wavefold.options.names import SideName, TileLike
from wavefold.options.values import check_flag
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.solver.propagators import Propagator, Restriction
from wavefold.topology import Topology
from wavefold.topology.lattice import Lattice

ALL, CORNERS = "all", "corners"


class Placement(PropagatedConstraint):
    """Requires one of the tiles in some cells; with `ban`, forbids them. Subclasses define the cells."""

    __slots__ = ()

    tile: TileLike
    ban: bool

    def cells(self, problem: Problem) -> NDArray[np.bool_]:
        """bool [cell]: the cells of the placement."""
        raise NotImplementedError

    def where(self) -> str:
        """A description of the cells, for messages."""
        raise NotImplementedError

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A restriction of domains."""
        patterns = select_patterns(problem, self.tile)
        return (Restriction(patterns=patterns != self.ban, area=self.cells(problem)),)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report cells without the tile; with `ban`, cells with it."""
        has_tile = np.isin(patterns, problem.patterns_named(self.tile))
        wrong = np.flatnonzero(self.cells(problem) & (has_tile == self.ban))
        return [f"{self.message()}; wrong: {describe_cells(problem, wrong)}"] if wrong.size else []

    def message(self) -> str:
        """The constraint in words."""
        return f"{self.tile!r} must {'not ' * self.ban}be {self.where()}"

    def clauses(self, problem: Problem, variable: Variables) -> Iterator[list[int]]:
        """The variables of forbidden patterns are false."""
        (restriction,) = self.propagators(problem)
        forbidden = np.flatnonzero(~restriction.patterns).tolist()
        for cell in np.flatnonzero(self.cells(problem)).tolist():
            yield from ([-variable(cell, pattern)] for pattern in forbidden)


@dataclass(frozen=True, slots=True, eq=False)
class Area(Placement):
    """Require `tile` in all cells of an area; with `ban`, forbid it there.

    >>> Area("water", (0, 0, 8, 4))
    """

    tile: TileLike
    area: AreaLike
    ban: bool = False

    def __post_init__(self) -> None:
        check_flag("ban", self.ban)

    def cells(self, problem: Problem) -> NDArray[np.bool_]:
        """The area."""
        return read_area(problem, self.area)

    def where(self) -> str:
        """A description of the area."""
        return f"{'' if self.ban else 'everywhere '}in the area {describe_area(self.area)}"


@dataclass(frozen=True, slots=True, eq=False)
class Border(Placement):
    """Require `tile` in all cells at the edge of the map; with `ban`, forbid it there.

    side : "all", "corners", a direction, or a list of these. "north" selects the cells without a neighbour to
        the north. The holes of a mask have edges, too

    >>> Border("wall"), Border("road", ["north", "corners"], ban=True)
    """

    tile: TileLike
    side: SideName | str | Sequence[str] = ALL
    ban: bool = False

    def __post_init__(self) -> None:
        check_flag("ban", self.ban)
        if not self._sides():
            raise ConfigError('side must be a side such as "north", not an empty list')

    def applies_to(self, topology: Topology) -> bool:
        """Whether the map has a border. A tile set's own constraint is ignored on maps without one."""
        return isinstance(topology, Lattice) and bool(find_outside(topology).any())

    def cells(self, problem: Problem) -> NDArray[np.bool_]:
        """The cells at these sides. Raises ConfigError if there are none."""
        found = np.zeros(problem.cell_count, bool)
        for side in self._sides():
            found |= find_border(problem.topology, side)
        return found

    def where(self) -> str:
        """A description of the sides."""
        words = {ALL: "edge", CORNERS: "corners"}
        sides = " and the ".join(words.get(each, f"{each} edge") for each in self._sides())
        return f"{'' if self.ban else 'everywhere '}at the {sides} of the map"

    def _sides(self) -> list[Any]:
        return list(self.side) if isinstance(self.side, list | tuple) else [self.side]


def find_border(topology: Topology, side: Any) -> NDArray[np.bool_]:
    """bool [cell]: the cells at the edge on one side. Raises ConfigError if there are none."""
    if not isinstance(topology, Lattice):
        raise ConfigError(f"a {topology.kind} has no border")
    known = [ALL, CORNERS, *topology.directions]
    if side not in known:
        raise ConfigError(f"there is no side {side!r} of the map; {suggest(side, known)}")
    outside = find_outside(topology)
    if not outside.any():
        raise ConfigError(f"a map that wraps has no border: {topology!r}")
    if side == ALL:
        found = outside.any(axis=1)
    elif side == CORNERS:
        found = find_corners(topology, outside)
    else:
        found = outside[:, topology.directions.index(side)]
    if not found.any():
        what = "corners" if side == CORNERS else f"border to the {side}"
        raise ConfigError(f"this map has no {what}: {topology!r}")
    return np.asarray(found, bool)


def find_outside(topology: Lattice) -> NDArray[np.bool_]:
    """bool [cell, direction]: whether a cell has that side but no neighbour there."""
    outside: NDArray[np.bool_] = topology.graph().neighbour == NOWHERE
    way = topology.coordinates.sum(axis=1) % (len(topology.side_sets) or 1)
    for number, sides in enumerate(topology.side_sets):
        missing = np.setdiff1d(np.arange(outside.shape[1]), sides)
        outside[np.ix_(way == number, missing)] = False
    return outside


def find_corners(topology: Lattice, outside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool [cell]: the cells at the edge along every axis; for hexagons, the corners of the convex hull."""
    along = np.abs(topology.steps) > 0  # [direction, axis]
    if (along.sum(axis=1) == 1).all() and not topology.side_sets:
        return np.asarray((outside.astype(int) @ along > 0).all(axis=1))
    if any(topology._wraps):
        return np.zeros(topology.cell_count, bool)
    return find_hull(topology.coordinates.astype(np.int64))


def find_hull(points: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool [point]: the corners of the convex hull of points [point, (x, y)]; a line has two."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
    found = np.zeros(len(points), bool)
    for sequence in (order, order[::-1]):
        chain: list[int] = []
        for each in sequence:
            while len(chain) > 1 and compute_turn(points[chain[-2]], points[chain[-1]], points[each]) <= 0:
                chain.pop()
            chain.append(each)
        found[chain] = True
    return found


def compute_turn(before: NDArray[np.int64], here: NDArray[np.int64], after: NDArray[np.int64]) -> int:
    """A number above 0 if the path through three points turns left, 0 if it is straight."""
    (x1, y1), (x2, y2) = here - before, after - here
    return int(x1 * y2 - y1 * x2)
