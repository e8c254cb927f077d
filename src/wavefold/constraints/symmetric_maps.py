"""Maps with mirror or rotational symmetry."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import PropagatedConstraint, check_number
from wavefold.errors import ConfigError, TileSetError, TileSetWarning, suggest
from wavefold.options.names import MirrorAxis
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.solver.propagators import Propagator, Restriction, TwinCells
from wavefold.tiles import LearnedTileSet, Rules, TileSet
from wavefold.tiles.orientation import Orientation, get_ring
from wavefold.tiles.turning import find_counterparts
from wavefold.topology.lattice import Lattice

MIRRORED_NAMES = {"vertical": ("east", "west"), "horizontal": ("north", "south")}  # {axis: swapped names}
SHAPES = {  # advice on maps that have the same cells when moved
    "square": "choose as many columns as rows",
    "cube": "choose as many columns as rows",
    "hex": "choose a hexagon with a radius",
}
MOST_NAMED = 3  # patterns in a message


class SymmetricMap(PropagatedConstraint):
    """Requires a map that stays the same when it is moved. Subclasses define the move."""

    __slots__ = ()

    def orientation(self, topology: Lattice) -> Orientation:
        """The move. Raises ConfigError if the topology does not support it."""
        raise NotImplementedError

    def move(self) -> str:
        """A description of the move, for messages."""
        raise NotImplementedError

    def _find_images(self, problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[cell] -> the cell it moves to, and [pattern] -> the pattern it becomes, or -1."""
        topology = problem.topology
        if not isinstance(topology, Lattice) or topology.side_sets:
            raise ConfigError(f"a {topology.kind} cannot be {self.move()}; use squares, hexagons or cubes")
        orientation = self.orientation(topology)
        twin = find_twins(topology, orientation)
        if twin is None:
            size = " x ".join(map(str, topology.shape[::-1]))
            shape = SHAPES.get(topology.kind, "choose a map of another shape")
            raise ConfigError(f"a map of {size} cells {self.move()} has different cells; {shape}")
        return twin, find_images(problem, orientation, self.move())

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """The relation between each cell and the cell it moves to, in both directions."""
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

    def check_problem(self, problem: Problem) -> None:
        """Warn about patterns that the symmetry excludes; raise TileSetError if none remains."""
        possible: Any = True if problem.masks is None else np.atleast_2d(problem.masks).any(axis=0)
        has_image = self._find_images(problem)[1] >= 0
        missing = possible & ~has_image
        if not missing.any():
            return
        names = [problem.rules.names[each] for each in np.flatnonzero(missing)]
        others = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        shown = ", ".join(map(repr, names[:MOST_NAMED])) + others
        text = f"the tile set has no image of {shown} when {self.move()}"
        advice = "add it with a symmetry of the tile, such as 'L' or 'F'"
        if not (possible & has_image).any():
            raise TileSetError(f"{text}; {advice}")
        warnings.warn(f"{text}, so it is excluded; {advice}", TileSetWarning, stacklevel=3)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first cell that is not the image of its twin."""
        twin, image = self._find_images(problem)
        wrong = np.flatnonzero(patterns[twin] != image[patterns])
        if not wrong.size:
            return []
        here, there = (problem.topology.describe(int(each)) for each in (wrong[0], twin[wrong[0]]))
        return [f"{self.message()}; {here} and {there} are not images of each other"]

    def message(self) -> str:
        """The constraint in words."""
        return f"the map {self.move()} must be the same map"

    def clauses(self, problem: Problem, variable: Variables) -> Iterator[list[int]]:
        """If a cell has a pattern, its twin has the image."""
        twin, image = self._find_images(problem)
        for cell in range(problem.cell_count):
            for pattern, moved in enumerate(image.tolist()):
                there = [variable(int(twin[cell]), moved)] if moved >= 0 else []
                yield [-variable(cell, pattern), *there]


@dataclass(frozen=True, slots=True, eq=False)
class Mirror(SymmetricMap):
    """Require a map that equals its mirror image; tiles are replaced by their mirror images.

    axis : "vertical": left and right are mirror images; "horizontal": top and bottom
    """

    axis: MirrorAxis = "vertical"

    def __post_init__(self) -> None:
        if not isinstance(self.axis, str) or self.axis not in MIRRORED_NAMES:
            raise ConfigError(f"there is no axis {self.axis!r}; {suggest(self.axis, MIRRORED_NAMES)}")

    def orientation(self, topology: Lattice) -> Orientation:
        """The orientation that swaps the names of directions."""
        ring, names = get_ring(topology.kind), topology.directions
        wanted = [swap_words(name, *MIRRORED_NAMES[self.axis]) for name in names]
        for each in ring.list_orientations():
            if [names[ring.move_side(side, each)] for side in range(len(names))] == wanted:
                return each
        raise ConfigError(f"{topology.kind} cells have no {self.axis} axis")

    def move(self) -> str:
        """A description of the reflection."""
        return f"mirrored at its {self.axis} axis"


@dataclass(frozen=True, slots=True, eq=False)
class Rotational(SymmetricMap):
    """Require a map that stays the same when rotated; tiles are replaced by their rotations.

    order : the order of the symmetry: 2 or 4 for squares and cubes; 2, 3 or 6 for hexagons
    """

    order: int = 4

    def __post_init__(self) -> None:
        check_number("order", self.order, 2)

    def orientation(self, topology: Lattice) -> Orientation:
        """The smallest rotation of the symmetry."""
        sides = get_ring(topology.kind).sides
        if sides % self.order:
            known = " or ".join(str(each) for each in range(2, sides + 1) if sides % each == 0)
            raise ConfigError(
                f"a map of {topology.kind} cells cannot have rotational symmetry of order {self.order}; "
                f"order must be {known}"
            )
        return Orientation(sides // self.order)

    def move(self) -> str:
        """A description of the rotation."""
        return f"turned by {360 // self.order} degrees"


def swap_words(name: str, one: str, other: str) -> str:
    """Swap two words in the name of a direction."""
    return name.replace(one, "?").replace(other, one).replace("?", other)


def find_twins(topology: Lattice, orientation: Orientation) -> NDArray[np.int64] | None:
    """[cell] -> the cell it moves to; None if the moved map has other cells."""
    ring, steps = get_ring(topology.kind), topology.steps.astype(np.int64)
    axes = [int((steps == unit).all(axis=1).argmax()) for unit in np.eye(steps.shape[1], dtype=np.int64)]
    matrix = steps[[ring.move_side(side, orientation) for side in axes]]  # of the move
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
    """[pattern] -> the pattern it becomes; -1 if it cannot be on the map."""
    tiles = problem.tiles
    if not isinstance(tiles, TileSet) or isinstance(tiles, LearnedTileSet):
        kind = "learned patterns" if isinstance(tiles, TileSet) else "bare rules"
        raise TileSetError(f"a map {move} needs tiles with orientations, not {kind}")
    image = tiles.pattern_table.find_images(orientation)
    possible: Any = np.ones(len(image), bool)
    if problem.masks is not None:
        possible = np.atleast_2d(problem.masks).any(axis=0)
    if (possible & (image < 0)).any():
        image = complete_images(problem.rules, image, orientation)
    return image


def complete_images(rules: Rules, image: NDArray[np.int64], orientation: Orientation) -> NDArray[np.int64]:
    """Complete images [pattern] with other tiles under which the rules stay the same.

    Tiles with the same factors are preferred. Patterns without an image, and those with such an image, get
    -1.
    """
    weights = np.unique(rules.weights, return_inverse=True)[1].reshape(-1)
    moves = 2 if orientation.mirrored else get_ring(rules.topology).sides // orientation.turn
    for with_factors in (True, False):
        found = find_counterparts(rules, weights, orientation, image, with_factors)
        if found is None:
            continue
        turns = found
        for _ in range(moves - 1):
            turns = found[turns]
        if (turns == np.arange(len(found))).all():
            return found.astype(np.int64)
    image = image.copy()
    for _ in range(moves):
        image[(image >= 0) & (image[image] < 0)] = -1
    return image
