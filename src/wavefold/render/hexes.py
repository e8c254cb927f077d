"""Pictures of hexagonal grids.

A stamp covers its hexagon fully and fades out within one pixel around it, so that neighbours have no gap
between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, hypot, sqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.render.canvas import Canvas, NumberBox, Points
from wavefold.render.tile_pictures import (
    FLAT_SIZE,
    Pixels,
    TilePicture,
    draw_plain,
    find_tile_picture,
    fit_image,
    list_tile_pictures,
)
from wavefold.solver.problem import Problem
from wavefold.topology import HexGrid

Field = NDArray[np.float64]  # [row, column]
DEGREES = 60
SOFT_RIM = 2.0  # width in pixels of the soft edge of a picture with transparent corners


@dataclass(frozen=True)
class HexRaster:
    """The positions and pixels of hexagons of one size, in whole pixels."""

    across: int  # from side to side
    step: int  # from row to row; for flat-top hexagons, from column to column
    flat: bool  # whether hexagons are flat-top

    @classmethod
    def of(cls, width: int, layout: str) -> HexRaster:
        """Make a raster for hexagons of this width; all other lengths are rounded to whole pixels."""
        if layout == "flat":
            return cls(max(1, round(width * sqrt(3) / 2)), max(1, round(width * 3 / 4)), True)
        return cls(width, max(1, round(width * sqrt(3) / 2)), False)

    @property
    def stamp_size(self) -> tuple[int, int]:
        """The width and height of a stamp; the length from corner to corner is even."""
        along = 2 * ceil(self.step * 2 / 3)
        return (along, self.across) if self.flat else (self.across, along)

    def positions(self, coordinates: NDArray[np.int32]) -> NDArray[np.int64]:
        """int64 [cell, (x, y)]: the top left corner of each stamp; the lowest x and y are 0."""
        q, r = coordinates.astype(np.int64).T
        if self.flat:
            places = np.stack([self.step * q, self.across * r + self.across * q // 2], axis=1)
        else:
            places = np.stack([self.across * q + self.across * r // 2, self.step * r], axis=1)
        return np.asarray(places - places.min(axis=0))

    def measure_depth(self, width: int, height: int) -> Field:
        """[row, column]: the distance of each pixel from the edge of the hexagon; negative outside."""
        short, long = self._from_middle(width, height)
        half, quarter = self.across / 2, self.step / 3  # a quarter of the way from corner to corner
        slanted = (2 * half * quarter - short * quarter - long * half) / hypot(quarter, half)
        return np.minimum(half - short, slanted)

    def _from_middle(self, width: int, height: int) -> tuple[Field, Field]:
        """[row, column]: the distances from the middle, from side to side and from corner to corner."""
        right = np.abs(np.arange(width) + 0.5 - width / 2)[None, :] + np.zeros((height, 1))
        down = np.abs(np.arange(height) + 0.5 - height / 2)[:, None] + np.zeros((1, width))
        return (down, right) if self.flat else (right, down)

    @property
    def corners(self) -> Points:
        """The corners of the hexagon in its stamp, clockwise."""
        width, height = self.stamp_size
        half, quarter = self.across / 2, self.step / 3
        along = ((0, -2 * quarter), (half, -quarter), (half, quarter))
        around = (*along, *((-x, -y) for x, y in along))
        middle = (width / 2, height / 2)
        if self.flat:
            return tuple((middle[0] - y, middle[1] + x) for x, y in around)
        return tuple((middle[0] + x, middle[1] + y) for x, y in around)

    @cached_property
    def mask(self) -> NDArray[np.uint8]:
        """uint8 [row, column]: the opacity of a stamp.

        If the width is odd, every other row is shifted by half a pixel, which needs a wider edge.
        """
        reach = 1.0 if self.across % 2 == 0 else 1.5
        soft = np.clip(self.measure_depth(*self.stamp_size) + reach, 0, 1)
        return np.asarray((soft * 255).round(), np.uint8)

    def stamp(self, pixels: Pixels) -> Image.Image:
        """Cut a picture of the size of a stamp to the hexagon."""
        cut = pixels.copy()
        cut[..., 3] = (pixels[..., 3].astype(np.uint16) * self.mask + 127) // 255
        return Image.fromarray(cut)

    def fill(self, colour: tuple[int, ...]) -> Pixels:
        """Make a rectangle of the size of a stamp in one colour."""
        width, height = self.stamp_size
        return np.full((height, width, 4), colour, np.uint8)

    def draw_pattern_picture(self, problem: Problem, pattern: int) -> Pixels:
        """Draw a pattern into the rectangle around its hexagon: its picture, or else its sockets."""
        picture = find_tile_picture(problem, pattern, "flat" if self.flat else "pointy")
        if picture is None:
            return draw_plain(problem, pattern, self.stamp_size, DEGREES / 2 if self.flat else 0)
        return self.fit(picture)

    def fit(self, picture: TilePicture) -> Pixels:
        """Rotate and resize a tile's picture, which fills the rectangle around the hexagon, to a stamp."""
        upright = HexRaster(self.across, self.step, picture.flat)
        pixels = np.asarray(
            fit_image(Image.fromarray(np.ascontiguousarray(picture.pixels)), *upright.stamp_size)
        )
        turn, mirrored = picture.orientation
        tilt = DEGREES // 2 * (self.flat + (picture.flat if mirrored else -picture.flat))
        if mirrored:
            pixels = pixels[:, ::-1]
        is_opaque = bool((pixels[..., 3] == 255).all())
        if not (turn or tilt) and is_opaque:
            return pixels
        side = 2 * max(self.stamp_size)  # has room for a stamp in any orientation
        canvas = Image.fromarray(upright.extend_edges(pixels, side, 0.5 if is_opaque else SOFT_RIM))
        image = canvas.rotate(-(DEGREES * turn + tilt), Image.Resampling.BICUBIC) if turn or tilt else canvas
        width, height = self.stamp_size
        left, top = (side - width) // 2, (side - height) // 2
        return np.asarray(image.crop((left, top, left + width, top + height)))

    def extend_edges(self, pixels: Pixels, side: int, rim: float) -> Pixels:
        """Make a square with the hexagon in its middle; pixels `rim` inside its edge are repeated outwards.

        Otherwise transparent or soft corners would be visible as seams.
        """
        height, width = pixels.shape[:2]
        down, right = (axis + 0.5 - side / 2 for axis in np.mgrid[:side, :side])
        half = self.across / 2
        inner = max(half - rim, half / 2)
        share = inner / np.maximum(half - self.measure_depth(side, side), inner)  # of the way from the middle
        row = np.clip(np.floor(down * share + height / 2), 0, height - 1).astype(int)
        column = np.clip(np.floor(right * share + width / 2), 0, width - 1).astype(int)
        return np.asarray(pixels[row, column])


