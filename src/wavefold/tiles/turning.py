"""Which tiles become one another when a whole tile set is turned or mirrored.

Many sets have a tile for each way a thing may lie, instead of one that is turned. Where nothing tells their
directions apart, such tiles are equally hard to place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.tiles.orientation import ring_of
from wavefold.tiles.rules import Rules
from wavefold.tiles.tileset import TileSet

MOST_PATTERNS = 512  # of a set that is compared with itself


def find_turned_tiles(tiles: TileSet) -> NDArray[np.int64]:
    """[tile] -> the first tile that it becomes, or that becomes it, when the set is turned or mirrored."""
    rules, ring = tiles.rules, ring_of(tiles.topology)
    first = np.arange(len(tiles.tiles))
    if len(rules) > MOST_PATTERNS:
        return first
    tables = list_tables(rules)
    for orientation in ring.list_orientations():
        moved = np.empty_like(tables)
        for side in range(len(tiles.directions)):
            moved[:, ring.move_side(side, orientation)] = tables[:, side]
        here, there = refine_colours(rules.weights, tables, moved)
        if not np.array_equal(np.sort(here), np.sort(there)):
            continue  # the set turned is another set
        for colour in np.unique(here[here != there]):
            joined = first[rules.tile_of[(here == colour) | (there == colour)]]
            first[np.isin(first, joined)] = joined.min()
    return first


def list_tables(rules: Rules) -> NDArray[np.float64]:
    """0 or 1 [value, side, pattern, pattern]: whether a pair may touch, and which factor it has."""
    allowed, soft = rules.allowed, rules.soft
    factors = np.ones(allowed.shape)
    if soft is not None:
        factors = np.stack([soft.table(side) for side in range(len(allowed))])
    return np.stack([allowed & (factors == each) for each in np.unique(factors)]).astype(np.float64)


def refine_colours(
    weights: NDArray[np.float64], one: NDArray[np.float64], other: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A colour for each pattern of two sets of tables, `list_tables`: the same if neighbours have the same.

    Colour refinement: patterns begin with their weight as colour; then those are told apart that may have
    other numbers of patterns of some colour on some side, until no more are.
    """
    count = weights.size
    colours = np.unique(np.tile(weights, 2), return_inverse=True)[1].reshape(-1)
    known = 0
    while known < colours.max() + 1:
        known = int(colours.max()) + 1
        marks = np.eye(known)[colours]  # [pattern, colour] 0 or 1
        near = [tables @ mark for tables, mark in ((one, marks[:count]), (other, marks[count:]))]
        rows = [each.transpose(2, 0, 1, 3).reshape(count, -1) for each in near]
        features = np.concatenate([colours[:, None], np.concatenate(rows)], axis=1)
        colours = np.unique(features, axis=0, return_inverse=True)[1].reshape(-1)
    return colours[:count], colours[count:]
