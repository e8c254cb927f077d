"""A map drawn in Tiled: its layers, and which tile stands where, flipped or turned."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import suggest
from wavefold.formats.document import Node
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.layers import Layer, layer_cells, tile_layers
from wavefold.formats.tiled.tileset import TiledTileSet, free
from wavefold.tiles import Orientation, Pixels

MOST_SETS = 64
MOST_PATTERNS = 4096  # as many as rules can be learned for
MARK, NEVER = "wavefold", "never"

NUMBER = 0x0FFFFFFF
# Tiled swaps x and y first, then flips left to right, then top to bottom. Bit 28 means nothing on squares.
FLIPS = (
    (0x20000000, Orientation(3, True)),
    (0x80000000, Orientation(0, True)),
    (0x40000000, Orientation(2, True)),
)

Numbers: TypeAlias = NDArray[np.int64]


class PlacedTile(NamedTuple):
    """A tile of a map, in one of the ways it was placed."""

    first: int  # the first number of its tile set
    number: int  # in the set
    turn: tuple[bool, int]  # whether it is mirrored, then how often it is turned

    @property
    def orientation(self) -> Orientation:
        """How it was placed."""
        mirrored, turn = self.turn
        return Orientation(turn, mirrored)


class DrawnLayers:
    """An orthogonal map. What stands on its layers is numbered in the order it is met.

    Attributes
    ----------
    never : the layers that show what must not be
    met : the tiles met so far, with their numbers
    """

    def __init__(self, source: Path) -> None:
        self.root = read_document(source, "map")
        orientation = self.root.text("orientation")
        if orientation != "orthogonal":
            self.root.complain(f"is {orientation}; only orthogonal maps can be read")
        self.layers = list(tile_layers(self.root))
        self.never = [layer for layer in self.layers if is_never(layer)]
        self.set_nodes = sets_of(self.root)
        self.sets: dict[int, TiledTileSet] = {}  # those read so far
        self.files: dict[Path, Node] = {}
        self.met: dict[PlacedTile, int] = {}

    # --- layers ---------------------------------------------------------------------------------

    def examples(self, wanted: str | Iterable[str] | None) -> list[Layer]:
        """The layers of these names, or the lowest that is visible and no negative example."""
        names = [layer.name for layer in self.layers]
        if wanted is None:
            shown = [layer for layer in self.layers if layer.visible and layer not in self.never]
            if not shown:
                self.root.complain(
                    f"has no visible tile layer to learn from; name one, as layer='…'; {suggest('', names)}"
                )
            return shown[:1]
        found = []
        for name in [wanted] if isinstance(wanted, str) else wanted:
            called = [layer for layer in self.layers if layer.name == name]
            if len(called) != 1:
                self.root.complain(f"has {len(called) or 'no'} tile layers {name!r}; {suggest(name, names)}")
            found += called
        if not found:
            self.root.complain(f"is to be learned from no layer at all; {suggest('', names)}")
        return found

    def read(self, layer: Layer) -> Numbers:
        """[row, column] numbers of tiles as they are placed; -1 where there is none."""
        cells = layer_cells(layer)
        if not cells.any():
            layer.node.complain("has no tile on it")
        found, places, inverse = np.unique(cells, return_index=True, return_inverse=True)
        numbers = []
        for value, place in zip(found.tolist(), places.tolist(), strict=True):
            row, column = divmod(place, cells.shape[1])
            numbers.append(self.meet(value, layer.node, f"column {column}, row {row}") if value else -1)
        return np.array(numbers, np.int64)[inverse].reshape(cells.shape)

    def meet(self, value: int, layer: Node, cell: str) -> int:
        """The number of what stands in a cell."""
        firsts = sorted(self.set_nodes)
        place = bisect_right(firsts, value & NUMBER) - 1
        first = firsts[place] if place >= 0 else 0
        if place < 0 or (value & NUMBER) - first not in self.set_at(first):
            layer.complain(f"has a tile {value & NUMBER} at {cell}, which no tile set of the map has")
        orientation = turned(value)
        tile = PlacedTile(first, (value & NUMBER) - first, (orientation.mirrored, orientation.turn))
        if len(self.met) == MOST_PATTERNS and tile not in self.met:
            layer.complain(f"has more than {MOST_PATTERNS:,} different tiles")
        return self.met.setdefault(tile, len(self.met))

    # --- tiles ----------------------------------------------------------------------------------

    def set_at(self, first: int) -> TiledTileSet:
        """A tile set, in a file of its own or in the map, read when it is first met."""
        if first not in self.sets:
            node = self.set_nodes[first]
            if "source" in node:
                path = node.file("source", "a tile set")
                if path not in self.files:
                    self.files[path] = read_document(path, "tileset")
                node = self.files[path]
            self.sets[first] = TiledTileSet(node)
        return self.sets[first]

    def tiles(self) -> dict[str, list[PlacedTile]]:
        """Every tile met, by its name, in the ways it was placed: as drawn, turned, mirrored."""
        named: dict[str, list[PlacedTile]] = {}
        previous = ("", -1, -1)
        for tile in sorted(self.met):
            if (tile.first, tile.number) != previous[1:]:
                name = free(self.name(tile), named)
                previous = (name, tile.first, tile.number)
            named.setdefault(previous[0], []).append(tile)
        return named

    def name(self, tile: PlacedTile) -> str:
        """The author's name of a tile; with that of its set, if another has the same, or if it has none."""
        drawn = self.sets[tile.first]
        name = drawn.name_of(tile.number)
        others = [self.set_at(first) for first in self.set_nodes if first != tile.first]
        nameless = len(self.set_nodes) > 1 and tile.number not in drawn.words
        return f"{drawn.name}/{name}" if nameless or any(name in other.names for other in others) else name

    def picture(self, tile: PlacedTile) -> Pixels:
        """A tile as it was drawn, before it was turned."""
        return self.sets[tile.first].picture(tile.number)


def turned(value: int) -> Orientation:
    """How the flags of a cell say that its tile is placed."""
    orientation = Orientation()
    for flag, step in FLIPS:
        if value & flag:
            orientation = step.after(orientation, 4)
    return orientation


def is_never(layer: Layer) -> bool:
    """Whether a layer shows what must not be."""
    mark = layer.node.custom(MARK)
    if mark not in (None, NEVER):
        layer.node.complain(f"has the property {MARK} = {mark!r}; the only one that is known is {NEVER!r}")
    return mark == NEVER


def sets_of(root: Node) -> dict[int, Node]:
    """The tile sets of a map, by the first of their numbers."""
    nodes: dict[int, Node] = {}
    for node in root.every("tilesets"):
        first = node.whole("firstgid", least=1, most=NUMBER)
        if first in nodes or len(nodes) == MOST_SETS:
            node.complain(f"is one too many: at most {MOST_SETS} tile sets, each with its own firstgid")
        nodes[first] = node
    return nodes
