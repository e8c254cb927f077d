"""Pictures of map tiles: every pattern is drawn once for each size, then copied to its cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.render.hexes import HexRaster
from wavefold.render.object_pictures import ObjectStamp, make_stamps, paste_within
from wavefold.render.squares import find_unique_looks
from wavefold.render.tile_pictures import Pixels, draw_square_picture, flat_colours
from wavefold.solver import Problem
from wavefold.storage.cache import BoundedCache, array_bytes
from wavefold.tiles import TileSet
from wavefold.tiles.objects import place_objects
from wavefold.topology import single_cell
from wavefold.worlds.map_tiles.zoom import CellWindow, HexSizes

MEMORY = 16 << 20  # bytes of pictures of patterns, of one world

Words = NDArray[np.uint32]  # [..., row, column] pixels, RGBA in one number
Patterns = NDArray[np.int32]  # [row, column]
Points = NDArray[np.float64]  # [cell, (x, y)] in pixels


class Painter:
    """Draws the cells of one tile set. Any thread may use it."""

    def __init__(self, tiles: TileSet) -> None:
        self.tiles = tiles
        self.problem = Problem(tiles, single_cell(tiles.topology), own_constraints=False)
        self.colours: Pixels = flat_colours(self.problem)  # [pattern, RGBA] mean colours
        self._pictures: BoundedCache[Words] = BoundedCache(MEMORY, array_bytes)
        self._stamps: BoundedCache[dict[int, ObjectStamp]] = BoundedCache(16)

    # --- tiles ----------------------------------------------------------------------------------

    def draw_squares(self, patterns: Patterns, size: int) -> Pixels:
        """uint8 [row, column, RGBA] of cells that are `size` pixels across."""
        pictures, index = self._take(
            patterns, size, lambda pattern: draw_square_picture(self.problem, pattern, size)
        )
        rows, columns = patterns.shape
        words = pictures[index].swapaxes(1, 2).reshape(rows * size, columns * size)
        return split_words(words)

    def draw_hexagons(self, patterns: Patterns, row: int, sizes: HexSizes) -> Pixels:
        """uint8 [row, column, RGBA] from the top of the second row to that of the last.

        As in `HexCanvas`, rows overlap from top to bottom.

        row : the number of the first row, which decides whether it is shifted
        """
        raster = HexRaster(*sizes, flat=False)
        pictures, index = self._take(
            patterns,
            sizes.across,
            lambda pattern: np.asarray(raster.stamp(raster.pattern_picture(self.problem, pattern))),
        )
        rows, columns = patterns.shape
        # [row, pixel row, pixel column], shifted rows not shifted yet
        strips = pictures[index].swapaxes(1, 2).reshape(rows, sizes.height, columns * sizes.across)
        shifted = np.zeros_like(strips)
        half = sizes.across // 2
        shifted[:, :, half:] = strips[:, :, :-half]
        strips[(row + 1) % 2 :: 2] = shifted[(row + 1) % 2 :: 2]
        under, over = split_words(strips[:-1, sizes.step :]), split_words(strips[1:, : sizes.step])
        over[:, : under.shape[1]] = compose(under, over[:, : under.shape[1]])
        return over.reshape(-1, columns * sizes.across, 4)

    def _take(
        self, patterns: Patterns, size: int, draw: Callable[[int], Pixels]
    ) -> tuple[Words, NDArray[np.int64]]:
        """uint32 [used pattern, row, column], and [row, column] the used pattern of each cell."""
        used, index = find_unique_looks(patterns.reshape(-1).astype(np.int64))
        pictures = [
            self._pictures.get((size, each), partial(lambda each: join_words(draw(each)), each))
            for each in used.tolist()
        ]
        return np.stack(pictures), index.reshape(patterns.shape)

    # --- objects --------------------------------------------------------------------------------

    def object_reach(self, size: int, step: int) -> int:
        """How many rows or columns an object may extend beyond its cell; rows are `step` pixels apart."""
        reach = 0.0
        for kind, (image, (x, y)) in self._object_stamps(size).items():
            jitter = self.tiles.objects[kind].jitter * size
            reach = max(reach, x + jitter, image.width - x + jitter, y + jitter, image.height - y + jitter)
        return int(reach / step + 0.5) if reach else 0

    def draw_objects(
        self, picture: Pixels, window: CellWindow, patterns: Patterns, points: Points, seed: int, size: int
    ) -> Pixels:
        """A picture with the objects of a window over it; points : [cell, (x, y)] the middle of each cell."""
        flat = patterns.reshape(-1).astype(np.int64)
        placed = place_objects(self.tiles, window.cells, flat, seed)
        if not placed.cells.size:
            return picture
        stamps = self._object_stamps(size)
        stand = points[placed.cells] + placed.jitter * size
        image = Image.fromarray(picture)
        for index in np.lexsort((stand[:, 0], stand[:, 1])).tolist():
            stamp = stamps[int(placed.kinds[index])]
            # Not `round`, which rounds halves up or down depending on where the tile begins.
            left, top = np.floor(stand[index] - stamp.anchor + 0.5).astype(int).tolist()
            paste_within(image, stamp.image, left, top)
        return np.asarray(image)

    def _object_stamps(self, size: int) -> dict[int, ObjectStamp]:
        kinds = range(len(self.tiles.objects))
        return self._stamps.get(size, lambda: make_stamps(self.problem, size, kinds) if kinds else {})


def join_words(pixels: Pixels) -> Words:
    """uint8 [..., RGBA] as numbers."""
    return np.ascontiguousarray(pixels).view(np.uint32)[..., 0]


def split_words(words: Words) -> Pixels:
    """Inverse of `join_words`."""
    return np.ascontiguousarray(words).view(np.uint8).reshape(*words.shape, 4)


def compose(under: Pixels, over: Pixels) -> Pixels:
    """One picture over another, rounded as Pillow's `alpha_composite` does."""
    found = np.where(over[..., 3:] == 0, under, over)
    soft = (over[..., 3] > 0) & (over[..., 3] < 255) & (under[..., 3] > 0)
    below, above = under[soft].astype(np.uint32), over[soft].astype(np.uint32)
    opacity = above[:, 3:] * 255
    both = opacity + below[:, 3:] * (255 - above[:, 3:])
    share = opacity * 255 * 128 // both  # of 255 * 128
    mixed = above[:, :3] * share + below[:, :3] * (255 * 128 - share) + (0x80 << 7)
    found[soft, :3] = (mixed + (mixed >> 8)) >> 8 >> 7
    both += 0x80
    found[soft, 3:] = (both + (both >> 8)) >> 8
    return found
