"""Maps that come back from Tiled, edited by hand or not; also those that were drawn there from the start.

A tile says which pattern it is by its property `pattern`, or by its class (or its property `name`) which
tile, as drawn; what was flipped or turned in Tiled is the pattern that looks so. An empty cell is undecided.
An infinite map is a part of a world: its columns and rows are those of the world.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wavefold.errors import FormatError
from wavefold.formats.document import Node
from wavefold.formats.loaded import ParsedMap, PatternName
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.map_reader import PROPERTY, InfiniteMapReader, MapReader
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


# --- what else is in a map: not read, and so not written again ------------------------------------

NAMES = {
    "objectgroup": "object layer",
    "imagelayer": "image layer",
    "group": "group of layers",
    "tilelayer": "other tile layer",
}


def describe_extras(path: str | os.PathLike[str]) -> str:
    """What would be lost if the map were written again: "1 object layer, 2 properties"; "" if nothing."""
    path = Path(path)
    if path.suffix.lower() not in (".tmj", ".tmx"):
        return ""
    reader = open_map(path)
    read = {id(layer.node.fields) for layer in reader.lay_out().layers}
    found = Counter(
        NAMES.get(node.text("type"), "other layer")
        for node in layers(reader.root)
        if id(node.fields) not in read
    )
    found["property"] = sum(1 for _ in own_properties(reader.root, read))
    found["tile set of its own"] = sum(not is_ours(reader, first) for first in reader.set_nodes)
    return ", ".join(f"{count:,} {in_number(name, count)}" for name, count in found.items() if count)


def is_ours(reader: MapReader, first: int) -> bool:
    """Whether a tile set is one we write: all its tiles say which pattern they are."""
    try:
        tiles = reader.tileset_at(first).tiles
    except FormatError:  # not needed to read the map
        return False
    return bool(tiles) and all(tile.custom(PROPERTY) is not None for tile in tiles.values())


def layers(node: Node) -> Iterator[Node]:
    """All layers, those in groups included."""
    for each in node.every("layers"):
        yield each
        if each.fields.get("type") == "group":
            yield from layers(each)


def own_properties(root: Node, read: set[int]) -> Iterator[str]:
    """Names of properties that were added to the map or to the layers that are read."""
    yield from (name for name in names_in(root) if name not in OWN_PROPERTIES)
    for layer in layers(root):
        if id(layer.fields) in read:
            yield from (name for name in names_in(layer) if name != LAYER_NUMBER)


def names_in(node: Node) -> list[str]:
    """The names of the properties of a node."""
    listed = node.fields.get("properties")
    if isinstance(listed, dict):  # before Tiled 1.2
        return list(listed)
    return [str(each.fields.get("name")) for each in node.every("properties")]


def in_number(name: str, count: int) -> str:
    """A word for one or for several."""
    if count == 1:
        return name
    first, of, rest = name.partition(" of ")
    return ("properties" if first == "property" else f"{first}s") + of + rest
