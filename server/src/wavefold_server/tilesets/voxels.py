"""Models of cube sets for browsers: the voxels of every pattern in one picture."""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from wavefold.errors import ConfigError
from wavefold.formats import arrange, make_box_model
from wavefold.render import draw_block_picture
from wavefold.solver import Problem
from wavefold.storage import encode_png
from wavefold.tiles import Pixels, TileSet
from wavefold.topology import is_plane, make_single_cell
from wavefold_server.tilesets.pictures import MOST_ATLAS_PIXELS

LARGEST_MODEL = 32  # voxels along each axis: finer models are shown coarser


class VoxelLayout(NamedTuple):
    """Where models are: number n is in column n % columns, row n // columns; its layers are side by side."""

    columns: int
    width: int  # of a model, in voxels: to the east
    height: int  # to the south
    depth: int  # layers, the lowest first


def draw_voxels(tiles: TileSet) -> bytes:
    """The models of all patterns, as PNG."""
    models, layout = list_models(tiles), lay_out_voxels(tiles)
    shape = (layout.depth, layout.height, layout.width)
    # [layer, row, column] to [row, (layer, column)]
    flat = [np.concatenate(list(resample(model, shape)), axis=1) for model in models]
    return encode_png(arrange(flat, layout.columns))


def lay_out_voxels(tiles: TileSet) -> VoxelLayout:
    """The layout: as fine as the finest model, unless that were too much for one picture."""
    models = list_models(tiles)
    most = int((MOST_ATLAS_PIXELS / len(models)) ** (1 / 3))
    fine = np.minimum(np.max([model.shape[:3] for model in models], axis=0), max(1, min(most, LARGEST_MODEL)))
    depth, height, width = fine.tolist()
    return VoxelLayout(ceil(sqrt(len(models) / depth)), width, height, depth)


def list_models(tiles: TileSet) -> list[Pixels]:
    """[layer, row, column, RGBA] of each pattern; a tile without a model is a box in its mean colour."""
    if is_plane(tiles.topology):
        raise ConfigError(f"only cubes have voxels: these tiles are {tiles.topology} ones")
    problem = Problem(tiles, make_single_cell(tiles.topology), own_constraints=False)
    blocks = (draw_block_picture(problem, pattern) for pattern in range(len(tiles)))
    return [block if block.ndim == 4 else make_box_model(block) for block in blocks]


def resample(model: Pixels, shape: tuple[int, int, int]) -> Pixels:
    """The model with another number of voxels, each the nearest one."""
    layers, rows, columns = (
        np.arange(size) * own // size for own, size in zip(model.shape, shape, strict=False)
    )
    return model[np.ix_(layers, rows, columns)]
