"""Advice: the settings that suit a set, and new tiles that would fill most impossible corners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.reports.auditing.corners import SubComplete, count_fits, list_corner_pairs, possible_pairs
from wavefold.reports.auditing.side_kinds import SideKinds
from wavefold.reports.auditing.trials import FARTHEST, ORDERS, Trial
from wavefold.tiles import Tile, TileSet
from wavefold.tiles.neighbour_rules import list_hard_rules
from wavefold.tiles.tile import flip_socket
from wavefold.topology import get_lattice_class, is_plane

MOST_STARTS = 40  # failing corners from which new tiles are built
LARGEST_RISE = 2

TileSide = tuple[str, int]  # a socket and its height
Sides = tuple[TileSide, ...]  # of a tile, by direction
OpenCorner = tuple[
    tuple[int, TileSide], tuple[int, TileSide]
]  # two directions, and the sides a tile needs there


@dataclass(frozen=True, slots=True)
class Advice:
    """The settings that suit a set best. They are advice only."""

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
        """[side] its socket and, above the lowest, its height: "road +1"."""
        pairs = zip(self.sockets, self.rises, strict=True)
        return tuple(f"{socket} +{rise}" if rise else socket for socket, rise in pairs)


def advise(found: list[Trial], reach: int | None, rows: SubComplete | None, topology: str) -> Advice:
    """The settings that the trials suggest."""
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
    farthest = FARTHEST if reach is None else reach
    chunk = min(64, max(32, 1 << (4 * farthest - 1).bit_length())) if is_plane(topology) else 16
    return Advice(order, search, window, chunk, why)


def rank(found: list[Trial], order: str) -> tuple[int, float]:
    """Fewest failures first, then fewest contradictions."""
    own = [trial for trial in found if trial.order == order]
    return sum(trial.runs - trial.plain for trial in own), sum(trial.contradictions for trial in own)


def suggest_tiles(tiles: TileSet, most: int = 3) -> list[Suggestion]:
    """The best new tiles, best first; each was checked by counting failing corners with the tile added."""
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
    """Whether all sockets are strings: others are hashable, but may have no order."""
    return tile.sockets is not None and all(isinstance(socket, str) for socket in tile.sockets)


def find_failing_corners(kinds: SideKinds) -> list[OpenCorner]:
    """Every pair of kinds that can occur at a corner and that nothing fits."""
    needed = [
        [needed_side(kinds, side, kind) for kind in range(len(fits))] for side, fits in enumerate(kinds.fits)
    ]
    found: list[OpenCorner] = []
    for first, second in list_corner_pairs(kinds.tiles.topology):
        failing = possible_pairs(kinds, first, second) & (count_fits(kinds, (first, second)) == 0)
        found += [
            ((first, needed[first][here]), (second, needed[second][there]))
            for here, there in np.argwhere(failing).tolist()
        ]
    return found


def needed_side(kinds: SideKinds, side: int, kind: int) -> TileSide:
    """The side a pattern needs in this direction to fit this kind."""
    neighbour = kinds.tiles.patterns[int(np.flatnonzero(kinds.kind_of[side] == kind)[0])]
    back = kinds.opposite[side]
    assert neighbour.sockets is not None
    return flip_socket(neighbour.sockets[back]), neighbour.heights[back]


class TileSearch:
    """Builds tiles, side by side, that fill as many failing corners as possible."""

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
        """All sides of a tile that fills this corner; the other sides fill as many more as they can."""
        fixed = dict(corner)
        low, high = (pick(height for _, height in fixed.values()) for pick in (min, max))
        if high - low > LARGEST_RISE:
            return None
        choices = [side for side in self.known if high - LARGEST_RISE <= side[1] <= low + LARGEST_RISE]
        tile: Sides = tuple(fixed.get(side, corner[0][1]) for side in range(self.sides))
        for _ in range(2):  # sides depend on each other: choose each twice
            for side in range(self.sides):
                if side not in fixed:
                    options = [(*tile[:side], choice, *tile[side + 1 :]) for choice in choices]
                    options = [each for each in options if height_range(each) <= LARGEST_RISE]
                    tile = max((self.count_filled(each), each) for each in options)[1]
        return tile

    def count_filled(self, sides: Sides) -> int:
        """How many failing corners a tile fills, in all its orientations and at all its levels."""
        checkpoint()
        lowest = min(height for _, height in sides)
        filled: set[OpenCorner] = set()
        for lift in range(-lowest, self.levels - height_range(sides) - lowest):
            raised = [(socket, height + lift) for socket, height in sides]
            for turn in range(self.ring):
                placed = self._turn(raised, turn)
                filled.update(((a, placed[a]), (b, placed[b])) for a, b in self.pairs)
        return len(filled & self.failing)

    def drop_equivalent(self, ranked: list[Sides]) -> list[Sides]:
        """The tiles without those that are an earlier one turned or raised."""
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
        """The sides of the tile turned by so many steps; those above and below stay."""
        return [sides[(side - turn) % self.ring] for side in range(self.ring)] + sides[self.ring :]


def height_range(sides: Sides) -> int:
    """How far the highest side is above the lowest."""
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
