"""A map of Tiled: where its cells are, its layers, and what its tiles are called."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.formats.document import Node, parse_json
from wavefold.formats.loaded import PatternName
from wavefold.formats.schema import MapNote, parse_fields
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.grid import Chart, chart_of, stagger_of
from wavefold.formats.tiled.layers import Layer, check_size, layer_cells, tile_layers
from wavefold.formats.tiled.map import NUMBER, is_never, sets_of, turned
from wavefold.formats.tiled.tileset import word_of
from wavefold.formats.tiled.write import LAYER_NUMBER
from wavefold.formats.topology_codec import rebuilt
from wavefold.tiles import Orientation
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology

PROPERTY = "pattern"
# On hexagons Tiled flips left to right and top to bottom first, then turns clockwise by 60 and 120 degrees.
# Mirrored means for us that the first direction becomes the last: left to right, if hexagons are pointy.
HEX_FLIPS = {
    "y": ((0x80000000, Orientation(0, True)), (0x40000000, Orientation(3, True))),
    "x": ((0x80000000, Orientation(5, True)), (0x40000000, Orientation(2, True))),
}
HEX_TURNS = ((0x20000000, Orientation(1)), (0x10000000, Orientation(2)))

Origin = tuple[int, ...]


class Layout(NamedTuple):
    """Where the cells of a map are, on which layers they are drawn, and where in a world it all lies."""

    places: Topology
    chart: Chart
    layers: list[Layer]
    origin: Origin | None


class Drawing:
    """A map of Tiled with borders: what its fields say."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.orientation = self.root.text("orientation")
        if self.orientation not in ("orthogonal", "hexagonal"):
            self.root.complain(f"is {self.orientation}; only orthogonal and hexagonal maps can be read")
        self.width, self.height = self.size()
        self.axis, self.index = "", ""
        if self.orientation == "hexagonal":
            self.axis, self.index = self.root.text("staggeraxis", "y"), self.root.text("staggerindex", "odd")
            if self.axis not in ("x", "y"):
                self.root.wrong("staggeraxis", "x or y")
        self.set_nodes = sets_of(self.root)
        self.sets: dict[int, dict[int, Node]] = {}  # the tiles of those read so far

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        width, height = self.root.whole("width", least=1), self.root.whole("height", least=1)
        check_size(self.root, width, height)
        return width, height

    def seed(self) -> int | None:
        """The seed the map was made with."""
        text = self.root.custom("seed") or ""
        if text and not re.fullmatch(r"-?[0-9]{1,100}", text, re.ASCII):
            self.root.complain(f"has the property seed = {text[:40]!r}, which is not a whole number")
        return int(text) if text else None

    # --- where cells are ------------------------------------------------------------------------

    def laid_out(self, wanted: str | None = None, given: Topology | None = None) -> Layout:
        """The topology given, or noted in the file, or as plain as the map; its chart and its layers."""
        places, chart = self.bounded(given)
        first = self.noted_origin(len(chart.origin)) if self.root.custom("world") is not None else None
        origin: Origin | None = None
        if first is not None:
            origin = tuple(there - here for here, there in zip(chart.origin, first, strict=True))
        return Layout(places, chart, self.chosen(wanted, len(chart.cells), places.kind), origin)

    def bounded(self, given: Topology | None) -> tuple[Topology, Chart]:
        """The topology and the chart of a map with borders."""
        try:
            places = given or self.noted() or self.plain()
            chart = chart_of(places)
            if given is None and not self.fits(places, chart):
                places = self.resized(places)
                chart = chart_of(places)
        except ConfigError as error:
            self.root.complain(f"does not fit: {error}")
        if not self.fits(places, chart):
            self.root.complain(
                f"has {self.width} x {self.height} {self.orientation} cells, but was to hold {places!r}; "
                "undo what resized it, or remove its property 'topology'"
            )
        return places, chart

    def noted(self) -> Topology | None:
        """What a property of the map says."""
        text = self.root.custom("topology")
        if text is None:
            return None
        source, where = self.root.source, ", property 'topology'"
        fields = parse_json(source, text.encode("utf-8", "replace")).fields
        note = parse_fields(MapNote, {"topology": dict(fields)}, source, where)
        return rebuilt(note.topology, f"{str(source)!r}{where}")

    def noted_origin(self, axes: int) -> list[int] | None:
        """What a property says about where the map begins."""
        text = self.root.custom("origin")
        if text is None:
            return None
        numbers = re.findall(r"-?[0-9]{1,15}", text, re.ASCII)
        if len(numbers) != axes or not re.fullmatch(r"\[[-0-9, ]*\]", text, re.ASCII):
            self.root.complain(f"has the property origin = {text[:40]!r}; expected {axes} whole numbers")
        return [int(number) for number in numbers]

    def plain(self) -> Topology:
        """What a map without a note is."""
        if self.orientation == "orthogonal":
            return SquareGrid(self.width, self.height)
        self.check_index()
        return HexGrid.rectangle(self.width, self.height, "flat" if self.axis == "x" else "pointy")

    def check_index(self) -> None:
        """Raise for hexagons whose other rows are shifted."""
        if self.axis and self.index != "odd":
            self.root.complain("shifts its even rows or columns; set Stagger Index to odd", "staggerindex")

    def fits(self, places: Topology, chart: Chart) -> bool:
        """Whether the map still has the size and form it was written with."""
        same_form = (stagger_of(places), chart.stagger) == (self.axis, self.index)
        return same_form and (chart.width, chart.height) == (self.width, self.height)

    def resized(self, places: Topology) -> Topology:
        """A full grid, in the size the map has now; another form stays as it is, and will not fit."""
        if isinstance(places, SquareGrid) and places.mask is None:
            return SquareGrid(self.width, self.height, places.wraps)
        if isinstance(places, CubeGrid) and places.mask is None:
            check_size(self.root, self.width * self.height, places.depth)
            return CubeGrid(self.width, self.height, places.depth, places.wraps)
        if isinstance(places, HexGrid) and places.form == "rectangle" and places.mask is None:
            return HexGrid.rectangle(self.width, self.height, places.layout)
        return places

    # --- layers ---------------------------------------------------------------------------------

    def chosen(self, wanted: str | None, count: int, kind: str) -> list[Layer]:
        """The layer to read; of cubes, one for each layer of them."""
        layers = [layer for layer in tile_layers(self.root) if not is_never(layer)]
        if kind == "cube":
            return self.stacked(layers, wanted, count)
        names = [layer.name for layer in layers]
        found = [layer for layer in layers if (layer.visible if wanted is None else layer.name == wanted)]
        if wanted is None and not found:
            self.root.complain(f"has no visible tile layer; name one, as layer='…'; {suggest('', names)}")
        if wanted is not None and len(found) != 1:
            self.root.complain(f"has {len(found) or 'no'} tile layers {wanted!r}; {suggest(wanted, names)}")
        return found[:1]

    def stacked(self, layers: list[Layer], wanted: str | None, count: int) -> list[Layer]:
        """The layers of cubes, the lowest first, as their property says."""
        if wanted is not None:
            self.root.complain(f"is a map of cubes, of which every layer is read, not only {wanted!r}")
        found: dict[str, Layer] = {}
        for layer in layers:
            number = layer.node.custom(LAYER_NUMBER)
            if number is not None and found.setdefault(number, layer) is not layer:
                layer.node.complain(f"is the second with the property {LAYER_NUMBER} = {number[:20]!r}")
        if sorted(found) != sorted(str(number) for number in range(count)):
            self.root.complain(
                f"needs {count} tile layers, whose properties {LAYER_NUMBER} are 0 to {count - 1}; "
                f"found {', '.join(sorted(found))[:60] or 'none'}"
            )
        return [found[str(number)] for number in range(count)]

    def cells(self, layer: Layer, chart: Chart) -> NDArray[np.uint32]:
        """[row, column] what is drawn on a layer, which must be as large as the map."""
        cells = layer_cells(layer)
        if cells.shape != (self.height, self.width):
            layer.node.complain(
                f"has {cells.shape[1]} x {cells.shape[0]} cells, the map {self.width} x {self.height}"
            )
        return cells

    # --- tiles ----------------------------------------------------------------------------------

    def word(self, value: int, layer: Node, cell: str) -> PatternName:
        """What a tile in a cell is called, and how it is turned."""
        firsts = sorted(self.set_nodes)
        place = bisect_right(firsts, value & NUMBER) - 1
        if place < 0:
            layer.complain(f"has a tile {value & NUMBER} at {cell}, which no tile set of the map has")
        tile = self.tiles_at(firsts[place]).get((value & NUMBER) - firsts[place])
        name = "" if tile is None else (tile.custom(PROPERTY) or word_of(tile))
        if not name:
            layer.complain(
                f"has a tile {value & NUMBER} at {cell} that has no name; give it a class in its "
                f"tile set, the name of a tile, or a property {PROPERTY!r}"
            )
        return PatternName(name, turned(value) if not self.axis else turned_hexagon(value, self.axis))

    def tiles_at(self, first: int) -> dict[int, Node]:
        """The tiles a tile set says something about, read when it is first met."""
        if first not in self.sets:
            node = self.set_nodes[first]
            if "source" in node:
                node = read_document(node.file("source", "a tile set"), "tileset")
            self.sets[first] = {tile.whole("id"): tile for tile in node.every("tiles")}
        return self.sets[first]


def turned_hexagon(value: int, axis: str) -> Orientation:
    """How the flags of a cell say that its hexagon is placed."""
    orientation = Orientation()
    for flag, step in (*HEX_FLIPS[axis], *HEX_TURNS):
        if value & flag:
            orientation = step.after(orientation, 6)
    return orientation
