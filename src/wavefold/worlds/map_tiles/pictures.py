"""Pictures of map tiles: drawn patterns and objects; far away, the mean colours of patterns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.fields import Fields
from wavefold.fields.fields import describe_field
from wavefold.fields.positions import PickedPositions
from wavefold.fields.sampled import SampledFields
from wavefold.fields.sources import Values
from wavefold.render.hexes import HexRaster
from wavefold.render.object_pictures import ObjectStamp, make_stamps, paste_within
from wavefold.render.squares import find_unique_looks
from wavefold.render.tile_pictures import Pixels, draw_square_picture, get_flat_colours
from wavefold.solver import Problem
from wavefold.storage.cache import BoundedCache, array_bytes
from wavefold.tiles import Rules, TileSet
from wavefold.tiles.objects import place_objects
from wavefold.topology import make_single_cell
from wavefold.worlds.map_tiles.zoom import CELLS, TILE, UNITS, CellWindow, HexSizes, TileAddress
from wavefold.worlds.plan import PatternGrid

RARE_SHARE = 1e-3  # of all patterns that do not occur in the base, together
POINTS = 64  # across a tile, at which fields are sampled; colours between them are interpolated
PICTURE_BYTES = 16 << 20  # of cached pictures of patterns, for one world

PixelWords = NDArray[np.uint32]  # [..., row, column] RGBA in one number
Points = NDArray[np.float64]  # [cell, (x, y)] in pixels


def find_shares(base: NDArray[np.int32], rules: Rules) -> NDArray[np.float64]:
    """Estimate the frequency of each pattern in a world from its base; others get a small share."""
    counts = np.bincount(base.reshape(-1), minlength=len(rules))
    return np.asarray(counts / counts.sum() + RARE_SHARE * rules.weights / rules.weights.sum())


def draw_mean(
    tiles: TileSet, fields: Fields | None, shares: NDArray[np.float64], colours: Pixels, tile: TileAddress
) -> Pixels:
    """Draw a tile, uint8 [row, column, RGBA], with the expected mean colours of its cells.

    shares : [pattern] the frequency without fields
    colours : [pattern, RGBA] the mean colour
    """
    if fields is None:
        colour = np.rint(shares @ colours / shares.sum()).astype(np.uint8)
        return np.broadcast_to(colour, (TILE, TILE, 4))
    across = POINTS + 2  # one more on each side, so that adjacent tiles fit
    cells = locate_points(tiles.topology, tile)
    means = expect_colours(tiles, fields, shares, colours, cells).reshape(across, across, 4)
    image = Image.fromarray(np.rint(means).astype(np.uint8))
    box = (1, 1, across - 1, across - 1)
    return np.asarray(image.resize((TILE, TILE), Image.Resampling.BILINEAR, box=box))


def locate_points(kind: str, tile: TileAddress) -> NDArray[np.int64]:
    """Locate the cells [(x, y), point] in the middle of 64 x 64 squares of a tile, and one row around."""
    apart = UNITS * CELLS << 10 - tile.z  # 1,024ths of a unit, from tile to tile
    steps = np.arange(-1, POINTS + 1) * (apart // POINTS) + apart // POINTS // 2
    down, right = np.meshgrid(tile.y * apart + steps, tile.x * apart + steps, indexing="ij")
    if kind == "square":
        return np.stack([right // (UNITS << 10), down // (UNITS << 10)]).reshape(2, -1)
    row = down // (UNITS * 7 // 8 << 10)
    column = (right - (row & 1) * (UNITS // 2 << 10)) // (UNITS << 10)
    return np.stack([column - (row >> 1), row]).reshape(2, -1)


def sample_field(fields: Fields, name: str, kind: str, tile: TileAddress) -> NDArray[np.float64]:
    """Sample a field [row, column] at the middle of 64 x 64 squares of a tile."""
    places = PickedPositions(make_single_cell(kind), (0, 0), locate_points(kind, tile))
    values = fields.sources[name].at(places, describe_field(name)).reshape(POINTS + 2, POINTS + 2)
    return values[1:-1, 1:-1]


def expect_colours(
    tiles: TileSet,
    fields: Fields,
    shares: NDArray[np.float64],
    colours: Pixels,
    cells: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Compute the mean colour [cell, RGBA] of the patterns that fields allow, by shares and factors."""
    places = PickedPositions(make_single_cell(tiles.topology), (0, 0), cells)
    values = Values()
    for name, source in fields.sources.items():
        values[name] = source.at(places, describe_field(name))
    sampled = SampledFields(fields, places, values)
    weights = np.where(sampled.masks(tiles), sampled.weights(tiles.rules, own=shares), 0)
    weights[weights.sum(axis=1) == 0] = shares  # where no pattern meets all limits
    return np.asarray(weights @ colours.astype(np.float64) / weights.sum(axis=1, keepdims=True))


