"""Drawing a map, finished or not, on any topology."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.render.pictures import flat_colours, natural_size, pattern_pictures
from wavefold.solver.solution import Partial, Solution
from wavefold.topology import Topology
from wavefold.topology.values import size as whole

__all__ = ["MOST_PIXELS", "draw"]

Map: TypeAlias = Solution | Partial

MOST_PIXELS = 1 << 26  # 8192 x 8192: 256 MB while it is being drawn
SMOOTHING = 3  # slanted edges are drawn this much larger, then averaged
IMPOSSIBLE = (255, 0, 96, 255)  # a cell that has nothing left


def draw(solution: Map, scale: int = 1, tile_size: int | None = None) -> Image.Image:
    """The map as an RGBA image; where there is no cell it is transparent.

    `tile_size` is how many pixels a cell is across: as many as the tiles' pictures, if not given.
    `scale` repeats every pixel. An undecided cell shows the mean colour of what it may still be.
    """
    problem = solution.problem
    size = natural_size(problem) if tile_size is None else whole("tile_size", tile_size)
    scale = whole("scale", scale)
    if problem.topology.kind in ("square", "cube"):
        image = draw_tiles(solution, size, scale)
    else:
        image = draw_outlines(solution, size, scale)
    return (
        image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
        if scale > 1
        else image
    )


def draw_tiles(solution: Map, size: int, scale: int) -> Image.Image:
    """Pictures side by side."""
    sheet = sheet_of(solution.problem.topology)
    rows, columns = sheet.shape
    check_pixels(columns * size * scale, rows * size * scale, size)
    pictures = pattern_pictures(solution.problem, size)
    # One picture more, the last: number -1 is a place without a cell, or one not decided yet.
    pictures = np.concatenate([pictures, np.zeros((1, size, size, 4), np.uint8)])
    patterns = np.append(solution.patterns, -1)[sheet]
    image = np.empty((rows, size, columns, size, 4), np.uint8)
    for row in range(rows):
        image[row] = pictures[patterns[row]].swapaxes(0, 1)
    row_of, column_of = np.nonzero((sheet >= 0) & (patterns < 0))
    if row_of.size:
        image[row_of, :, column_of] = cell_colours(solution)[sheet[row_of, column_of]][:, None, None]
    return Image.fromarray(image.reshape(rows * size, columns * size, 4))


def sheet_of(topology: Topology) -> NDArray[np.int64]:
    """[row, column] the number of the cell there, or -1. Layers of a cube stand side by side."""
    sheet = topology.to_array(np.arange(topology.cell_count), missing=-1)
    if sheet.ndim == 2:
        return sheet
    gap = np.full((sheet.shape[1], 1), -1)
    layers = [part for layer in sheet for part in (layer, gap)]
    return np.concatenate(layers[:-1], axis=1)


def draw_outlines(solution: Map, size: int, scale: int) -> Image.Image:
    """Each cell as its outline, filled with one colour."""
    topology = solution.problem.topology
    outlines = [np.array(topology.outline(cell)) for cell in range(topology.cell_count)]
    corners = np.concatenate(outlines)
    low = corners.min(axis=0)
    unit = size / max(float(np.ptp(outlines[0][:, 0])), 1e-9)
    width, height = np.maximum(np.ceil((corners.max(axis=0) - low) * unit), 1).astype(int).tolist()
    check_pixels(width * max(scale, SMOOTHING), height * max(scale, SMOOTHING), size)
    large = Image.new("RGBA", (width * SMOOTHING, height * SMOOTHING))
    pen = ImageDraw.Draw(large)
    for outline, colour in zip(outlines, cell_colours(solution).tolist(), strict=True):
        pen.polygon([(x, y) for x, y in ((outline - low) * unit * SMOOTHING).tolist()], fill=tuple(colour))
    return large.reduce(SMOOTHING)


def cell_colours(solution: Map) -> NDArray[np.uint8]:
    """uint8 [cell, RGBA]: one colour for each cell, decided or not."""
    colours = flat_colours(solution.problem)
    if isinstance(solution, Solution):
        return colours[solution.patterns]
    possible = solution.possible.astype(np.float32)
    left = possible.sum(axis=1, keepdims=True)
    means = possible @ colours.astype(np.float32) / np.maximum(left, 1)
    mixed: NDArray[np.uint8] = means.round().astype(np.uint8)
    mixed[left[:, 0] == 0] = IMPOSSIBLE
    return mixed


def check_pixels(width: int, height: int, size: int) -> None:
    """Raise, and say what would fit, if the picture would be too large."""
    if width * height > MOST_PIXELS:
        fitting = int(size * (MOST_PIXELS / (width * height)) ** 0.5)
        advice = f"tile_size={fitting}" if fitting else "a part of the map"
        raise ConfigError(
            f"the picture would be {width:,} x {height:,} pixels, more than {MOST_PIXELS:,} in all; "
            f"try {advice}"
        )
