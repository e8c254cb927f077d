"""Drawing a map, finished or not, on any topology."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.render.hexes import draw_hexes, natural_width
from wavefold.render.isometric import draw_blocks, natural_block
from wavefold.render.limits import IMPOSSIBLE, MOST_PIXELS, Map, cell_colours, check_pixels
from wavefold.render.pictures import FLAT_SIZE, drawings_by_size, pattern_pictures
from wavefold.solver.problem import Problem
from wavefold.topology import CubeGrid, HexGrid, Topology
from wavefold.topology.values import size as whole

__all__ = ["IMPOSSIBLE", "MOST_PIXELS", "Map", "draw"]

SMOOTHING = 3  # slanted edges are drawn this much larger, then averaged


def draw(solution: Map, scale: int = 1, tile_size: int | None = None, layers: bool = False) -> Image.Image:
    """The map as an RGBA image; where there is no cell it is transparent.

    `tile_size` is how many pixels a cell is across: as many as the tiles' pictures, if not given.
    `scale` repeats every pixel. An undecided cell shows the mean colour of what it may still be.
    Cubes are seen from the southeast and above; `layers=True` shows each layer from above, side by side.
    """
    problem = solution.problem
    topology = problem.topology
    if not isinstance(layers, bool):
        raise ConfigError(f"layers must be True or False, not {layers!r}")
    size = None if tile_size is None else whole("tile_size", tile_size)
    scale = whole("scale", scale)
    if isinstance(topology, HexGrid):
        image = draw_hexes(solution, size or natural_width(problem), scale)
    elif isinstance(topology, CubeGrid) and not layers:
        image = draw_blocks(solution, size or natural_block(problem), scale)
    elif topology.kind in ("square", "cube"):
        image = draw_tiles(solution, size or natural_size(problem), scale)
    else:
        image = draw_outlines(solution, size or FLAT_SIZE, scale)
    if scale == 1:
        return image
    return image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)


def natural_size(problem: Problem) -> int:
    """Pixels across a square cell at which nothing is lost: the side of the largest picture."""
    sides = (max(drawing.pixels.shape[-3:-1]) for drawing in drawings_by_size(problem))
    return max(sides, default=FLAT_SIZE)


def draw_tiles(solution: Map, size: int, scale: int) -> Image.Image:
    """Pictures side by side."""
    sheet = sheet_of(solution.problem.topology)
    rows, columns = sheet.shape
    check_pixels(columns * size * scale, rows * size * scale, size)
    used = np.unique(solution.patterns)
    used = used[used >= 0]
    # One picture more, the last: number -1 is a place without a cell, or one not decided yet.
    pictures = np.zeros((len(used) + 1, size, size, 4), np.uint8)
    pictures[:-1] = pattern_pictures(solution.problem, size, used.tolist())
    place = np.full(len(solution.problem.rules) + 1, len(used))
    place[used] = np.arange(len(used))
    patterns = np.append(solution.patterns, -1)[sheet]
    image = np.empty((rows, size, columns, size, 4), np.uint8)
    for row in range(rows):
        image[row] = pictures[place[patterns[row]]].swapaxes(0, 1)
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
