"""Limits on the lengths of lines: tiles in a row, and lines of tiles side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import CellFlags, PropagatedConstraint, check_number, select_patterns
from wavefold.errors import ConfigError, suggest
from wavefold.kernels.constants import NOWHERE
from wavefold.options.names import LineAxis, TileLike
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.solver.propagators import Propagator, RunLimit
from wavefold.topology import Topology
from wavefold.topology.lattice import Lattice

Place: TypeAlias = tuple[int, ...]  # a cell, or two cells side by side
Successors: TypeAlias = dict[Place, Place | None]  # {place: the next place in its line}


class LineLimit(PropagatedConstraint):
    """Limits lines of places with the tile to `at_most`."""

    __slots__ = ()

    tile: TileLike
    at_most: int

    def directions(self, topology: Topology) -> tuple[int, ...]:
        """The directions of lines, without their opposites."""
        raise NotImplementedError

    def next_places(self, problem: Problem, direction: int) -> Iterator[Successors]:
        """Yield {place: the next place} for each kind of line in a direction."""
        raise NotImplementedError

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first line that is too long."""
        mine = np.isin(patterns, problem.patterns_named(self.tile))
        for direction in self.directions(problem.topology):
            for following in self.next_places(problem, direction):
                has_tile = {place: bool(mine[list(place)].all()) for place in following}
                for place in following:
                    length = count_line(following, has_tile, place)
                    if length > self.at_most:
                        where = problem.topology.describe(place[0])
                        way = problem.topology.directions[direction]
                        return [f"{self.message()}; there are more from {where} to the {way}"]
        return []

    def clauses(self, problem: Problem, variable: Variables) -> Iterator[list[int]]:
        """Among `at_most` + 1 places in a row, at least one cell has another tile."""
        flags = CellFlags(variable, select_patterns(problem, self.tile), range(problem.cell_count))
        yield from flags.clauses
        for direction in self.directions(problem.topology):
            for following in self.next_places(problem, direction):
                for place in following:
                    line = list_line(following, place, self.at_most + 1)
                    if len(line) > self.at_most:
                        yield [-flags[cell] for cell in sorted({cell for each in line for cell in each})]


@dataclass(frozen=True, slots=True, eq=False)
class MaxRun(LineLimit):
    """Allow at most `at_most` cells of `tile` in a row.

    axis : "horizontal", "vertical", an axis such as "x", or a direction such as "northeast"; by default all

    >>> MaxRun("corridor", 6)
    """

    tile: TileLike
    at_most: int
    axis: LineAxis | None = None

    def __post_init__(self) -> None:
        check_number("at_most", self.at_most, 0)

    def directions(self, topology: Topology) -> tuple[int, ...]:
        """The directions of the axis."""
        return find_lines(topology, self.axis)

    def next_places(self, problem: Problem, direction: int) -> Iterator[Successors]:
        """Lines of single cells."""
        ahead = problem.graph.neighbour[:, direction].tolist()
        yield {(cell,): None if other == NOWHERE else (other,) for cell, other in enumerate(ahead)}

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A limit on the lengths of lines."""
        patterns = select_patterns(problem, self.tile)
        return (RunLimit(patterns=patterns, most=self.at_most, directions=self.directions(problem.topology)),)

    def message(self) -> str:
        """The constraint in words."""
        along = "" if self.axis is None else f" ({self.axis})"
        return f"at most {self.at_most} of {self.tile!r} may be in a row{along}"


@dataclass(frozen=True, slots=True, eq=False)
class Parallel(LineLimit):
    """Allow lines of `tile` side by side for at most `at_most` cells.

    >>> Parallel("road", 2)
    """

    tile: TileLike
    at_most: int

    def __post_init__(self) -> None:
        check_number("at_most", self.at_most, 0)

    def directions(self, topology: Topology) -> tuple[int, ...]:
        """All directions."""
        return find_lines(topology, None)

    def next_places(self, problem: Problem, direction: int) -> Iterator[Successors]:
        """Lines of pairs of touching cells, for each side."""
        neighbour, opposite = problem.graph.neighbour, problem.graph.opposite
        for side in range(neighbour.shape[1]):
            if side in (direction, opposite[direction]):
                continue
            beside = neighbour[:, side].tolist()
            places = {cell: (cell, other) for cell, other in enumerate(beside) if other != NOWHERE}
            yield {place: places.get(int(neighbour[cell, direction])) for cell, place in places.items()}

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A limit on the lengths of lines of pairs."""
        return (
            RunLimit(
                patterns=select_patterns(problem, self.tile),
                most=self.at_most,
                directions=self.directions(problem.topology),
                in_pairs=True,
            ),
        )

    def message(self) -> str:
        """The constraint in words."""
        return f"lines of {self.tile!r} may be side by side for at most {self.at_most} cells"


def list_line(following: Successors, start: Place, most: int) -> list[Place]:
    """List up to `most` places of a line, from `start` on, each once."""
    line = [start]
    while len(line) < most:
        place = following[line[-1]]
        if place is None or place == start:
            break
        line.append(place)
    return line


def count_line(following: Successors, has_tile: dict[Place, bool], start: Place) -> int:
    """Count the places in a row with the tile, from `start` on, each once."""
    place: Place | None = start
    length = 0
    while place is not None and has_tile[place] and (length == 0 or place != start):
        length += 1
        place = following[place]
    return length


def find_lines(topology: Topology, axis: str | None) -> tuple[int, ...]:
    """The directions along an axis, or along all axes, without their opposites."""
    if not isinstance(topology, Lattice) or topology.side_sets:
        raise ConfigError(f"a {topology.kind} has no rows of cells; use squares, hexagons or cubes")
    opposite = topology.graph().opposite
    every = [each for each in range(len(opposite)) if each < opposite[each]]
    if axis is None:
        return tuple(every)
    names = name_axes(topology)
    if axis not in list(names):
        raise ConfigError(f"there is no axis {axis!r}; {suggest(axis, names)}")
    direction = names[axis]
    return (min(direction, int(opposite[direction])),)


def name_axes(topology: Lattice) -> dict[str, int]:
    """{name of an axis or direction: a direction along it}."""
    names = {name: direction for direction, name in enumerate(topology.directions)}
    for word, way in (("horizontal", "east"), ("vertical", "south")):
        if way in names:
            names[word] = names[way]
    for number, letter in enumerate(topology.axis_letters):
        step = np.eye(len(topology.axes), dtype=int)[number]
        along = np.flatnonzero((topology.steps == step).all(axis=1))
        if along.size:
            names[letter] = int(along[0])
    return names
