"""A few strokes of pixel art on NumPy arrays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]  # [row, column, RGBA]
Field = NDArray[np.float64]  # [row, column]: a number at every pixel
Mask = NDArray[np.bool_]  # [row, column]: some of the pixels


def centres(side: int) -> tuple[Field, Field]:
    """How far down and how far right of the northwest corner the middle of each pixel is, in pixels."""
    down, right = np.mgrid[:side, :side] + 0.5
    return down, right


def canvas(side: int, colour: Colour) -> Picture:
    """A square in one colour, opaque."""
    picture = np.empty((side, side, 4), np.uint8)
    picture[:] = (*colour, 255)
    return picture


def paint(picture: Picture, where: Mask, colour: Colour) -> None:
    """Fill the pixels where the mask is True."""
    picture[where, :3] = colour


def box(side: int, left: float, top: float, right: float, bottom: float) -> Mask:
    """The pixels of a square picture between these, from its northwest corner."""
    y, x = centres(side)
    return np.asarray((x > left) & (x < right) & (y > top) & (y < bottom))


def tint(picture: Picture, where: Mask, strength: float) -> None:
    """Make the pixels where the mask is True darker (below 1) or lighter (above)."""
    picture[where, :3] = np.clip(picture[where, :3] * strength, 0, 255).astype(np.uint8)


def shade(picture: Picture, distance: Field, shades: tuple[Colour, ...]) -> None:
    """Paint rings: the first shade where the distance is below 1, the second below 2, and so on."""
    for step, colour in enumerate(shades):
        paint(picture, (step <= distance) & (distance < step + 1), colour)


def speckle(side: int, salt: int) -> Field:
    """A number in [0, 1) at every pixel that looks like chance and is the same everywhere."""
    row, column = np.mgrid[:side, :side].astype(np.uint64)
    mixed = (
        row * np.uint64(0x9E3779B1) + column * np.uint64(0x85EBCA77) + np.uint64(salt * 0xC2B2AE3D)
    ) % 2**32
    for _ in range(2):
        mixed = ((mixed ^ (mixed >> np.uint64(15))) * np.uint64(0x2C1B3C6D)) % 2**32
    return np.asarray((mixed ^ (mixed >> np.uint64(16))) / 2.0**32, np.float64)


def cloud(side: int, salt: int, lumps: int = 4) -> Field:
    """Smooth noise from 0 to 1 that goes on across the sides of the square: `lumps` bumps along each."""
    heights = speckle(lumps, salt)
    steps = (np.arange(side) + 0.5) * lumps / side
    before = np.floor(steps).astype(int)
    after = (before + 1) % lumps
    part = steps - before
    part = part * part * (3 - 2 * part)
    rows = heights[before] * (1 - part)[:, None] + heights[after] * part[:, None]
    return np.asarray(rows[:, before] * (1 - part) + rows[:, after] * part)


def blend(corners: tuple[float, ...], side: int) -> Field:
    """A number at every pixel, blended from those at the northwest, northeast, southeast, southwest corner.

    Along a side it depends on that side's two corners alone, so neighbours meet without a seam.
    """
    northwest, northeast, southeast, southwest = corners
    y, x = (axis / side for axis in centres(side))
    return (northwest * (1 - x) + northeast * x) * (1 - y) + (southwest * (1 - x) + southeast * x) * y


def widen_mask(where: Mask, left: int, up: int, right: int, down: int) -> Mask:
    """The mask and what lies this far to its sides. Beyond the picture, its last row and column go on."""
    wide = np.pad(where, ((down, up), (right, left)), mode="edge")
    height, width = where.shape
    found = np.zeros_like(where)
    for column in range(left + right + 1):
        found |= wide[down : down + height, column : column + width]
    wide = np.pad(found, ((down, up), (0, 0)), mode="edge")
    for row in range(up + down + 1):
        found |= wide[row : row + height]
    return found


def trail(points: Field, side: int) -> Field:
    """How far each pixel is from the nearest of these points [point, (x, y)], seen from the middle."""
    y, x = (axis - side / 2 for axis in centres(side))
    away = np.hypot(x[..., None] - points[:, 0], y[..., None] - points[:, 1])
    return np.asarray(away.min(axis=-1))


def route(sides: str, side: int) -> Field:
    """How far each pixel is from the line that joins the middles of these sides, a letter for each.

    Two that meet at a corner are joined by a quarter circle around it, others by way of the middle.
    """
    half = side / 2
    y, x = (axis - half for axis in centres(side))
    if "".join(sorted(sides)) in ("EN", "ES", "NW", "SW"):
        down, right = (half if "S" in sides else -half), (half if "E" in sides else -half)
        return np.asarray(np.abs(np.hypot(x - right, y - down) - half))
    arms = {"N": (-y, x), "E": (x, y), "S": (y, x), "W": (-x, y)}
    away = [np.where(arms[each][0] > 0, np.abs(arms[each][1]), np.hypot(x, y)) for each in sides]
    return np.asarray(np.min([np.full((side, side), np.inf), *away], axis=0))


def stroke(stops: tuple[tuple[float, float], ...], side: int) -> Field:
    """How far each pixel is from the line from stop to stop, each an (x, y) seen from the middle."""
    y, x = (axis - side / 2 for axis in centres(side))
    away = np.full((side, side), np.inf)
    for (x0, y0), (x1, y1) in pairwise(stops):
        along, down = x1 - x0, y1 - y0
        part = np.clip(((x - x0) * along + (y - y0) * down) / (along**2 + down**2), 0, 1)
        away = np.minimum(away, np.hypot(x - x0 - part * along, y - y0 - part * down))
    return away
