"""Voxels for "blocks": eight to a side, uint8 [layer, row, column, RGBA], the lowest layer first."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from draw_tilesets.pixels import Colour, Field

Model = NDArray[np.uint8]  # [layer, row, column, RGBA]
Mask = NDArray[np.bool_]

SIDE = 8
Z, Y, X = np.mgrid[:SIDE, :SIDE, :SIDE]
EAST, SOUTH, UP = X - 3.5, Y - 3.5, Z + 0.5  # from the middle of the floor
TO_SIDE = {"N": -SOUTH, "E": EAST, "S": SOUTH, "W": -EAST}  # how far towards a side; 3.5 at it
ASIDE = {"N": EAST, "E": SOUTH, "S": EAST, "W": SOUTH}
RIM = 3.5

PAVING: tuple[Colour, ...] = ((204, 186, 150), (190, 170, 134), (214, 198, 164))
STONE: tuple[Colour, ...] = ((178, 174, 168), (164, 160, 156), (192, 188, 180))
TILES: tuple[Colour, ...] = ((196, 88, 66), (178, 74, 58), (210, 104, 78))
BEAM: Colour = (122, 84, 60)


def air() -> Model:
    """Nothing."""
    return np.zeros((SIDE, SIDE, SIDE, 4), np.uint8)


@lru_cache
def chance(salt: int) -> Field:
    """A number in [0, 1) for each voxel, the same everywhere."""
    mixed = (X * 73856093 + Y * 19349663 + Z * 83492791 + salt * 2654435761) % 2**32
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) % 2**32
    return np.asarray((mixed ^ (mixed >> 16)) % 4096 / 4096)


def fill(model: Model, where: Mask, colours: tuple[Colour, ...], salt: int = 1) -> None:
    """Build of one colour, or of three by chance: mostly the first."""
    model[where] = (*colours[0], 255)
    if len(colours) == 3:
        model[where & (chance(salt) > 0.72)] = (*colours[1], 255)
        model[where & (chance(salt) < 0.18)] = (*colours[2], 255)
