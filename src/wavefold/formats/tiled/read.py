"""Maps that come back from Tiled, edited by hand or not; also those that were drawn there from the start.

A tile says which pattern it is by its property `pattern`, or by its class (or its property `name`) which
tile, as drawn; what was flipped or turned in Tiled is the pattern that looks so. An empty cell tells nothing.
An infinite map is a part of a world: its columns and rows are those of the world.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wavefold.formats.loaded import ParsedMap, PatternName
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.infinite import EndlessDrawing
from wavefold.formats.tiled.map_reader import Drawing
from wavefold.topology import Topology


def read_tiled_drawing(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """The map in a .tmx or .tmj."""
    drawing = drawing_in(path)
    places, chart, layers, origin = drawing.laid_out(layer, topology)
    left, top = chart.corner
    numbers = np.full(places.cell_count, -1, np.int64)
    words: dict[PatternName, int] = {}
    for cells, each in zip(chart.cells, layers, strict=True):
        found = drawing.cells(each, chart)
        outside = np.argwhere((cells < 0) & (found != 0))
        if outside.size:
            row, column = outside[0].tolist()
            each.node.complain(
                f"has a tile at column {left + column}, row {top + row}, where the map has no cell; erase it"
            )
        values, first, inverse = np.unique(found, return_index=True, return_inverse=True)
        known = np.full(values.size, -1, np.int64)
        for index, (value, place) in enumerate(zip(values.tolist(), first.tolist(), strict=True)):
            if value:
                row, column = divmod(place, found.shape[1])
                word = drawing.word(value, each.node, f"column {left + column}, row {top + row}")
                known[index] = words.setdefault(word, len(words))
        numbers[cells[cells >= 0]] = known[inverse].reshape(found.shape)[cells >= 0]
    root = drawing.root
    tileset, digest = root.custom("tileset") or "", root.custom("digest") or ""
    return ParsedMap(path, places, list(words), numbers, tileset, digest, drawing.seed(), origin)


def drawing_in(path: Path) -> Drawing:
    """The map in a file, with borders or without."""
    root = read_document(path, "map")
    return (EndlessDrawing if root.flag("infinite", False) else Drawing)(root)
