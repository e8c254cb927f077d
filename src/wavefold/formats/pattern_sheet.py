"""Tile sheets for editors and engines: patterns drawn side by side in one picture."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wavefold.errors import ConfigError
from wavefold.formats.sheet import LARGEST_CELL, MOST_PIXELS, arrange
from wavefold.options.values import parse_size
from wavefold.render.hexes import HexCanvas, HexRaster
from wavefold.render.object_pictures import select_placements
from wavefold.render.squares import SquareCanvas
from wavefold.render.tile_pictures import Pixels, draw_square_picture
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.storage.files import check_writable, write_files_atomically
from wavefold.tiles.objects import Placements
from wavefold.topology import HexGrid

LEARNED_TILE_SIZE = 16  # pixels across, for the single pixels of learned sets
MOST_DRAWN_BY_DEFAULT = 1024  # patterns; of larger sets, only those of the map are drawn by default


# --- writing a map with its tiles -----------------------------------------------------------------


class WrittenMap(NamedTuple):
    """A map to be encoded for an editor or engine, with the options that all of their formats share."""

    solution: Map
    path: Path
    placements: Placements | None  # the objects to write
    tile_size: int | None
    unused: bool | None

    @property
    def origin(self) -> tuple[int, ...] | None:
        """For a part of a world, the position of cell (0, 0)."""
        return getattr(self.solution, "origin", None)


def write_map_files(
    encode: Callable[..., dict[Path, bytes]],
    solution: Map,
    path: str | PathLike[str],
    tile_size: int | None = None,
    unused: bool | None = None,
    objects: bool = True,
    **options: Any,
) -> None:
    """Write a map and its companion files, all together or none.

    encode : encode(WrittenMap, **options) returns {path: content}, with the map as the last entry
    tile_size : the width of a tile in pixels
    unused : True: all patterns are in the tile set, to draw with; False: only those of the map; by default
        all, if they are at most 1,024
    objects : whether to write the objects on the tiles
    """
    placements = select_placements(solution, objects)
    path = Path(path)
    check_writable(path)
    write_files_atomically(encode(WrittenMap(solution, path, placements, tile_size, unused), **options))


# --- the sheet ------------------------------------------------------------------------------------


class TileSheet(NamedTuple):
    """The sheet with the tiles of a map."""

    patterns: list[int]  # in the order of the tiles
    width: int  # of a tile, in pixels
    height: int
    columns: int
    side: int  # length of a hexagon's side in pixels; 0 for squares
    pixels: Pixels  # [row, column, RGBA] of the whole sheet


def draw_tile_sheet(solution: Map, tile_size: int | None = None, unused: bool | None = None) -> TileSheet:
    """Draw the tile sheet of a map; `unused` includes patterns that do not occur in it."""
    problem = solution.problem
    patterns = choose_patterns(solution, unused)
    comb, width, height = measure_tile(problem, tile_size)
    side = 0 if comb is None else 2 * comb.step - (width if comb.flat else height)
    check_size(width, height, len(patterns))
    columns = choose_columns(len(patterns), width, height)
    pixels = arrange(draw_patterns(problem, patterns, comb, width), columns)
    return TileSheet(patterns, width, height, columns, side, pixels)


def choose_patterns(solution: Map, unused: bool | None = None) -> list[int]:
    """The patterns to draw: all, or only those of the map. By default all, if they are at most 1,024."""
    if not isinstance(unused, bool | None):
        raise ConfigError(f"unused must be True or False, not {unused!r}")
    every = list(range(len(solution.problem.rules)))
    if unused or (unused is None and len(every) <= MOST_DRAWN_BY_DEFAULT):
        return every
    return np.unique(solution.patterns[solution.patterns >= 0]).tolist() or every[:1]


def choose_columns(count: int, width: int, height: int) -> int:
    """The number of columns that makes the sheet about square."""
    return min(count, isqrt(count * height // width) + 1)


def draw_patterns(problem: Problem, patterns: list[int], comb: HexRaster | None, width: int) -> list[Pixels]:
    """The picture of each pattern, as a hexagon of this raster or a square of this width."""
    if comb is None:
        return [draw_square_picture(problem, pattern, width) for pattern in patterns]
    return [np.asarray(comb.stamp(comb.draw_pattern_picture(problem, pattern))) for pattern in patterns]


def measure_tile(
    problem: Problem, tile_size: int | None, round_raster: Callable[[int, str], HexRaster] | None = None
) -> tuple[HexRaster | None, int, int]:
    """The raster of hexagons, or None, and the width and height of a tile in pixels.

    round_raster : makes a raster of about this width, in this layout; by default `round_raster_to_even`
    """
    asked = None if tile_size is None else parse_size("tile_size", tile_size)
    if isinstance(problem.topology, HexGrid):
        width = asked or HexCanvas.find_natural_size(problem)
        comb = (round_raster or round_raster_to_even)(width, problem.topology.layout)
        return comb, *comb.stamp_size
    size = asked or choose_tile_size(problem)
    return None, size, size


def choose_tile_size(problem: Problem) -> int:
    """The default width of a square tile: the width of its picture, unless that is one pixel."""
    size = SquareCanvas.find_natural_size(problem)
    return LEARNED_TILE_SIZE if size == 1 else size


def check_sheet(problem: Problem, tile_size: int | None = None) -> tuple[int, int]:
    """The width and height of a tile. Raises before solving if the sheet would be too large."""
    _, width, height = measure_tile(problem, tile_size)
    check_whole_set(problem, width, height)
    return width, height


def check_whole_set(problem: Problem, width: int, height: int) -> None:
    """Raise if a sheet of all patterns would be too large.

    If only the patterns of the map are drawn, the sheet is checked after solving.
    """
    check_size(width, height, len(problem.rules) if len(problem.rules) <= MOST_DRAWN_BY_DEFAULT else 1)


def round_raster_to_even(width: int, layout: str) -> HexRaster:
    """Hexagons of about this width. Widths are even, because Tiled rounds odd ones down and leaves gaps."""
    comb = HexRaster.of(width, layout)
    return HexRaster(comb.across + comb.across % 2, comb.step, comb.flat)


def check_size(width: int, height: int, count: int) -> None:
    """Raise if the sheet would be too large to read back."""
    if max(width, height) > LARGEST_CELL or width * height * count > MOST_PIXELS // 2:
        raise ConfigError(
            f"the sheet of {count:,} tiles of {width} x {height} pixels is too large",
            advice="use a smaller tile_size, or unused=False for only the tiles of the map",
            flag_advice="use a smaller --tile-size",
        )


def check_name(path: Path) -> None:
    """Raise for a file name that is not valid on every system."""
    if set(path.name) & set(":\\"):
        raise ConfigError(f"the name of the map, {path.name!r}, must not contain ':' or '\\'")
