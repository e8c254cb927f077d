"""Maps that are the same in a mirror, or when they are turned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import PropagatedConstraint, check_number
from wavefold.errors import ConfigError, TileSetError, suggest
from wavefold.solver import Problem
from wavefold.solver.propagators import Propagator, Restriction, TwinCells
from wavefold.tiles import LearnedTileSet, Rules, TileSet
from wavefold.tiles.orientation import Orientation, ring_of
from wavefold.tiles.turning import find_counterparts
from wavefold.topology.lattice import Lattice

MIRRORED_NAMES = {"vertical": ("east", "west"), "horizontal": ("north", "south")}  # what an axis exchanges


class SymmetricMap(PropagatedConstraint):
    """The map moved is the same map. Subclasses say how it is moved."""

    __slots__ = ()

    def orientation(self, topology: Lattice) -> Orientation:
        """How the map is moved; raises if its cells cannot be."""
        raise NotImplementedError

    def move(self) -> str:
        """The same in words, for messages."""
        raise NotImplementedError

    def _find_images(self, problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[cell] where each cell comes to be, and [pattern] what each pattern becomes, or -1."""
        topology = problem.topology
        if not isinstance(topology, Lattice) or topology.side_sets:
            raise ConfigError(f"a {topology.kind} cannot be {self.move()}: squares, hexagons and cubes can")
        orientation = self.orientation(topology)
        twin = find_twins(topology, orientation)
        if twin is None:
            raise ConfigError(f"{topology!r} {self.move()} has other cells: choose a map of another shape")
        return twin, find_images(problem, orientation, self.move())

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """What a cell and the one it comes to be have to do with each other, seen from both."""
        twin, image = self._find_images(problem)
        has_image = image >= 0
        origin = np.full(image.size, -1)
        origin[image[has_image]] = np.flatnonzero(has_image)
        ways = [(twin, image)]
        if not np.array_equal(twin, np.argsort(twin)) or not np.array_equal(image, origin):
            ways.append((np.argsort(twin), origin))
        symmetries = [
            TwinCells(patterns=has_image, twin=cells.astype(np.int32), image=patterns.astype(np.int32))
            for cells, patterns in ways
        ]
        return Restriction(patterns=has_image), *symmetries

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """A sentence if a cell is not the image of its twin."""
        twin, image = self._find_images(problem)
        wrong = np.flatnonzero(patterns[twin] != image[patterns])
        if not wrong.size:
            return []
        here, there = (problem.topology.describe(int(each)) for each in (wrong[0], twin[wrong[0]]))
        return [f"{self.message()}; {here} and {there} are not images of each other"]

    def message(self) -> str:
        """What must be the same."""
        return f"the map {self.move()} must be the same map"

    def clauses(self, problem: Problem, variable: Any) -> Iterator[list[int]]:
        """Whatever a cell has, its twin has the image."""
        twin, image = self._find_images(problem)
        for cell in range(problem.cell_count):
            for pattern, moved in enumerate(image.tolist()):
                there = [variable(int(twin[cell]), moved)] if moved >= 0 else []
                yield [-variable(cell, pattern), *there]


@dataclass(frozen=True, slots=True, eq=False)
class Mirror(SymmetricMap):
    """Have a map that is the same in a mirror; turned and mirrored tiles as the tile set has them.

    axis : "vertical": left and right are alike; "horizontal": top and bottom
    """

    axis: str = "vertical"

    def __post_init__(self) -> None:
        if not isinstance(self.axis, str) or self.axis not in MIRRORED_NAMES:
            raise ConfigError(f"there is no axis {self.axis!r}; {suggest(self.axis, MIRRORED_NAMES)}")

    def orientation(self, topology: Lattice) -> Orientation:
        """The one that exchanges the names of directions."""
        ring, names = ring_of(topology.kind), topology.directions
        wanted = [exchange(name, *MIRRORED_NAMES[self.axis]) for name in names]
        for each in ring.list_orientations():
            if [names[ring.move_side(side, each)] for side in range(len(names))] == wanted:
                return each
        raise ConfigError(f"{topology.kind} cells have no {self.axis} axis")

    def move(self) -> str:
        """The mirror."""
        return f"mirrored at its {self.axis} axis"


