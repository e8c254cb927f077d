"""Advice: settings that suit a tile set, and new tiles that would fill the most failing corners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.reports.auditing.corners import SubComplete, count_fits, find_possible_pairs, list_corner_pairs
from wavefold.reports.auditing.side_kinds import SideKinds
from wavefold.reports.auditing.trials import MOST_DISTANCE, ORDERS, Trial
from wavefold.tiles import Tile, TileSet
from wavefold.tiles.neighbour_rules import list_hard_rules
from wavefold.tiles.tile import flip_socket
from wavefold.topology import get_lattice_class, is_plane

MOST_STARTS = 40  # failing corners from which new tiles are built
MOST_RISE = 2  # of a new tile

TileSide = tuple[str, int]  # a socket and its height
Sides = tuple[TileSide, ...]  # of a tile, by direction
OpenCorner = tuple[
    tuple[int, TileSide], tuple[int, TileSide]
]  # two directions, and the sides a tile needs there


@dataclass(frozen=True, slots=True)
class Advice:
    """The settings that suit a set best."""

    order: str
    search: str
    window: int  # cells across a window that can be solved again with little risk
    chunk: int  # cells across a chunk of an endless world
    why: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A new tile and its effect."""

    sockets: tuple[str, ...]
    rises: tuple[int, ...]
    fills: int  # failing corners, in all its orientations and at all its levels
    failing_before: int  # corners of two sides that can occur and that nothing fits
    failing_after: int  # those that still fail with the tile added to the set

    @property
    def sides(self) -> tuple[str, ...]:
        """The socket of each side, with its height if above the lowest, such as "road +1"."""
        pairs = zip(self.sockets, self.rises, strict=True)
        return tuple(f"{socket} +{rise}" if rise else socket for socket, rise in pairs)


def advise(found: list[Trial], reach: int | None, rows: SubComplete | None, topology: str) -> Advice:
    """Derive settings from the trials."""
    if rows is not None and rows.holds:
        tried = "scanline"
        order = tried if rows.start == "northwest" else f"{tried}:{rows.start}"
        search, why = "backtrack", f"rows from the {rows.start} can be filled without a dead end"
    else:
        tried = order = min(ORDERS, key=lambda each: rank(found, each))
        plain = sum(trial.plain for trial in found if trial.order == order)
        runs = sum(trial.runs for trial in found if trial.order == order)
        search = "backtrack" if plain == runs else "auto"
        why = f"plain backtracking solved {plain} of {runs} maps in {order} order"
    safe = [trial.side for trial in found if trial.order == tried and trial.plain == trial.runs]
    window = max(safe, default=get_lattice_class(topology).sizes.safe_window)
    farthest = MOST_DISTANCE if reach is None else reach
    chunk = min(64, max(32, 1 << (4 * farthest - 1).bit_length())) if is_plane(topology) else 16
    return Advice(order, search, window, chunk, why)


def rank(found: list[Trial], order: str) -> tuple[int, float]:
    """Return a sort key of an order: fewest failures, then fewest contradictions."""
    own = [trial for trial in found if trial.order == order]
    return sum(trial.runs - trial.plain for trial in own), sum(trial.contradictions for trial in own)


