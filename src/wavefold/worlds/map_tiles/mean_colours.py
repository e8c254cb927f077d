"""A distant view of a part of a world that is not generated yet: the mean colours of its tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.fields import Fields
from wavefold.fields.fields import describe_field
from wavefold.fields.positions import PickedPositions
from wavefold.fields.sampled import SampledFields
from wavefold.fields.user_functions import Values
from wavefold.render.tile_pictures import Pixels
from wavefold.tiles import Rules, TileSet
from wavefold.topology import single_cell
from wavefold.worlds.map_tiles.zoom import CELLS, TILE, UNITS, TileAddress

FLOOR = 1e-3  # share of all patterns together that the base does not have
POINTS = 64  # across a tile, at which fields are evaluated; colours are interpolated between them


def find_shares(base: NDArray[np.int32], rules: Rules) -> NDArray[np.float64]:
    """[pattern] the frequency of each in a world, from its base; a small share for those not in the base."""
    counts = np.bincount(base.reshape(-1), minlength=len(rules))
    return np.asarray(counts / counts.sum() + FLOOR * rules.weights / rules.weights.sum())


def draw_mean(
    tiles: TileSet, fields: Fields | None, shares: NDArray[np.float64], colours: Pixels, tile: TileAddress
) -> Pixels:
    """uint8 [row, column, RGBA] of a tile: the expected mean colours of its cells.

    shares : [pattern] frequency without fields; colours : [pattern, RGBA] mean colour
    """
    if fields is None:
        colour = np.rint(shares @ colours / shares.sum()).astype(np.uint8)
        return np.broadcast_to(colour, (TILE, TILE, 4))
    across = POINTS + 2  # one more on each side, so that neighbouring tiles fit
    cells = locate_points(tiles.topology, tile)
    means = expect_colours(tiles, fields, shares, colours, cells).reshape(across, across, 4)
    image = Image.fromarray(np.rint(means).astype(np.uint8))
    box = (1, 1, across - 1, across - 1)
    return np.asarray(image.resize((TILE, TILE), Image.Resampling.BILINEAR, box=box))


def locate_points(kind: str, tile: TileAddress) -> NDArray[np.int64]:
    """int64 [(x, y), point] the cells in the middle of 64 x 64 squares of a tile, and one row around."""
    apart = UNITS * CELLS << 10 - tile.z  # 1,024ths of a unit, from tile to tile
    steps = np.arange(-1, POINTS + 1) * (apart // POINTS) + apart // POINTS // 2
    down, right = np.meshgrid(tile.y * apart + steps, tile.x * apart + steps, indexing="ij")
    if kind == "square":
        return np.stack([right // (UNITS << 10), down // (UNITS << 10)]).reshape(2, -1)
    row = down // (UNITS * 7 // 8 << 10)
    column = (right - (row & 1) * (UNITS // 2 << 10)) // (UNITS << 10)
    return np.stack([column - (row >> 1), row]).reshape(2, -1)


def sample_field(fields: Fields, name: str, kind: str, tile: TileAddress) -> NDArray[np.float64]:
    """[row, column] the values of one field at the middle of 64 x 64 squares of a tile."""
    places = PickedPositions(single_cell(kind), (0, 0), locate_points(kind, tile))
    values = fields.sources[name].at(places, describe_field(name)).reshape(POINTS + 2, POINTS + 2)
    return values[1:-1, 1:-1]


def expect_colours(
    tiles: TileSet,
    fields: Fields,
    shares: NDArray[np.float64],
    colours: Pixels,
    cells: NDArray[np.int64],
) -> NDArray[np.float64]:
    """[cell, RGBA] the mean colour of the patterns that fields allow in each, by their shares and factors."""
    places = PickedPositions(single_cell(tiles.topology), (0, 0), cells)
    values = Values()
    for name, source in fields.sources.items():
        values[name] = source.at(places, describe_field(name))
    sampled = SampledFields(fields, places, values)
    weights = np.where(sampled.masks(tiles), sampled.weights(tiles.rules, own=shares), 0)
    weights[weights.sum(axis=1) == 0] = shares  # no pattern meets all limits
    return np.asarray(weights @ colours.astype(np.float64) / weights.sum(axis=1, keepdims=True))
