"""Pictures of maps and patterns for the pages of audits and comparisons."""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.auditing.maps import Grid
from wavefold.render.html import Markup, image_element
from wavefold.solver import Problem, Solution, Statistics
from wavefold.tiles import TileSet
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology

MOST_ACROSS = 900  # pixels of a picture: wider ones are drawn smaller


def draw_patterns(tiles: TileSet, grid: Topology, patterns: NDArray[np.int64]) -> Image.Image:
    """A map of these patterns, one per cell; as large as its tiles are, unless that is too large."""
    solution = Solution(Problem(tiles, grid), patterns, Statistics())
    columns = max(grid.shape or (1,))
    most = max(1, MOST_ACROSS // columns)  # pixels across a cell
    if columns == 1 or draw_patterns(tiles, single_cell(tiles), patterns[:1]).width <= most:
        return solution.image()  # type: ignore[no-any-return]
    return solution.image(tile_size=most)  # type: ignore[no-any-return]


def single_cell(tiles: TileSet) -> Grid:
    """A single cell."""
    if tiles.topology == "hex":
        return HexGrid(radius=0)
    return SquareGrid(1, 1) if tiles.topology == "square" else CubeGrid(1, 1, 1)


def pattern_image(tiles: TileSet, pattern: int) -> Image.Image:
    """One pattern, as it stands in a map."""
    return draw_patterns(tiles, single_cell(tiles), np.array([pattern], np.int64))


def pattern_picture(tiles: TileSet, pattern: int, width: int = 40) -> Markup:
    return image_element(pattern_image(tiles, pattern), tiles.rules.names[pattern], width)


def draw_repeated(tiles: TileSet, base: NDArray[np.int64], least: tuple[int, ...]) -> Image.Image:
    """A base side by side with itself, over at least so many cells; at least two of it each way."""
    spans = [size * max(2, ceil(wanted / size)) for size, wanted in zip(base.shape[::-1], least, strict=True)]
    grid: Grid
    if tiles.topology == "hex":
        grid = HexGrid.rectangle(spans[0], spans[1])
    elif tiles.topology == "square":
        grid = SquareGrid(spans[0], spans[1])
    else:
        grid = CubeGrid(spans[0], spans[1], spans[2])
    places = np.array(grid.coordinates) % np.array(base.shape[::-1])  # columns first
    return draw_patterns(tiles, grid, base[tuple(places.T[::-1])])
