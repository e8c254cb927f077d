"""Reads maps from LDtk, edited or not.

The custom data of a tile name its pattern. A tile that was mirrored in LDtk is the mirrored pattern, empty
cells are undecided, and the top one of stacked tiles is read. The field `Wavefold` of a level holds the
header of the map; a level without it is a plain grid of squares.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from wavefold.errors import suggest
from wavefold.formats.header import decode_header
from wavefold.formats.ldtk.definitions import GROUPS_LAYER, HEADER_FIELD, OBJECTS_LAYER, TILES_LAYER
from wavefold.formats.ldtk.write import OWN_ENTITY_NOTE
from wavefold.formats.loaded import ParsedMap, PatternName
from wavefold.formats.nodes import Node, parse_json, read_bytes
from wavefold.formats.schema import MOST_CELLS, MapHeader, parse_fields
from wavefold.tiles import Orientation
from wavefold.topology import SquareGrid, Topology

MOST_LISTS = 1 << 21  # lists and objects; a tile is four of them
# Bit 0 mirrors left to right, bit 1 top to bottom.
FLIP_ORIENTATIONS = (Orientation(), Orientation(0, True), Orientation(2, True), Orientation(2))


def read_ldtk(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """Read the map in an .ldtk file."""
    root = read_project(path)
    level = choose_level(root)
    shown = choose_layer(level, layer)
    width, height = shown.whole("__cWid", least=1), shown.whole("__cHei", least=1)
    if width * height > MOST_CELLS:
        shown.fail(f"has {width} x {height} cells; at most {MOST_CELLS:,} can be read")
    file = read_header(level, path, SquareGrid(width, height))
    grid = fit_topology(shown, topology or file.topology, topology is not None)
    cells = grid.to_array(np.arange(grid.cell_count), missing=-1)
    names = read_tile_names(root, shown)
    words: dict[PatternName, int] = {}
    numbers = np.full(grid.cell_count, -1, np.int64)
    for number, (column, row, tile, flip) in enumerate(read_placed_tiles(shown)):
        where = f"gridTiles[{number}]"
        if not (0 <= column < width and 0 <= row < height and cells[row, column] >= 0):
            shown.fail(
                f"has a tile at column {column}, row {row}, where the map has no cell; erase it", where
            )
        if tile not in names:
            shown.fail(
                f"has a tile {tile} without a name at column {column}, row {row}; enter the name of a "
                "pattern as its custom data in the tile set",
                where,
            )
        word = PatternName(names[tile], FLIP_ORIENTATIONS[flip])
        numbers[cells[row, column]] = words.setdefault(word, len(words))
    return file._replace(topology=grid, names=list(words), indices=numbers)


def read_project(path: Path) -> Node:
    """Read the project in a file."""
    root = parse_json(path, read_bytes(path), MOST_LISTS)
    if "jsonVersion" not in root or "defs" not in root:
        root.fail("is not an LDtk project: 'jsonVersion' or 'defs' is missing")
    if root.flag("externalLevels"):
        root.fail(
            "has levels in separate files; clear 'Save levels to separate files' in LDtk and save again"
        )
    return root


def choose_level(root: Node) -> Node:
    """The level with the header of wavefold, or else the only level."""
    levels = list_levels(root)
    ours = [level for level in levels if find_header(level) is not None]
    if not ours and len(levels) != 1:
        root.fail(
            f"has {len(levels)} levels, none of them with a field {HEADER_FIELD!r}; keep only the one to read"
        )
    return (ours or levels)[0]


def list_levels(root: Node) -> list[Node]:
    """The levels of a project and of its worlds."""
    return [level for world in (root, *root.every("worlds")) for level in world.every("levels")]


def choose_layer(level: Node, wanted: str | None) -> Node:
    """The tile layer with this name; by default the layer `Tiles`, or else the first one."""
    layers = [each for each in level.every("layerInstances") if each.text("__type") == "Tiles"]
    names = [each.text("__identifier") for each in layers]
    if wanted is None and layers:
        return layers[names.index(TILES_LAYER) if TILES_LAYER in names else 0]
    if wanted not in names:
        level.fail(f"has no tile layer {wanted or ''!r}; {suggest(wanted or '', names)}", "layerInstances")
    return layers[names.index(wanted)]


def find_header(level: Node) -> str | None:
    """The header of the map as JSON, from a field of the level; None if the level has none."""
    for field in level.every("fieldInstances"):
        if field.fields.get("__identifier") == HEADER_FIELD and field.fields.get("__value"):
            return field.text("__value")
    return None


def read_header(level: Node, path: Path, plain: SquareGrid) -> ParsedMap:
    """The map without its cells; without a header, on a plain grid."""
    note = find_header(level)
    if note is None:
        return ParsedMap(path, plain, [], np.empty(0, np.int64))
    where = f", field {HEADER_FIELD!r} of the level"
    fields = parse_json(path, note.encode("utf-8", "replace")).fields
    return decode_header(parse_fields(MapHeader, fields, path, where), path, where)


def fit_topology(layer: Node, grid: Topology, is_given: bool) -> Topology:
    """The topology if it fits the layer; a full grid of squares of the new size, if the level was resized."""
    width, height = layer.whole("__cWid"), layer.whole("__cHei")
    if isinstance(grid, SquareGrid) and (grid.width, grid.height) == (width, height):
        return grid
    if isinstance(grid, SquareGrid) and grid.mask is None and not is_given:
        return SquareGrid(width, height, grid.wraps)
    says = "the topology given is" if is_given else f"the field {HEADER_FIELD!r} of its level says"
    layer.fail(f"has {width} x {height} cells, but {says} {grid!r}")


def read_tile_names(root: Node, layer: Node) -> dict[int, str]:
    """{number: name} of the tiles in the layer's tile set."""
    field = "overrideTilesetUid" if layer.fields.get("overrideTilesetUid") is not None else "__tilesetDefUid"
    uid = layer.whole(field)
    for tileset in root.child("defs").every("tilesets"):
        if tileset.whole("uid") == uid:
            return {
                each.whole("tileId"): each.text("data").strip("\n") for each in tileset.every("customData")
            }
    layer.fail(f"names a tile set {uid}, which the project does not have", field)


