"""Find the tiles and patterns that are exchanged when a whole tile set is rotated or mirrored.

Many sets have one tile per direction instead of one tile that is rotated. If the rules are the same in these
directions, such tiles are equally hard to place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.kernels.host.seeding import mix
from wavefold.tiles.orientation import Orientation, get_ring
from wavefold.tiles.rules import Rules
from wavefold.tiles.tileset import TileSet

MOST_PATTERNS = 512  # in `find_turned_tiles`
MOST_COUNTERPART_PATTERNS = 1024  # in `find_counterparts`
MOST_GUESSES = 16  # times one of several equal patterns is chosen


def find_turned_tiles(tiles: TileSet) -> NDArray[np.int64]:
    """[tile] -> the first of the tiles that are exchanged with it when the set is rotated or mirrored."""
    rules = tiles.rules
    first = np.arange(len(tiles.tiles))
    if len(rules) > MOST_PATTERNS:
        return first
    tables = list_tables(rules)
    weights = np.stack([rules.weights, tiles.asked_weights], axis=1)
    start = np.tile(np.unique(weights, axis=0, return_inverse=True)[1].reshape(-1), 2)
    for orientation in get_ring(tiles.topology).list_orientations():
        here, there = refine_colours(start, tables, move_sides(rules, tables, orientation))
        if not np.array_equal(np.sort(here), np.sort(there)):
            continue  # the rotated set differs
        for colour in np.unique(here[here != there]):
            joined = first[rules.tile_of[(here == colour) | (there == colour)]]
            first[np.isin(first, joined)] = joined.min()
    return first


def find_counterparts(
    rules: Rules,
    labels: NDArray[np.int64],
    orientation: Orientation,
    known: NDArray[np.int64] | None = None,
    with_factors: bool = True,
) -> NDArray[np.int32] | None:
    """[pattern] -> its counterpart when the whole map is rotated; None if the rotated set differs.

    labels : [pattern] a pattern and its counterpart have the same label
    known : [pattern] known counterparts, or -1
    with_factors : whether soft pairs must have the same factors

    The result is exact: all relations and factors are compared at the end. If several solutions exist, one of
    them is returned.
    """
    count = len(rules)
    if count > MOST_COUNTERPART_PATTERNS:
        return None
    tables = list_tables(rules) if with_factors else rules.allowed[None].astype(np.uint64)
    moved = move_sides(rules, tables, orientation)
    start = np.tile(labels, 2)
    if known is not None:
        given = np.flatnonzero(known >= 0)
        start[given] = start[count + known[given]] = labels.max() + 1 + given
    for _ in range(MOST_GUESSES):
        here, there = refine_colours(start, tables, moved)
        if not np.array_equal(np.sort(here), np.sort(there)):
            return None
        found = np.empty(count, np.int32)
        found[np.argsort(there, kind="stable")] = np.argsort(here, kind="stable")
        if np.array_equal(tables[:, :, found][:, :, :, found], moved):
            return found
        several = np.flatnonzero(np.bincount(here) > 1)
        if not several.size:
            return None
        start = np.concatenate([here, there])
        for each in (here, there):  # guess that these two are counterparts
            start[count * (each is there) + int((each == several[0]).argmax())] = count
    return None


def move_sides(rules: Rules, tables: NDArray[np.uint64], orientation: Orientation) -> NDArray[np.uint64]:
    """The tables of the rotated set."""
    ring, moved = get_ring(rules.topology), np.empty_like(tables)
    for side in range(tables.shape[1]):
        moved[:, ring.move_side(side, orientation)] = tables[:, side]
    return moved


def list_tables(rules: Rules) -> NDArray[np.uint64]:
    """0 or 1 [factor, side, a, b]: whether b may stand on that side of a, with that factor."""
    allowed, soft = rules.allowed, rules.soft
    factors = np.ones(allowed.shape)
    if soft is not None:
        factors = np.stack([soft.table(side) for side in range(len(allowed))])
    return np.stack([allowed & (factors == each) for each in np.unique(factors)]).astype(np.uint64)


def refine_colours(
    start: NDArray[Any], one: NDArray[np.uint64], other: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Colour the patterns of two sets of tables (see `list_tables`) by colour refinement.

    Patterns of the same colour get different colours if they allow different numbers of patterns of some
    colour on some side. This is repeated until no colour is split.

    start : the initial colours, for the patterns of the first set, then of the second
    """
    count = start.size // 2
    colours = np.unique(start, return_inverse=True)[1].reshape(-1)
    known = 0
    while known < colours.max() + 1:
        checkpoint()
        known = int(colours.max()) + 1
        # Equal counts of every colour give equal sums of one random number per colour, modulo 2**64.
        values = np.array([mix(colour) for colour in range(known)], np.uint64)[colours]
        near = [tables @ value for tables, value in ((one, values[:count]), (other, values[count:]))]
        rows = np.concatenate([each.transpose(2, 0, 1).reshape(count, -1) for each in near])
        features = np.concatenate([colours[:, None].astype(np.uint64), rows], axis=1)
        colours = np.unique(features, axis=0, return_inverse=True)[1].reshape(-1)
    return colours[:count], colours[count:]
