"""Canvases: the positions and looks of cells in a picture, and marks over them.

`OutlineCanvas` supports every topology; the canvases in `squares`, `hexes` and `isometric` draw the pictures
of tiles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.kernels.host.checkpoint import checkpoint, each_checked
from wavefold.render.cell_looks import NOTHING, CellLooks, Tint, decode_tint
from wavefold.render.tile_pictures import (
    FLAT_SIZE,
    Pixels,
    choose_plain_colour,
    find_tile_picture,
    get_flat_colours,
    is_drawn_by_sockets,
)
from wavefold.solver.problem import Problem

Points = tuple[tuple[float, float], ...]  # corners, in pixels
Shape = tuple[Points, tuple[int, int, int, int]]  # a polygon and its colour

# Digits are bitmaps, the same on every machine and legible in a cell of ten pixels: three dots wide, five
# high.
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
RING_SMOOTHING = 4  # shapes are drawn this much larger, then averaged
MOST_PIXELS = 1 << 26  # 8192 x 8192, 256 MB
MOST_STAMPS = 1 << 12  # in the cache
SMOOTHING = 3  # slanted edges are drawn this much larger, then averaged


@lru_cache(maxsize=1024)
def draw_number(
    number: int, highest: int, width: int, height: int, ink: tuple[int, int, int]
) -> Image.Image | None:
    """Draw a number in the largest size at which `highest` fits in width x height pixels.

    None if the number does not fit in the smallest size, even if `highest` does not fit either.
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
    """Choose dark ink on light colours, light ink on dark colours."""
    red, green, blue = colour[:3]
    return DARK if 299 * red + 587 * green + 114 * blue > 140_000 else LIGHT


def list_mark_rings(outline: Points) -> list[Shape]:
    """List the shapes of a mark in drawing order: a red ring between white lines, inside a cell.

    The last shape is transparent. Small cells are filled with red.
    """
    across = max(x for x, _ in outline) - min(x for x, _ in outline)
    red, white = max(1.0, across / 10), max(0.5, across / 24)
    if across < 5:
        return [(outline, MARK)]
    lines = [(0.0, HALO), (white, MARK), (white + red, HALO), (2 * white + red, CLEAR)]
    return [(shrink_outline(outline, 1 - 2 * inset / across), colour) for inset, colour in lines]


def shrink_outline(corners: Points, share: float) -> Points:
    """Scale a shape by `share` around its centre."""
    middle = [sum(axis) / len(corners) for axis in zip(*corners, strict=True)]
    return tuple(
        (middle[0] + (x - middle[0]) * share, middle[1] + (y - middle[1]) * share) for x, y in corners
    )


def draw_shapes(image: Image.Image, outline: Points, shapes: Iterable[Shape]) -> None:
    """Draw smooth shapes, all inside the outline, on a picture; each shape replaces the previous ones."""
    left, top = (floor(min(axis)) for axis in zip(*outline, strict=True))
    right, bottom = (ceil(max(axis)) for axis in zip(*outline, strict=True))
    size = (max(1, right - left) * RING_SMOOTHING, max(1, bottom - top) * RING_SMOOTHING)
    stamp = Image.new("RGBA", size)
    pen = ImageDraw.Draw(stamp)
    for corners, colour in shapes:
        pen.polygon(
            [((x - left) * RING_SMOOTHING, (y - top) * RING_SMOOTHING) for x, y in corners], fill=colour
        )
    image.alpha_composite(stamp.reduce(RING_SMOOTHING), (max(0, left), max(0, top)))


def find_fitting_size(width: int, height: int, size: int) -> int:
    """The approximate cell size at which a picture is not too large; may be 0."""
    return int(size * (MOST_PIXELS / (width * height)) ** 0.5)


def check_pixels(width: int, height: int, size: int) -> None:
    """Raise ConfigError if the picture would be too large, and suggest a size that fits."""
    if width * height > MOST_PIXELS:
        fitting = find_fitting_size(width, height, size)
        part = None if fitting else "draw a part of the map"
        raise ConfigError(
            f"the picture would be {width:,} x {height:,} pixels, more than {MOST_PIXELS:,} in all",
            advice=part or f"use tile_size={fitting}",
            flag_advice=part or f"use --tile-size {fitting}",
        )


class Face(NamedTuple):
    """A visible side of a cell, and its brightness."""

    corners: Points
    light: float = 1.0


class NumberBox(NamedTuple):
    """The space for a number in a stamp: its centre and size, in pixels."""

    x: int
    y: int
    width: int
    height: int


