"""Patterns as tiles of an editor or engine, drawn as they appear side by side on one sheet."""

from __future__ import annotations

from math import isqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavefold.common.values import parse_size as whole
from wavefold.errors import ConfigError
from wavefold.formats.sheet import LARGEST_CELL, MOST_PIXELS, arrange
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


def check_name(path: Path) -> None:
    """Raise for a name by which on some machine the map could not name the files beside it."""
    if set(path.name) & set(":\\"):
        raise ConfigError(f"choose a name without ':' and '\\' for the map, not {path.name!r}")
