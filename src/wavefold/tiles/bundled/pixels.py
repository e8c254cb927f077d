"""A few strokes of pixel art on NumPy arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Colour", "Field", "Picture", "canvas", "centres", "paint", "shade", "speckle"]

Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]  # [row, column, RGBA]
Field = NDArray[np.float64]  # [row, column]: a number at every pixel


def centres(side: int) -> tuple[Field, Field]:
    """How far down and how far right of the northwest corner the middle of each pixel is, in pixels."""
    down, right = np.mgrid[:side, :side] + 0.5
    return down, right


def canvas(side: int, colour: Colour) -> Picture:
    """A square in one colour, opaque."""
    picture = np.empty((side, side, 4), np.uint8)
    picture[:] = (*colour, 255)
    return picture


def paint(picture: Picture, where: NDArray[np.bool_], colour: Colour) -> None:
    """Fill the pixels where the mask is True."""
    picture[where, :3] = colour


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
