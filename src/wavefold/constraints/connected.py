"""Paths in one piece."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.areas import AreaLike, describe_area, read_area
from wavefold.constraints.base import PropagatedConstraint, select_cells
from wavefold.constraints.paths import Node, PathCells, PathCuts, describe_path, find_pieces, read_paths
from wavefold.errors import ConfigError
from wavefold.kernels.constants import CONNECTED, REACHED
from wavefold.options.names import CellLike, SidesLike, TileLike
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.solver.propagators import Network, Propagator, Restriction


@dataclass(frozen=True, slots=True, eq=False)
class Connected(PropagatedConstraint):
    """Require all cells of a path to be connected; with `joins`, only these cells.

    tiles : the path consists of cells with these tiles, joined where they touch
    sides : the path consists of cells with these sockets, joined where two such sides face each other. For
        tiles without sockets, list the sides of patterns: {"bend@0": ("north", "east")}
    joins : cells that must be on the path and connected; there may be other pieces
    area : only cells in this area count
    """

    tiles: TileLike | None = None
    sides: SidesLike | None = None
    joins: Collection[CellLike] | None = None
    area: AreaLike | None = None

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A network; with `joins`, also a restriction that puts these cells on the path."""
        paths = read_paths(problem, self.tiles, self.sides)
        area = None if self.area is None else read_area(problem, self.area)
        joins = self._joins(problem)
        if joins is not None and area is not None and (joins & ~area).any():
            outside, where = int(np.argmax(joins & ~area)), describe_area(self.area)
            raise ConfigError(f"joins: {problem.topology.describe(outside)} is outside the area {where}")
        if joins is None:
            return (Network(patterns=paths.patterns, area=area, goal=CONNECTED, sides=paths.node_sides),)
        joined = Network(
            patterns=paths.patterns,
            area=area,
            goal=REACHED,
            sides=paths.node_sides,
            starts=joins,
            goals=joins,
        )
        return joined, Restriction(patterns=paths.patterns, area=joins)

    def _joins(self, problem: Problem) -> NDArray[np.bool_] | None:
        return None if self.joins is None else select_cells(problem, self.joins, "joins")

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the number of pieces if there are several."""
        cells = PathCells.of(problem, patterns, self.tiles, self.sides, self.area)
        joins = self._joins(problem)
        if joins is not None:
            outside = [cell for cell in np.flatnonzero(joins).tolist() if cell not in cells.cells]
            if outside:
                where = problem.topology.describe(outside[0])
                return [f"{self.message()}; {where} is not on the path"]
        pieces = self._find_pieces(cells, joins)
        if len(pieces) <= 1:
            return []
        where = problem.topology.describe(min(pieces[1][0])[0])
        return [f"{self.message()}; there are {len(pieces)} pieces, one of them at {where}"]

    def _find_pieces(self, cells: PathCells, joins: NDArray[np.bool_] | None) -> list[tuple[set[Node], Node]]:
        """The pieces that must be connected, each with its first node; with `joins`, its first in `joins`."""
        found = []
        for piece in find_pieces(cells):
            nodes = [node for node in piece if joins is None or joins[node[0]]]
            found += [(piece, min(nodes))] if nodes else []
        return found

    def cuts(self, problem: Problem, patterns: NDArray[np.int64], variable: Variables) -> Iterator[list[int]]:
        """Require a way out of each piece."""
        cells = PathCells.of(problem, patterns, self.tiles, self.sides, self.area)
        pieces = self._find_pieces(cells, self._joins(problem))
        inside = np.ones(problem.cell_count, bool) if self.area is None else read_area(problem, self.area)
        cuts = PathCuts(problem, read_paths(problem, self.tiles, self.sides).node_sides, inside, variable)
        for (piece, start), (_, goal) in zip(pieces, [*pieces[1:], *pieces[:1]], strict=True):
            if start != goal:
                cuts.cut_off(piece, start, goal)
        yield from cuts.clauses

    def message(self) -> str:
        """The constraint in words."""
        what = describe_path(self.tiles, self.sides)
        where = "" if self.area is None else f" in the area {describe_area(self.area)}"
        if self.joins is not None:
            return f"{what} must join the cells {', '.join(map(str, self.joins))}{where}"
        return f"{what} must be in one piece{where}"
