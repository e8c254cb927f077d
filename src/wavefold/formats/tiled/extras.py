"""What a map of Tiled has besides its cells: we read none of it, so what we write has none of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wavefold.errors import FormatError
from wavefold.formats.document import Node
from wavefold.formats.tiled.map_reader import PROPERTY, Drawing
from wavefold.formats.tiled.read import drawing_in
from wavefold.formats.tiled.write import LAYER_NUMBER, OWN_PROPERTIES

NAMES = {
    "objectgroup": "object layer",
    "imagelayer": "image layer",
    "group": "group of layers",
    "tilelayer": "other tile layer",
}


def more_than_a_map(path: str | os.PathLike[str]) -> str:
    """In words, what is lost if the map is written anew: "1 object layer, 2 properties"; or nothing."""
    place = Path(path)
    if place.suffix.lower() not in (".tmj", ".tmx"):
        return ""
    drawing = drawing_in(place)
    read = {id(layer.node.fields) for layer in drawing.laid_out().layers}
    found = Counter(
        NAMES.get(node.text("type"), "other layer")
        for node in layers(drawing.root)
        if id(node.fields) not in read
    )
    found["property"] = sum(1 for _ in own_properties(drawing.root, read))
    found["tile set of its own"] = sum(not is_ours(drawing, first) for first in drawing.set_nodes)
    return ", ".join(f"{count:,} {in_number(name, count)}" for name, count in found.items() if count)


def is_ours(drawing: Drawing, first: int) -> bool:
    """Whether a tile set is one we write: all its tiles say which pattern they are."""
    try:
        tiles = drawing.tiles_at(first)
    except FormatError:  # nobody needed it so far
        return False
    return bool(tiles) and all(tile.custom(PROPERTY) is not None for tile in tiles.values())


def layers(node: Node) -> Iterator[Node]:
    """All layers, those in groups included."""
    for each in node.every("layers"):
        yield each
        if each.fields.get("type") == "group":
            yield from layers(each)


def own_properties(root: Node, read: set[int]) -> Iterator[str]:
    """Names of properties that somebody gave the map or the layers that are read."""
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
