"""Small numbers as bitmaps: the same on every machine, and legible in a cell of ten pixels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image

from wavefold.render.tile_pictures import Pixels

# Each digit is three dots wide and five high.
DIGITS = (
    *("###|#.#|#.#|#.#|###", ".#.|##.|.#.|.#.|###", "##.|..#|.#.|#..|###", "##.|..#|.#.|..#|##."),
    *("#.#|#.#|###|..#|..#", "###|#..|##.|..#|##.", ".##|#..|###|#.#|###", "###|..#|.#.|.#.|.#."),
    *("###|#.#|###|#.#|###", "###|#.#|###|..#|##."),
)
GLYPHS = [np.array([[dot == "#" for dot in row] for row in digit.split("|")]) for digit in DIGITS]
DARK, LIGHT = (24, 16, 32), (255, 255, 255)


@lru_cache(maxsize=1024)
def draw_number(
    number: int, highest: int, width: int, height: int, ink: tuple[int, int, int]
) -> Image.Image | None:
    """The number at the size at which `highest` fits into width x height pixels; None if it does not fit.

    If the highest does not fit even at the smallest size, shorter numbers are still drawn.
    """
    glyphs = [GLYPHS[int(digit)] for digit in str(number)]
    columns = 4 * len(glyphs) - 1
    dot = max(1, min(width // (4 * len(str(highest)) - 1), height // 5))
    if columns * dot > width or 5 * dot > height:
        return None
    pixels: Pixels = np.zeros((5, columns, 4), np.uint8)
    for place, glyph in enumerate(glyphs):
        pixels[:, 4 * place : 4 * place + 3][glyph] = (*ink, 255)
    return Image.fromarray(pixels.repeat(dot, axis=0).repeat(dot, axis=1))


def choose_ink(colour: tuple[int, ...]) -> tuple[int, int, int]:
    """Dark ink on light colours, light ink on dark ones."""
    red, green, blue = colour[:3]
    return DARK if 299 * red + 587 * green + 114 * blue > 140_000 else LIGHT
