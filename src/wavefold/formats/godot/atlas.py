"""The atlas of a map for Godot: each tile is drawn once, and exact flips of it are not drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from wavefold.formats.pattern_sheet import (
    check_size,
    check_whole_set,
    choose_columns,
    choose_patterns,
    draw_patterns,
    measure_tile,
)
from wavefold.formats.sheet import arrange
from wavefold.render.hexes import HexRaster
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.tiles import Orientation, Pixels, TileSet, get_ring
from wavefold.topology import HexGrid

# Bits of the alternative of a cell. Godot swaps x and y first, then flips left to right and top to bottom.
FLIP_H, FLIP_V, TRANSPOSE = 0x1000, 0x2000, 0x4000
SQUARE_STEPS = (
    (TRANSPOSE, Orientation(3, True)),
    (FLIP_H, Orientation(0, True)),
    (FLIP_V, Orientation(2, True)),
)
# Flips cannot turn hexagons. Our mirror image exchanges the first direction and the last: left and right, if
# hexagons are pointy.
HEX_STEPS = {
    "pointy": ((FLIP_H, Orientation(0, True)), (FLIP_V, Orientation(3, True))),
    "flat": ((FLIP_H, Orientation(5, True)), (FLIP_V, Orientation(2, True))),
}


class Place(NamedTuple):
    """The place of a pattern in the atlas: the number of its tile, and its flip flags."""

    tile: int
    flags: int


class Atlas(NamedTuple):
    """The tiles of a map."""

    drawn: list[int]  # [tile] the pattern that is drawn there
    places: dict[int, Place]  # by pattern
    width: int  # of a tile, in pixels
    height: int
    columns: int
    pixels: Pixels  # [row, column, RGBA] of the whole atlas

    def position(self, tile: int) -> tuple[int, int]:
        """The column and row of a tile."""
        return tile % self.columns, tile // self.columns


def draw_atlas(solution: Map, tile_size: int | None = None, unused: bool | None = None) -> Atlas:
    """Draw the atlas of a map; `unused` includes patterns that do not occur in it."""
    problem = solution.problem
    patterns = choose_patterns(solution, unused)
    comb, width, height = measure_atlas_tile(problem, tile_size)
    check_size(width, height, len(patterns))
    pictures = dict(zip(patterns, draw_patterns(problem, patterns, comb, width), strict=True))
    drawn, places = share_tiles(problem, pictures)
    columns = choose_columns(len(drawn), width, height)
    pixels = arrange([pictures[pattern] for pattern in drawn], columns)
    return Atlas(drawn, places, width, height, columns, pixels)


def measure_atlas_tile(problem: Problem, tile_size: int | None) -> tuple[HexRaster | None, int, int]:
    """The raster of hexagons, if there are any, and the width and height of a tile in pixels."""
    return measure_tile(problem, tile_size, round_raster_to_quarters)


def round_raster_to_quarters(width: int, layout: str) -> HexRaster:
    """Hexagons about as wide as this, in whole pixels the way Godot lays them.

    From row to row it goes down three quarters of a tile's height, so that is a multiple of 4; every other
    row is shifted by half a width, so that is even. In flat-top hexagons it is the width that is a multiple.
    """
    flat = layout == "flat"
    quarter = max(1, round(width / 4 if flat else width / (2 * sqrt(3))))
    across = round(2 * sqrt(3) * quarter) if flat else width
    return HexRaster(across + across % 2, 3 * quarter, flat)


def check_atlas(problem: Problem, tile_size: int | None = None) -> None:
    """Raise before solving if the atlas would be too large."""
    _, width, height = measure_atlas_tile(problem, tile_size)
    check_whole_set(problem, width, height)


# --- patterns that are flips of each other --------------------------------------------------------


def share_tiles(problem: Problem, pictures: dict[int, Pixels]) -> tuple[list[int], dict[int, Place]]:
    """The patterns that need their own tile, and the place of every pattern."""
    orientations = map_orientations_to_flags(problem)
    drawn: list[int] = []
    places: dict[int, Place] = {}
    alike: dict[object, list[int]] = {}  # tiles of the atlas, by the traits that a flip does not change
    for pattern, picture in pictures.items():
        known = alike.setdefault(find_unflipped_traits(problem, pattern), [])
        for tile in known:
            flags = orientations.get(find_turn_between(problem, drawn[tile], pattern))
            if flags is not None and np.array_equal(flip_picture(pictures[drawn[tile]], flags), picture):
                places[pattern] = Place(tile, flags)
                break
        else:
            known.append(len(drawn))
            places[pattern] = Place(len(drawn), 0)
            drawn.append(pattern)
    return drawn, places


def map_orientations_to_flags(problem: Problem) -> dict[Orientation, int]:
    """{orientation: flags}, for the orientations that Godot can draw."""
    topology = problem.topology
    steps = HEX_STEPS[topology.layout] if isinstance(topology, HexGrid) else SQUARE_STEPS
    sides = get_ring(topology.kind).sides
    found: dict[Orientation, int] = {Orientation(): 0}
    for flag, step in steps:
        found |= {step.after(orientation, sides): flags | flag for orientation, flags in found.items()}
    return found


def find_unflipped_traits(problem: Problem, pattern: int) -> object:
    """The traits that two patterns share if one may be a flip of the other. Bare rules share none."""
    tiles = problem.tiles
    if not isinstance(tiles, TileSet):
        return pattern
    this = tiles.patterns[pattern]
    return this.tile.name, this.level, list_groups(problem, pattern)


def list_groups(problem: Problem, pattern: int) -> tuple[str, ...]:
    """The groups of tiles that contain a pattern."""
    return tuple(group for group, patterns in problem.rules.groups.items() if pattern in patterns)


def find_turn_between(problem: Problem, first: int, second: int) -> Orientation:
    """The turn from one pattern of a tile to another."""
    tiles = problem.tiles
    assert isinstance(tiles, TileSet)
    sides = get_ring(tiles.topology).sides
    before, after = tiles.patterns[first].orientation, tiles.patterns[second].orientation
    back = (
        before if before.mirrored else Orientation(-before.turn % sides)
    )  # a mirror image is its own inverse
    return after.after(back, sides)


def flip_picture(picture: Pixels, flags: int) -> Pixels:
    """The picture as Godot draws it with these flags."""
    if flags & TRANSPOSE:
        picture = picture.swapaxes(0, 1)
    return picture[:: -1 if flags & FLIP_V else 1, :: -1 if flags & FLIP_H else 1]


def list_atlas_cells(
    atlas: Atlas, patterns: Sequence[int]
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """int64 [pattern, (column, row, flags)]: the places of these patterns in the atlas."""
    rows = [(*atlas.position(atlas.places[each].tile), atlas.places[each].flags) for each in patterns]
    return np.array(rows, np.int64).reshape(-1, 3)