@dataclass(frozen=True, slots=True, eq=False)
class Rotational(SymmetricMap):
    """Have a map that is the same when it is turned; turned tiles as the tile set has them.

    order : how often it is the same in a full turn: 2 or 4 on squares and cubes; 2, 3 or 6 on hexagons
    """

    order: int = 4

    def __post_init__(self) -> None:
        check_number("the order of a rotation", self.order, 2)

    def orientation(self, topology: Lattice) -> Orientation:
        """A turn."""
        sides = ring_of(topology.kind).sides
        if sides % self.order:
            known = " or ".join(str(each) for each in range(2, sides + 1) if sides % each == 0)
            raise ConfigError(
                f"a map of {topology.kind} cells cannot be the same {self.order} times in a full turn; "
                f"order is {known}"
            )
        return Orientation(sides // self.order)

    def move(self) -> str:
        """The turn."""
        return f"turned by {360 // self.order} degrees"


def exchange(name: str, one: str, other: str) -> str:
    """The name of a direction with one word for another, and the other way round."""
    return name.replace(one, "?").replace(other, one).replace("?", other)


def find_twins(topology: Lattice, orientation: Orientation) -> NDArray[np.int64] | None:
    """[cell] where each cell comes to be when the map is moved; None if the map moved has other cells."""
    ring, steps = ring_of(topology.kind), topology.steps.astype(np.int64)
    axes = [int((steps == unit).all(axis=1).argmax()) for unit in np.eye(steps.shape[1], dtype=np.int64)]
    matrix = steps[[ring.move_side(side, orientation) for side in axes]]  # what each axis becomes
    cells = topology.coordinates.astype(np.int64)
    moved = cells @ matrix
    cells, moved = cells - cells.min(axis=0), moved - moved.min(axis=0)
    box = tuple(cells.max(axis=0) + 1)
    if (moved >= box).any():
        return None
    number = np.full(box, -1)
    number[tuple(cells.T)] = np.arange(len(cells))
    twins: NDArray[np.int64] = number[tuple(moved.T)]
    return None if twins.min() < 0 else twins


def find_images(problem: Problem, orientation: Orientation, move: str) -> NDArray[np.int64]:
    """[pattern] what each pattern becomes, or -1. Raises if one that may be on the map becomes nothing."""
    tiles = problem.tiles
    if not isinstance(tiles, TileSet) or isinstance(tiles, LearnedTileSet):
        kind = "learned patterns have" if isinstance(tiles, TileSet) else "bare rules have"
        raise TileSetError(f"a map {move} needs tiles with orientations, which {kind} not")
    image = tiles.pattern_table.find_images(orientation)
    possible: Any = np.ones(len(image), bool)
    if problem.masks is not None:
        possible = np.atleast_2d(problem.masks).any(axis=0)
    if (possible & (image < 0)).any():
        image = complete_images(problem.rules, image, orientation)
    missing = np.flatnonzero(possible & (image < 0))
    if missing.size:
        others = f", and there are {missing.size - 1} more such" if missing.size > 1 else ""
        raise TileSetError(
            f"{problem.rules.names[missing[0]]!r} {move} is no tile of this set{others}; give its tile a "
            "symmetry that has it, as symmetry='L' or 'F', or forbid it with masks"
        )
    return image


def complete_images(rules: Rules, image: NDArray[np.int64], orientation: Orientation) -> NDArray[np.int64]:
    """Images [pattern] with other tiles for those that have none, if what may touch is then the same."""
    weights = np.unique(rules.weights, return_inverse=True)[1].reshape(-1)
    found = find_counterparts(rules, weights, orientation)
    if found is None or (found != image)[image >= 0].any():
        return image
    sides, turns = ring_of(rules.topology).sides, found
    for _ in range((2 if orientation.mirrored else sides // orientation.turn) - 1):
        turns = found[turns]
    return found.astype(np.int64) if (turns == np.arange(len(found))).all() else image
