"""The objects of a map as an object layer of Tiled: a point for each, whose class is the object's name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.formats.header import check_names
from wavefold.formats.pattern_sheet import TileSheet
from wavefold.formats.tiled.document import Fields, properties
from wavefold.formats.tiled.map import MARK, Chart
from wavefold.solver.solution import Map
from wavefold.tiles import TileSet
from wavefold.tiles.objects import Placements

OBJECTS = "objects"


def object_layer(
    solution: Map, chart: Chart, sheet: TileSheet, placements: Placements | None, axis: str
) -> Fields | None:
    """The layer above all others; None without objects. axis : along which hexagons are shifted."""
    tiles = solution.problem.tiles
    if placements is None or not isinstance(tiles, TileSet):
        return None
    names = [each.name for each in tiles.objects]
    check_names(names)
    layers, points = locate_cells(chart, sheet, axis, placements.cells)
    points = points + placements.jitter * sheet.width
    stacked = len(chart.cells) > 1
    found = []
    for number, (kind, layer, (x, y)) in enumerate(
        zip(placements.kinds.tolist(), layers.tolist(), points.tolist(), strict=True), start=1
    ):
        point: Fields = {"id": number, "name": names[kind], "type": names[kind], "x": x, "y": y}
        point |= {"width": 0, "height": 0, "rotation": 0, "visible": True, "point": True}
        found.append(point | ({"properties": properties({"z": str(layer)})} if stacked else {}))
    return {
        "type": "objectgroup",
        "id": len(chart.cells) + 1,
        "name": OBJECTS,
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        "draworder": "topdown",
        "properties": properties({MARK: OBJECTS}),
        "objects": found,
    }


def locate_cells(
    chart: Chart, sheet: TileSheet, axis: str, cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """[cell] the layer of each, and [cell, (x, y)] its middle in pixels, as Tiled draws it."""
    places = np.argwhere(chart.cells >= 0)  # layer, row, column
    order = np.empty((len(places), 3), np.int64)
    order[chart.cells[chart.cells >= 0]] = places
    layer, row, column = order[cells].T
    column, row = column + chart.corner[0], row + chart.corner[1]
    across, down = sheet.width, sheet.height
    if axis == "y":
        down = (sheet.height + sheet.side) // 2
    elif axis == "x":
        across = (sheet.width + sheet.side) // 2
    shifted = 1 if chart.stagger == "odd" else 0
    x = column * across + sheet.width / 2 + (sheet.width / 2 * (row % 2 == shifted) if axis == "y" else 0)
    y = row * down + sheet.height / 2 + (sheet.height / 2 * (column % 2 == shifted) if axis == "x" else 0)
    return layer, np.stack([x, y], axis=1)
