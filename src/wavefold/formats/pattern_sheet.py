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

LEARNED_SIZE = 16  # pixels across a tile that is a single pixel, as of learned sets: nobody could click on it
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
    patterns = choose_patterns(solution, unused)
    comb, width, height = measure_tile(problem, tile_size)
    side = 0 if comb is None else 2 * comb.step - (width if comb.flat else height)
    check_size(width, height, len(patterns))
    columns = choose_columns(len(patterns), width, height)
    pixels = arrange(draw_patterns(problem, patterns, comb, width), columns)
    return TileSheet(patterns, width, height, columns, side, pixels)


def choose_patterns(solution: Map, unused: bool | None = None) -> list[int]:
    """The patterns to draw: every one, or those of the map; of up to 1,024 every one, if `unused` is None."""
    if not isinstance(unused, bool | None):
        raise ConfigError(f"unused must be True or False, not {unused!r}")
    every = list(range(len(solution.problem.rules)))
    if unused or (unused is None and len(every) <= MOST_UNASKED):
        return every
    return np.unique(solution.patterns[solution.patterns >= 0]).tolist() or every[:1]


def choose_columns(count: int, width: int, height: int) -> int:
    """How many of these tiles are side by side so that the sheet is about as wide as high."""
    return min(count, isqrt(count * height // width) + 1)


def draw_patterns(problem: Problem, patterns: list[int], comb: HexRaster | None, width: int) -> list[Pixels]:
    """The picture of each pattern: a hexagon of this raster, or a square of this width."""
    if comb is None:
        return [square_picture(problem, pattern, width) for pattern in patterns]
    return [np.asarray(comb.stamp(comb.pattern_picture(problem, pattern))) for pattern in patterns]


def measure_tile(problem: Problem, tile_size: int | None) -> tuple[HexRaster | None, int, int]:
    """How hexagons lie, if there are any; and how wide and high a tile is, in pixels."""
    asked = None if tile_size is None else whole("tile_size", tile_size)
    if isinstance(problem.topology, HexGrid):
        comb = even_raster(asked or HexCanvas.natural_size(problem), problem.topology.layout)
        return comb, *comb.stamp_size
    size = asked or choose_tile_size(problem)
    return None, size, size


def choose_tile_size(problem: Problem) -> int:
    """Pixels across a square tile if no size is asked for: as in its picture, unless that is one pixel."""
    size = SquareCanvas.natural_size(problem)
    return LEARNED_SIZE if size == 1 else size


def check_sheet(problem: Problem, tile_size: int | None = None) -> tuple[int, int]:
    """How wide and high a tile is. Raises, before a map is made, if the sheet would be too large."""
    _, width, height = measure_tile(problem, tile_size)
    check_whole_set(problem, width, height)
    return width, height


def check_whole_set(problem: Problem, width: int, height: int) -> None:
    """Raise if tiles of this size make too large a sheet. If not all patterns are drawn, that is known only
    when the map is."""
    check_size(width, height, len(problem.rules) if len(problem.rules) <= MOST_UNASKED else 1)


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
