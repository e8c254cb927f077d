"""Maps for Tiled: the map with its objects, its tile set and the sheet of its tiles, as JSON or XML.

Each pattern is a separate tile, so that no tile has to be flipped. The class of a tile is its name, and the
property `pattern` the full name, which identifies the pattern in edited maps. A part of a world is an
infinite map, whose columns and rows are those of the world.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.formats.header import (
    check_names,
    find_array_origin_in_world,
    find_tileset_name,
    make_header,
    to_json,
)
from wavefold.formats.nodes import LARGEST_NUMBER, MOST_BYTES
from wavefold.formats.pattern_sheet import TileSheet, WrittenMap, check_name, check_sheet, draw_tile_sheet
from wavefold.formats.schema import MOST_CELLS
from wavefold.formats.tiled.document import VERSIONS, Fields, encode_document, make_properties
from wavefold.formats.tiled.map import MARK_PROPERTY, Chart, find_stagger_axis, make_chart
from wavefold.options.values import check_path
from wavefold.render.draw import check_map
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.storage.files import write_files_atomically
from wavefold.storage.png import encode_png
from wavefold.tiles import TileSet
from wavefold.tiles.objects import Placements

OBJECTS_LAYER = "objects"
LAYER_NAME, LAYER_PROPERTY = "map", "z"
OWN_PROPERTIES = ("content_version", "digest", "origin", "seed", "tileset", "topology", "wavefold", "world")
CHUNK_SIZE = 16  # cells along the side of a chunk of an infinite map, as in Tiled

Origin = tuple[int, ...]


def make_object_layer(
    solution: Map, chart: Chart, sheet: TileSheet, placements: Placements | None, axis: str
) -> Fields | None:
    """The object layer, which is above all others; None without objects. axis : the stagger axis."""
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
        found.append(point | ({"properties": make_properties({"z": str(layer)})} if stacked else {}))
    return {
        "type": "objectgroup",
        "id": len(chart.cells) + 1,
        "name": OBJECTS_LAYER,
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        "draworder": "topdown",
        "properties": make_properties({MARK_PROPERTY: OBJECTS_LAYER}),
        "objects": found,
    }


def locate_cells(
    chart: Chart, sheet: TileSheet, axis: str, cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """int64 [cell]: the layers, and float64 [cell, (x, y)]: the middles in pixels, as drawn by Tiled."""
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


class SharedTiles(NamedTuple):
    """A tile set of Tiled for several maps: its file, and its sheet."""

    path: Path
    sheet: TileSheet
    digest: str  # of the rules


def write_tiled_tiles(
    solution: Map, path: str | os.PathLike[str], tile_size: int | None = None, unused: bool | None = None
) -> SharedTiles:
    """Write a tile set (.tsx or .tsj) and its picture for several maps whose tiles all occur in this one.

    The options are those of `solution.save` for maps of Tiled.
    """
    check_map(solution)
    check_path("path", path)
    path = Path(path)
    check_name(path)
    sheet = draw_tile_sheet(solution, tile_size, unused)
    write_files_atomically(encode_tileset(solution.problem, sheet, path, path.with_suffix(".png")))
    return SharedTiles(path, sheet, solution.problem.rules.digest)


def encode_tileset(problem: Problem, sheet: TileSheet, tileset: Path, picture: Path) -> dict[Path, bytes]:
    """The files of a tile set, the picture first."""
    fields = make_tileset(problem, sheet, picture.name)
    png = encode_png(sheet.pixels)
    return {picture: png, tileset: encode_document(fields, tileset)}


def check_shared_tiles(solution: Map, tiles: SharedTiles) -> None:
    """Raise unless shared tiles have the map's rules and all of its patterns."""
    if tiles.digest != solution.problem.rules.digest:
        raise ConfigError(f"the tile set {str(tiles.path)!r} was written for other rules than the map has")
    missing = np.setdiff1d(solution.patterns[solution.patterns >= 0], tiles.sheet.patterns)
    if missing.size:
        name = solution.problem.rules.names[int(missing[0])]
        raise ConfigError(f"the tile set {str(tiles.path)!r} lacks {name!r}; write it with unused=True")


