"""Doubts: what a tile set may say, but an author seldom means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.tiles.orientation import LETTERS, RINGS, Orientation, Ring
from wavefold.tiles.tile import Tile, flipped, patterns_of
from wavefold.tiles.tileset import TileSet

__all__ = ["doubts"]

# A picture contradicts its letter if its rim changes, where tiles meet; or if most of it does. Changes are
# compared with how much the picture changes from pixel to pixel anyway: 1.0 is as much as by chance. Grain,
# shading and a line that is off the middle by a pixel stay below; a road that leaves by another side does not.
RIM_CHANGE, RIM_LEAST = 0.4, 24.0  # the second in steps of 256, so that a lawn is not asked for its blades
WHOLE_CHANGE, WHOLE_SHARE, VISIBLE = 0.62, 0.1, 32
SMALLEST_SHIFTED = 8  # pixels across: below that, a pixel is no trifle
MOST_SYMMETRIC = ("X", "I", "\\", "T", "L", "F")

Numbers = NDArray[np.float64]


def doubts(tiles: TileSet) -> list[str]:
    """Sentences about what looks like a mistake: sides that nothing fits, letters the drawing contradicts.

    >>> doubts(TileSet([Tile("path", ("grass", "path", "gras", "path"))]))
    ["tile 'path' shows 'grass' to the north, which nothing matches; did you mean 'gras'?", …
    """
    return [*lonely_sides(tiles), *wrong_letters(tiles)]


# --- sides --------------------------------------------------------------------------------------


def lonely_sides(tiles: TileSet) -> Iterator[str]:
    """Sides of a tile beside which nothing can stand, in no orientation and at no height."""
    meets = meeting(tiles)
    ring, sides = RINGS[tiles.topology], range(len(tiles.directions))
    patterns: dict[str, list[int]] = {}
    for number, pattern in enumerate(tiles.patterns):
        patterns.setdefault(pattern.tile.name, []).append(number)
    for tile in tiles.tiles:
        if tile.sockets is None:
            continue
        lonely: dict[Any, list[int]] = {}
        for side in sides:
            turned = [(ring.moved(side, tiles.patterns[n].orientation), n) for n in patterns[tile.name]]
            if not any(meets[to, number] for to, number in turned):
                lonely.setdefault(tile.sockets[side], []).append(side)
        for socket, where in lonely.items():
            words = " and ".join(tiles.directions[side] for side in where)
            yield f"tile {tile.name!r} shows {socket!r} to the {words}, {reason(tiles, socket, where[0])}"


def meeting(tiles: TileSet) -> NDArray[np.bool_]:
    """bool [side, pattern]: whether anything may stand there."""
    rules = tiles.rules
    meets = np.stack([relation.rows.any(axis=1)[relation.class_of] for relation in rules.relations])
    for number in np.flatnonzero(rules.kinds >= 0).tolist():  # may not meet their own kind
        for side in np.flatnonzero(meets[:, number]).tolist():
            meets[side, number] = rules.allows(side, number).any()
    return meets


def reason(tiles: TileSet, socket: Any, side: int) -> str:
    """Why nothing can stand there, and what was perhaps meant."""
    facing = {pattern.sockets[tiles.opposite[side]] for pattern in tiles.patterns if pattern.sockets}
    if flipped(socket) in facing:
        return "but heights or rules keep away whatever matches"
    meant = get_close_matches(str(socket), sorted({str(flipped(each)) for each in facing}), n=1, cutoff=0.6)
    return "which nothing matches" + (f"; did you mean {meant[0]!r}?" if meant else "")


# --- letters ------------------------------------------------------------------------------------


def wrong_letters(tiles: TileSet) -> Iterator[str]:
    """Tiles that change where their symmetry says that they look the same."""
    ring, compass = RINGS[tiles.topology], tiles.directions
    for tile in tiles.tiles:
        if not isinstance(tile.symmetry, str) or not LETTERS.get(tile.symmetry):
            continue
        changes = [
            lambda move, tile=tile: changed_side(tile, move, ring, compass),
            lambda move, tile=tile: changed_picture(tile, move, tiles.topology),
        ]
        claimed = claims(tile.symmetry, ring)
        found = [(move, text) for change in changes for move in claimed if (text := change(move))]
        if found:
            move, text = found[0]
            yield (
                f"tile {tile.name!r} has symmetry {tile.symmetry!r}, so it should look the same "
                f"{in_words(move, ring)}, but {text}; {advice(tile.symmetry, changes, ring)}"
            )


def claims(letter: str, ring: Ring, turn: int = 0) -> list[Orientation]:
    """What leaves a tile of this letter as it is; if it was drawn turned, with that turn in between."""
    basis = (
        Orientation(ring.sides // 2 if step < 0 else step, mirrored) for step, mirrored in LETTERS[letter]
    )
    back = Orientation(-turn % ring.sides)
    return [Orientation(turn).after(each.after(back, ring.sides), ring.sides) for each in basis]


def advice(letter: str, changes: Sequence[Callable[[Orientation], str]], ring: Ring) -> str:
    """The letter that fits; or how the drawing would have to be turned for this one."""

    def fits(moves: Iterable[Orientation]) -> bool:
        return not any(change(move) for change in changes for move in moves)

    for turn in range(1, ring.sides):
        if fits(claims(letter, ring, turn)):
            return f"draw it turned by {(-turn % ring.sides) * ring.degrees} degrees, or use 'F'"
    return f"{next(each for each in MOST_SYMMETRIC if fits(claims(each, ring)))!r} would fit"


def in_words(move: Orientation, ring: Ring) -> str:
    """An orientation as one would say it."""
    turned = f"turned by {move.turn * ring.degrees} degrees"
    if not move.mirrored:
        return turned
    return f"mirrored and {turned}" if move.turn else "mirrored"


def changed_side(tile: Tile, move: Orientation, ring: Ring, compass: Sequence[str]) -> str:
    """The first side that shows something else after a move, in words; nothing if none does."""
    if tile.sockets is None and not tile.rises:
        return ""
    alone = Tile(tile.name, tile.sockets, 1.0, (ring.spelled(move),), levels=tile.levels, rises=tile.rises)
    moved = next(patterns_of(alone, ring, len(compass)))
    for side, word in enumerate(compass):
        if tile.sockets and moved.sockets and moved.sockets[side] != tile.sockets[side]:
            return f"its {word} side would then show {moved.sockets[side]!r} and not {tile.sockets[side]!r}"
        if tile.rises and moved.heights[side] != tile.rises[side]:
            return f"its {word} side would then rise by {moved.heights[side]} and not {tile.rises[side]}"
    return ""


def changed_picture(tile: Tile, move: Orientation, topology: str) -> str:
    """Whether the one picture of a tile changes a lot; hexagons' pictures are not turned."""
    picture = tile.picture
    if topology == "hex" or not isinstance(picture, np.ndarray) or picture.dtype != np.uint8:
        return ""
    if picture.ndim != 3 or picture.shape[2] not in (3, 4) or max(picture.shape[:2]) < 2:
        return ""
    flat = picture[..., :3].astype(np.float64)
    if picture.shape[2] == 4:  # what cannot be seen does not count
        flat = np.concatenate([flat * (picture[..., 3:] / 255), picture[..., 3:]], axis=2)
    moved = np.rot90(flat[:, ::-1] if move.mirrored else flat, k=-move.turn)
    if moved.shape != flat.shape:
        return "its picture is no square"
    changed = all(differ(flat, each) for each in nearly(moved))
    return "its picture changes a lot" if changed else ""


def nearly(picture: Numbers) -> Iterator[Numbers]:
    """A picture, and the same moved by a pixel: the middle of an even number is not a pixel."""
    yield picture
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST_SHIFTED:
        return
    wide = np.pad(picture, ((1, 1), (1, 1), (0, 0)), mode="edge")
    for down, right in product(range(3), repeat=2):
        if (down, right) != (1, 1):
            yield wide[down : down + height, right : right + width]


def differ(one: Numbers, other: Numbers) -> bool:
    """Whether two pictures differ by more than grain and shading."""
    deep = max(1, min(one.shape[:2]) // 16)
    rim = np.ones(one.shape[:2], bool)
    rim[deep:-deep, deep:-deep] = False
    change, amount = change_of(one[rim], other[rim])
    if change > RIM_CHANGE and amount > RIM_LEAST:
        return True
    change, _ = change_of(one.reshape(-1, one.shape[2]), other.reshape(-1, one.shape[2]))
    share = float((np.abs(one - other).max(axis=2) > VISIBLE).mean())
    return change > WHOLE_CHANGE and share > WHOLE_SHARE


def change_of(one: Numbers, other: Numbers) -> tuple[float, float]:
    """[pixel, channel] twice: how much they differ, compared with chance; and how much at all."""
    amount = float(np.sqrt(((one - other) ** 2).sum(axis=1).mean()))
    spread = float(np.sqrt(2 * ((one - one.mean(axis=0)) ** 2).sum(axis=1).mean()))
    return (amount / spread if spread else 0.0), amount
