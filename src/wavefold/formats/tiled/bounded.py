"""Maps of Tiled with borders: where their cells are, and what their tiles are called."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.formats.document import Node, parse_json
from wavefold.formats.loaded import PatternName
from wavefold.formats.schema import MapNote, parse_fields
from wavefold.formats.tiled.grid import Chart, make_chart, stagger_axis
from wavefold.formats.tiled.layers import Layer, check_size, layer_cells
from wavefold.formats.tiled.map import NUMBER, TiledMap, decode_orientation
from wavefold.formats.tiled.tileset import author_name
from wavefold.formats.tiled.write import LAYER_NUMBER
from wavefold.formats.topology_codec import decode_topology
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology

PROPERTY = "pattern"

Origin = tuple[int, ...]


class Layout(NamedTuple):
    """Where the cells of a map are, on which layers they are drawn, and where in a world it all lies."""

    grid: Topology
    chart: Chart
    layers: list[Layer]
    origin: Origin | None


class MapReader(TiledMap):
    """A map with borders, and where its cells are."""

    def __init__(self, root: Node) -> None:
        super().__init__(root)
        self.width, self.height = self.size()
        self.stagger_index = root.text("staggerindex", "odd") if self.stagger_axis else ""

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        width, height = self.root.whole("width", least=1), self.root.whole("height", least=1)
        check_size(self.root, width, height)
        return width, height

    def seed(self) -> int | None:
        """The seed the map was made with."""
        text = self.root.custom("seed") or ""
        if text and not re.fullmatch(r"-?[0-9]{1,100}", text, re.ASCII):
            self.root.fail(f"has the property seed = {text[:40]!r}, which is not a whole number")
        return int(text) if text else None

    # --- where cells are ------------------------------------------------------------------------

    def lay_out(self, wanted: str | None = None, given: Topology | None = None) -> Layout:
        """The topology given, or noted in the file, or as plain as the map; its chart and its layers."""
        grid, chart = self.fit_topology(given)
        first = self.origin_property(len(chart.origin)) if self.root.custom("world") is not None else None
        origin: Origin | None = None
        if first is not None:
            origin = tuple(there - here for here, there in zip(chart.origin, first, strict=True))
        return Layout(grid, chart, self.find_layers(wanted, len(chart.cells), grid.kind), origin)

    def fit_topology(self, given: Topology | None) -> tuple[Topology, Chart]:
        """The topology and the chart of a map with borders."""
        try:
            grid = given or self.topology_property() or self.default_topology()
            chart = make_chart(grid)
            if given is None and not self.fits(grid, chart):
                grid = self.resize(grid)
                chart = make_chart(grid)
        except ConfigError as error:
            self.root.fail(f"does not fit: {error}")
        if not self.fits(grid, chart):
            found = f"has {self.width} x {self.height} {self.orientation} cells"
            if given is not None:
                self.root.fail(f"{found}, but the topology given is {grid!r}")
            self.root.fail(
                f"{found}, but its property says {grid!r}; "
                "undo what resized it, or remove its property 'topology'"
            )
        return grid, chart

    def topology_property(self) -> Topology | None:
        """What a property of the map says."""
        text = self.root.custom("topology")
        if text is None:
            return None
        source, where = self.root.source, ", property 'topology'"
        fields = parse_json(source, text.encode("utf-8", "replace")).fields
        note = parse_fields(MapNote, {"topology": dict(fields)}, source, where)
        return decode_topology(note.topology, f"{str(source)!r}{where}")

    def origin_property(self, axes: int) -> list[int] | None:
        """What a property says about where the map begins."""
        text = self.root.custom("origin")
        if text is None:
            return None
        numbers = re.findall(r"-?[0-9]{1,15}", text, re.ASCII)
        if len(numbers) != axes or not re.fullmatch(r"\[[-0-9, ]*\]", text, re.ASCII):
            self.root.fail(f"has the property origin = {text[:40]!r}; expected {axes} whole numbers")
        return [int(number) for number in numbers]

    def default_topology(self) -> Topology:
        """What a map without a note is."""
        if self.orientation == "orthogonal":
            return SquareGrid(self.width, self.height)
        self.check_index()
        return HexGrid.rectangle(self.width, self.height, "flat" if self.stagger_axis == "x" else "pointy")

    def check_index(self) -> None:
        """Raise for hexagons whose other rows are shifted."""
        if self.stagger_axis and self.stagger_index != "odd":
            self.root.fail("shifts its even rows or columns; set Stagger Index to odd", "staggerindex")

    def fits(self, grid: Topology, chart: Chart) -> bool:
        """Whether the map still has the size and form it was written with."""
        same_form = (stagger_axis(grid), chart.stagger) == (self.stagger_axis, self.stagger_index)
        return same_form and (chart.width, chart.height) == (self.width, self.height)

    def resize(self, grid: Topology) -> Topology:
        """A full grid, in the size the map has now; another form stays as it is, and will not fit."""
        if isinstance(grid, SquareGrid) and grid.mask is None:
            return SquareGrid(self.width, self.height, grid.wraps)
        if isinstance(grid, CubeGrid) and grid.mask is None:
            check_size(self.root, self.width * self.height, grid.depth)
            return CubeGrid(self.width, self.height, grid.depth, grid.wraps)
        if isinstance(grid, HexGrid) and grid.form == "rectangle" and grid.mask is None:
            return HexGrid.rectangle(self.width, self.height, grid.layout)
        return grid

    # --- layers ---------------------------------------------------------------------------------

    def find_layers(self, wanted: str | None, count: int, kind: str) -> list[Layer]:
        """The layer to read; of cubes, one for each layer of them."""
        layers = [layer for layer in self.layers if layer not in self.never]
        if kind == "cube":
            return self.find_stacked(layers, wanted, count)
        return self.choose_layers(None if wanted is None else [wanted], layers)

    def find_stacked(self, layers: list[Layer], wanted: str | None, count: int) -> list[Layer]:
        """The layers of cubes, the lowest first, as their property says."""
        if wanted is not None:
            self.root.fail(f"is a map of cubes, of which every layer is read, not only {wanted!r}")
        found: dict[str, Layer] = {}
        for layer in layers:
            number = layer.node.custom(LAYER_NUMBER)
            if number is not None and found.setdefault(number, layer) is not layer:
                layer.node.fail(f"is the second with the property {LAYER_NUMBER} = {number[:20]!r}")
        if sorted(found) != sorted(str(number) for number in range(count)):
            self.root.fail(
                f"needs {count} tile layers, whose properties {LAYER_NUMBER} are 0 to {count - 1}; "
                f"found {', '.join(sorted(found))[:60] or 'none'}"
            )
        return [found[str(number)] for number in range(count)]

    def read_cells(self, layer: Layer, chart: Chart) -> NDArray[np.uint32]:
        """[row, column] what is drawn on a layer, which must be as large as the map."""
        cells = layer_cells(layer)
        if cells.shape != (self.height, self.width):
            layer.node.fail(
                f"has {cells.shape[1]} x {cells.shape[0]} cells, the map {self.width} x {self.height}"
            )
        return cells

    # --- tiles ----------------------------------------------------------------------------------

    def pattern_name(self, value: int, layer: Node, cell: str) -> PatternName:
        """What the tile in a cell is called, and how it is turned."""
        first, number = self.find_tile(value, layer, cell)
        tile = self.tileset_at(first).tiles.get(number)
        name = "" if tile is None else (tile.custom(PROPERTY) or author_name(tile))
        if not name:
            layer.fail(
                f"has a tile {value & NUMBER} at {cell} that has no name; give it a class in its "
                f"tile set, the name of a tile, or a property {PROPERTY!r}"
            )
        return PatternName(name, decode_orientation(value, self.stagger_axis))
