"""A tile set: named tiles for one kind of topology, compiled to rules when asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.plugins import available, find
from wavefold.tiles.relation import Relation
from wavefold.tiles.rules import Rules, checked_weights
from wavefold.tiles.tile import Pattern, Tile, patterns_of
from wavefold.topology import CubeGrid, HexGrid, SquareGrid

__all__ = ["TileSet"]

# The smallest grid of each kind knows its directions.
LATTICES: dict[str, SquareGrid | HexGrid | CubeGrid] = {
    "square": SquareGrid(1, 1),
    "hex": HexGrid(radius=0),
    "cube": CubeGrid(1, 1, 1),
}
RING = {"square": 4, "hex": 6, "cube": 4}  # sides that go round when a tile is turned


class TileSet:
    """Tiles that fit together by their sockets, or by a table of what may touch what.

    >>> chess = TileSet([Tile("white", ("a", "a", "b", "b")), Tile("black", ("b", "b", "a", "a"))])
    >>> chess.rules
    Rules(2 patterns of 2 tiles, 4 relations)
    """

    def __init__(self, tiles: Iterable[Tile], topology: str = "square", name: str = "") -> None:
        self.name = name
        self.topology = checked_topology(topology)
        self.tiles = tuple(tiles)
        check_tiles(self.tiles, self.topology)
        ring = RING[self.topology]
        self.patterns: tuple[Pattern, ...] = tuple(
            pattern
            for index, tile in enumerate(self.tiles)
            for pattern in patterns_of(tile, index, ring, 360 // ring)
        )

    @classmethod
    def load(cls, source: str | PathLike[str], **options: Any) -> TileSet:
        """A bundled tile set by its name (`wavefold.tilesets()` lists them), or a file, read by its ending.

        `options` are for the reader: `subset="…"` for mxgmn's .xml.
        """
        name = fspath(source)
        if name in available("tileset"):
            return find("tileset", name)(**options)  # type: ignore[no-any-return]
        ending = PurePath(name).suffix.lower()
        if ending in available("reader"):
            return find("reader", ending)(name, **options)  # type: ignore[no-any-return]
        endings = ", ".join(available("reader"))
        raise TileSetError(
            f"there is no tile set {name!r}; {suggest(name, available('tileset'))} Files end in {endings}"
        )

    @classmethod
    def from_allowed(
        cls,
        names: Sequence[str],
        allowed: ArrayLike,
        weights: ArrayLike | None = None,
        topology: str = "square",
        pictures: Sequence[NDArray[np.uint8]] | None = None,
    ) -> TileSet:
        """From a table bool [direction, pattern, pattern]: may b stand in that direction of a?"""
        return TableTileSet(names, allowed, weights, topology, pictures)

    def __repr__(self) -> str:
        title = f"{self.name!r}: " if self.name else ""
        return f"TileSet({title}{len(self.tiles)} tiles, {len(self.patterns)} patterns, {self.topology})"

    def __len__(self) -> int:
        return len(self.patterns)

    @cached_property
    def rules(self) -> Rules:
        """The tile set as numbers, made once."""
        return Rules(
            [pattern.name for pattern in self.patterns],
            self._relations(),
            [self.tiles[pattern.tile].weight for pattern in self.patterns],
            tiles=[tile.name for tile in self.tiles],
            tile_of=[pattern.tile for pattern in self.patterns],
            topology=self.topology,
        )

    def _relations(self) -> list[Relation]:
        opposite = LATTICES[self.topology].graph().opposite
        sides = list(zip(*(pattern.sockets for pattern in self.patterns), strict=True))
        return [Relation.from_sockets(sides[side], sides[opposite[side]]) for side in range(len(sides))]


class TableTileSet(TileSet):
    """A tile set whose rules were given as a table."""

    def __init__(
        self,
        names: Sequence[str],
        allowed: ArrayLike,
        weights: ArrayLike | None,
        topology: str,
        pictures: Sequence[NDArray[np.uint8]] | None,
    ) -> None:
        lattice = LATTICES[checked_topology(topology)]
        try:
            table = np.asarray(allowed, bool)
        except ValueError as error:
            raise TileSetError(f"the table is no array [direction, pattern, pattern]: {error}") from None
        if pictures is not None and len(pictures) != len(names):
            raise TileSetError(f"there are {len(names)} tiles but {len(pictures)} pictures")
        opposite = lattice.graph().opposite
        sides = len(opposite)
        if table.shape != (sides, len(names), len(names)):
            raise TileSetError(
                f"the table has shape {table.shape}; {len(names)} tiles on {topology} cells "
                f"need {(sides, len(names), len(names))}: direction, pattern, pattern"
            )
        for side, back in enumerate(opposite):
            if (table[side] != table[back].T).any():
                here, there = np.argwhere(table[side] != table[back].T)[0]
                raise TileSetError(
                    f"the table contradicts itself: {names[here]!r} with {names[there]!r} to the "
                    f"{lattice.directions[side]} is {table[side, here, there]}, the same pair seen from "
                    f"the {lattice.directions[back]} is {table[back, there, here]}"
                )
        self._table = table
        numbers = checked_weights(np.ones(len(names)) if weights is None else weights, names).tolist()
        art: Sequence[NDArray[np.uint8] | None] = [None] * len(names) if pictures is None else pictures
        super().__init__(
            (
                Tile(name, ("",) * sides, weight, picture=picture)
                for name, weight, picture in zip(names, numbers, art, strict=True)
            ),
            topology,
        )

    def _relations(self) -> list[Relation]:
        return [Relation.from_allowed(side) for side in self._table]


def checked_topology(topology: str) -> str:
    """The name of a lattice tiles can be drawn for."""
    if topology not in LATTICES:
        raise TileSetError(f"tiles are drawn for square, hex or cube cells, not {topology!r}")
    return topology


def check_tiles(tiles: Sequence[Tile], topology: str) -> None:
    """Raise for the first tile that cannot be used, and say what would fix it."""
    if not tiles:
        raise TileSetError("there are no tiles: a tile set needs at least one")
    compass = LATTICES[topology].directions
    seen: set[str] = set()
    for tile in tiles:
        if not isinstance(tile, Tile):
            raise TileSetError(f"a tile set is made of tiles, as Tile('road', sockets), not of {tile!r}")
        if not isinstance(tile.name, str) or not tile.name or "@" in tile.name:
            raise TileSetError(f"a tile needs a name without '@', not {tile.name!r}")
        if tile.name in seen:
            raise TileSetError(f"two tiles are called {tile.name!r}; names must differ")
        seen.add(tile.name)
        check_sockets(tile)
        if len(tile.sockets) != len(compass):
            raise TileSetError(
                f"tile {tile.name!r} has {len(tile.sockets)} sockets but {topology} cells have "
                f"{len(compass)} sides ({', '.join(compass)})"
            )


def check_sockets(tile: Tile) -> None:
    """Raise unless a tile has a row of sockets that can be told apart."""
    try:
        hash(tuple(tile.sockets))
    except TypeError:
        raise TileSetError(
            f"tile {tile.name!r} needs a row of sockets, a name for each side, not {tile.sockets!r}"
        ) from None
