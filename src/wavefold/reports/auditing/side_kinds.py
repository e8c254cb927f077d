"""Kinds of sides of a tile set: the requirements of neighbours, and the patterns that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.tiles import Relation, TileSet
from wavefold.tiles.tile import flip_socket
from wavefold.topology import get_lattice_class

MOST_DEAD_END = 1  # patterns that fit a dead end
MOST_FRAGILE = 4  # patterns that fit a fragile side
MOST_NAMES = 3  # in a label
MOST_ENTRIES = 1 << 24  # kinds of sides times patterns
MOST_PATTERNS = 8192


class SideKinds:
    """The kinds of requirements of neighbours on each side of a cell.

    Neighbours that allow the same patterns are of the same kind. The rule that a tile may not touch its own
    kind is ignored, unless `strict`: then each neighbour with this rule is a separate kind.

    Attributes
    ----------
    grid : the class of grids of the tiles
    fits : [side] bool [kind, pattern], which patterns fit
    kind_of : [side] int32 [pattern], the kind of a neighbour on that side that has this pattern
    relations : [direction] which patterns may be next to each other
    opposite : [side] the side of the neighbour that faces it
    """

    def __init__(self, tiles: TileSet, strict: bool = False) -> None:
        self.tiles = tiles
        self.grid = get_lattice_class(tiles.topology)
        rules = tiles.rules
        self.relations: Sequence[Relation] = rules.relations
        if strict and (rules.kinds >= 0).any():
            self.relations = [Relation.from_allowed(side) for side in rules.allowed]
        self.opposite = tiles.opposite
        most = max(len(relation.rows) for relation in self.relations) * len(rules)
        if most > MOST_ENTRIES or len(rules) > MOST_PATTERNS:
            raise TileSetError(
                f"{len(rules):,} patterns with {most // len(rules):,} kinds of sides are too many to audit; "
                "audit a part of the set, or learn smaller windows or fewer samples"
            )
        self.fits: list[NDArray[np.bool_]] = []
        self.kind_of: list[NDArray[np.int32]] = []
        for back in self.opposite:
            relation = self.relations[back]
            self.fits.append(unpack_bits(relation.rows, len(rules)))
            self.kind_of.append(relation.class_of)

    @cached_property
    def labels(self) -> list[list[str]]:
        """The name of each kind [side][kind]: the socket a cell must have, or the neighbours' names."""
        return [self._labels(side) for side in range(len(self.fits))]

    @property
    def count(self) -> int:
        """The number of kinds of sides."""
        if self.has_sockets:
            return len({label for side in self.labels for label in side})
        return self.most_on_a_side

    @property
    def most_on_a_side(self) -> int:
        return max(len(fits) for fits in self.fits)

    @property
    def has_sockets(self) -> bool:
        """Whether every tile has sockets."""
        return all(tile.sockets is not None for tile in self.tiles.tiles)

    def name_sides(self, sides: Sequence[int]) -> tuple[str, ...]:
        """Return the names of these sides, such as "north"."""
        return tuple(self.tiles.directions[side] for side in sides)

    def encode_one_hot(self, side: int) -> NDArray[np.bool_]:
        """Return bool [pattern, kind]: whether a neighbour on that side with this pattern is of this kind."""
        return np.asarray(self.kind_of[side][:, None] == np.arange(len(self.fits[side])))

    def _labels(self, side: int) -> list[str]:
        levels = any(tile.levels > 1 for tile in self.tiles.tiles)
        members = [np.flatnonzero(column).tolist() for column in self.encode_one_hot(side).T]
        sockets = []
        for patterns in each_checked(members, 64):
            required = {self._required_socket(side, pattern, levels) for pattern in patterns}
            sockets.append(required.pop() if len(required) == 1 else None)
        return [
            self._name_neighbours(patterns)
            if socket is None
            else socket
            if sockets.count(socket) == 1
            else f"{socket}, {self._name_neighbours(patterns)}"
            for socket, patterns in zip(sockets, members, strict=True)
        ]

    def _required_socket(self, side: int, pattern: int, levels: bool) -> str | None:
        """Return the socket that a cell must have on `side` if the neighbour there has this pattern."""
        neighbour, back = self.tiles.patterns[pattern], self.opposite[side]
        if neighbour.sockets is None:
            return None
        height = f" at level {neighbour.heights[back]}" if levels else ""
        return f"{flip_socket(neighbour.sockets[back])}{height}"

    def _name_neighbours(self, patterns: list[int]) -> str:
        names = [self.tiles.rules.names[pattern] for pattern in patterns[:MOST_NAMES]]
        return f"beside {', '.join(names)}{', …' if len(patterns) > MOST_NAMES else ''}"


@dataclass(frozen=True, slots=True)
class Side:
    """A kind on a side of a cell, and the patterns that fit."""

    side: str
    kind: str
    patterns: int
    tiles: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """The verdict: "impossible", "dead end", "fragile" or "fine"."""
        if self.patterns <= MOST_DEAD_END:
            return "dead end" if self.patterns else "impossible"
        return "fragile" if self.patterns <= MOST_FRAGILE else "fine"


def list_sides(kinds: SideKinds) -> list[Side]:
    """List every kind on every side."""
    tiles = kinds.tiles
    names, tile_of = tiles.rules.tiles, tiles.rules.tile_of
    return [
        Side(
            tiles.directions[side],
            kinds.labels[side][kind],
            int(row.sum()),
            tuple(names[tile] for tile in np.unique(tile_of[row]).tolist()),
        )
        for side, fits in enumerate(kinds.fits)
        for kind, row in enumerate(fits)
    ]