def suggest_tiles(tiles: TileSet, most: int = 3) -> list[Suggestion]:
    """Find the new tiles that fill the most failing corners, best first."""
    if (
        list_hard_rules(tiles.beside)
        or tiles.allowed
        or not all(has_text_sockets(tile) for tile in tiles.tiles)
    ):
        return []  # suggestions are built from sockets
    failing = find_failing_corners(SideKinds(tiles))
    search = TileSearch(tiles, failing)
    scores: dict[Sides, int] = {}
    for corner in failing[:: max(1, len(failing) // MOST_STARTS)]:
        sides = search.complete_tile(corner)
        if sides is not None:
            scores[sides] = search.count_filled(sides)
    ranked = sorted(scores, key=lambda sides: (-scores[sides], sides))
    return [evaluate_tile(tiles, sides, failing) for sides in search.drop_equivalent(ranked)[:most]]


def has_text_sockets(tile: Tile) -> bool:
    """Return whether all sockets are strings; other values may not be sortable."""
    return tile.sockets is not None and all(isinstance(socket, str) for socket in tile.sockets)


def find_failing_corners(kinds: SideKinds) -> list[OpenCorner]:
    """Find every pair of kinds that can occur at a corner but that nothing fits."""
    needed = [
        [find_needed_side(kinds, side, kind) for kind in range(len(fits))]
        for side, fits in enumerate(kinds.fits)
    ]
    found: list[OpenCorner] = []
    for first, second in list_corner_pairs(kinds.tiles.topology):
        failing = find_possible_pairs(kinds, first, second) & (count_fits(kinds, (first, second)) == 0)
        found += [
            ((first, needed[first][here]), (second, needed[second][there]))
            for here, there in np.argwhere(failing).tolist()
        ]
    return found


def find_needed_side(kinds: SideKinds, side: int, kind: int) -> TileSide:
    """Find the side that a pattern needs in this direction to fit this kind."""
    neighbour = kinds.tiles.patterns[int(np.flatnonzero(kinds.kind_of[side] == kind)[0])]
    back = kinds.opposite[side]
    assert neighbour.sockets is not None
    return flip_socket(neighbour.sockets[back]), neighbour.heights[back]


class TileSearch:
    """Builds tiles, one side at a time, that fill as many failing corners as possible."""

    def __init__(self, tiles: TileSet, failing: list[OpenCorner]) -> None:
        self.failing = set(failing)
        self.pairs = list_corner_pairs(tiles.topology)
        self.ring = get_lattice_class(tiles.topology).turning_sides
        self.sides = len(tiles.directions)
        self.levels = max(tile.levels for tile in tiles.tiles)
        self.known = sorted(
            {
                side
                for pattern in tiles.patterns
                for side in zip(pattern.sockets or (), pattern.heights, strict=True)
            }
        )

    def complete_tile(self, corner: OpenCorner) -> Sides | None:
        """Complete a tile that fills this corner and as many others as possible."""
        fixed = dict(corner)
        low, high = (pick(height for _, height in fixed.values()) for pick in (min, max))
        if high - low > MOST_RISE:
            return None
        choices = [side for side in self.known if high - MOST_RISE <= side[1] <= low + MOST_RISE]
        tile: Sides = tuple(fixed.get(side, corner[0][1]) for side in range(self.sides))
        for _ in range(2):  # twice, because sides depend on each other
            for side in range(self.sides):
                if side not in fixed:
                    options = [(*tile[:side], choice, *tile[side + 1 :]) for choice in choices]
                    options = [each for each in options if measure_rise(each) <= MOST_RISE]
                    tile = max((self.count_filled(each), each) for each in options)[1]
        return tile

    def count_filled(self, sides: Sides) -> int:
        """Count the failing corners that a tile fills, in all orientations and at all levels."""
        checkpoint()
        lowest = min(height for _, height in sides)
        filled: set[OpenCorner] = set()
        for lift in range(-lowest, self.levels - measure_rise(sides) - lowest):
            raised = [(socket, height + lift) for socket, height in sides]
            for turn in range(self.ring):
                placed = self._turn(raised, turn)
                filled.update(((a, placed[a]), (b, placed[b])) for a, b in self.pairs)
        return len(filled & self.failing)

    def drop_equivalent(self, ranked: list[Sides]) -> list[Sides]:
        """Remove tiles that are rotated or raised copies of earlier ones."""
        seen: set[Sides] = set()
        kept = []
        for sides in ranked:
            lowest = min(height for _, height in sides)
            flat = [(socket, height - lowest) for socket, height in sides]
            canonical = min(tuple(self._turn(flat, turn)) for turn in range(self.ring))
            if canonical not in seen:
                seen.add(canonical)
                kept.append(sides)
        return kept

    def _turn(self, sides: list[TileSide], turn: int) -> list[TileSide]:
        """Return the sides of the rotated tile; those above and below stay."""
        return [sides[(side - turn) % self.ring] for side in range(self.ring)] + sides[self.ring :]


def measure_rise(sides: Sides) -> int:
    """Return the height of the highest side above the lowest."""
    heights = [height for _, height in sides]
    return max(heights) - min(heights)


def evaluate_tile(tiles: TileSet, sides: Sides, failing: list[OpenCorner]) -> Suggestion:
    """Count the corners that still fail with the tile added to the set."""
    lowest = min(height for _, height in sides)
    rises = tuple(height - lowest for _, height in sides)
    name = "new"
    while any(tile.name == name for tile in tiles.tiles):
        name += "'"
    sockets = tuple(socket for socket, _ in sides)
    levels = max(tile.levels for tile in tiles.tiles)
    new = Tile(name, sockets, symmetry="turned", levels=levels, rises=rises if any(rises) else ())
    left = set(find_failing_corners(SideKinds(TileSet([*tiles.tiles, new], tiles.topology)))) & set(failing)
    return Suggestion(sockets, rises, len(failing) - len(left), len(failing), len(left))