def make_tileset(problem: Problem, sheet: TileSheet, picture: str) -> Fields:
    """The fields of the tile set."""
    rules = problem.rules
    check_names(rules.names)
    tiles = [
        {
            "id": number,
            "type": rules.tiles[rules.tile_of[pattern]],
            "probability": float(rules.weights[pattern]),
            "properties": make_properties({"pattern": rules.names[pattern]}),
        }
        for number, pattern in enumerate(sheet.patterns)
    ]
    return {
        "type": "tileset",
        **VERSIONS,
        "name": find_tileset_name(problem) or "tiles",  # Tiled requires a name
        "tilewidth": sheet.width,
        "tileheight": sheet.height,
        "tilecount": len(sheet.patterns),
        "columns": sheet.columns,
        "margin": 0,
        "spacing": 0,
        "image": picture,
        "imagewidth": sheet.pixels.shape[1],
        "imageheight": sheet.pixels.shape[0],
        "tiles": tiles,
    }


def encode_tiled_map(
    written: WrittenMap, infinite: bool | None = None, tiles: SharedTiles | None = None
) -> dict[Path, bytes]:
    """The files of a map: the sheet, the tile set and the map. Objects are points in a separate layer.

    infinite : whether the map has no borders and lies at its position in the world; by default, only parts of
        worlds do
    tiles : a tile set from `write_tiled_tiles`, to which the map refers in place of its own
    """
    solution, path = written.solution, written.path
    origin = choose_origin(written.origin, solution.problem, infinite)
    chart = make_map_chart(solution.problem, path, origin)
    tileset, picture = list_tiled_companions(path)
    data: dict[Path, bytes] = {}
    if tiles is None:
        sheet, source = draw_tile_sheet(solution, written.tile_size, written.unused), tileset.name
        data |= encode_tileset(solution.problem, sheet, tileset, picture)
    else:
        check_shared_tiles(solution, tiles)
        sheet, source = tiles.sheet, Path(os.path.relpath(tiles.path, path.parent)).as_posix()
    check_reach(chart, sheet.width, sheet.height)
    points = make_object_layer(
        solution, chart, sheet, written.placements, find_stagger_axis(solution.problem.topology)
    )
    fields = make_map(solution, chart, sheet, source, origin is not None, points)
    data[path] = encode_document(fields, path)
    if max(map(len, data.values())) > MOST_BYTES:
        raise ConfigError(f"cannot write {str(path)!r}: the map is too large to be read back from Tiled")
    return data


