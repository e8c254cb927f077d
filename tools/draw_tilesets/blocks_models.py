"""Houses, walls and towers of "blocks"."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from draw_tilesets.blocks_voxels import (
    ASIDE,
    BEAM,
    EAST,
    PAVING,
    RIM,
    SOUTH,
    STONE,
    TILES,
    TO_SIDE,
    UP,
    Mask,
    Model,
    X,
    Y,
    Z,
    air,
    fill,
)
from draw_tilesets.pixels import Colour, Field

PLASTER: tuple[Colour, ...] = ((240, 226, 194), (232, 216, 182), (246, 234, 206))
SLATE: tuple[Colour, ...] = ((84, 112, 158), (72, 98, 144), (98, 128, 172))
SHUTTER: Colour = (72, 118, 106)
DOOR: Colour = (92, 58, 46)
DARK: Colour = (64, 62, 78)
LIT: Colour = (252, 216, 120)


@lru_cache
def house(joined: str, shutters: bool = False) -> Model:
    """A storey: plaster between beams, a window on each open side."""
    model = air()
    fill(model, Z >= 0, PLASTER, 5)
    for side in "NESW":
        at_side, across = TO_SIDE[side] == RIM, np.abs(ASIDE[side])
        fill(model, at_side & ((Z == 0) | (across == RIM)), (BEAM,))
        if side not in joined:
            window = at_side & (across < 2) & (Z > 1) & (Z < 6)
            fill(model, window, (SHUTTER if shutters else BEAM,))
            glass = LIT if (side in "SW") != shutters else DARK
            low, high = (1, 6) if shutters else (2, 5)
            fill(model, window & (across < 1) & (low < Z) & (high > Z), (glass,))
    return model


@lru_cache
def shop(joined: str) -> Model:
    """The ground floor: stone below, doors on open sides."""
    model = house(joined).copy()
    fill(model, Z < 2, STONE, 20)
    for side in "NESW":
        if side not in joined:
            at_side, across = TO_SIDE[side] == RIM, np.abs(ASIDE[side])
            fill(model, at_side & (across < 2.6) & (Z < 7), PLASTER, 5)
            fill(model, at_side & (across < 2.6) & (Z < 2), STONE, 20)
            fill(model, at_side & (across < 2) & (Z < 6), (BEAM,))
            fill(model, at_side & (across < 1) & (Z < 5), (DOOR,))
    return model


def ridge_height(joined: str) -> Field:
    """How high a roof is at each place: ridges run from the middle to these sides."""
    height = np.minimum(4 - np.abs(EAST), 4 - np.abs(SOUTH))
    for side in joined:
        height = np.where(TO_SIDE[side] > 0, np.maximum(height, 4 - np.abs(ASIDE[side])), height)
    return np.asarray(height)


@lru_cache
def roof(joined: str, chimney: bool = False) -> Model:
    """Red tiles in courses."""
    model = air()
    height = 1.6 * ridge_height(joined)
    fill(model, height > UP - 0.4, TILES, 6)
    model[(height > UP - 0.4) & (Z % 2 == 0), :3] = TILES[1]
    model[Z == 0] = (*BEAM, 255)
    if chimney:
        fill(model, (X > 4) & (X < 7) & (Y > 4) & (Y < 7) & (Z > 0), STONE, 21)
        fill(model, (X > 4) & (X < 7) & (Y > 4) & (Y < 7) & (Z == 7), (DARK,))
    return model


def crenels(model: Model, where: Mask, high: int) -> None:
    """A parapet with gaps."""
    fill(model, where & (high > Z), STONE, 7)
    gaps = ((X + Y) // 2 % 2 == 1) & (high - 1 == Z)
    model[where & gaps] = 0


@lru_cache
def terrace(joined: str) -> Model:
    """A floor, with a parapet along its open sides."""
    model = air()
    fill(model, Z == 0, PAVING, 8)
    for side in "NESW":
        if side not in joined:
            crenels(model, TO_SIDE[side] == RIM, 3)
    return model


def wall(turn: int) -> Model:
    """A town wall from north to south, turned: a walk between two rows of crenels."""
    model = air()
    fill(model, (np.abs(EAST) < 3) & (Z < 5), STONE, 9)
    crenels(model, np.abs(EAST) == 2.5, 7)
    return np.rot90(model, k=-turn, axes=(1, 2))


def gate(turn: int) -> Model:
    """A wall from north to south, turned, with a passage through it."""
    model = air()
    fill(model, (np.abs(EAST) < 3.6) & (Z < 7), STONE, 9)
    crenels(model, np.abs(EAST) == 3.5, 8)
    arch = np.hypot(SOUTH, np.maximum(UP - 3, 0))
    fill(model, (arch < 3.4) & (np.abs(EAST) == 3.5) & (Z < 7), ((216, 210, 198),))
    model[(arch < 2.6) & (Z < 6)] = 0
    return np.rot90(model, k=-turn, axes=(1, 2))


@lru_cache
def tower(window: bool = False, door: bool = False) -> Model:
    """A round tower, as wide as its place."""
    model = air()
    fill(model, np.hypot(EAST, SOUTH) < 4.1, STONE, 10)
    if window:
        slit = (np.abs(EAST) < 1) & (Z > 2) & (Z < 6)
        fill(model, slit & (model[..., 3] > 0) & (np.abs(SOUTH) > 2), (DARK,))
    if door:
        fill(model, (np.abs(EAST) < 1) & (Z > 3) & (SOUTH < -2) & (model[..., 3] > 0), (DOOR,))
    return model


@lru_cache
def spire() -> Model:
    """A blue cone."""
    model = air()
    fill(model, np.hypot(EAST, SOUTH) < 4.6 - 0.52 * UP, SLATE, 11)
    fill(model, (np.hypot(EAST, SOUTH) < 4.6) & (Z == 0), (SLATE[1],))
    return model


@lru_cache
def battlements() -> Model:
    """The top of a tower, and a flag."""
    model = air()
    around = np.hypot(EAST, SOUTH)
    fill(model, (around < 4.6) & (Z < 2), STONE, 12)
    crenels(model, (around < 4.6) & (around > 3.2), 4)
    fill(model, (X == 3) & (Y == 3) & (Z > 1), (BEAM,))
    fill(model, (X > 3) & (X < 7) & (Y == 3) & (Z > 5), ((206, 62, 58),))
    return model


@lru_cache
def belfry(bells: bool = True) -> Model:
    """A square tower on a house; the bells hang in the upper storeys."""
    model = air()
    around = np.maximum(np.abs(EAST), np.abs(SOUTH))
    fill(model, around < 3, PLASTER, 13)
    fill(model, (np.abs(EAST) == 2.5) & (np.abs(SOUTH) == 2.5), (BEAM,))
    fill(model, (around == 2.5) & (Z == 0), (BEAM,))
    narrow = np.minimum(np.abs(EAST), np.abs(SOUTH)) < 1
    fill(model, (around == 2.5) & narrow & (Z > 2) & (Z < 6), (DARK if bells else LIT,))
    return model


@lru_cache
def steeple() -> Model:
    """A steep roof, and a gilded top."""
    model = air()
    around = np.maximum(np.abs(EAST), np.abs(SOUTH))
    fill(model, around < 3.9 - 0.5 * UP, SLATE, 14)
    fill(model, (np.hypot(EAST, SOUTH) < 1) & (Z == 7), (LIT,))
    return model


def stairs() -> Model:
    """Steps that rise to the north, half as high as a storey."""
    model = air()
    fill(model, (np.abs(EAST) < 2) & (SOUTH + 2 * UP < 5.6) & (Z < 4), STONE, 14)
    return model
