"""A tile set: named tiles for one kind of topology, compiled to rules when asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from inspect import signature
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.map_format import endings_with, find_function, find_writer
from wavefold.plugins import available, find
from wavefold.tiles.neighbour_rules import Beside, Turning, check_rules, narrowed
from wavefold.tiles.orientation import RINGS, Orientation, Symmetry, symmetry_of
from wavefold.tiles.relation import Relation
from wavefold.tiles.rules import Rules, checked_weights
from wavefold.tiles.tile import Pattern, Pixels, Tile, check_tile, flipped, patterns_of, read_suffix
from wavefold.topology import CubeGrid, HexGrid, SquareGrid

# The smallest grid of each kind knows its directions.
LATTICES: dict[str, SquareGrid | HexGrid | CubeGrid] = {
    "square": SquareGrid(1, 1),
    "hex": HexGrid(radius=0),
    "cube": CubeGrid(1, 1, 1),
}
MOST_PATTERNS = 100_000
MOST_IN_TABLE = 4096  # patterns; the table of what may touch has a byte for each pair and direction


class TileSet:
    """Tiles that fit together by their sockets, by neighbour rules, or by what a function says.

    Parameters
    ----------
    tiles : the tiles, each with a name of its own
    topology : "square", "hex" or "cube"
    beside : neighbour rules, which add to what the sockets allow, or take from it; those that take come last
    allowed : a function (a, b, direction) -> bool of two patterns: may b stand in that direction of a? Asked
        once for each pair that is allowed otherwise, from both sides
    allowed_at : a function (pattern, fields) -> bool: may it stand where the fields have these values?
    description : one line

    If no tile has sockets and no rule allows anything, everything may touch but what is forbidden.

    >>> chess = TileSet([Tile("white", ("a", "a", "b", "b")), Tile("black", ("b", "b", "a", "a"))])
    >>> chess.rules
    Rules(2 patterns of 2 tiles, 4 relations)
    """

    def __init__(
        self,
        tiles: Iterable[Tile],
        topology: str = "square",
        name: str = "",
        *,
        beside: Iterable[Beside] = (),
        allowed: Callable[[Pattern, Pattern, str], bool] | None = None,
        allowed_at: Callable[..., Any] | None = None,
        description: str = "",
    ) -> None:
        self.name = words_only("name", name)
        self.description = words_only("description", description)
        self.topology = checked_topology(topology)
        if not isinstance(tiles, Iterable):
            raise TileSetError(f"a tile set is made of tiles, as [Tile('road', sockets)], not of {tiles!r}")
        self.tiles = tuple(tiles)
        self.beside = check_rules(beside)
        for word, function in (("allowed", allowed), ("allowed_at", allowed_at)):
            if function is not None and not callable(function):
                raise TileSetError(f"{word} must be a function, not {function!r}")
        self.allowed = allowed
        self.allowed_at = allowed_at
        check_tiles(self.tiles, self.topology)
        ring, sides = RINGS[self.topology], len(self.directions)
        self.patterns: tuple[Pattern, ...] = tuple(
            pattern for tile in self.tiles for pattern in patterns_of(tile, ring, sides)
        )
        if len(self.patterns) > MOST_PATTERNS:
            raise TileSetError(f"{len(self.patterns):,} patterns are too many; at most {MOST_PATTERNS:,}")
        for tile in self.tiles:
            for pictures in (tile.picture, tile.flat_picture):
                if isinstance(pictures, tuple):
                    given, needed = len(pictures), sum(each.tile is tile for each in self.patterns)
                    if given != needed:
                        raise TileSetError(f"tile {tile.name!r} has {given} pictures for {needed} patterns")

    @classmethod
    def load(cls, source: str | PathLike[str], **options: Any) -> TileSet:
        """A bundled tile set by its name (`wavefold.tilesets()` lists them), or a file, read by its ending.

        `options` are for the reader: `subset="…"` for mxgmn's .xml, `wangset="…"` for Tiled's .tsx and .tsj,
        `layer="…"` and `periodic=True` for its .tmx and .tmj.
        """
        name = source if isinstance(source, str) else fspath(source) if isinstance(source, PathLike) else None
        if not isinstance(name, str):
            raise TileSetError(f"a tile set is loaded by its name or path, not {source!r}")
        if name in available("tileset"):
            return called(find("tileset", name), (), options, name)
        read_tiles = find_function(name, "read_tiles")
        if read_tiles is not None:
            return called(read_tiles, (name,), options, name)
        endings, hint = ", ".join(endings_with("read_tiles")), suggest(name, available("tileset"))
        stop = "" if hint.endswith("?") else "."
        raise TileSetError(f"there is no tile set {name!r}; {hint}{stop} Files end in {endings}")

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file that `load` reads as the same tile set; its ending chooses the format."""
        find_writer(path, "write_tiles")(self, path)

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

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the sides of a cell, in the order of sockets."""
        return LATTICES[self.topology].directions

    @property
    def opposite(self) -> list[int]:
        """[side] the side of a neighbour that faces it."""
        return [int(back) for back in LATTICES[self.topology].graph().opposite]

    @cached_property
    def rules(self) -> Rules:
        """The tile set as numbers, made once."""
        return Rules(
            [pattern.name for pattern in self.patterns],
            self._relations(),
            [pattern.tile.weight for pattern in self.patterns],
            tiles=[tile.name for tile in self.tiles],
            tile_of=self._tile_of,
            kinds=self._kinds(),
            topology=self.topology,
            other_name=self._other_name,
        )

    def art(self, number: int, flat: bool = False) -> tuple[Pixels | None, Orientation]:
        """A pattern's picture, and how it has yet to be turned; with `flat`, the tile's `flat_picture`."""
        pattern = self.patterns[number]
        picture = pattern.tile.flat_picture if flat else pattern.tile.picture
        if callable(picture):
            try:
                return picture(pattern), Orientation()
            except Exception as error:
                raise TileSetError(f"the picture of {pattern.name!r} cannot be drawn: {error!r}") from error
        if isinstance(picture, tuple):
            return picture[number - self._tile_of.index(self._tile_of[number])], Orientation()
        return picture, pattern.orientation

    @cached_property
    def symmetries(self) -> dict[str, Symmetry]:
        """What each tile's symmetry means, by its name."""
        ring = RINGS[self.topology]
        return {tile.name: symmetry_of(tile.symmetry, ring, tile.name) for tile in self.tiles}

    @cached_property
    def _tile_of(self) -> list[int]:
        number = {tile.name: index for index, tile in enumerate(self.tiles)}
        return [number[pattern.tile.name] for pattern in self.patterns]

    def _kinds(self) -> list[int]:
        kinds = {tile.name: number for number, tile in enumerate(tile for tile in self.tiles if tile.apart)}
        return [kinds.get(pattern.tile.name, -1) for pattern in self.patterns]

    def _other_name(self, name: str) -> int | None:
        """The pattern that another spelling means: `road@180` where it looks as drawn, `grass@r0l1`."""
        tile, _, text = name.partition("@")
        found = read_suffix(text, RINGS[self.topology])
        if found is None or tile not in self.symmetries:
            return None
        orientation, level = found
        variant = self.symmetries[tile].variant_of.get(orientation)
        levels = [
            number
            for number, pattern in enumerate(self.patterns)
            if variant is not None
            and pattern.tile.name == tile
            and pattern.orientation == self.symmetries[tile].variants[variant]
        ]
        return levels[level] if level < len(levels) else None

    def _relations(self) -> list[Relation]:
        if not self.beside and self.allowed is None and all(tile.sockets is not None for tile in self.tiles):
            return self._socket_relations()
        if len(self.patterns) > MOST_IN_TABLE:
            raise TileSetError(
                f"{len(self.patterns):,} patterns are too many for neighbour rules or a function; "
                f"at most {MOST_IN_TABLE:,} (sockets have no such limit)"
            )
        return [Relation.from_allowed(side) for side in self._allowed_table()]

    def _socket_relations(self) -> list[Relation]:
        shown = [self._shown(number) for number in range(len(self.patterns))]
        facing = [[(flipped(socket), height) for socket, height in row] for row in shown]
        return [
            Relation.from_sockets([row[side] for row in shown], [row[back] for row in facing])
            for side, back in enumerate(self.opposite)
        ]

    def _shown(self, number: int) -> list[tuple[Any, int]]:
        """[side] the socket and height a pattern shows; without sockets, what matches nothing."""
        pattern = self.patterns[number]
        if pattern.sockets is None:
            return [(f"{number}>", -1)] * len(self.directions)
        return list(zip(pattern.sockets, pattern.heights, strict=True))

    def _allowed_table(self) -> NDArray[np.bool_]:
        """bool [direction, pattern, pattern] from sockets, rules and the function, in this order."""
        table = np.stack([relation.table() for relation in self._socket_relations()])
        if all(tile.sockets is None for tile in self.tiles):
            table[:] = not any(rule.allowed for rule in self.beside)
        if self.beside:
            compass, count = self.directions, len(self.patterns)
            names = Rules(  # only for its names
                [pattern.name for pattern in self.patterns],
                [],
                np.ones(count),
                tiles=[tile.name for tile in self.tiles],
                tile_of=self._tile_of,
                other_name=self._other_name,
            )
            turning = Turning(
                RINGS[self.topology], compass, self.opposite, self.patterns, self.symmetries, names.patterns
            )
            for rule in sorted(self.beside, key=lambda rule: not rule.allowed):
                turning.mark(table, rule)
        if any(tile.levels > 1 for tile in self.tiles):
            heights = np.array([pattern.heights for pattern in self.patterns])
            for side, back in enumerate(self.opposite):
                table[side] &= heights[:, side, None] == heights[None, :, back]
        if self.allowed is not None:
            table = narrowed(table, self.patterns, self.directions, self.opposite, self.allowed)
        return table


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
                Tile(name, None, weight, picture=picture)
                for name, weight, picture in zip(names, numbers, art, strict=True)
            ),
            topology,
        )

    def _relations(self) -> list[Relation]:
        return [Relation.from_allowed(side) for side in self._table]


