"""Reads maps from Tiled: written by wavefold, edited or not, or drawn in Tiled.

The property `pattern` of a tile names its pattern. Without it, the class (or the property `name`) is the name
of the tile as drawn. A tile that was flipped or turned in Tiled is the flipped or turned pattern. Empty cells
are undecided.

A map is finite or infinite. An infinite map consists of chunks. It is a part of a world, and its columns and
rows are those of the world.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, FormatError
from wavefold.formats.header import decode_topology, find_world_origin
from wavefold.formats.loaded import ParsedMap, PatternName
from wavefold.formats.nodes import Node, parse_json
from wavefold.formats.schema import MapNote, parse_fields
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.map import (
    MARK_PROPERTY,
    NUMBER_BITS,
    Box,
    Chart,
    Layer,
    TiledMap,
    check_size,
    decode_orientation,
    find_stagger_axis,
    make_chart,
    read_infinite_layer,
    read_layer,
)
from wavefold.formats.tiled.tileset import read_author_name
from wavefold.formats.tiled.write import LAYER_PROPERTY, OBJECTS_LAYER, OWN_PROPERTIES
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology

PATTERN_PROPERTY = "pattern"
CONTENT_NAMES = {  # for one, and for several
    "objectgroup": ("object layer", "object layers"),
    "imagelayer": ("image layer", "image layers"),
    "group": ("group of layers", "groups of layers"),
    "tilelayer": ("other tile layer", "other tile layers"),
    "unknown": ("other layer", "other layers"),
    "property": ("property", "properties"),
    "tileset": ("tile set of its own", "tile sets of its own"),
}

Origin = tuple[int, ...]


class Layout(NamedTuple):
    """The grid of a map, the positions and layers of its cells, and its origin in a world."""

    grid: Topology
    chart: Chart
    layers: list[Layer]
    origin: Origin | None


class MapReader(TiledMap):
    """Reads a finite map."""

    def __init__(self, root: Node) -> None:
        super().__init__(root)
        self.width, self.height = self.size()
        self.stagger_index = root.text("staggerindex", "odd") if self.stagger_axis else ""

    def size(self) -> tuple[int, int]:
        """The number of columns and rows."""
        width, height = self.root.whole("width", least=1), self.root.whole("height", least=1)
        check_size(self.root, width, height)
        return width, height

    def seed(self) -> int | None:
        """The seed of the map, or None."""
        text = self.root.custom("seed") or ""
        if text and not re.fullmatch(r"-?[0-9]{1,100}", text, re.ASCII):
            self.root.fail(f"has the property seed = {text[:40]!r}, which is not a whole number")
        return int(text) if text else None

    # --- positions of cells ---------------------------------------------------------------------

    def lay_out(self, wanted: str | None = None, given: Topology | None = None) -> Layout:
        """The layout for the given topology, or the one in the file, or a plain grid."""
        grid, chart = self.fit_topology(given)
        first = self.origin_property(len(chart.origin)) if self.root.custom("world") is not None else None
        origin: Origin | None = None
        if first is not None:
            origin = tuple(there - here for here, there in zip(chart.origin, first, strict=True))
        return Layout(grid, chart, self.find_layers(wanted, len(chart.cells), grid.kind), origin)

    def fit_topology(self, given: Topology | None) -> tuple[Topology, Chart]:
        """The topology and the chart of a finite map."""
        try:
            grid = given or self.topology_property() or self.default_topology()
            chart = make_chart(grid)
            if given is None and not self.fits(grid, chart):
                grid = self.resize(grid, self.width, self.height)
                chart = make_chart(grid)
        except ConfigError as error:
            self.root.fail(f"does not fit: {error}")
        if not self.fits(grid, chart):
            found = f"has {self.width} x {self.height} {self.orientation} cells"
            if given is not None:
                self.root.fail(f"{found}, but the topology given is {grid!r}")
            self.root.fail(
                f"{found}, but its property 'topology' is {grid!r}; restore the size, or remove the property"
            )
        return grid, chart

    def topology_property(self) -> Topology | None:
        """The topology in a property of the map, or None."""
        text = self.root.custom("topology")
        if text is None:
            return None
        source, where = self.root.source, ", property 'topology'"
        fields = parse_json(source, text.encode("utf-8", "replace")).fields
        note = parse_fields(MapNote, {"topology": dict(fields)}, source, where)
        return decode_topology(note.topology, f"{str(source)!r}{where}")

    def origin_property(self, axes: int) -> list[int] | None:
        """The origin in a property of the map, or None."""
        text = self.root.custom("origin")
        if text is None:
            return None
        numbers = re.findall(r"-?[0-9]{1,15}", text, re.ASCII)
        if len(numbers) != axes or not re.fullmatch(r"\[[-0-9, ]*\]", text, re.ASCII):
            self.root.fail(f"has the property origin = {text[:40]!r}; expected {axes} whole numbers")
        return [int(number) for number in numbers]

    def default_topology(self) -> Topology:
        """The topology of a map without the property."""
        if self.orientation == "orthogonal":
            return SquareGrid(self.width, self.height)
        self.check_index()
        return HexGrid.rectangle(self.width, self.height, "flat" if self.stagger_axis == "x" else "pointy")

    def check_index(self) -> None:
        """Raise for hexagons whose even rows are shifted."""
        if self.stagger_axis and self.stagger_index != "odd":
            self.root.fail("shifts its even rows or columns; set Stagger Index to odd", "staggerindex")

    def fits(self, grid: Topology, chart: Chart) -> bool:
        """Whether the map has the size and form of this grid."""
        same_form = (find_stagger_axis(grid), chart.stagger) == (self.stagger_axis, self.stagger_index)
        return same_form and (chart.width, chart.height) == (self.width, self.height)

    def resize(self, grid: Topology, width: int, height: int) -> Topology:
        """A full grid in another size. Other forms are returned unchanged, and do not fit."""
        if isinstance(grid, SquareGrid) and grid.mask is None:
            check_size(self.root, width, height)
            return SquareGrid(width, height, grid.wraps)
        if isinstance(grid, CubeGrid) and grid.mask is None:
            check_size(self.root, width * height, grid.depth)
            return CubeGrid(width, height, grid.depth, grid.wraps)
        if isinstance(grid, HexGrid) and grid.form == "rectangle" and grid.mask is None:
            return HexGrid.rectangle(width, height, grid.layout)
        return grid

    # --- layers ---------------------------------------------------------------------------------

    def find_layers(self, wanted: str | None, count: int, kind: str) -> list[Layer]:
        """The layer to read; for cubes, one per layer of cubes."""
        layers = [layer for layer in self.layers if layer not in self.never]
        if kind == "cube":
            return self.find_stacked(layers, wanted, count)
        return self.choose_layers(None if wanted is None else [wanted], layers)

    def find_stacked(self, layers: list[Layer], wanted: str | None, count: int) -> list[Layer]:
        """The layers of cubes, from the lowest up, by their property."""
        if wanted is not None:
            self.root.fail(f"is a map of cubes, whose layers are all read; leave out layer={wanted!r}")
        found: dict[str, Layer] = {}
        for layer in layers:
            number = layer.node.custom(LAYER_PROPERTY)
            if number is not None and found.setdefault(number, layer) is not layer:
                layer.node.fail(f"has the property {LAYER_PROPERTY} = {number[:20]!r} of another layer")
        if sorted(found) != sorted(str(number) for number in range(count)):
            self.root.fail(
                f"needs {count} tile layers with the property {LAYER_PROPERTY} from 0 to {count - 1}; "
                f"found {', '.join(sorted(found))[:60] or 'none'}"
            )
        return [found[str(number)] for number in range(count)]

    def read_cells(self, layer: Layer, chart: Chart) -> NDArray[np.uint32]:
        """[row, column] the cells of a layer, which must have the size of the map."""
        cells = read_layer(layer)
        if cells.shape != (self.height, self.width):
            layer.node.fail(
                f"has {cells.shape[1]} x {cells.shape[0]} cells, but the map {self.width} x {self.height}"
            )
        return cells

    # --- tiles ----------------------------------------------------------------------------------

    def pattern_name(self, value: int, layer: Node, cell: str) -> PatternName:
        """The name and the turn of the tile in a cell."""
        first, number = self.find_tile(value, layer, cell)
        tile = self.tileset_at(first).tiles.get(number)
        name = "" if tile is None else (tile.custom(PATTERN_PROPERTY) or read_author_name(tile))
        if not name:
            layer.fail(
                f"has a tile {value & NUMBER_BITS} without a name at {cell}; in its tile set, set its class "
                f"to the name of a tile, or add a property {PATTERN_PROPERTY!r}"
            )
        return PatternName(name, decode_orientation(value, self.stagger_axis))


class InfiniteMapReader(MapReader):
    """Reads an infinite map."""

    def __init__(self, root: Node) -> None:
        super().__init__(root)
        self._drawn: dict[int, tuple[NDArray[np.uint32], Box]] = {}

    def size(self) -> tuple[int, int]:
        """(0, 0): the fields of an infinite map describe the last view in Tiled."""
        return 0, 0

    def cells_and_box(self, layer: Layer) -> tuple[NDArray[np.uint32], Box]:
        """The cells of a layer and their rectangle; cached."""
        key = id(layer.node.fields)
        if key not in self._drawn:
            self._drawn[key] = read_infinite_layer(layer)
        return self._drawn[key]

    def lay_out(self, wanted: str | None = None, given: Topology | None = None) -> Layout:
        """The layout for the given topology or the one in the file, enlarged to contain all tiles."""
        self.check_index()
        grid = given or self.topology_property()
        kind = grid.kind if grid is not None else "hex" if self.stagger_axis else "square"
        depth = grid.shape[0] if grid is not None and grid.shape and kind == "cube" else 1
        layers = self.find_layers(wanted, depth, kind)
        boxes = [box for _, box in map(self.cells_and_box, layers) if box.width]
        box = reduce(Box.around, boxes) if boxes else None
        origin: Origin
        if grid is None:
            grid, origin = self.around(box)
        else:
            first = self.origin_property(len(grid.shape or ()))
            where = f"{str(self.root.source)!r}, property 'origin'"
            origin = (0,) * len(grid.shape or ()) if first is None else find_world_origin(grid, first, where)
            if given is None and box is not None:
                grid, origin = self.enlarge(grid, origin, box)
        try:
            chart = make_chart(grid, origin)
        except ConfigError as error:
            self.root.fail(f"does not fit: {error}")
        if (find_stagger_axis(grid), chart.stagger) != (self.stagger_axis, self.stagger_index):
            says = "its property 'topology' is" if given is None else "the topology given is"
            self.root.fail(f"is {self.orientation}, but {says} {grid!r}")
        return Layout(grid, chart, layers, origin)

    def around(self, box: Box | None) -> tuple[Topology, Origin]:
        """The topology and origin of a map without the property: the rectangle around its tiles."""
        if box is None:
            self.root.fail("has no tiles")
        left, top, width, height = box
        if not self.stagger_axis:
            return SquareGrid(width, height), (left, top)
        flat = self.stagger_axis == "x"
        shifted = (left if flat else top) % 2  # the first line of a rectangle is not shifted
        check_size(self.root, width + shifted, height + shifted)
        if flat:
            grid = HexGrid.rectangle(width + shifted, height, "flat")
            origin = (left - shifted, top - (left - shifted) // 2)
        else:
            grid = HexGrid.rectangle(width, height + shifted)
            origin = (left - (top - shifted) // 2, top - shifted)
        if not shifted:
            return grid, origin
        mask = np.ones(grid.shape, bool)
        mask[(slice(None), 0) if flat else 0] = False
        return HexGrid.rectangle(grid.width, grid.height, grid.layout, mask), origin

    def enlarge(self, grid: Topology, origin: Origin, box: Box) -> tuple[Topology, Origin]:
        """A full grid of squares or cubes, enlarged to contain all tiles. Other forms are unchanged."""
        if not isinstance(grid, SquareGrid | CubeGrid) or grid.mask is not None:
            return grid, origin
        whole = Box(origin[0], origin[1], grid.width, grid.height).around(box)
        return self.resize(grid, whole.width, whole.height), (whole.left, whole.top, *origin[2:])

    def read_cells(self, layer: Layer, chart: Chart) -> NDArray[np.uint32]:
        """[row, column] the cells of a layer, which must be within the chart."""
        found, box = self.cells_and_box(layer)
        left, top = box.left - chart.corner[0], box.top - chart.corner[1]
        row, column = np.nonzero(found)
        inside = (row + top >= 0) & (row + top < chart.height)
        inside &= (column + left >= 0) & (column + left < chart.width)
        for wrong in np.flatnonzero(~inside)[:1].tolist():
            position = f"column {column[wrong] + box.left}, row {row[wrong] + box.top}"
            layer.node.fail(f"has a tile at {position}, where the map has no cell; erase it")
        cells = np.zeros((chart.height, chart.width), np.uint32)
        cells[row + top, column + left] = found[row, column]
        return cells


def read_tiled(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """Read the map in a .tmx or .tmj file."""
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
    """Open a finite or infinite map."""
    root = read_document(path, "map")
    return (InfiniteMapReader if root.flag("infinite", False) else MapReader)(root)


# --- content that is not read ---------------------------------------------------------------------


def describe_extras(path: Path) -> str:
    """The content that overwriting the file would lose, such as "1 object layer, 2 properties"; or ""."""
    reader = open_map(path)
    read = [layer.node for layer in reader.lay_out().layers]
    known = {id(node.fields) for node in read}
    others = [node for node in list_all_layers(reader.root) if id(node.fields) not in known]
    types = [node.text("type") for node in others if node.custom(MARK_PROPERTY) != OBJECTS_LAYER]
    found = Counter(each if each in CONTENT_NAMES else "unknown" for each in types)
    added = [name for name in list_property_names(reader.root) if name not in OWN_PROPERTIES]
    added += [name for node in read for name in list_property_names(node) if name != LAYER_PROPERTY]
    found["property"] += len(added)
    found["tileset"] += sum(not is_ours(reader, first) for first in reader.set_nodes)
    return ", ".join(f"{count:,} {CONTENT_NAMES[each][count > 1]}" for each, count in found.items() if count)


def list_all_layers(node: Node) -> Iterator[Node]:
    """The layers of every kind, including those in groups."""
    for each in node.every("layers"):
        yield each
        if each.fields.get("type") == "group":
            yield from list_all_layers(each)


def list_property_names(node: Node) -> list[str]:
    """The names of the custom properties of a node."""
    listed = node.fields.get("properties")
    if isinstance(listed, dict):  # before Tiled 1.2
        return list(listed)
    return [str(each.fields.get("name")) for each in node.every("properties")]


def is_ours(reader: MapReader, first: int) -> bool:
    """Whether wavefold wrote a tile set, whose tiles then all name their patterns."""
    try:
        tiles = reader.tileset_at(first).tiles
    except FormatError:  # not needed to read the map
        return False
    return bool(tiles) and all(tile.custom(PATTERN_PROPERTY) is not None for tile in tiles.values())
