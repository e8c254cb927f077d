"""Ground and gardens of "blocks"."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from draw_tilesets.blocks_voxels import (
    ASIDE,
    BEAM,
    EAST,
    PAVING,
    SOUTH,
    STONE,
    TILES,
    TO_SIDE,
    UP,
    Model,
    Z,
    air,
    chance,
    fill,
)
from draw_tilesets.pixels import Colour

EARTH: tuple[Colour, ...] = ((134, 98, 70), (118, 84, 62), (148, 112, 80))
TURF: tuple[Colour, ...] = ((112, 168, 84), (124, 180, 92), (100, 154, 78))
LEAVES: tuple[Colour, ...] = ((62, 124, 66), (50, 108, 60), (80, 142, 74))
NEEDLES: tuple[Colour, ...] = ((44, 98, 76), (36, 84, 68), (56, 112, 84))
PETALS: tuple[Colour, ...] = ((250, 244, 220), (246, 206, 84), (226, 110, 120))


@lru_cache
def grass(salt: int = 1) -> Model:
    """Turf on earth."""
    model = air()
    fill(model, Z < 6, EARTH, salt)
    fill(model, Z + (chance(salt) > 0.5)[0] >= 6, TURF, salt)
    return model


def flowers() -> Model:
    model = grass(2).copy()
    for number, (x, y) in enumerate(((1, 2), (5, 1), (6, 5), (2, 6), (4, 4))):
        model[7, y, x, :3] = PETALS[number % 3]
    return model


@lru_cache
def pave(joined: str) -> Model:
    """A path that leaves by these sides; everywhere, if there are none."""
    model = grass(3).copy()
    where = (np.abs(EAST) < 2.5) & (np.abs(SOUTH) < 2.5) if joined else Z >= 0
    for side in joined:
        where = where | ((TO_SIDE[side] > 0) & (np.abs(ASIDE[side]) < 2.5))
    fill(model, where & (Z == 7), PAVING, 4)
    return model


def tree() -> Model:
    model = air()
    fill(model, (np.hypot(EAST, SOUTH) < 1) & (Z < 4), (BEAM,))
    fill(model, np.sqrt(EAST**2 + SOUTH**2 + (UP - 5) ** 2) < 3.1, LEAVES, 15)
    return model


def fir() -> Model:
    model = air()
    fill(model, (np.hypot(EAST, SOUTH) < 1) & (Z < 2), (BEAM,))
    fill(model, (np.hypot(EAST, SOUTH) < 0.5 + 0.5 * (8 - UP) - (Z % 3 == 0) * 0.7) & (Z > 0), NEEDLES, 16)
    return model


def hedge() -> Model:
    model = air()
    around = np.maximum(np.abs(EAST), np.abs(SOUTH))
    fill(model, (around > 2) & (around < 3.4) & (Z < 2), LEAVES, 17)
    for number, (x, y) in enumerate(((3, 3), (4, 4), (3, 4))):
        model[0, y, x] = (*PETALS[number], 255)
    return model


def well() -> Model:
    model = air()
    around = np.hypot(EAST, SOUTH)
    fill(model, (around < 3.2) & (Z < 3), STONE, 18)
    fill(model, (around < 2) & (Z == 2), ((70, 140, 196),))
    fill(model, (np.abs(EAST) == 2.5) & (np.abs(SOUTH) < 1) & (Z < 6), (BEAM,))
    fill(model, (np.abs(SOUTH) < 3 - (UP - 5.5)) & (np.abs(EAST) < 3) & (Z >= 6), TILES, 19)
    return model