class Painter:
    """Draws the cells of one tile set. Thread-safe."""

    def __init__(self, tiles: TileSet) -> None:
        self.tiles = tiles
        self.problem = Problem(tiles, make_single_cell(tiles.topology), own_constraints=False)
        self.colours: Pixels = get_flat_colours(self.problem)  # [pattern, RGBA] mean colours
        self._pictures: BoundedCache[PixelWords] = BoundedCache(PICTURE_BYTES, array_bytes)
        self._stamps: BoundedCache[dict[int, ObjectStamp]] = BoundedCache(16)

    # --- tiles ----------------------------------------------------------------------------------

    def draw_squares(self, patterns: PatternGrid, size: int) -> Pixels:
        """Draw square cells of `size` pixels, uint8 [row, column, RGBA]."""
        pictures, index = self._take(
            patterns, size, lambda pattern: draw_square_picture(self.problem, pattern, size)
        )
        rows, columns = patterns.shape
        words = pictures[index].swapaxes(1, 2).reshape(rows * size, columns * size)
        return split_words(words)

    def draw_hexagons(self, patterns: PatternGrid, row: int, sizes: HexSizes) -> Pixels:
        """Draw hexagons, uint8 [row, column, RGBA], from the top of the second row to that of the last.

        Lower rows are drawn over higher ones, as in `HexCanvas`.

        row : the number of the first row; odd rows are shifted
        """
        raster = HexRaster(*sizes, flat=False)
        pictures, index = self._take(
            patterns,
            sizes.across,
            lambda pattern: np.asarray(raster.stamp(raster.draw_pattern_picture(self.problem, pattern))),
        )
        rows, columns = patterns.shape
        # [row, pixel row, pixel column], before odd rows are shifted
        strips = pictures[index].swapaxes(1, 2).reshape(rows, sizes.height, columns * sizes.across)
        shifted = np.zeros_like(strips)
        half = sizes.across // 2
        shifted[:, :, half:] = strips[:, :, :-half]
        strips[(row + 1) % 2 :: 2] = shifted[(row + 1) % 2 :: 2]
        under, over = split_words(strips[:-1, sizes.step :]), split_words(strips[1:, : sizes.step])
        over[:, : under.shape[1]] = compose(under, over[:, : under.shape[1]])
        return over.reshape(-1, columns * sizes.across, 4)

    def _take(
        self, patterns: PatternGrid, size: int, draw: Callable[[int], Pixels]
    ) -> tuple[PixelWords, NDArray[np.int64]]:
        """Return the pictures [used pattern, row, column], and the used pattern of each cell."""
        used, index = find_unique_looks(patterns.reshape(-1).astype(np.int64))
        pictures = [
            self._pictures.get((size, each), partial(lambda each: join_words(draw(each)), each))
            for each in used.tolist()
        ]
        return np.stack(pictures), index.reshape(patterns.shape)

    # --- objects --------------------------------------------------------------------------------

    def object_reach(self, size: int, step: int) -> int:
        """Return how many rows or columns objects may extend beyond their cell.

        step : pixels from row to row
        """
        reach = 0.0
        for kind, (image, (x, y)) in self._object_stamps(size).items():
            jitter = self.tiles.objects[kind].jitter * size
            reach = max(reach, x + jitter, image.width - x + jitter, y + jitter, image.height - y + jitter)
        return int(reach / step + 0.5) if reach else 0

    def draw_objects(
        self, picture: Pixels, window: CellWindow, patterns: PatternGrid, points: Points, seed: int, size: int
    ) -> Pixels:
        """Draw the objects of a window over a picture.

        points : [cell, (x, y)] the middle of each cell
        """
        flat = patterns.reshape(-1).astype(np.int64)
        placed = place_objects(self.tiles, window.cells, flat, seed)
        if not placed.cells.size:
            return picture
        stamps = self._object_stamps(size)
        stand = points[placed.cells] + placed.jitter * size
        image = Image.fromarray(picture)
        for index in np.lexsort((stand[:, 0], stand[:, 1])).tolist():
            stamp = stamps[int(placed.kinds[index])]
            # Not `round`, which rounds halves to even, so that it would depend on the position of the tile.
            left, top = np.floor(stand[index] - stamp.anchor + 0.5).astype(int).tolist()
            paste_within(image, stamp.image, left, top)
        return np.asarray(image)

    def _object_stamps(self, size: int) -> dict[int, ObjectStamp]:
        kinds = range(len(self.tiles.objects))
        return self._stamps.get(size, lambda: make_stamps(self.problem, size, kinds) if kinds else {})


def join_words(pixels: Pixels) -> PixelWords:
    """Convert uint8 [..., RGBA] to numbers."""
    return np.ascontiguousarray(pixels).view(np.uint32)[..., 0]


def split_words(words: PixelWords) -> Pixels:
    """Convert numbers to uint8 [..., RGBA]; the inverse of `join_words`."""
    return np.ascontiguousarray(words).view(np.uint8).reshape(*words.shape, 4)


def compose(under: Pixels, over: Pixels) -> Pixels:
    """Compose two pictures, with the same rounding as Pillow's `alpha_composite`."""
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
