"""Cubes as boxes, or as what their models are made of: only faces that something can be seen through to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.formats.mesh.solid import Solid, quads
from wavefold.render.isometric import block_picture
from wavefold.render.tile_pictures import Pixels
from wavefold.solver.problem import Problem
from wavefold.topology import CubeGrid

# For each face: the step to the voxel it looks at, as (layer, row, column), and its corners as (x, y, z) of a
# unit cube, y up and z south, counter-clockwise from outside.
FACES = (
    ((1, 0, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0))),
    ((-1, 0, 0), ((0, 0, 1), (0, 0, 0), (1, 0, 0), (1, 0, 1))),
    ((0, 1, 0), ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))),
    ((0, -1, 0), ((1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0))),
    ((0, 0, 1), ((1, 0, 1), (1, 0, 0), (1, 1, 0), (1, 1, 1))),
    ((0, 0, -1), ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0))),
)


class Blocks:
    """The solids of one map. Colours belong to corners, so there is no picture."""

    picture: Image.Image | None = None

    def __init__(self, problem: Problem, topology: CubeGrid) -> None:
        self.problem, self.topology = problem, topology

    def place(self, cell: int) -> tuple[float, float, float]:
        """Where the lowest, northwest corner of a cell is."""
        x, y, z = self.topology.coordinate(cell)
        return float(x), float(z), float(y)

    def solid(self, pattern: int) -> Solid | None:
        """A model's faces; of a picture, a box in its mean colour. None if nothing is to be seen."""
        block = block_picture(self.problem, pattern)
        model = block if block.ndim == 4 else box(block)
        return faces_of(model) if model[..., 3].any() else None


def box(picture: Pixels) -> Pixels:
    """A model of one voxel in the mean colour of what is not transparent."""
    pixels = picture.reshape(-1, 4)
    opaque = pixels[pixels[:, 3] > 0]
    mean = opaque.mean(axis=0).round() if len(opaque) else np.zeros(4)
    return mean.astype(np.uint8).reshape(1, 1, 1, 4)


def faces_of(model: Pixels) -> Solid:
    """Every face of a voxel that has less behind it than it hides; the whole is 1 wide, deep and high."""
    opacity = model[..., 3].astype(np.int64)
    around = np.pad(opacity, 1)
    layers, rows, columns = opacity.shape
    vertices: list[NDArray[np.float64]] = []
    colours: list[NDArray[np.uint8]] = []
    for (up, south, east), corners in FACES:
        beyond = around[1 + up : 1 + up + layers, 1 + south : 1 + south + rows, 1 + east : 1 + east + columns]
        layer, row, column = np.nonzero((opacity > 0) & (beyond < opacity))
        start = np.stack([column, layer, row], axis=1)[:, None]  # x, y, z
        vertices.append(((start + np.array(corners)) / [columns, layers, rows]).reshape(-1, 3))
        colours.append(np.repeat(model[layer, row, column], 4, axis=0))
    joined = np.concatenate(vertices)
    return Solid(joined, np.concatenate(colours), quads(len(joined) // 4))
