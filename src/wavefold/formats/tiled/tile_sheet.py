"""Patterns as tiles of Tiled, drawn as they appear side by side on one sheet; and the tile set of a sheet."""

from __future__ import annotations

import os
from math import isqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavefold.common.files import write_files_atomically
from wavefold.common.values import parse_size as whole
from wavefold.errors import ConfigError
from wavefold.formats.header import check_names, tileset_name
from wavefold.formats.sheet import LARGEST_CELL, MOST_PIXELS, arrange, encode_png
from wavefold.formats.tiled.document import VERSIONS, Fields, encode_document, properties
from wavefold.render.hexes import HexCanvas, HexRaster
from wavefold.render.squares import SquareCanvas
from wavefold.render.tile_pictures import Pixels, square_picture
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.topology import HexGrid

MOST_UNASKED = 1024  # patterns: of larger sets only those that occur in the map are drawn, unless asked for


class TileSheet(NamedTuple):
    """The tiles of a map."""

    patterns: list[int]  # in the order of the tiles
    width: int  # of a tile, in pixels
    height: int
    columns: int
    side: int  # of a hexagon, in pixels; 0 on squares
    pixels: Pixels  # [row, column, RGBA] of the whole sheet


def draw_tile_sheet(solution: Map, tile_size: int | None = None, unused: bool | None = None) -> TileSheet:
    """Draw the tile sheet of a map. unused: include patterns that do not occur in it."""
    problem = solution.problem
    if not isinstance(unused, bool | None):
        raise ConfigError(f"unused must be True or False, not {unused!r}")
    if unused is None:
        unused = len(problem.rules) <= MOST_UNASKED
    patterns = list(range(len(problem.rules)))
    if not unused:
        patterns = np.unique(solution.patterns[solution.patterns >= 0]).tolist() or patterns[:1]
    comb, width, height = measure_tile(problem, tile_size)
    side = 0 if comb is None else 2 * comb.step - (width if comb.flat else height)
    check_size(width, height, len(patterns))
    if comb is not None:
        pictures = [np.asarray(comb.stamp(comb.pattern_picture(problem, pattern))) for pattern in patterns]
    else:
        pictures = [square_picture(problem, pattern, width) for pattern in patterns]
    columns = min(len(patterns), isqrt(len(patterns) * height // width) + 1)
    return TileSheet(patterns, width, height, columns, side, arrange(pictures, columns))


def measure_tile(problem: Problem, tile_size: int | None) -> tuple[HexRaster | None, int, int]:
    """How hexagons lie, if there are any; and how wide and high a tile is, in pixels."""
    asked = None if tile_size is None else whole("tile_size", tile_size)
    if isinstance(problem.topology, HexGrid):
        comb = even_raster(asked or HexCanvas.natural_size(problem), problem.topology.layout)
        return comb, *comb.stamp_size
    size = asked or SquareCanvas.natural_size(problem)
    return None, size, size


def check_sheet(problem: Problem, tile_size: int | None = None) -> tuple[int, int]:
    """How wide and high a tile is. Raise, before a map is made, if the sheet of a whole set would be too
    large; of the rest it is known only when the map is."""
    _, width, height = measure_tile(problem, tile_size)
    check_size(width, height, len(problem.rules) if len(problem.rules) <= MOST_UNASKED else 1)
    return width, height


def even_raster(width: int, layout: str) -> HexRaster:
    """Hexagons about as wide as this. Tiled rounds odd sizes of hexagons down, which would leave gaps."""
    comb = HexRaster.of(width, layout)
    return HexRaster(comb.across + comb.across % 2, comb.step, comb.flat)


def check_size(width: int, height: int, count: int) -> None:
    """Raise before a sheet is drawn that could not be read again."""
    if max(width, height) > LARGEST_CELL or width * height * count > MOST_PIXELS // 2:
        raise ConfigError(
            f"{count:,} tiles of {width} x {height} pixels make too large a sheet; give a smaller tile_size, "
            "or unused=False for only the tiles used in the map"
        )


# --- tile sets --------------------------------------------------------------------------------------


class SharedTiles(NamedTuple):
    """A tile set of Tiled that several maps name: its file, and the tiles on its sheet."""

    path: Path
    sheet: TileSheet
    digest: str  # of the rules


def write_tiled_tiles(
    solution: Map, path: str | os.PathLike[str], tile_size: int | None = None, unused: bool | None = None
) -> SharedTiles:
    """Write a tile set (.tsx or .tsj) and its picture for several maps, all of whose tiles are in this one.

    The options are those of `write_tiled_map`.
    """
    path = Path(path)
    check_name(path)
    sheet = draw_tile_sheet(solution, tile_size, unused)
    write_files_atomically(tileset_files(solution.problem, sheet, path, path.with_suffix(".png")))
    return SharedTiles(path, sheet, solution.problem.rules.digest)


def tileset_files(problem: Problem, sheet: TileSheet, tileset: Path, picture: Path) -> dict[Path, bytes]:
    """The files of a tile set, the picture first."""
    fields = tileset_fields(problem, sheet, picture.name)
    png = encode_png(sheet.pixels, optimize=sheet.pixels.size < 1 << 23)  # takes seconds for larger ones
    return {picture: png, tileset: encode_document(fields, tileset)}


def check_name(path: Path) -> None:
    """Raise for a name by which on some machine the map could not name the files beside it."""
    if set(path.name) & set(":\\"):
        raise ConfigError(f"choose a name without ':' and '\\' for the map, not {path.name!r}")


def check_shared_tiles(solution: Map, tiles: SharedTiles) -> None:
    """Raise unless shared tiles are those of the map and have all of its patterns."""
    if tiles.digest != solution.problem.rules.digest:
        raise ConfigError(f"the tile set {str(tiles.path)!r} has the tiles of other rules than the map")
    missing = np.setdiff1d(solution.patterns[solution.patterns >= 0], tiles.sheet.patterns)
    if missing.size:
        name = solution.problem.rules.names[int(missing[0])]
        raise ConfigError(
            f"the tile set {str(tiles.path)!r} does not have {name!r}; write it with unused=True"
        )


def tileset_fields(problem: Problem, sheet: TileSheet, picture: str) -> Fields:
    """The tile set."""
    rules = problem.rules
    check_names(rules.names)
    tiles = [
        {
            "id": number,
            "type": rules.tiles[rules.tile_of[pattern]],
            "probability": float(rules.weights[pattern]),
            "properties": properties({"pattern": rules.names[pattern]}),
        }
        for number, pattern in enumerate(sheet.patterns)
    ]
    return {
        "type": "tileset",
        **VERSIONS,
        "name": tileset_name(problem) or "tiles",  # Tiled wants a tile set to have one
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