def read_placed_tiles(layer: Node) -> Iterable[tuple[int, int, int, int]]:
    """The column, row, number and flip bits of every tile, the lowest tile of a stack first."""
    size = layer.whole("__gridSize", least=1)
    listed = layer.fields.get("gridTiles")
    if not isinstance(listed, list):
        layer.fail_field("gridTiles", "a list")
    for number, tile in enumerate(listed):
        fields: dict[str, Any] = tile if isinstance(tile, dict) else {}
        position, index, flip = fields.get("px"), fields.get("t"), fields.get("f", 0)
        is_position = (
            isinstance(position, list) and len(position) == 2 and all(type(each) is int for each in position)
        )
        if not is_position or type(index) is not int or type(flip) is not int or not 0 <= flip < 4:
            layer.fail(
                "is not a tile; expected a position 'px', a number 't' and flip bits 'f'",
                f"gridTiles[{number}]",
            )
        yield position[0] // size, position[1] // size, index, flip  # type: ignore[index]


# --- content that is not read ---------------------------------------------------------------------


def describe_extras(path: Path) -> str:
    """The content that overwriting the file would lose, such as "2 other levels, 1 other layer"; or ""."""
    root = read_project(path)
    level = choose_level(root)
    read = choose_layer(level, None)
    layers = [each for each in level.every("layerInstances") if each.fields is not read.fields]
    ours = (GROUPS_LAYER, OBJECTS_LAYER)
    others = [each for each in layers if not each.text("__identifier").startswith(ours)]
    definitions = root.child("defs")
    fields = [
        each for each in definitions.every("levelFields") if each.fields.get("identifier") != HEADER_FIELD
    ]
    found = {
        "other level": len(list_levels(root)) - 1,
        "other layer": len(others),
        "kind": sum(each.fields.get("doc") != OWN_ENTITY_NOTE for each in definitions.every("entities")),
        "enum": len(definitions.every("enums")) + len(definitions.every("externalEnums")),
        "field": len(fields),
        "other tile set": len(definitions.every("tilesets")) - 1,
    }
    words = {
        "kind": ("kind of entities", "kinds of entities"),
        "field": ("field of levels", "fields of levels"),
    }
    named = ((words.get(name, (name, f"{name}s")), count) for name, count in found.items())
    return ", ".join(f"{count:,} {names[count > 1]}" for names, count in named if count > 0)