class Canvas(ABC):
    """A picture made of stamps, one per cell.

    A subclass sets `width`, `height` and `positions`; the other defaults are those of squares.

    Attributes
    ----------
    size : pixels across a cell
    width, height : the size of the picture, in pixels
    stamp_size : the width and height of a stamp
    positions : int64 [cell, (x, y)], the top left corner of each stamp
    sequence : int64 [cell], the order in which stamps are pasted
    outline : the corners of a cell in its stamp
    number_box : the space for a number in a stamp
    shows_objects : whether objects can be drawn over the cells
    """

    shows_objects = True

    width: int
    height: int
    positions: NDArray[np.int64]

    def __init__(self, problem: Problem, size: int) -> None:
        self.problem = problem
        self.size = size
        self.stamp_size = (size, size)
        self.sequence: NDArray[np.int64] = np.arange(problem.cell_count)
        self.outline: Points = ((0, 0), (size, 0), (size, size), (0, size))
        self.number_box = NumberBox(size // 2, size // 2, size * 3 // 4, size * 3 // 5)
        self._stamps: dict[int, Image.Image | None] = {}

    @staticmethod
    def find_natural_size(problem: Problem) -> int:
        """The smallest cell size, in pixels, that keeps every detail of the tiles' pictures."""
        return FLAT_SIZE

    @abstractmethod
    def draw_pattern(self, pattern: int) -> Image.Image | None:
        """Draw the stamp of a pattern: its picture, or else one colour; None if it is invisible."""

    def draw_colour(self, colour: tuple[int, ...]) -> Image.Image | None:
        """Draw a stamp in one colour; None if it is invisible."""
        return Image.new("RGBA", self.stamp_size, tuple(colour))

    def faces(self) -> tuple[Face, ...]:
        """The visible sides of a cell of one colour."""
        return (Face(self.outline),)

    def check(self, scale: int = 1) -> None:
        """Raise ConfigError if the picture would be too large."""
        check_pixels(self.width * scale, self.height * scale, self.size)

    def stamp(self, look: int) -> Image.Image | None:
        """The stamp of a cell with this look; None if it is invisible."""
        if look not in self._stamps:
            checkpoint()  # a tile set may have thousands of patterns
            if len(self._stamps) >= MOST_STAMPS:
                self._stamps.clear()
            self._stamps[look] = self.draw_pattern(look) if look >= 0 else self.draw_tint(self.tint(look))
        return self._stamps[look]

    def flat_colour(self, look: int) -> tuple[int, ...] | None:
        """The colour of a look in one colour; None if it is a picture."""
        if look < 0:
            return self.tint(look).colour
        has_picture = find_tile_picture(self.problem, look) is not None or is_drawn_by_sockets(
            self.problem, look
        )
        return None if has_picture else choose_plain_colour(self.problem, look)

    def tint(self, look: int) -> Tint:
        """The colour and number of a look that is not a pattern."""
        return decode_tint(look)

    def draw_tint(self, tint: Tint) -> Image.Image | None:
        """Draw a stamp in one colour, with its number if that fits."""
        stamp = self.draw_colour(tint.colour) if tint.colour[3] else None
        if stamp is not None and tint.left:
            stamp = stamp.copy()
            self.write_number(stamp, tint, 0, 0)
        return stamp

    def write_number(self, image: Image.Image, tint: Tint, left: int, top: int) -> None:
        """Write the number of a tint in the image; (left, top) is the corner of the stamp."""
        room = self.number_box
        highest = len(self.problem.rules)
        number = draw_number(tint.left, highest, room.width, room.height, choose_ink(tint.colour))
        if number is not None:
            x, y = left + room.x - number.width // 2, top + room.y - number.height // 2
            image.alpha_composite(number, (max(0, x), max(0, y)))

    def hide_covered(self, looks: CellLooks) -> CellLooks:
        """[cell]: the same looks, with NOTHING for cells that are completely hidden by others."""
        return looks

    def find_outline(self, cell: int) -> Points:
        """The corners of a cell in the picture."""
        left, top = self.positions[cell].tolist()
        return tuple((left + x, top + y) for x, y in self.outline)

    def find_middles(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64 [cell, (x, y)]: the middle of each cell in the picture, where objects are placed."""
        return np.asarray(self.positions[cells] + np.mean(self.outline, axis=0))

    def mark_cells(self, image: Image.Image, cells: Iterable[int]) -> None:
        """Mark these cells with a red ring."""
        for cell in each_checked(cells, 64):
            outline = self.find_outline(cell)
            draw_shapes(image, outline, list_mark_rings(outline))

    def paint(self, looks: CellLooks) -> Image.Image:
        """Draw the whole picture."""
        image = Image.new("RGBA", (self.width, self.height))
        self._paste(image, self.hide_covered(looks), self.sequence)
        return image

    def repaint(self, image: Image.Image, before: CellLooks, looks: CellLooks) -> Image.Image:
        """Draw the picture of `looks` from `image`, the picture of `before`, by redrawing only changes.

        The picture is divided into blocks of the size of a stamp; blocks that overlap a change are redrawn.
        """
        before, looks = self.hide_covered(before), self.hide_covered(looks)
        changed = np.flatnonzero(before != looks)
        if not changed.size:
            return image
        width, height = self.stamp_size
        columns, rows = 1 + self.width // width, 1 + self.height // height
        blocks = self._blocks(columns)
        dirty = np.zeros(rows * columns, np.bool_)
        dirty[blocks[changed]] = True
        touched = np.asarray(dirty[blocks].any(axis=1))
        fresh = Image.new("RGBA", image.size)
        self._paste(fresh, looks, self.sequence[touched[self.sequence]])
        image = image.copy()
        for block in np.flatnonzero(dirty).tolist():
            row, column = divmod(block, columns)
            box = (column * width, row * height, (column + 1) * width, (row + 1) * height)
            image.paste(fresh.crop(box), box[:2])
        return image

    def _blocks(self, columns: int) -> NDArray[np.int64]:
        """int64 [cell, 4]: the blocks that the stamp of each cell overlaps."""
        x, y = self.positions.T
        width, height = self.stamp_size
        first, last = (x // width, y // height), ((x + width - 1) // width, (y + height - 1) // height)
        corners = [down * columns + right for down in (first[1], last[1]) for right in (first[0], last[0])]
        return np.stack(corners, axis=1)

    def _paste(self, image: Image.Image, looks: CellLooks, cells: NDArray[np.int64]) -> None:
        """Paste the stamps of these cells, in this order."""
        shown = cells[looks[cells] != NOTHING]
        places = self.positions[shown].tolist()
        for look, (x, y) in each_checked(zip(looks[shown].tolist(), places, strict=True)):
            stamp = self.stamp(look)
            if stamp is not None:
                image.alpha_composite(stamp, (x, y))


class OutlineCanvas(Canvas):
    """A picture of polygons, each in one colour. Cells can have any shapes, so there are no stamps."""

    def __init__(self, problem: Problem, size: int) -> None:
        super().__init__(problem, size)
        topology = problem.topology
        outlines = [np.array(topology.outline(cell)) for cell in each_checked(range(topology.cell_count))]
        corners = np.concatenate(outlines)
        low = corners.min(axis=0)
        unit = size / max(float(np.ptp(outlines[0][:, 0])), 1e-9)
        extent = np.ceil((corners.max(axis=0) - low) * unit)
        self.width, self.height = np.maximum(extent, 1).astype(int).tolist()
        self.outlines = [(outline - low) * unit for outline in outlines]
        middles = np.array([topology.centre(cell) for cell in each_checked(range(topology.cell_count))])
        self.positions = np.asarray(((middles - low) * unit).round() - size // 2, np.int64)

    def check(self, scale: int = 1) -> None:
        super().check(max(scale, SMOOTHING))

    def draw_pattern(self, pattern: int) -> Image.Image | None:
        return self.draw_colour(self.flat_colour(pattern))

    def flat_colour(self, look: int) -> tuple[int, ...]:
        return tuple(get_flat_colours(self.problem)[look].tolist()) if look >= 0 else self.tint(look).colour

    def find_outline(self, cell: int) -> Points:
        return tuple((x, y) for x, y in self.outlines[cell].tolist())

    def find_middles(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.array([self.outlines[cell].mean(axis=0) for cell in cells.tolist()]).reshape(-1, 2)

    def paint(self, looks: CellLooks) -> Image.Image:
        large = Image.new("RGBA", (self.width * SMOOTHING, self.height * SMOOTHING))
        pen = ImageDraw.Draw(large)
        for outline, look in each_checked(zip(self.outlines, looks.tolist(), strict=True)):
            pen.polygon([(x, y) for x, y in (outline * SMOOTHING).tolist()], fill=self.flat_colour(look))
        image = large.reduce(SMOOTHING)
        for (left, top), look in zip(self.positions.tolist(), looks.tolist(), strict=True):
            if look < 0 and self.tint(look).left:
                self.write_number(image, self.tint(look), left, top)
        return image

    def repaint(self, image: Image.Image, before: CellLooks, looks: CellLooks) -> Image.Image:
        return image if (before == looks).all() else self.paint(looks)
