"""Draw a map tile, exactly or from existing chunks if an exact picture would take too long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import ConfigError, WorldError
from wavefold.options.values import check_type
from wavefold.render.tile_pictures import Pixels
from wavefold.storage.png import FAST_PNG, drop_opaque, encode_png
from wavefold.worlds.map_tiles.cells import UNKNOWN, TileCells, read_cells
from wavefold.worlds.map_tiles.pictures import Painter, draw_mean, find_shares, join_words, split_words
from wavefold.worlds.map_tiles.zoom import (
    TILE,
    HexSizes,
    TileAddress,
    find_hex_samples,
    find_hex_window,
    find_square_samples,
    find_square_window,
)
from wavefold.worlds.plan import PatternGrid
from wavefold.worlds.world import World

EXACT, SAMPLED, MEAN, PROVISIONAL = "exact", "sampled", "mean", "provisional"
LEAST_OBJECT_ZOOM = 2  # a cell has 16 pixels, and an object about as many
DRAWN_KINDS = ("square", "hex")

_painters: WeakKeyDictionary[World, Painter] = WeakKeyDictionary()


@dataclass(frozen=True)
class MapTile:
    """A picture of a part of a world.

    pixels : uint8 [row, column, RGBA]
    revision : the revision of the world
    how : "exact"; "sampled" if only some cells are shown, or some do not exist yet; "mean" if none are shown;
        "provisional" if some cells will change because final chunks were late
    share : the share of the picture that shows cells; the rest has mean colours
    is_final : whether the picture would stay the same after more chunks are generated
    """

    pixels: Pixels
    revision: int
    how: str
    share: float
    is_final: bool

    @cached_property
    def png(self) -> bytes:
        """The picture as a PNG file."""
        return encode_png(drop_opaque(self.pixels), FAST_PNG)


def draw_map_tile(
    world: World, z: int, x: int, y: int, revision: int | None = None, budget: float | None = None
) -> MapTile:
    """Draw tile (x, y) of zoom z: 256 x 256 pixels that fit other tiles of this zoom.

    At zoom 0 a tile has 64 x 64 cells of 4 pixels. Each higher zoom (up to 6) doubles the size of cells, each
    lower zoom (down to -16) halves it. Tile (0, 0) begins with cell (0, 0); x and y may be negative. Hexagons
    have the same width, and the distance between their rows is 7/8 of it.

    A tile generates at most four chunks of 64 cells (up to six of hexagons, because chunks are rhombuses), or
    as many cells in smaller chunks. If it needs more, it is drawn from at most 64 chunks that exist already,
    and the rest has the mean colours of the tiles that fields allow there. Objects are drawn from zoom 2 on,
    if chunks are large enough.

    revision : the revision of the world to draw (see `World.changes`); by default the current one
    budget : milliseconds to wait for missing chunks; late chunks are provisional or in mean colours, and are
        finished in the background
    """
    check_type("world", world, World, "a World")
    if budget is not None and not (isinstance(budget, Real) and budget >= 0):
        raise ConfigError(f"budget must be milliseconds, 0 or more, not {budget!r}")
    tile, kind = TileAddress.parse(z, x, y), world.tiles.topology
    if kind not in DRAWN_KINDS:
        raise WorldError(f"map tiles need square or hex tiles; these are {kind} tiles: use world.image")
    painter = _painters.get(world) or _painters.setdefault(world, Painter(world.tiles))
    if kind == "square":
        draw = draw_squares if tile.size else draw_sampled_squares
    else:
        draw = draw_hexagons if tile.z > 0 else draw_small_hexagons if tile.z == 0 else draw_sampled_hexagons
    return draw(world, painter, tile, revision, budget)


# --- squares ------------------------------------------------------------------------------------


def draw_squares(
    world: World, painter: Painter, tile: TileAddress, revision: int | None, budget: float | None
) -> MapTile:
    """Draw square cells of at least a pixel."""
    size = tile.size
    reach = find_object_reach(world, painter, tile, size, TILE // size)
    margin = reach or 0
    window = find_square_window(tile, margin)
    cells = read_cells(world, window, tile.z, revision, budget)
    inner = cells.patterns[margin : len(window.rows) - margin, margin : window.columns - margin]
    pixels = painter.draw_squares(np.maximum(inner, 0), size)
    if reach is not None:
        middles = (np.arange(-margin, window.columns - margin) + 0.5) * size
        points = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
        pixels = painter.draw_objects(pixels, window, cells.patterns, points, world.seed, size)
    unknown = (inner == UNKNOWN).repeat(size, axis=0).repeat(size, axis=1)
    return finish(world, painter, tile, cells, pixels, unknown)


def draw_sampled_squares(
    world: World, painter: Painter, tile: TileAddress, revision: int | None, budget: float | None
) -> MapTile:
    """Draw squares smaller than a pixel, sampling four for each pixel."""
    window = find_square_samples(tile)
    cells = read_cells(world, window, tile.z, revision, budget)
    return finish_sampled(world, painter, tile, cells, cells.patterns, window.stride)


# --- hexagons -----------------------------------------------------------------------------------


def draw_hexagons(
    world: World, painter: Painter, tile: TileAddress, revision: int | None, budget: float | None
) -> MapTile:
    """Draw hexagons of at least 8 pixels."""
    sizes = HexSizes.at(tile.z)
    reach = find_object_reach(world, painter, tile, sizes.step, 2 * TILE // sizes.step)
    return draw_honeycomb(world, painter, tile, revision, TILE, reach, budget)


def draw_small_hexagons(
    world: World, painter: Painter, tile: TileAddress, revision: int | None, budget: float | None
) -> MapTile:
    """Draw hexagons of 4 pixels at twice the size, then reduce them: their rows are not whole pixels."""
    large = draw_honeycomb(world, painter, tile._replace(z=1), revision, 2 * TILE, None, budget)
    return replace(large, pixels=halve(large.pixels))


def draw_honeycomb(
    world: World,
    painter: Painter,
    tile: TileAddress,
    revision: int | None,
    pixels: int,
    reach: int | None,
    budget: float | None = None,
) -> MapTile:
    """Draw a square of `pixels` pixels that begins at (x, y) * pixels, with objects if `reach` is given."""
    sizes = HexSizes.at(tile.z)
    window, below, right = find_hex_window(tile, pixels, reach or 0)
    cells = read_cells(world, window, tile.z, revision, budget)
    if (cells.patterns == UNKNOWN).any():  # chunks were late
        far = pixels // TILE  # 2 for a tile of zoom 0, which is drawn twice as large
        mean = draw_unknown(world, painter, tile._replace(z=tile.z + 1 - far))
        return MapTile(mean.repeat(far, axis=0).repeat(far, axis=1), cells.revision, MEAN, 0.0, False)
    whole = painter.draw_hexagons(cells.patterns, int(window.rows[0]), sizes)
    picture = whole[below : below + pixels, right : right + pixels]
    if reach is not None:
        row, column = np.meshgrid(np.arange(len(window.rows)), np.arange(window.columns), indexing="ij")
        shifted = (window.rows[:, None] % 2) * (sizes.across // 2)
        x = column * sizes.across + shifted + sizes.across / 2 - right
        y = (row - 1) * sizes.step + sizes.height / 2 - below
        points = np.stack([x, y], axis=-1).reshape(-1, 2)
        picture = painter.draw_objects(
            np.ascontiguousarray(picture), window, cells.patterns, points, world.seed, sizes.across
        )
    how = EXACT if cells.is_final else PROVISIONAL
    return MapTile(picture, cells.revision, how, 1.0, cells.is_final)


def draw_sampled_hexagons(
    world: World, painter: Painter, tile: TileAddress, revision: int | None, budget: float | None
) -> MapTile:
    """Draw hexagons of at most 2 pixels, each in its mean colour."""
    window, row, column = find_hex_samples(tile)
    cells = read_cells(world, window, tile.z, revision, budget)
    columns = column[window.rows[row] % 2]  # [point row, point column]
    samples = cells.patterns[row[:, None], columns]
    return finish_sampled(world, painter, tile, cells, samples, window.stride)


# --- both ---------------------------------------------------------------------------------------


def find_object_reach(
    world: World, painter: Painter, tile: TileAddress, step: int, across: int
) -> int | None:
    """Return how many cells around a tile may have objects visible in it; None if objects are not drawn.

    Objects are not drawn if a tile would need more than 4 chunks.

    step : pixels from row to row
    across : the most cells across the tile
    """
    if tile.z < LEAST_OBJECT_ZOOM or not world.tiles.objects:
        return None
    reach = painter.object_reach(tile.size, step)
    return reach if across + 2 * reach <= world.plan.chunk + 1 else None


def finish_sampled(
    world: World, painter: Painter, tile: TileAddress, cells: TileCells, samples: PatternGrid, stride: int
) -> MapTile:
    """Draw a picture of 512 x 512 samples; each pixel is the mean of four."""
    unknown = samples == UNKNOWN
    if unknown.all():
        return describe(draw_unknown(world, painter, tile), cells, 0.0, stride)
    words = join_words(painter.colours)[samples]
    if unknown.any():
        mean = join_words(draw_unknown(world, painter, tile))
        words = np.where(unknown, mean.repeat(2, axis=0).repeat(2, axis=1), words)
    share = (1 - float(unknown.mean())) / cells.apart**2
    return describe(halve(split_words(words)), cells, share, stride)


def finish(
    world: World,
    painter: Painter,
    tile: TileAddress,
    cells: TileCells,
    pixels: Pixels,
    unknown: NDArray[np.bool_],
) -> MapTile:
    """Finish a picture with mean colours in unknown cells."""
    if unknown.any():
        pixels = np.where(unknown[..., None], draw_unknown(world, painter, tile), pixels)
    return describe(pixels, cells, 1 - float(unknown.mean()), 1)


def draw_unknown(world: World, painter: Painter, tile: TileAddress) -> Pixels:
    """Draw a tile without known cells."""
    shares = find_shares(world.parts.generator.base, world.rules)
    return draw_mean(world.tiles, world.fields, shares, painter.colours, tile)


def describe(pixels: Pixels, cells: TileCells, share: float, stride: int) -> MapTile:
    """Describe how a picture was drawn, as a map tile."""
    whole = EXACT if cells.is_final else PROVISIONAL
    how = MEAN if share == 0 else whole if share == 1 and stride == 1 else SAMPLED
    return MapTile(pixels, cells.revision, how, share, cells.is_final)


def halve(pixels: Pixels) -> Pixels:
    """Reduce a picture to half its size; each pixel is the mean of four."""
    return np.asarray(Image.fromarray(pixels).reduce(2))
