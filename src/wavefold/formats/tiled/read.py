"""Reads maps from Tiled, edited by hand or not, or drawn there.

The property `pattern` of a tile names its pattern; without it, its class (or property `name`) names the tile,
as drawn. A tile flipped or turned in Tiled is the flipped or turned pattern. An empty cell is undecided.
An infinite map is a part of a world: its columns and rows are those of the world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wavefold.errors import FormatError
from wavefold.formats.loaded import ParsedMap, PatternName
from wavefold.formats.nodes import Node
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.map import MARK
from wavefold.formats.tiled.map_reader import PROPERTY, InfiniteMapReader, MapReader
from wavefold.formats.tiled.object_layer import OBJECTS
from wavefold.formats.tiled.write import LAYER_NUMBER, OWN_PROPERTIES
from wavefold.topology import Topology


def read_tiled(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """The map in a .tmx or .tmj."""
    reader = open_map(path)
    grid, chart, layers, origin = reader.lay_out(layer, topology)
    left, top = chart.corner
    numbers = np.full(grid.cell_count, -1, np.int64)
    words: dict[PatternName, int] = {}
    for cells, each in zip(chart.cells, layers, strict=True):
        found = reader.read_cells(each, chart)
        outside = np.argwhere((cells < 0) & (found != 0))
        if outside.size:
            row, column = outside[0].tolist()
            each.node.fail(
                f"has a tile at column {left + column}, row {top + row}, where the map has no cell; erase it"
            )
        values, first, inverse = np.unique(found, return_index=True, return_inverse=True)
        known = np.full(values.size, -1, np.int64)
        for index, (value, position) in enumerate(zip(values.tolist(), first.tolist(), strict=True)):
            if value:
                row, column = divmod(position, found.shape[1])
                word = reader.pattern_name(value, each.node, f"column {left + column}, row {top + row}")
                known[index] = words.setdefault(word, len(words))
        numbers[cells[cells >= 0]] = known[inverse].reshape(found.shape)[cells >= 0]
    root = reader.root
    tileset, digest = root.custom("tileset") or "", root.custom("digest") or ""
    return ParsedMap(path, grid, list(words), numbers, tileset, digest, reader.seed(), origin)


def open_map(path: Path) -> MapReader:
    """The map in a file, with borders or without."""
    root = read_document(path, "map")
    return (InfiniteMapReader if root.flag("infinite", False) else MapReader)(root)


# --- content of a map that is not read, and not written again -------------------------------------

NAMES = {  # for one, and for several
    "objectgroup": ("object layer", "object layers"),
    "imagelayer": ("image layer", "image layers"),
    "group": ("group of layers", "groups of layers"),
    "tilelayer": ("other tile layer", "other tile layers"),
    "unknown": ("other layer", "other layers"),
    "property": ("property", "properties"),
    "tileset": ("tile set of its own", "tile sets of its own"),
}


def describe_extras(path: Path) -> str:
    """The content that overwriting the file would lose: "1 object layer, 2 properties", or ""."""
    reader = open_map(path)
    read = [layer.node for layer in reader.lay_out().layers]
    known = {id(node.fields) for node in read}
    others = [node for node in all_layers(reader.root) if id(node.fields) not in known]
    types = [node.text("type") for node in others if node.custom(MARK) != OBJECTS]
    found = Counter(each if each in NAMES else "unknown" for each in types)
    added = [name for name in list_property_names(reader.root) if name not in OWN_PROPERTIES]
    added += [name for node in read for name in list_property_names(node) if name != LAYER_NUMBER]
    found["property"] += len(added)
    found["tileset"] += sum(not is_ours(reader, first) for first in reader.set_nodes)
    return ", ".join(f"{count:,} {NAMES[each][count > 1]}" for each, count in found.items() if count)


def all_layers(node: Node) -> Iterator[Node]:
    """The layers of a map of every kind, those in groups included."""
    for each in node.every("layers"):
        yield each
        if each.fields.get("type") == "group":
            yield from all_layers(each)


def list_property_names(node: Node) -> list[str]:
    """The names of the custom properties of a node."""
    listed = node.fields.get("properties")
    if isinstance(listed, dict):  # before Tiled 1.2
        return list(listed)
    return [str(each.fields.get("name")) for each in node.every("properties")]


def is_ours(reader: MapReader, first: int) -> bool:
    """Whether wavefold wrote a tile set: all its tiles name their patterns."""
    try:
        tiles = reader.tileset_at(first).tiles
    except FormatError:  # not needed to read the map
        return False
    return bool(tiles) and all(tile.custom(PROPERTY) is not None for tile in tiles.values())
