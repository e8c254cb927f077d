"""Lint: find probable mistakes in valid tile sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from itertools import chain, islice, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.tiles.orientation import LETTER_MOVES, Orientation, Ring, get_ring
from wavefold.tiles.tile import Tile, expand_tile, flip_socket
from wavefold.tiles.tileset import TileSet
from wavefold.topology import get_lattice_class

# A picture contradicts its letter if its rim, where tiles meet, changes, or if much of it changes. Changes
# are relative to the differences between its pixels: 1.0 is the change by chance. Grain, shading and a line
# that is a pixel off the middle stay below these limits; a road that leaves by another side does not.
VISIBLE_CHANGE = 40  # of 255, in any channel; smaller changes count as grain
MOST_RIM_CHANGE, MOST_PICTURE_CHANGE, MOST_CHANGED_SHARE = 0.4, 0.62, 0.1
SMALLEST_SHIFTED_PIXELS = 8  # across; smaller pictures are not compared after a shift by a pixel
MOST_FINDINGS = 50
MOST_SIDES = 1000  # unmatched sides for which a similar socket is searched
MOST_SOCKETS = 2000  # sockets searched
LETTERS_BY_SYMMETRY = ("X", "I", "\\", "T", "L", "F")

FloatPicture = NDArray[np.float64]  # [row, column, channel]


def lint(tiles: TileSet) -> list[str]:
    """List probable mistakes, one sentence each, such as sides that nothing matches.

    At most 50 findings are listed.

    >>> lint(TileSet([Tile("lawn", ("grass",) * 4), Tile("path", ("gras", "grass", "grass", "grass"))]))
    ["tile 'path' shows 'gras' to the north, which nothing matches; did you mean 'grass'?"]
    """
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"lint needs a TileSet such as TileSet.load('pipes'), not {tiles!r}")
    found = chain(find_stale_activities(tiles), find_unmatched_sides(tiles), find_wrong_symmetries(tiles))
    return [*islice(found, MOST_FINDINGS), *("there are more findings" for _ in islice(found, 1))]


# --- sides --------------------------------------------------------------------------------------


class UnmatchedSide(NamedTuple):
    """A side of a tile that nothing matches, in any orientation and at any height."""

    tile: str
    side: int
    socket: Any
    facing: frozenset[Any]  # the sockets on the opposite sides of all patterns


def find_unmatched_sides(tiles: TileSet) -> Iterator[str]:
    """Report sides that nothing matches, unless several tiles have the same socket there, as at a border."""
    unmatched = list(list_unmatched_sides(tiles))
    shared = Counter((each.socket, each.side) for each in unmatched)
    grouped: dict[tuple[str, Any], list[UnmatchedSide]] = {}
    for each in unmatched:
        grouped.setdefault((each.tile, each.socket), []).append(each)
    for (tile, socket), sides in islice(grouped.items(), MOST_SIDES):
        facing = frozenset().union(*(each.facing for each in sides))
        meant = suggest_socket(socket, facing)
        excluded = flip_socket(socket) in facing
        if excluded or meant or any(shared[socket, each.side] == 1 for each in sides):
            why = "which nothing matches"
            if excluded:
                why = "but heights or rules exclude everything that matches"
            hint = f"; did you mean {meant!r}?" if meant and not excluded else ""
            where = format_sides([tiles.directions[each.side] for each in sides])
            yield f"tile {tile!r} shows {socket!r} {where}, {why}{hint}"


def list_unmatched_sides(tiles: TileSet) -> Iterator[UnmatchedSide]:
    """Yield the unmatched sides of tiles with sockets, in the orientation as drawn."""
    meets, shown = find_neighbours(tiles), collect_sockets(tiles)
    ring, opposite, drawn = (
        get_ring(tiles.topology),
        tiles.opposite,
        get_lattice_class(tiles.topology).drawn_sides(),
    )
    patterns: dict[str, list[int]] = {}
    for number, pattern in enumerate(tiles.patterns):
        patterns.setdefault(pattern.tile.name, []).append(number)

    @cache
    def facing(sides: frozenset[int]) -> frozenset[Any]:
        return frozenset().union(*(shown[opposite[side]] for side in sides))

    for tile in tiles.tiles:
        for side, socket in zip(drawn, tile.sockets or (), strict=False):
            turned = [(ring.move_side(side, tiles.patterns[n].orientation), n) for n in patterns[tile.name]]
            if not any(meets[to, number] for to, number in turned):
                yield UnmatchedSide(tile.name, side, socket, facing(frozenset(to for to, _ in turned)))


def format_sides(sides: Sequence[str]) -> str:
    """Join sides in words: `to the north and east`, `below`."""
    words = {"up": "above", "down": "below"}
    flat = [side for side in sides if side not in words]
    parts = [f"to the {' and '.join(flat)}"] if flat else []
    return " and ".join(parts + [words[side] for side in sides if side in words])


def collect_sockets(tiles: TileSet) -> list[set[Any]]:
    """[side] the sockets of all patterns on that side."""
    shown: list[set[Any]] = [set() for _ in tiles.directions]
    for pattern, exists in zip(tiles.patterns, tiles.pattern_table.has_side, strict=True):
        for side, socket in enumerate(pattern.sockets or ()):
            if exists[side]:
                shown[side].add(socket)
    return shown


def find_neighbours(tiles: TileSet) -> NDArray[np.bool_]:
    """bool [side, pattern]: whether any pattern may stand there."""
    rules = tiles.rules
    meets = np.stack([(relation.rows != 0).any(axis=1)[relation.class_of] for relation in rules.relations])
    for number in np.flatnonzero(rules.kinds >= 0).tolist():  # these may not touch their own kind
        for side in np.flatnonzero(meets[:, number]).tolist():
            meets[side, number] = rules.allows(side, number).any()
    return meets


def suggest_socket(socket: Any, facing: Collection[Any]) -> str:
    """A socket with a similar name that would match; "" if there is none."""
    words = sorted({str(flip_socket(each)) for each in facing})[:MOST_SOCKETS]
    return next(iter(get_close_matches(str(socket), words, n=1, cutoff=0.6)), "")


# --- calibration ---------------------------------------------------------------------------------


def find_stale_activities(tiles: TileSet) -> Iterator[str]:
    """Report activities that are out of date."""
    found = tiles.calibration
    if found is not None and not found.fits(tiles):
        unknown = next((name for name in found.activities if name not in tiles.rules.tiles), None)
        example = "" if unknown is None else f" (tile {unknown!r} was removed)"
        yield (
            f"tiles, weights, shares or rules have changed since calibration{example}, so the activities are "
            "not used; run wavefold calibrate again"
        )


# --- letters ------------------------------------------------------------------------------------


def find_wrong_symmetries(tiles: TileSet) -> Iterator[str]:
    """Report tiles whose sockets or pictures contradict the letter of their symmetry."""
    ring = get_ring(tiles.topology)
    for tile in tiles.tiles:
        if not isinstance(tile.symmetry, str) or not LETTER_MOVES.get(tile.symmetry):
            continue
        for move in list_moves(tile.symmetry, ring):
            if change := describe_change(tile, move, tiles):
                yield (
                    f"tile {tile.name!r} has symmetry {tile.symmetry!r}, so it should look the same "
                    f"{format_move(move, ring)}, but {change}; {suggest_symmetry(tile, tiles)}"
                )
                break


def list_moves(letter: str, ring: Ring, turn: int = 0) -> list[Orientation]:
    """The orientations in which a tile of this letter looks the same, if it was drawn rotated by `turn`."""
    back = Orientation(-turn % ring.sides)
    moves = ring.read_letter(letter)
    return [Orientation(turn).after(each.after(back, ring.sides), ring.sides) for each in moves]


def suggest_symmetry(tile: Tile, tiles: TileSet) -> str:
    """Suggest a letter that fits, or a rotation of the picture after which the present letter fits."""
    ring = get_ring(tiles.topology)

    def fits(moves: Iterable[Orientation]) -> bool:
        return not any(describe_change(tile, move, tiles) for move in moves)

    for turn in range(ring.sides - ring.step, 0, -ring.step):
        if fits(list_moves(str(tile.symmetry), ring, turn)):
            return f"rotate the picture by {(-turn % ring.sides) * ring.degrees} degrees, or use 'F'"
    return f"{next(each for each in LETTERS_BY_SYMMETRY if fits(list_moves(each, ring)))!r} would fit"


def describe_change(tile: Tile, move: Orientation, tiles: TileSet) -> str:
    """Describe what a move changes: a side, or else the picture; "" if nothing changes."""
    ring = get_ring(tiles.topology)
    side = describe_changed_side(tile, move, ring, tiles)
    return side or describe_changed_picture(tile, move, tiles.topology)


def format_move(move: Orientation, ring: Ring) -> str:
    """An orientation in words, such as `mirrored and turned by 90 degrees`."""
    turned = f"turned by {move.turn * ring.degrees} degrees"
    if not move.mirrored:
        return turned
    return f"mirrored and {turned}" if move.turn else "mirrored"


def describe_changed_side(tile: Tile, move: Orientation, ring: Ring, tiles: TileSet) -> str:
    """Describe the first side that a move changes; "" if there is none."""
    if tile.sockets is None and not tile.rises:
        return ""
    drawn, moved = (
        next(expand_tile(replace(tile, symmetry=(ring.spell(each),)), tiles.topology))
        for each in (Orientation(), move)
    )
    for side, word in enumerate(tiles.directions):
        if drawn.sockets and moved.sockets and moved.sockets[side] != drawn.sockets[side]:
            return f"its {word} side would show {moved.sockets[side]!r} instead of {drawn.sockets[side]!r}"
        if moved.heights[side] != drawn.heights[side]:
            return f"its {word} side would rise by {moved.heights[side]} instead of {drawn.heights[side]}"
    return ""


def describe_changed_picture(tile: Tile, move: Orientation, topology: str) -> str:
    """Describe how a move changes the picture of a square tile; "" if it does not."""
    picture = tile.picture
    if not get_lattice_class(topology).rectangular_cells:
        return ""
    if not isinstance(picture, np.ndarray) or picture.dtype != np.uint8:
        return ""
    if picture.ndim != 3 or picture.shape[2] not in (3, 4) or max(picture.shape[:2]) < 2:
        return ""
    flat = picture[..., :3].astype(np.float64)
    if picture.shape[2] == 4:  # ignore the colours of transparent pixels
        flat = np.concatenate([flat * (picture[..., 3:] / 255), picture[..., 3:]], axis=2)
    moved = np.rot90(flat[:, ::-1] if move.mirrored else flat, k=-move.turn)
    if moved.shape != flat.shape:
        return "its picture is not square"
    changes = all(is_different(flat, each) for each in shift_by_pixels(moved))
    return "its picture changes a lot" if changes else ""


def shift_by_pixels(picture: FloatPicture) -> Iterator[FloatPicture]:
    """Yield a picture and its shifts by a pixel: no pixel is the middle of an even width."""
    yield picture
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST_SHIFTED_PIXELS:
        return
    wide = np.pad(picture, ((1, 1), (1, 1), (0, 0)), mode="edge")
    for down, right in product(range(3), repeat=2):
        if (down, right) != (1, 1):
            yield wide[down : down + height, right : right + width]


def is_different(one: FloatPicture, other: FloatPicture) -> bool:
    """Whether two pictures differ by more than grain and shading."""
    deep = max(1, min(one.shape[:2]) // 16)
    rim = np.ones(one.shape[:2], bool)
    rim[deep:-deep, deep:-deep] = False
    seen = np.abs(one - other).max(axis=2) > VISIBLE_CHANGE
    if measure_change(one[rim], np.where(seen[rim, None], other[rim], one[rim])) > MOST_RIM_CHANGE:
        return True
    whole = (-1, one.shape[2])
    return (
        float(seen.mean()) > MOST_CHANGED_SHARE
        and measure_change(one.reshape(whole), other.reshape(whole)) > MOST_PICTURE_CHANGE
    )


def measure_change(one: FloatPicture, other: FloatPicture) -> float:
    """The difference of two arrays [pixel, channel], relative to the difference by chance."""
    amount = ((one - other) ** 2).sum(axis=1).mean()
    spread = 2 * ((one - one.mean(axis=0)) ** 2).sum(axis=1).mean()
    return float(np.sqrt(amount / spread)) if spread else 0.0
