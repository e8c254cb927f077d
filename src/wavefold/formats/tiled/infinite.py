"""Infinite maps of Tiled, made of chunks: parts of a world, whose columns and rows are those of the world."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.formats.document import Node
from wavefold.formats.tiled.bounded import Layout, MapReader, Origin
from wavefold.formats.tiled.grid import Chart, make_chart, stagger_axis
from wavefold.formats.tiled.layers import Box, Layer, check_size, infinite_cells
from wavefold.formats.topology_codec import find_world_origin
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology


class InfiniteMapReader(MapReader):
    """A map of Tiled without borders."""

    def __init__(self, root: Node) -> None:
        super().__init__(root)
        self._drawn: dict[int, tuple[NDArray[np.uint32], Box]] = {}

    def size(self) -> tuple[int, int]:
        """None: its fields say what Tiled showed last."""
        return 0, 0

    def cells_and_box(self, layer: Layer) -> tuple[NDArray[np.uint32], Box]:
        """What is drawn on a layer, and where; read once."""
        key = id(layer.node.fields)
        if key not in self._drawn:
            self._drawn[key] = infinite_cells(layer)
        return self._drawn[key]

    def lay_out(self, wanted: str | None = None, given: Topology | None = None) -> Layout:
        """What is given or noted, and beyond that as much as is drawn."""
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
        if (stagger_axis(grid), chart.stagger) != (self.stagger_axis, self.stagger_index):
            says = "its property says" if given is None else "the topology given is"
            self.root.fail(f"is {self.orientation}, but {says} {grid!r}")
        return Layout(grid, chart, layers, origin)

    def around(self, box: Box | None) -> tuple[Topology, Origin]:
        """What a map without a note is: the rectangle around what is drawn, and where it lies."""
        if box is None:
            self.root.fail("has no tile on it")
        left, top, width, height = box
        if not self.stagger_axis:
            return SquareGrid(width, height), (left, top)
        flat = self.stagger_axis == "x"
        shifted = (left if flat else top) % 2  # a rectangle begins with a line that is not
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
        """A full grid of squares or cubes, with what was drawn beyond it; another form stays as it is."""
        if not isinstance(grid, SquareGrid | CubeGrid) or grid.mask is not None:
            return grid, origin
        whole = Box(origin[0], origin[1], grid.width, grid.height).around(box)
        start = (whole.left, whole.top, *origin[2:])
        if isinstance(grid, SquareGrid):
            check_size(self.root, whole.width, whole.height)
            return SquareGrid(whole.width, whole.height, grid.wraps), start
        check_size(self.root, whole.width * whole.height, grid.depth)
        return CubeGrid(whole.width, whole.height, grid.depth, grid.wraps), start

    def read_cells(self, layer: Layer, chart: Chart) -> NDArray[np.uint32]:
        """[row, column] what is drawn on a layer, which must be inside of the chart."""
        found, box = self.cells_and_box(layer)
        left, top = box.left - chart.corner[0], box.top - chart.corner[1]
        row, column = np.nonzero(found)
        inside = (row + top >= 0) & (row + top < chart.height)
        inside &= (column + left >= 0) & (column + left < chart.width)
        for wrong in np.flatnonzero(~inside)[:1].tolist():
            place = f"column {column[wrong] + box.left}, row {row[wrong] + box.top}"
            layer.node.fail(f"has a tile at {place}, where the map has no cell; erase it")
        cells = np.zeros((chart.height, chart.width), np.uint32)
        cells[row + top, column + left] = found[row, column]
        return cells
