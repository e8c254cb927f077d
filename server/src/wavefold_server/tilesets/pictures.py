"""Pictures of tile sets: one tile, all patterns side by side, a small map. PNG, never too large."""

from __future__ import annotations

from io import BytesIO
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from PIL import Image

from wavefold.api import generate
from wavefold.errors import ConfigError
from wavefold.formats import arrange
from wavefold.render import draw_tiles, enlarge, make_canvas
from wavefold.solver import Budget, Problem
from wavefold.storage import encode_png
from wavefold.tiles import LearnedTileSet, TileSet
from wavefold.topology import Topology, get_lattice_class, make_single_cell

MOST_ATLAS_PIXELS = 1 << 22  # smaller cells are drawn where there would be more
SEEDS = range(7, 19)
SAMPLE_ACROSS = 384  # pixels; smaller maps are shown with larger pixels
LEARNED_SIZE = 48, 32  # cells, each a pixel of the sample


class AtlasLayout(NamedTuple):
    """Where patterns are in the picture of all of them, row by row; all in pixels but for the first two."""

    columns: int
    rows: int
    width: int  # of a pattern
    height: int
    size: int  # of a cell


def draw_pattern(tiles: TileSet, pattern: int, size: int | None) -> bytes:
    """What a pattern looks like on a cell of its own."""
    canvas = make_canvas(Problem(tiles, make_single_cell(tiles.topology), own_constraints=False), size)
    stamp = canvas.stamp(pattern)
    if stamp is None:  # it is invisible, as air is
        stamp = Image.new("RGBA", canvas.stamp_size)
    content = BytesIO()
    stamp.save(content, "PNG")
    return content.getvalue()


def draw_atlas(tiles: TileSet, size: int | None) -> bytes:
    """All patterns in one picture."""
    layout = lay_out_atlas(tiles, size)
    pictures = draw_tiles(tiles, layout.size)
    return encode_png(arrange(list(pictures), layout.columns))


def lay_out_atlas(tiles: TileSet, size: int | None) -> AtlasLayout:
    """The layout with cells of this size; by default that of the tiles' pictures, or smaller for many."""
    problem, count = Problem(tiles, make_single_cell(tiles.topology), own_constraints=False), len(tiles)
    canvas = make_canvas(problem, size)
    share = MOST_ATLAS_PIXELS / (canvas.stamp_size[0] * canvas.stamp_size[1] * count)
    if share < 1:
        fitting = max(1, int(canvas.size * sqrt(share)))
        if size is not None:
            raise ConfigError(
                f"{count:,} patterns with cells of {size} pixels exceed {MOST_ATLAS_PIXELS:,} in all; "
                f"try size={fitting}"
            )
        canvas = make_canvas(problem, fitting)
    columns = ceil(sqrt(count))
    return AtlasLayout(columns, ceil(count / columns), *canvas.stamp_size, canvas.size)


def draw_sample(tiles: TileSet, seed: int | None, budget: Budget) -> bytes:
    """A small map; without a seed, the one of several that shows most patterns."""
    grid = sample_grid(tiles)
    maps = (generate(tiles, grid, each, budget=budget) for each in (SEEDS if seed is None else (seed,)))
    image = max(maps, key=lambda each: len(np.unique(each.patterns))).image()
    content = BytesIO()
    enlarge(image, max(1, SAMPLE_ACROSS // image.width)).save(content, "PNG")
    return content.getvalue()


def sample_grid(tiles: TileSet) -> Topology:
    """Large enough to see what the tiles do."""
    grid = get_lattice_class(tiles.topology)
    if isinstance(tiles, LearnedTileSet):
        return grid.of_size(*LEARNED_SIZE)
    return grid(*grid.sizes.preview)
