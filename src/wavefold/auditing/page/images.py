"""Pictures of maps and patterns on the page of an audit."""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.render.html import Markup, image_element
from wavefold.solver import Problem, Solution, Statistics
from wavefold.tiles import TileSet
from wavefold.topology import Topology, lattice_class, single_cell

MOST_ACROSS = 900  # pixels of a picture: wider ones are drawn smaller


def draw_patterns(tiles: TileSet, grid: Topology, patterns: NDArray[np.int64]) -> Image.Image:
    """Draw a map of these patterns, one per cell, at the size of its tiles unless that is too large."""
    solution = Solution(Problem(tiles, grid), patterns, Statistics())
    columns = max(grid.shape or (1,))
    most = max(1, MOST_ACROSS // columns)  # pixels across a cell
    if columns == 1 or draw_pattern(tiles, int(patterns[0])).width <= most:
        return solution.image()  # type: ignore[no-any-return]
    return solution.image(tile_size=most)  # type: ignore[no-any-return]


def draw_pattern(tiles: TileSet, pattern: int) -> Image.Image:
    """Draw one pattern as it appears in a map."""
    return draw_patterns(tiles, single_cell(tiles.topology), np.array([pattern], np.int64))


def pattern_element(tiles: TileSet, pattern: int, width: int = 40) -> Markup:
    """The picture of a pattern as an <img>."""
    return image_element(draw_pattern(tiles, pattern), tiles.rules.names[pattern], width)


def draw_repeated(tiles: TileSet, base: NDArray[np.int64]) -> Image.Image:
    """Draw a base [row, column] or [layer, row, column] repeated, at least twice along each axis."""
    grid_class = lattice_class(tiles.topology)
    spans = base.shape[::-1]
    least = grid_class.sizes.repeated
    grid = grid_class.of_size(
        *(span * max(2, ceil(wanted / span)) for span, wanted in zip(spans, least, strict=True))
    )
    inside = np.array(grid.coordinates) % np.array(spans)  # columns first
    return draw_patterns(tiles, grid, base[tuple(inside.T[::-1])])
