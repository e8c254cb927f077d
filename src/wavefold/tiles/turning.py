"""Which tiles and patterns become one another when a whole tile set is turned or mirrored.

Many sets have a tile for each way a thing may lie, instead of one that is turned. Where nothing tells their
directions apart, such tiles are equally hard to place.
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

MOST_PATTERNS = 512  # of a set that is compared with itself
MOST_COUNTERPARTS = 1024  # patterns of a set that counterparts are looked for in
MOST_CHOICES = 16  # of patterns that nothing tells apart, to look for counterparts


def find_turned_tiles(tiles: TileSet) -> NDArray[np.int64]:
    """[tile] -> the first tile that it becomes, or that becomes it, when the set is turned or mirrored."""
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
            continue  # the set turned is another set
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
    """[pattern] -> what it becomes when all of a map is turned; None if the set turned is another one.

    labels : [pattern] those of a pattern and its counterpart are equal
    known : [pattern] counterparts that are given, or -1
    with_factors : whether soft pairs must have the same factors

    Exact: what may touch, and each factor, is compared in the end. Of several answers one is found.
    """
    count = len(rules)
    if count > MOST_COUNTERPARTS:
        return None
    tables = list_tables(rules) if with_factors else rules.allowed[None].astype(np.uint64)
    moved = move_sides(rules, tables, orientation)
    start = np.tile(labels, 2)
    if known is not None:
        given = np.flatnonzero(known >= 0)
        start[given] = start[count + known[given]] = labels.max() + 1 + given
    for _ in range(MOST_CHOICES):
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
        for each in (here, there):  # one of each is marked, and told apart from now on
            start[count * (each is there) + int((each == several[0]).argmax())] = count
    return None


def move_sides(rules: Rules, tables: NDArray[np.uint64], orientation: Orientation) -> NDArray[np.uint64]:
    """The tables of the turned set."""
    ring, moved = get_ring(rules.topology), np.empty_like(tables)
    for side in range(tables.shape[1]):
        moved[:, ring.move_side(side, orientation)] = tables[:, side]
    return moved


def list_tables(rules: Rules) -> NDArray[np.uint64]:
    """0 or 1 [value, side, pattern, pattern]: whether a pair may touch, and which factor it has."""
    allowed, soft = rules.allowed, rules.soft
    factors = np.ones(allowed.shape)
    if soft is not None:
        factors = np.stack([soft.table(side) for side in range(len(allowed))])
    return np.stack([allowed & (factors == each) for each in np.unique(factors)]).astype(np.uint64)


def refine_colours(
    start: NDArray[Any], one: NDArray[np.uint64], other: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A colour for each pattern of two sets of tables, `list_tables`: the same if neighbours have the same.

    start : of the patterns of one set, then of the other: numbers that tell some of them apart, as weights

    Colour refinement: patterns begin with these as colours; then those are told apart that may have other
    numbers of patterns of some colour on some side, until no more are.
    """
    count = start.size // 2
    colours = np.unique(start, return_inverse=True)[1].reshape(-1)
    known = 0
    while known < colours.max() + 1:
        checkpoint()
        known = int(colours.max()) + 1
        # Sums of random numbers, one a colour, modulo 2**64: equal if as many have each colour.
        values = np.array([mix(colour) for colour in range(known)], np.uint64)[colours]
        near = [tables @ value for tables, value in ((one, values[:count]), (other, values[count:]))]
        rows = np.concatenate([each.transpose(2, 0, 1).reshape(count, -1) for each in near])
        features = np.concatenate([colours[:, None].astype(np.uint64), rows], axis=1)
        colours = np.unique(features, axis=0, return_inverse=True)[1].reshape(-1)
    return colours[:count], colours[count:]
