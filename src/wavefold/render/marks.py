"""Marks over cells: a number in a cell, and rings around conflicting cells."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import ceil, floor

import numpy as np
from PIL import Image, ImageDraw

from wavefold.render.tile_pictures import Pixels

Points = tuple[tuple[float, float], ...]  # corners, in pixels
Shape = tuple[Points, tuple[int, int, int, int]]  # a polygon and its colour

# Numbers are bitmaps: the same on every machine, and legible in a cell of ten pixels. A digit is three dots
# wide and five high.
DIGITS = (
    *("###|#.#|#.#|#.#|###", ".#.|##.|.#.|.#.|###", "##.|..#|.#.|#..|###", "##.|..#|.#.|..#|##."),
    *("#.#|#.#|###|..#|..#", "###|#..|##.|..#|##.", ".##|#..|###|#.#|###", "###|..#|.#.|.#.|.#."),
    *("###|#.#|###|#.#|###", "###|#.#|###|..#|##."),
)
GLYPHS = [np.array([[dot == "#" for dot in row] for row in digit.split("|")]) for digit in DIGITS]
DARK, LIGHT = (24, 16, 32), (255, 255, 255)

MARK = (255, 32, 32, 255)
HALO = (255, 255, 255, 255)
CLEAR = (0, 0, 0, 0)
SMOOTHING = 4  # shapes are drawn this much larger, then averaged


@lru_cache(maxsize=1024)
def draw_number(
    number: int, highest: int, width: int, height: int, ink: tuple[int, int, int]
) -> Image.Image | None:
    """Draw a number at the size at which `highest` fits into width x height pixels; None if it does not fit.

    If the highest does not fit even at the smallest size, shorter numbers are still drawn.
    """
    glyphs = [GLYPHS[int(digit)] for digit in str(number)]
    columns = 4 * len(glyphs) - 1
    dot = max(1, min(width // (4 * len(str(highest)) - 1), height // 5))
    if columns * dot > width or 5 * dot > height:
        return None
    pixels: Pixels = np.zeros((5, columns, 4), np.uint8)
    for index, glyph in enumerate(glyphs):
        pixels[:, 4 * index : 4 * index + 3][glyph] = (*ink, 255)
    return Image.fromarray(pixels.repeat(dot, axis=0).repeat(dot, axis=1))


def choose_ink(colour: tuple[int, ...]) -> tuple[int, int, int]:
    """Dark ink on light colours, light ink on dark ones."""
    red, green, blue = colour[:3]
    return DARK if 299 * red + 587 * green + 114 * blue > 140_000 else LIGHT


def mark_rings(outline: Points) -> list[Shape]:
    """Shapes to draw in this order: a red ring between white lines, inside the outline of a cell.

    The last shape is transparent. Small cells are all red.
    """
    across = max(x for x, _ in outline) - min(x for x, _ in outline)
    red, white = max(1.0, across / 10), max(0.5, across / 24)
    if across < 5:
        return [(outline, MARK)]
    lines = [(0.0, HALO), (white, MARK), (white + red, HALO), (2 * white + red, CLEAR)]
    return [(shrink_outline(outline, 1 - 2 * inset / across), colour) for inset, colour in lines]


def shrink_outline(corners: Points, share: float) -> Points:
    """The same shape scaled by `share` around its centre."""
    middle = [sum(axis) / len(corners) for axis in zip(*corners, strict=True)]
    return tuple(
        (middle[0] + (x - middle[0]) * share, middle[1] + (y - middle[1]) * share) for x, y in corners
    )


def draw_shapes(image: Image.Image, outline: Points, shapes: Iterable[Shape]) -> None:
    """Draw smooth shapes onto a picture; each replaces those before it. All lie inside the outline."""
    left, top = (floor(min(axis)) for axis in zip(*outline, strict=True))
    right, bottom = (ceil(max(axis)) for axis in zip(*outline, strict=True))
    size = (max(1, right - left) * SMOOTHING, max(1, bottom - top) * SMOOTHING)
    stamp = Image.new("RGBA", size)
    pen = ImageDraw.Draw(stamp)
    for corners, colour in shapes:
        pen.polygon([((x - left) * SMOOTHING, (y - top) * SMOOTHING) for x, y in corners], fill=colour)
    image.alpha_composite(stamp.reduce(SMOOTHING), (max(0, left), max(0, top)))