class HexCanvas(Canvas):
    """A grid of hexagonal stamps."""

    def __init__(self, problem: Problem, size: int) -> None:
        super().__init__(problem, size)
        topology = problem.topology
        assert isinstance(topology, HexGrid)
        self.raster = raster = HexRaster.of(size, topology.layout)
        self.positions = raster.positions(topology.coordinates)
        self.stamp_size = raster.stamp_size
        self.width, self.height = (self.positions.max(axis=0) + self.stamp_size).tolist()
        self.outline = raster.corners
        width, height = raster.stamp_size
        self.number_box = NumberBox(width // 2, height // 2, width * 3 // 5, height * 2 // 5)

    @staticmethod
    def find_natural_size(problem: Problem) -> int:
        """The width of the widest picture."""
        flat = getattr(problem.topology, "layout", "pointy") == "flat"
        widths = (each.pixels.shape[0 if flat != each.flat else 1] for each in list_tile_pictures(problem))
        return max(widths, default=FLAT_SIZE)

    def draw_pattern(self, pattern: int) -> Image.Image:
        return self.raster.stamp(self.raster.draw_pattern_picture(self.problem, pattern))

    def draw_colour(self, colour: tuple[int, ...]) -> Image.Image:
        return self.raster.stamp(self.raster.fill(colour))
