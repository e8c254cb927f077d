"""The effect of turning or mirroring on tiles.

Symmetries and replacements of tiles are relations: a move turns one tile into another. Related tiles form a
family. The position of a tile is the move that makes it from the first tile of the family. All tiles of a
family share the moves that leave the first one unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, FormatError
from wavefold.solver import Constraint, Problem, WaveView
from wavefold.tiles import Orientation, get_ring
from wavefold.tiles.orientation import generate_group

UNCHANGED, MISSING, GENERATED = "unchanged", "missing", "generated"
TREATMENTS = (UNCHANGED, MISSING, GENERATED)

# The moves (quarters clockwise, mirrored before) that leave a tile of this symmetry unchanged.
SYMMETRIES = {
    "F": (), "none": (), "X": ((0, True), (1, False)), "full": ((0, True), (1, False)), "T": ((0, True),),
    "I": ((0, True), (2, False)), "L": ((1, True),), "\\": ((1, True), (2, False)),
    "/": ((1, True), (2, False)), "Q": ((3, True),), "E": ((2, True),), "N": ((2, False),),
    "cyclic": ((1, False),),
}  # fmt: skip
MIRRORED_ARRAY_AXIS = {"x": -1, "y": -2}  # of the array of a map: which one is exchanged


class PlacedName(NamedTuple):
    """The name of a tile, and its orientation."""

    name: str
    orientation: Orientation = Orientation()


@dataclass
class Family:
    """Tiles that moves turn into each other."""

    positions: dict[str, Orientation]
    same: list[Orientation] = field(default_factory=lambda: [Orientation()])  # a group
    treatment: str | None = None


class Rotations:
    """The moves in use, and their effect on tiles.

    Attributes
    ----------
    group : the moves; rules and samples are repeated for each of them
    """

    def __init__(self, kind: str, rotational: int, reflectional: bool, treatment: str, where: str) -> None:
        self.ring, self.where, self.treatment = get_ring(kind), where, treatment
        self.sides = self.ring.sides
        if rotational < 1 or self.sides % rotational:
            raise FormatError(
                f"{where}: rotationalSymmetry {rotational} does not fit {kind} cells; "
                f"it must divide {self.sides}"
            )
        step = self.sides // rotational
        turns = [Orientation(turn * step) for turn in range(rotational)]
        mirrored = [Orientation(turn.turn, True) for turn in turns] if reflectional else []
        self.group = [*turns, *mirrored]
        self.smallest = Orientation(step if rotational > 1 else 1)  # not in the group, if there are no turns
        self.families: dict[str, Family] = {}

    def family(self, name: str) -> Family:
        """The family of a tile; by default, the tile alone."""
        return self.families.setdefault(name, Family({name: Orientation()}))

    def inverse(self, move: Orientation) -> Orientation:
        """The inverse of a move: a mirror image is its own inverse."""
        return move if move.mirrored else Orientation(-move.turn % self.sides)

    def relate(self, name: str, move: Orientation, other: str, why: str) -> None:
        """Record that this move turns a tile into another, or leaves it unchanged."""
        if move not in self.group:
            raise FormatError(
                f"{self.where}: {why} of tile {name!r} needs a symmetry that is not enabled; "
                "set symmetry, rotationalSymmetry or reflectionalSymmetry"
            )
        mine, theirs = self.family(name), self.family(other)
        position = move.after(mine.positions[name], self.sides)
        if mine is theirs:
            self.add_same(mine, self.inverse(mine.positions[other]).after(position, self.sides))
            return
        shift = self.inverse(theirs.positions[other]).after(position, self.sides)
        # From now on, positions of the other family refer to the first tile of this one.
        for each, at in theirs.positions.items():
            mine.positions[each] = at.after(shift, self.sides)
            self.families[each] = mine
        back = self.inverse(shift)
        for same in theirs.same:
            self.add_same(mine, back.after(same.after(shift, self.sides), self.sides))
        mine.treatment = mine.treatment or theirs.treatment

    def add_same(self, family: Family, move: Orientation) -> None:
        """Add a move that leaves the first tile of a family unchanged."""
        if move not in family.same:
            family.same = generate_group([*family.same, move], self.ring)

    def add_symmetry(self, name: str, symmetry: str) -> None:
        """Record the moves that leave a tile unchanged, given by a letter."""
        moves = {letter.lower(): each for letter, each in SYMMETRIES.items()}.get(symmetry.lower())
        if moves is None or self.sides != 4:
            raise FormatError(
                f"{self.where}: tileSymmetry {symmetry!r} of tile {name!r} is not one of "
                f"{', '.join(SYMMETRIES)}, for square cells"
            )
        for turn, mirrored in moves:
            move = Orientation(turn, mirrored)
            if move in self.group:
                self.relate(name, move, name, f"tileSymmetry {symmetry!r}")

    def move(self, tile: PlacedName, move: Orientation) -> PlacedName | None:
        """The tile after a move; None if the move is not allowed."""
        whole = move.after(tile.orientation, self.sides)
        family = self.families.get(tile.name) or Family({tile.name: Orientation()})
        position = whole.after(family.positions[tile.name], self.sides)
        alike = [position.after(each, self.sides) for each in family.same]
        for name, at in family.positions.items():
            if at in alike:
                return PlacedName(name)
        treatment = family.treatment or self.treatment
        if treatment == UNCHANGED:
            return tile
        if treatment == MISSING:
            return None
        ways = [
            (way.mirrored, way.turn, index, PlacedName(name, way))
            for index, (name, at) in enumerate(family.positions.items())
            for way in (each.after(self.inverse(at), self.sides) for each in alike)
        ]
        return min(ways)[-1]

    def canonical(self, tile: PlacedName) -> PlacedName:
        """The tile by its name in the model: `b!180` of a symmetric tile is `b`."""
        found = self.move(PlacedName(tile.name), tile.orientation)
        if found is None:
            raise FormatError(f"{self.where}: tile {tile.name!r} must not be turned; remove its '!' suffix")
        return found

    def every(self, tile: PlacedName) -> list[PlacedName]:
        """A tile and its turned versions, each once."""
        found = (self.move(tile, move) for move in self.group)
        return list(dict.fromkeys(each for each in found if each is not None))

    def move_side(self, side: int, move: Orientation) -> int:
        """The side after a move."""
        return self.ring.move_side(side, move)


def move_all(rotations: Rotations, tiles: Iterable[PlacedName], move: Orientation) -> list[PlacedName]:
    """Several tiles after a move, without those for which it is not allowed."""
    found = (rotations.move(tile, move) for tile in tiles)
    return [each for each in found if each is not None]


@dataclass(frozen=True, eq=False)
class MirrorTiles(Constraint):
    """The map equals its mirror image: axis x exchanges left and right, y top and bottom.

    Unlike `wavefold.constraints.Mirror` it compares tiles, not patterns. So it applies to learned windows,
    and to tiles whose mirror images are other tiles.

    tile_of : [pattern] the number of its tile
    image : [tile] the number of its mirror image, or -1
    """

    axis: str
    tile_of: NDArray[np.int64]
    image: NDArray[np.int64]

    def twins(self, problem: Problem) -> NDArray[np.int64]:
        """int64 [cell]: the cell at the mirrored position."""
        topology = problem.topology
        numbers = topology.to_array(np.arange(topology.cell_count), missing=-1)
        moved = np.flip(numbers, MIRRORED_ARRAY_AXIS[self.axis])
        if ((numbers < 0) != (moved < 0)).any():
            raise ConfigError(f"{topology!r} is not symmetric along {self.axis}")
        twins = np.empty(topology.cell_count, np.int64)
        twins[numbers[numbers >= 0]] = moved[numbers >= 0]
        return twins

    def prune(self, view: WaveView) -> None:
        """Remove the tiles whose images are impossible at their twin."""
        possible, twins = view.possible, self.twins(view.problem)
        members = np.eye(len(self.image), dtype=np.float32)[self.tile_of]  # [pattern, tile]
        has_tile = possible.astype(np.float32) @ members > 0
        allowed = has_tile[twins][:, self.image] & (self.image >= 0)
        alone = twins == np.arange(len(twins))
        allowed[alone] &= self.image == np.arange(len(self.image))
        gone = possible & ~allowed[:, self.tile_of]
        for cell in np.flatnonzero(gone.any(axis=1)).tolist():
            view.remove(cell, np.flatnonzero(gone[cell]))

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """A sentence if a cell is not the image of its twin."""
        found = self.tile_of[patterns]
        wrong = np.flatnonzero(found[self.twins(problem)] != self.image[found])
        return [f"{self.message()}; not at {problem.topology.describe(int(wrong[0]))}"] if wrong.size else []

    def message(self) -> str:
        """The constraint as a sentence."""
        return f"the map must be symmetric along {self.axis}"

    def clauses(self, problem: Problem, variable: Any) -> Iterator[list[int]]:
        """For each tile of a cell, its twin has an image of it."""
        for cell, twin in enumerate(self.twins(problem).tolist()):
            for pattern, tile in enumerate(self.tile_of.tolist()):
                images = np.flatnonzero(self.tile_of == self.image[tile]).tolist()
                yield [-variable(cell, pattern), *(variable(twin, each) for each in images)]
