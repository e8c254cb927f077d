"""Suggestions: which new tile would fill most of the corners that nothing fills."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavefold.auditing.corners import corner_pairs, count_fits, pairs_around
from wavefold.auditing.side_kinds import SideKinds
from wavefold.auditing.subcomplete import possible_pairs
from wavefold.tiles import Tile, TileSet, ring_of
from wavefold.tiles.tile import flip_socket

MOST_STARTS = 40  # failing corners a new tile is built around
LARGEST_RISE = 2

Shown = tuple[str, int]  # a socket and how high its side lies
Sides = tuple[Shown, ...]
OpenCorner = tuple[tuple[int, Shown], tuple[int, Shown]]  # two sides, and what must be shown there


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A new tile, and what it would do."""

    sockets: tuple[str, ...]
    rises: tuple[int, ...]
    fills: int  # failing corners, in all its turns and at all its levels
    failing_before: int  # corners of two sides that can arise and that nothing fills
    failing_after: int  # those of them that are still not filled, counted anew with the tile in the set


def suggest_tiles(tiles: TileSet, most: int = 3) -> list[Suggestion]:
    """The best new tiles, best first; each checked by auditing the set with it."""
    if tiles.beside or tiles.allowed or not all(has_text_sockets(tile) for tile in tiles.tiles):
        return []  # what has no sockets cannot be told in sockets
    failing = failing_corners(SideKinds(tiles))
    wanted = set(failing)
    ring, levels = ring_of(tiles.topology).sides, max(tile.levels for tile in tiles.tiles)
    candidates: dict[Sides, int] = {}
    for hole in failing[:: max(1, len(failing) // MOST_STARTS)]:
        sides = complete_tile(tiles, hole, wanted, ring, levels)
        if sides is not None:
            candidates[sides] = count_filled(sides, wanted, ring, levels)
    ranked = sorted(candidates, key=lambda sides: (-candidates[sides], sides))
    return [evaluate_tile(tiles, sides, failing, levels) for sides in drop_equivalent(ranked, ring)[:most]]


def has_text_sockets(tile: Tile) -> bool:
    """Whether all its sockets are words: anything else that is hashable fits, but has no order."""
    return tile.sockets is not None and all(isinstance(socket, str) for socket in tile.sockets)


def failing_corners(demands: SideKinds) -> list[OpenCorner]:
    """Every pair of demands that can arise at a corner and that nothing meets."""
    shown = [
        [shown_for(demands, side, kind) for kind in range(len(met))] for side, met in enumerate(demands.fits)
    ]
    found: list[OpenCorner] = []
    for first, second in corner_pairs(demands.tiles.topology):
        missing = possible_pairs(demands, first, second) & (count_fits(demands, (first, second)) == 0)
        found += [
            ((first, shown[first][here]), (second, shown[second][there]))
            for here, there in np.argwhere(missing).tolist()
        ]
    return found


def shown_for(demands: SideKinds, side: int, kind: int) -> Shown:
    """What a pattern must show on this side to meet the demand."""
    asking = demands.tiles.patterns[int(np.flatnonzero(demands.kind_of[side] == kind)[0])]
    back = demands.opposite[side]
    assert asking.sockets is not None
    return flip_socket(asking.sockets[back]), asking.heights[back]


def complete_tile(
    tiles: TileSet, hole: OpenCorner, wanted: set[OpenCorner], ring: int, levels: int
) -> Sides | None:
    """All sides of a tile that fills this hole: the others are chosen to fill as many more as they can."""
    fixed = dict(hole)
    low, high = (pick(height for _, height in fixed.values()) for pick in (min, max))
    if high - low > LARGEST_RISE:
        return None
    choices = sorted(
        {
            (socket, height)
            for pattern in tiles.patterns
            for socket, height in zip(pattern.sockets or (), pattern.heights, strict=True)
            if high - LARGEST_RISE <= height <= low + LARGEST_RISE
        }
    )
    tile = [fixed.get(side, hole[0][1]) for side in range(len(tiles.directions))]
    for _ in range(2):  # sides depend on each other: look at each twice
        for side in range(len(tile)):
            if side not in fixed:
                options: list[Sides] = [(*tile[:side], choice, *tile[side + 1 :]) for choice in choices]
                options = [each for each in options if height_range(each) <= LARGEST_RISE]
                scores = [(count_filled(each, wanted, ring, levels), each) for each in options]
                tile = list(max(scores)[1])
    return tuple(tile)


def height_range(sides: Sides) -> int:
    """How far the highest side lies above the lowest."""
    heights = [height for _, height in sides]
    return max(heights) - min(heights)


def count_filled(sides: Sides, wanted: set[OpenCorner], ring: int, levels: int) -> int:
    """How many holes a tile fills in all its turns, at all its levels."""
    lowest = min(height for _, height in sides)
    pairs = pairs_around(ring, len(sides))
    filled: set[OpenCorner] = set()
    for lift in range(-lowest, levels - height_range(sides) - lowest):
        raised = [(socket, height + lift) for socket, height in sides]
        for turn in range(ring):
            placed = [raised[(side - turn) % ring] for side in range(ring)] + raised[ring:]
            filled.update(((a, placed[a]), (b, placed[b])) for a, b in pairs)
    return len(filled & wanted)


def drop_equivalent(ranked: list[Sides], ring: int) -> list[Sides]:
    """Without those that are another one turned or raised."""
    seen: set[Sides] = set()
    kept = []
    for sides in ranked:
        lowest = min(height for _, height in sides)
        flat = [(socket, height - lowest) for socket, height in sides]
        turned = min(
            (*(flat[(side - turn) % ring] for side in range(ring)), *flat[ring:]) for turn in range(ring)
        )
        if turned not in seen:
            seen.add(turned)
            kept.append(sides)
    return kept


def evaluate_tile(tiles: TileSet, sides: Sides, failing: list[OpenCorner], levels: int) -> Suggestion:
    """Audit the set with the new tile: which of the failing corners are still not filled?"""
    lowest = min(height for _, height in sides)
    rises = tuple(height - lowest for _, height in sides)
    name = "new"
    while any(tile.name == name for tile in tiles.tiles):
        name += "'"
    sockets = tuple(socket for socket, _ in sides)
    new = Tile(name, sockets, symmetry="turned", levels=levels, rises=rises if any(rises) else ())
    left = set(failing_corners(SideKinds(TileSet([*tiles.tiles, new], tiles.topology)))) & set(failing)
    return Suggestion(sockets, rises, len(failing) - len(left), len(failing), len(left))
