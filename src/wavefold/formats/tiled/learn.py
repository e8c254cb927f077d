"""Tile sets learned from maps drawn in Tiled: tiles that touch in the map may touch.

Flipped and turned tiles are separate patterns, such as `road@m` and `road@90`. Empty cells are not part of
the map. Pairs that touch on a layer with the custom property `wavefold` = "never" must not touch.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.map import Layer, TiledMap, decode_orientation, read_layer
from wavefold.formats.tiled.tileset import make_unique, orient_tile_picture
from wavefold.formats.toml.adjacency import ListedTileSet
from wavefold.options.values import check_path, fail_limit
from wavefold.storage.files import AnyFile
from wavefold.tiles import Orientation, Pixels, Relation, Tile, TileSet, get_ring, learn_adjacency

RING = get_ring("square")
MOST_PATTERNS = 4096  # the limit of `learn_adjacency`

Numbers: TypeAlias = NDArray[np.int64]  # [row, column] patterns in order of appearance; -1: no tile


class PlacedTile(NamedTuple):
    """A tile of a map in one orientation."""

    first: int  # the first number of its tile set
    number: int  # in the set
    mirrored: bool
    turn: int  # after mirroring

    @property
    def orientation(self) -> Orientation:
        """The orientation in which it was placed."""
        return Orientation(self.turn, self.mirrored)


class SampleMap(TiledMap):
    """An orthogonal map to learn from. Patterns are numbered in order of appearance.

    Attributes
    ----------
    met : {placed tile: number} of the tiles read so far
    most_patterns : the allowed number of placed tiles
    """

    def __init__(self, source: AnyFile, most_patterns: int = MOST_PATTERNS) -> None:
        super().__init__(read_document(source, "map"), ("orthogonal",))
        self.met: dict[PlacedTile, int] = {}
        self.most_patterns = min(most_patterns, MOST_PATTERNS)

    def examples(self, wanted: str | Iterable[str] | None) -> list[Layer]:
        """The layers with these names; by default, the lowest visible one without negative examples."""
        if wanted is not None and not isinstance(wanted, Iterable):
            raise ConfigError(f"layer must be the name of a layer, or several names, not {wanted!r}")
        found = self.choose_layers([wanted] if isinstance(wanted, str) else wanted, self.layers)
        if not found:
            self.root.fail("has no layer to learn from; the list of layers is empty")
        return found

    def read(self, layer: Layer) -> Numbers:
        """The placed tiles of a layer, by number."""
        cells = read_layer(layer)
        if not cells.any():
            layer.node.fail("has no tiles")
        found, positions, inverse = np.unique(cells, return_index=True, return_inverse=True)
        numbers = []
        for value, position in zip(found.tolist(), positions.tolist(), strict=True):
            row, column = divmod(position, cells.shape[1])
            numbers.append(self.count_tile(value, layer, f"column {column}, row {row}") if value else -1)
        return np.array(numbers, np.int64)[inverse].reshape(cells.shape)

    def count_tile(self, value: int, layer: Layer, cell: str) -> int:
        """The number of the tile in a cell; a new tile gets the next number."""
        first, number = self.find_tile(value, layer.node, cell)
        if number not in self.tileset_at(first).pictures:
            self.refuse_tile(value, layer.node, cell)
        orientation = decode_orientation(value)
        tile = PlacedTile(first, number, orientation.mirrored, orientation.turn)
        if len(self.met) == self.most_patterns and tile not in self.met:
            problem = f"has more than {self.most_patterns:,} different tiles"
            fail_limit(layer.node.fail, problem, "patterns", self.most_patterns)
        return self.met.setdefault(tile, len(self.met))

    def tiles(self) -> dict[str, list[PlacedTile]]:
        """{name: orientations} of every tile in the layers that were read."""
        named: dict[str, list[PlacedTile]] = {}
        previous = ("", -1, -1)
        for tile in sorted(self.met):
            if (tile.first, tile.number) != previous[1:]:
                name = make_unique(self.name(tile), named)
                previous = (name, tile.first, tile.number)
            named.setdefault(previous[0], []).append(tile)
        return named

    def name(self, tile: PlacedTile) -> str:
        """The name of a tile, prefixed by its tile set if the name is missing or not unique."""
        tileset = self.tileset_at(tile.first)
        name = tileset.name_of(tile.number)
        others = [self.tileset_at(first) for first in self.set_nodes if first != tile.first]
        nameless = len(self.set_nodes) > 1 and tile.number not in tileset.words
        return f"{tileset.name}/{name}" if nameless or any(name in other.names for other in others) else name

    def picture(self, tile: PlacedTile) -> Pixels:
        """The picture of a tile as drawn, before turning."""
        return self.tileset_at(tile.first).pictures.read(tile.number)


class TileName(str):
    """The value of a cell: the name of a pattern, with its picture."""

    picture: Pixels

    def __new__(cls, name: str, picture: Pixels) -> TileName:
        """Create the text with its picture."""
        made = super().__new__(cls, name)
        made.picture = picture
        return made

    def __getnewargs__(self) -> tuple[str, Pixels]:  # type: ignore[override]
        """The arguments for copying and pickling."""
        return str(self), self.picture


Rows: TypeAlias = list[list[TileName | None]]  # None: no tile


def read_tiled_map(
    path: str | os.PathLike[str], layer: str | Sequence[str] | None = None, periodic: bool = False
) -> TileSet:
    """Learn a tile set from a sample map (.tmx or .tmj): weights by frequency, rules by touching pairs.

    `layer` is the name of the tile layer to learn from, or several names; by default the lowest visible one.
    With `periodic`, opposite edges of the map touch.
    """
    return load_tiled_map(Path(path), layer, periodic)


def load_tiled_map(
    source: AnyFile,
    layer: str | Sequence[str] | None = None,
    periodic: bool = False,
    most_patterns: int = MOST_PATTERNS,
) -> TileSet:
    """Like `read_tiled_map`, for any kind of file; raises if there are more patterns."""
    sample = SampleMap(source, most_patterns)
    wanted = [sample.read(each) for each in sample.examples(layer)]
    never = [sample.read(each) for each in sample.never]
    names = name_patterns(sample)
    learned = learn_adjacency(
        [to_rows(each, names) for each in wanted], periodic, negative=[to_rows(each, names) for each in never]
    )
    number = {name: number for number, name in enumerate(learned.values)}
    tiles, order = [], []
    for name, placed in sample.tiles().items():
        shown = [each for each in placed if names[sample.met[each]] in number]  # not on negative layers only
        if shown:
            here = [number[names[sample.met[each]]] for each in shown]
            weight = float(learned.rules.weights[here].sum())
            tiles.append(Tile(name, None, weight, spell_orientations(shown), sample.picture(shown[0])))
            order += here
    allowed = learned.rules.allowed[:, order][:, :, order]
    relations = [Relation.from_allowed(side) for side in allowed]
    plain = TileSet(tiles, name=source.stem)
    return ListedTileSet(plain, relations, learned.rules.weights[order].tolist())


def read_tiled_sample(path: str | os.PathLike[str], layer: str | None = None) -> Rows:
    """Read a sample map as rows of names, for `learn` and `learn_adjacency`."""
    check_path("path", path)
    sample = SampleMap(Path(path))
    numbers = sample.read(sample.examples(layer)[0])
    return to_rows(numbers, name_patterns(sample))


def read_tiled_never(path: str | os.PathLike[str]) -> list[Rows]:
    """Read the layers with negative examples, for `learn_adjacency(negative=...)`."""
    sample = SampleMap(Path(path))
    numbers = [sample.read(each) for each in sample.never]
    names = name_patterns(sample)
    return [to_rows(each, names) for each in numbers]


def spell_orientations(placed: Iterable[PlacedTile]) -> tuple[str, ...]:
    """Orientations in the notation of tiles: "0", "90", "m"."""
    return tuple(RING.spell(each.orientation) for each in placed)


def name_patterns(sample: SampleMap) -> list[TileName]:
    """[number] the name of each pattern."""
    named: dict[int, TileName] = {}
    for tile, placed in sample.tiles().items():
        picture = sample.picture(placed[0])
        for each, way in zip(placed, spell_orientations(placed), strict=True):
            name = tile if way == "0" else f"{tile}@{way}"
            named[sample.met[each]] = TileName(name, orient_tile_picture(picture, each.orientation))
    return [named[number] for number in range(len(named))]


def to_rows(numbers: Numbers, names: Sequence[TileName]) -> Rows:
    """A layer as rows of names."""
    by_number = [*names, None]  # at index -1: no tile
    return [[by_number[number] for number in row] for row in numbers.tolist()]
