"""Pictures of square grids, and of the layers of cubes, seen from above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.kernels.host.checkpoint import each_checked
from wavefold.render.canvas import Canvas
from wavefold.render.cell_looks import CellLooks, decode_colours
from wavefold.render.tile_pictures import FLAT_SIZE, Pixels, draw_square_picture, list_tile_pictures
from wavefold.solver.problem import Problem
from wavefold.topology import Topology


class SquareCanvas(Canvas):
    """A grid of square stamps. Stamps do not overlap, so whole rows are copied at once."""

    def __init__(self, problem: Problem, size: int) -> None:
        super().__init__(problem, size)
        self.sheet = sheet = lay_out_cells(problem.topology)
        self.height, self.width = sheet.shape[0] * size, sheet.shape[1] * size
        row, column = np.nonzero(sheet >= 0)
        self.positions = np.empty((problem.cell_count, 2), np.int64)
        self.positions[sheet[row, column]] = np.stack([column, row], axis=1) * size

    @staticmethod
    def find_natural_size(problem: Problem) -> int:
        """The side of the largest picture."""
        sides = (max(picture.pixels.shape[-3:-1]) for picture in list_tile_pictures(problem))
        return max(sides, default=FLAT_SIZE)

    def draw_pattern(self, pattern: int) -> Image.Image:
        return Image.fromarray(draw_square_picture(self.problem, pattern, self.size))

    def paint(self, looks: CellLooks) -> Image.Image:
        size, (rows, columns) = self.size, self.sheet.shape
        used, place = find_unique_looks(looks)
        # The last picture, at index -1, is for positions without a cell.
        pictures = np.zeros((len(used) + 1, size, size, 4), np.uint8)
        pictures[:-1] = self._pictures(used)
        places = np.append(place, len(used))[self.sheet]
        image = np.empty((rows, size, columns, size, 4), np.uint8)
        for row in each_checked(range(rows), 8):
            image[row] = pictures[places[row]].swapaxes(0, 1)
        return Image.fromarray(image.reshape(rows * size, columns * size, 4))

    def repaint(self, image: Image.Image, before: CellLooks, looks: CellLooks) -> Image.Image:
        changed = np.flatnonzero(before != looks)
        if not changed.size:
            return image
        size, (rows, columns) = self.size, self.sheet.shape
        used, place = np.unique(looks[changed], return_inverse=True)
        pixels = np.array(image).reshape(rows, size, columns, size, 4)
        column, row = (self.positions[changed] // size).T
        pixels[row, :, column] = self._pictures(used)[place.reshape(-1)]
        return Image.fromarray(pixels.reshape(rows * size, columns * size, 4))

    def _pictures(self, looks: NDArray[np.int64]) -> Pixels:
        """uint8 [look, row, column, RGBA]: the stamps of these looks."""
        pictures = np.zeros((len(looks), self.size, self.size, 4), np.uint8)
        plain = (looks < 0) & (looks >= -(1 << 32))  # colours without a number
        pictures[plain] = decode_colours(looks[plain])[:, None, None]
        for place in np.flatnonzero(~plain).tolist():
            pictures[place] = np.asarray(self.stamp(int(looks[place])))
        return pictures


def find_unique_looks(looks: CellLooks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct looks, and for each cell the index of its look."""
    if looks.min() < 0:
        used, place = np.unique(looks, return_inverse=True)
        return used, place.reshape(-1)
    used = np.flatnonzero(np.bincount(looks))  # faster than sorting many cells with few patterns
    number = np.zeros(int(used[-1]) + 1, np.int64)
    number[used] = np.arange(used.size)
    return used, number[looks]


def lay_out_cells(topology: Topology) -> NDArray[np.int64]:
    """int64 [row, column]: the number of the cell, or -1. Layers of cubes are side by side."""
    sheet = topology.to_array(np.arange(topology.cell_count), missing=-1)
    if sheet.ndim == 2:
        return sheet
    gap = np.full((sheet.shape[1], 1), -1)
    layers = [part for layer in sheet for part in (layer, gap)]
    return np.concatenate(layers[:-1], axis=1)