def words_only(what: str, value: object) -> str:
    """Text, or an error that names it."""
    if not isinstance(value, str):
        raise TileSetError(f"the {what} of a tile set is text, not {value!r}")
    return value


def called(
    make: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any], name: str
) -> TileSet:
    """What a maker or reader makes; options it does not have are named."""
    known = [each for each in signature(make).parameters if each not in ("path", "source")]
    for option in options:
        if option not in known:
            hint = suggest(option, known) if known else "there are none"
            raise TileSetError(f"{name!r} cannot be loaded with an option {option!r}; {hint}")
    tiles: TileSet = make(*arguments, **options)
    return tiles


def checked_topology(topology: str) -> str:
    """The name of a lattice tiles can be drawn for."""
    if not isinstance(topology, str) or topology not in LATTICES:
        raise TileSetError(f"tiles are drawn for square, hex or cube cells, not {topology!r}")
    return topology


def check_tiles(tiles: Sequence[Tile], topology: str) -> None:
    """Raise for the first tile that cannot be used, and say what would fix it."""
    if not tiles:
        raise TileSetError("there are no tiles: a tile set needs at least one")
    compass = LATTICES[topology].directions
    seen: set[str] = set()
    for tile in tiles:
        check_tile(tile, len(compass), compass, topology)
        if tile.name in seen:
            raise TileSetError(f"two tiles are called {tile.name!r}; names must differ")
        seen.add(tile.name)
