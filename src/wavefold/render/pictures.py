"""What each pattern looks like: its tile's picture, turned, or one colour if there is none."""

from __future__ import annotations

from colorsys import hsv_to_rgb

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import TileSetError
from wavefold.solver.problem import Problem
from wavefold.tiles import TileSet

__all__ = ["fitted", "flat_colours", "natural_size", "pattern_pictures"]

Pixels = NDArray[np.uint8]  # [row, column, RGBA]

FLAT_SIZE = 8  # pixels across a cell when no tile has a picture
GOLDEN = 0.6180339887498949  # steps of this share around the colour wheel never bunch up


def natural_size(problem: Problem) -> int:
    """Pixels across a cell at which nothing is lost: the side of the largest picture."""
    if not isinstance(problem.tiles, TileSet):
        return FLAT_SIZE
    # One pattern of each tile: all its pictures are of one size.
    firsts = np.unique(problem.rules.tile_of, return_index=True)[1].tolist()
    art = [problem.tiles.art(pattern)[0] for pattern in firsts]
    return max((max(picture.shape[:2]) for picture in art if picture is not None), default=FLAT_SIZE)


def pattern_pictures(problem: Problem, size: int) -> Pixels:
    """uint8 [pattern, row, column, RGBA], each `size` pixels square, as the pattern is turned."""
    rules = problem.rules
    pictures = np.empty((len(rules), size, size, 4), np.uint8)
    for pattern, tile in enumerate(rules.tile_of.tolist()):
        picture = pattern_picture(problem, pattern)
        pictures[pattern] = distinct_colour(tile) if picture is None else resized(picture, size)
    return pictures


def pattern_picture(problem: Problem, pattern: int) -> Pixels | None:
    """The author's picture of a pattern as it is to be drawn, as RGBA."""
    if not isinstance(problem.tiles, TileSet):
        return None
    art, orientation = problem.tiles.art(pattern)
    if art is None:
        return None
    picture = rgba(art, problem.rules.tiles[problem.rules.tile_of[pattern]])
    if problem.tiles.topology == "hex":
        return picture
    return np.rot90(picture[:, ::-1] if orientation.mirrored else picture, k=-orientation.turn)


def flat_colours(problem: Problem) -> Pixels:
    """uint8 [pattern, RGBA]: the mean colour of each pattern."""
    return pattern_pictures(problem, 1)[:, 0, 0]


def rgba(picture: NDArray[np.uint8], name: str) -> Pixels:
    """The picture with four channels, or an error that names the tile."""
    array = np.asarray(picture)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] not in (3, 4) or 0 in array.shape:
        raise TileSetError(
            f"the picture of tile {name!r} is {array.dtype} {array.shape}; "
            "it must be uint8 [row, column, RGB or RGBA]"
        )
    if array.shape[2] == 4:
        return array
    return np.concatenate([array, np.full((*array.shape[:2], 1), 255, np.uint8)], axis=2)


def resized(picture: Pixels, size: int) -> Pixels:
    """Square, `size` pixels across: sharp when it grows, averaged when it shrinks."""
    if picture.shape[:2] == (size, size):
        return picture
    image = Image.fromarray(np.ascontiguousarray(picture))
    return np.asarray(fitted(image, size, size))


def fitted(image: Image.Image, width: int, height: int) -> Image.Image:
    """The image in this size; pixels are averaged along the sides that shrink, repeated along the others."""
    smaller = image.resize((min(width, image.width), min(height, image.height)), Image.Resampling.BOX)
    return smaller.resize((width, height), Image.Resampling.NEAREST)


def distinct_colour(number: int) -> tuple[int, int, int, int]:
    """A colour for a tile without a picture: the same every time, unlike those of its neighbours."""
    red, green, blue = hsv_to_rgb(
        number * GOLDEN % 1.0, (0.55, 0.7, 0.4)[number % 3], (0.9, 0.7, 0.8)[number % 3]
    )
    return round(red * 255), round(green * 255), round(blue * 255), 255