def list_tiled_companions(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """The files written beside a map: its tile set, and the sheet of the tile set."""
    path = Path(path)
    ending = ".tsj" if path.name.lower().endswith(".tmj") else ".tsx"
    return path.with_name(f"{path.stem}-tiles{ending}"), path.with_name(f"{path.stem}-tiles.png")


# --- checks ---------------------------------------------------------------------------------------


def check_tiled_map(
    problem: Problem, path: str | os.PathLike[str], origin: Origin | None = None, **options: Any
) -> None:
    """Raise before solving if the map could not be written."""
    chart = make_map_chart(problem, Path(path), origin)
    check_reach(chart, *check_sheet(problem, options.get("tile_size")))


def choose_origin(origin: Origin | None, problem: Problem, infinite: bool | None) -> Origin | None:
    """The position of the first cell of an infinite map; None for a finite map."""
    if not isinstance(infinite, bool | None):
        raise ConfigError(f"infinite must be True or False, not {infinite!r}")
    if infinite is None:
        return origin
    return (origin or (0,) * len(problem.topology.shape or ())) if infinite else None


def make_map_chart(problem: Problem, path: Path, origin: Origin | None = None) -> Chart:
    """The positions of cells in Tiled; raises `ConfigError` if Tiled does not support the topology."""
    check_name(path)
    chart = make_chart(problem.topology, origin)
    if chart.cells[0].size > MOST_CELLS:
        raise ConfigError(f"a map for Tiled has at most {MOST_CELLS:,} cells in a layer")
    return chart


def check_reach(chart: Chart, width: int, height: int) -> None:
    """Raise if an infinite map is outside Tiled's range of pixels for tiles of this size."""
    column, row = chart.corner
    across = max(abs(column), abs(column + chart.width)) + CHUNK_SIZE
    down = max(abs(row), abs(row + chart.height)) + CHUNK_SIZE
    if max(across * width, down * height) > LARGEST_NUMBER:
        raise ConfigError(
            f"column {column:,}, row {row:,} is out of Tiled's range, which counts pixels with 32 bits",
            advice="save the map as .json or .npz, or with infinite=False",
            flag_advice="save the map as .json or .npz, or each chunk with --export",
        )


# --- content of the files, as in JSON -------------------------------------------------------------


def make_map(
    solution: Map, chart: Chart, sheet: TileSheet, tileset: str, infinite: bool, objects: Fields | None
) -> Fields:
    """The fields of the map; objects : its object layer, or None."""
    topology = solution.problem.topology
    hexagonal = {
        "hexsidelength": sheet.side,
        "staggeraxis": find_stagger_axis(topology),
        "staggerindex": chart.stagger,
    }
    return {
        "type": "map",
        **VERSIONS,
        "orientation": "hexagonal" if chart.stagger else "orthogonal",
        "renderorder": "right-down",
        "width": chart.width,
        "height": chart.height,
        "tilewidth": sheet.width,
        "tileheight": sheet.height,
        "infinite": infinite,
        **(hexagonal if chart.stagger else {}),
        "nextlayerid": len(chart.cells) + 1 + (objects is not None),
        "nextobjectid": 1 if objects is None else 1 + len(objects["objects"]),
        "properties": make_properties(make_map_properties(solution, chart, infinite)),
        "tilesets": [{"firstgid": 1, "source": tileset}],
        "layers": [*make_layers(solution, chart, sheet, infinite), *([] if objects is None else [objects])],
    }


def make_map_properties(solution: Map, chart: Chart, infinite: bool) -> dict[str, str]:
    """The header of the map as text, because seeds have more bits than numbers in Tiled."""
    header = make_header(solution)
    origin = getattr(solution, "origin", None)
    first = list(chart.origin)
    if infinite:  # columns and rows are those of the world; only the first position is stored
        first = find_array_origin_in_world(solution.problem.topology, origin) or first
    elif origin is not None:
        first = [own + offset for own, offset in zip(first, origin, strict=True)]
    return {
        "content_version": str(header["content_version"]),
        "digest": header["tileset"]["digest"],
        "origin": to_json(first),
        "seed": "" if header["seed"] is None else str(header["seed"]),
        "tileset": header["tileset"]["name"],
        "topology": to_json(header["topology"]),
        "wavefold": header["wavefold"],
        **({} if origin is None else {"world": "true"}),
    }


def make_layers(solution: Map, chart: Chart, sheet: TileSheet, infinite: bool) -> Iterator[Fields]:
    """The tile layers: tile numbers from 1; 0 for missing and undecided cells."""
    tile = np.zeros(len(solution.problem.rules) + 1, np.int64)
    tile[sheet.patterns] = np.arange(1, len(sheet.patterns) + 1)
    tiles = tile[np.append(solution.patterns, -1)]
    stacked = len(solution.problem.topology.shape or ()) == 3
    for number, cells in enumerate(chart.cells):
        layer: Fields = {
            "type": "tilelayer",
            "id": number + 1,
            "name": f"{LAYER_NAME} {number}" if stacked else LAYER_NAME,
            "x": 0,
            "y": 0,
            "width": chart.width,
            "height": chart.height,
            "opacity": 1,
            "visible": True,
        }
        if stacked:
            layer["properties"] = make_properties({LAYER_PROPERTY: str(number)})
        if infinite:
            yield layer | split_chunks(tiles[cells], chart.corner)
        else:
            yield layer | {"data": tiles[cells].ravel().tolist()}


def split_chunks(tiles: NDArray[np.int64], corner: tuple[int, int]) -> Fields:
    """The cells of an infinite layer, in chunks like those of Tiled; empty chunks are left out."""
    left, top = (each - each % CHUNK_SIZE for each in corner)
    after = [-(far % CHUNK_SIZE) % CHUNK_SIZE for far in (corner[1] + len(tiles), corner[0] + tiles.shape[1])]
    whole = np.pad(tiles, ((corner[1] - top, after[0]), (corner[0] - left, after[1])))
    chunks = [
        {
            "x": left + x,
            "y": top + y,
            "width": CHUNK_SIZE,
            "height": CHUNK_SIZE,
            "data": whole[y : y + CHUNK_SIZE, x : x + CHUNK_SIZE].ravel().tolist(),
        }
        for y in range(0, len(whole), CHUNK_SIZE)
        for x in range(0, whole.shape[1], CHUNK_SIZE)
        if whole[y : y + CHUNK_SIZE, x : x + CHUNK_SIZE].any()
    ]
    height, width = whole.shape
    return {"startx": left, "starty": top, "width": width, "height": height, "chunks": chunks}
