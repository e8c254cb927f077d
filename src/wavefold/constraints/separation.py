"""Minimum distances between tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import CellFlags, PropagatedConstraint, check_number, select_patterns
from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.names import TileLike
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.solver.propagators import DistanceLimit, Propagator
from wavefold.topology import Topology
from wavefold.topology.lattice import Lattice


class Apart(PropagatedConstraint):
    """The base class of minimum distances between cells of two groups of tiles."""

    __slots__ = ()

    distance: int

    def pair(self) -> tuple[TileLike, TileLike]:
        """The two groups of tiles."""
        raise NotImplementedError

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A limit on distances."""
        check_distance(problem.topology, self.distance)
        first, second = (select_patterns(problem, each) for each in self.pair())
        others = None if np.array_equal(first, second) else second
        return (DistanceLimit(patterns=first, others=others, distance=self.distance - 1),)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first two cells that are too near."""
        first, second = (np.isin(patterns, problem.patterns_named(each)) for each in self.pair())
        for cell in np.flatnonzero(first).tolist():
            for other, steps in find_nearby(problem.graph.neighbour, cell, self.distance - 1).items():
                if second[other] and other != cell:
                    here, there = problem.topology.describe(cell), problem.topology.describe(other)
                    return [f"{self.message()}; at {here} and {there} they are {steps}"]
        return []

    def clauses(self, problem: Problem, variable: Variables) -> Iterator[list[int]]:
        """Of two cells that are too near, one has another tile."""
        cells = range(problem.cell_count)
        first, second = (CellFlags(variable, select_patterns(problem, each), cells) for each in self.pair())
        yield from first.clauses
        yield from second.clauses
        for cell in cells:
            for other in find_nearby(problem.graph.neighbour, cell, self.distance - 1):
                if other != cell:
                    yield [-first[cell], -second[other]]


@dataclass(frozen=True, slots=True, eq=False)
class Separation(Apart):
    """Require cells of `tile` to be at least `distance` steps apart.

    >>> Separation("chest", 10)
    """

    tile: TileLike
    distance: int

    def __post_init__(self) -> None:
        check_number("distance", self.distance, 1)

    def pair(self) -> tuple[TileLike, TileLike]:
        """The tile, twice."""
        return self.tile, self.tile

    def message(self) -> str:
        """The constraint in words."""
        return f"any two of {self.tile!r} must be at least {self.distance} steps apart"


@dataclass(frozen=True, slots=True, eq=False)
class PairSeparation(Apart):
    """Require cells of `first` to be at least `distance` steps from cells of `second`.

    >>> PairSeparation("entrance", "exit", 20)
    """

    first: TileLike
    second: TileLike
    distance: int

    def __post_init__(self) -> None:
        check_number("distance", self.distance, 1)

    def pair(self) -> tuple[TileLike, TileLike]:
        """Both tiles."""
        return self.first, self.second

    def message(self) -> str:
        """The constraint in words."""
        return f"{self.first!r} and {self.second!r} must be at least {self.distance} steps apart"


def find_nearby(neighbour: NDArray[np.int32], cell: int, distance: int) -> dict[int, int]:
    """{cell: steps} for all cells at most `distance` steps away, including the cell itself."""
    found, ring = {cell: 0}, [cell]
    for step in range(1, distance + 1):
        beyond = dict.fromkeys(each for here in ring for each in neighbour[here].tolist() if each != NOWHERE)
        ring = [each for each in beyond if each not in found]
        found.update(dict.fromkeys(ring, step))
    return found


def check_distance(topology: Topology, distance: int) -> None:
    """Raise if a distance is larger than the map by more than one step, which allows a single tile."""
    farthest = topology.cell_count - 1
    if isinstance(topology, Lattice) and topology.mask is None and distance >= max(topology.shape) // 2:
        first = measure_steps(topology, 0)  # from a corner; if the map wraps, from any cell
        farthest = int(measure_steps(topology, int(first.argmax())).max())
    if distance > farthest + 1:
        raise ConfigError(
            f"a distance of {distance} steps is larger than the map; cells of {topology!r} are at most "
            f"{farthest} steps apart"
        )


def measure_steps(topology: Topology, start: int) -> NDArray[np.int64]:
    """int64 [cell]: the number of steps from the start; -1 if the cell cannot be reached."""
    neighbour = topology.graph().neighbour
    steps = np.full(topology.cell_count + 1, -1, np.int64)  # the last entry is for NOWHERE
    ring, steps[-1], steps[start] = np.array([start]), 0, 0
    while ring.size:
        checkpoint()
        beyond = np.unique(neighbour[ring])
        fresh = beyond[steps[beyond] < 0]
        steps[fresh] = steps[ring[0]] + 1
        ring = fresh
    return steps[:-1]
