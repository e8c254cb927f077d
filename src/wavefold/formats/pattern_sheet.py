"""Patterns as tiles of an editor or engine, drawn side by side on one sheet."""

from __future__ import annotations

from math import isqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavefold.errors import ConfigError
from wavefold.formats.sheet import LARGEST_CELL, MOST_PIXELS, arrange
from wavefold.options.values import parse_size as whole
from wavefold.render.hexes import HexCanvas, HexRaster
from wavefold.render.squares import SquareCanvas
from wavefold.render.tile_pictures import Pixels, draw_square_picture
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.topology import HexGrid

LEARNED_SIZE = 16  # pixels across a tile drawn from a single pixel, in learned sets: large enough to click
MOST_UNASKED = 1024  # patterns: by default, larger sets are drawn with the patterns of the map only


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
    """The patterns to draw: all, or those of the map; by default all of up to 1,024."""
    if not isinstance(unused, bool | None):
        raise ConfigError(f"unused must be True or False, not {unused!r}")
    every = list(range(len(solution.problem.rules)))
    if unused or (unused is None and len(every) <= MOST_UNASKED):
        return every
    return np.unique(solution.patterns[solution.patterns >= 0]).tolist() or every[:1]


def choose_columns(count: int, width: int, height: int) -> int:
    """The number of columns that makes the sheet about as wide as high."""
    return min(count, isqrt(count * height // width) + 1)


def draw_patterns(problem: Problem, patterns: list[int], comb: HexRaster | None, width: int) -> list[Pixels]:
    """The picture of each pattern: a hexagon of this raster, or a square of this width."""
    if comb is None:
        return [draw_square_picture(problem, pattern, width) for pattern in patterns]
    return [np.asarray(comb.stamp(comb.pattern_picture(problem, pattern))) for pattern in patterns]


def measure_tile(problem: Problem, tile_size: int | None) -> tuple[HexRaster | None, int, int]:
    """The raster of hexagons, if there are any, and the width and height of a tile in pixels."""
    asked = None if tile_size is None else whole("tile_size", tile_size)
    if isinstance(problem.topology, HexGrid):
        comb = round_raster_to_even(asked or HexCanvas.natural_size(problem), problem.topology.layout)
        return comb, *comb.stamp_size
    size = asked or choose_tile_size(problem)
    return None, size, size


def choose_tile_size(problem: Problem) -> int:
    """The default width of a square tile: that of its picture, unless it is one pixel."""
    size = SquareCanvas.natural_size(problem)
    return LEARNED_SIZE if size == 1 else size


def check_sheet(problem: Problem, tile_size: int | None = None) -> tuple[int, int]:
    """The width and height of a tile. Raises, before a map is made, if the sheet would be too large."""
    _, width, height = measure_tile(problem, tile_size)
    check_whole_set(problem, width, height)
    return width, height


def check_whole_set(problem: Problem, width: int, height: int) -> None:
    """Raise if a sheet of all patterns at this size would be too large. A sheet of the map's patterns only is
    checked once the map is known."""
    check_size(width, height, len(problem.rules) if len(problem.rules) <= MOST_UNASKED else 1)


def round_raster_to_even(width: int, layout: str) -> HexRaster:
    """Hexagons about as wide as this. Tiled rounds odd sizes of hexagons down, which would leave gaps."""
    comb = HexRaster.of(width, layout)
    return HexRaster(comb.across + comb.across % 2, comb.step, comb.flat)


def check_size(width: int, height: int, count: int) -> None:
    """Raise if the sheet would be too large to be read again."""
    if max(width, height) > LARGEST_CELL or width * height * count > MOST_PIXELS // 2:
        raise ConfigError(
            f"{count:,} tiles of {width} x {height} pixels make too large a sheet",
            advice="give a smaller tile_size, or unused=False for only the tiles used in the map",
            flag_advice="give a smaller --tile-size",
        )


def check_name(path: Path) -> None:
    """Raise for a name with which the map could not name its companions on every system."""
    if set(path.name) & set(":\\"):
        raise ConfigError(f"choose a name without ':' and '\\' for the map, not {path.name!r}")
