"""What neighbours ask of a cell: the kinds of sides there are, and which patterns meet each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import unpack_bits
from wavefold.errors import TileSetError
from wavefold.tiles import Relation, TileSet
from wavefold.tiles.tile import flip_socket

DEAD_END = 1  # patterns that fit
FRAGILE = 4  # at most so many
SHOWN = 3  # names in a label
MOST_ENTRIES = 1 << 24  # kinds of sides times patterns
MOST_PATTERNS = 8192


class SideKinds:
    """Per side of a cell, what a neighbour there may ask for.

    A demand is a kind of side: neighbours that allow the same patterns ask for the same. `met[side]` is
    bool [kind, pattern]: which patterns would do. Whether a tile may touch its own kind is left aside,
    unless `strict`: then the demands of such neighbours are kinds of their own.
    """

    def __init__(self, tiles: TileSet, strict: bool = False) -> None:
        self.tiles = tiles
        rules = tiles.rules
        self.relations: Sequence[Relation] = rules.relations
        if strict and (rules.kinds >= 0).any():
            self.relations = [Relation.from_allowed(side) for side in rules.allowed]
        self.opposite = tiles.opposite
        most = max(len(relation.rows) for relation in self.relations) * len(rules)
        if most > MOST_ENTRIES or len(rules) > MOST_PATTERNS:
            raise TileSetError(
                f"{len(rules):,} patterns with {most // len(rules):,} kinds of sides are too many to audit; "
                "audit a part of the set, or learn smaller windows from fewer samples"
            )
        self.fits: list[NDArray[np.bool_]] = []
        self.kind_of: list[NDArray[np.int32]] = []  # [side][pattern]: what it asks for, standing on that side
        for back in self.opposite:
            relation = self.relations[back]
            self.fits.append(unpack_bits(relation.rows, len(rules)))
            self.kind_of.append(relation.class_of)

    @cached_property
    def labels(self) -> list[list[str]]:
        """[side][kind] in the author's words: the socket the cell must show, or who asks."""
        return [self._labels(side) for side in range(len(self.fits))]

    @property
    def kinds(self) -> int:
        """How many kinds of sides there are."""
        if self.has_sockets:
            return len({label for side in self.labels for label in side})
        return max(len(side) for side in self.fits)

    @property
    def has_sockets(self) -> bool:
        """Whether every tile has sockets."""
        return all(tile.sockets is not None for tile in self.tiles.tiles)

    def _labels(self, side: int) -> list[str]:
        levels = any(tile.levels > 1 for tile in self.tiles.tiles)
        members: list[list[int]] = [[] for _ in self.fits[side]]
        for pattern, kind in enumerate(self.kind_of[side].tolist()):
            members[kind].append(pattern)
        shown = []
        for patterns in members:
            asked = {self._asked(side, pattern, levels) for pattern in patterns}
            shown.append(asked.pop() if len(asked) == 1 else None)
        return [
            self._beside(patterns)
            if label is None
            else label
            if shown.count(label) == 1
            else f"{label}, {self._beside(patterns)}"
            for label, patterns in zip(shown, members, strict=True)
        ]

    def _asked(self, side: int, pattern: int, levels: bool) -> str | None:
        """What a pattern asks of a cell on whose `side` it stands."""
        neighbour, back = self.tiles.patterns[pattern], self.opposite[side]
        if neighbour.sockets is None:
            return None
        height = f" at level {neighbour.heights[back]}" if levels else ""
        return f"{flip_socket(neighbour.sockets[back])}{height}"

    def _beside(self, patterns: list[int]) -> str:
        names = [self.tiles.rules.names[pattern] for pattern in patterns[:SHOWN]]
        return f"beside {', '.join(names)}{', …' if len(patterns) > SHOWN else ''}"


@dataclass(frozen=True, slots=True)
class Side:
    """One demand, and what meets it."""

    side: str
    kind: str
    patterns: int
    tiles: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """ "impossible", "dead end", "fragile" or "fine"."""
        if self.patterns <= DEAD_END:
            return "dead end" if self.patterns else "impossible"
        return "fragile" if self.patterns <= FRAGILE else "fine"


def list_sides(demands: SideKinds) -> list[Side]:
    """Every demand on every side."""
    tiles = demands.tiles
    names, tile_of = tiles.rules.tiles, tiles.rules.tile_of
    reports = []
    for side, met in enumerate(demands.fits):
        for kind, row in enumerate(met):
            fitting = np.unique(tile_of[row]).tolist()
            reports.append(
                Side(
                    tiles.directions[side],
                    demands.labels[side][kind],
                    int(row.sum()),
                    tuple(names[tile] for tile in fitting),
                )
            )
    return reports
