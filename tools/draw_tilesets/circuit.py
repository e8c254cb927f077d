"""The tile set "circuit": a printed circuit board.

A side shows bare board, a trace, or a bus of three. All mixtures of board and traces have a tile, and all
with up to two buses. Large parts are drawn as one picture and cut into tiles whose inner sides fit nothing
else: as soon as one of them is placed, the others are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from draw_tilesets.circuit_parts import LARGE, SMALL, board
from draw_tilesets.pixels import (
    Colour,
    Field,
    Picture,
    centres,
    paint,
    shade,
    stroke,
)
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet

SIDE = 24
HALF = SIDE / 2
KINDS = {"-": "board", "t": "trace", "b": "bus"}
LANES = (-5.0, 0.0, 5.0)  # where the three lines of a bus run, from the middle of a side
WHOLE_TURN = (0, 90, 180, 270)

# Weights of what connects, by the sides it leaves by, as letters of KINDS from north clockwise. Straight and
# long is how a board is routed; what is not listed is a makeshift.
BARE = 9.0
USUAL = {"t-t-": 3.0, "tt--": 0.9, "ttt-": 0.25, "t---": 0.12, "tttt": 0.05, "b-b-": 2.4, "bb--": 0.7,
         "b---": 0.1, "b-t-": 0.12, "btbt": 0.5}  # fmt: skip
MAKESHIFT = 0.004
ON_TRACES = {"resistor": 0.35, "capacitor": 0.3, "diode": 0.14, "red-lamp": 0.09, "green-lamp": 0.07}
ON_BOARD = {"hole": 0.08, "test-points": 0.25, "print-r1": 0.25, "print-c7": 0.2, "arrow": 0.12}

# Each large part by its weight and what it shows along the north, the east, the south and the west.
PARTS: dict[str, tuple[float, str, str, str, str]] = {
    "processor": (0.7, "-b-", "-b-", "-b-", "-b-"),
    "controller": (0.7, "b-", "-b", "-b", "b-"),
    "memory": (0.5, "b-b", "-", "-b-", "-"),
    "driver": (0.5, "b-", "-", "-b", "-"),
    "reservoir": (0.45, "t-", "--", "-t", "--"),
    "coil": (0.35, "--", "t-", "--", "-t"),
    "crystal": (0.3, "--", "t", "--", "t"),
}

COPPER: tuple[Colour, ...] = ((74, 164, 122), (44, 122, 96), (9, 48, 48))
GOLD: tuple[Colour, ...] = ((168, 122, 52), (232, 190, 92), (255, 236, 166))
DRILL: Colour = (6, 20, 24)

Y, X = (axis - HALF for axis in centres(SIDE))


def circuit() -> TileSet:
    """A printed circuit board: chips, coils and small parts, joined by traces and buses."""
    return TileSet(
        [*connections(), *small_parts(), *large_parts()],
        name="circuit",
        description="A printed circuit board: chips, coils and small parts, joined by traces and buses.",
    )


def connections() -> Iterator[Tile]:
    """One tile for each mixture of sides that is not another one turned."""
    for kinds in product(KINDS, repeat=4):
        turns = ["".join(kinds[-turn:] + kinds[:-turn]) for turn in range(4)]
        listed = next((each for each in turns if each in USUAL), max(turns))
        if turns[0] == listed and kinds.count("b") <= 2 and set(kinds) != {"-"}:
            turned = WHOLE_TURN[: len(set(turns))]  # the rest looks the same
            weight = USUAL.get(listed, MAKESHIFT)
            yield Tile(f"wires-{listed}", sockets(listed), weight, turned, draw_wires(listed))
    yield Tile("jumper", sockets("tttt"), 0.4, (0, 90), jumper())


def small_parts() -> Iterator[Tile]:
    """What fits one tile: bare board with something on it, and parts on a trace."""
    yield Tile("board", sockets("----"), BARE, picture=board())
    for kinds, turned, parts in (("----", (0, 90), ON_BOARD), ("t-t-", WHOLE_TURN, ON_TRACES)):
        for name, weight in parts.items():
            picture = draw_wires(kinds)
            SMALL[name](picture)
            yield Tile(name, sockets(kinds), weight, turned, picture)


def large_parts() -> Iterator[Tile]:
    """What takes several tiles."""
    for name, (weight, *sides) in PARTS.items():
        yield from cut(name, weight, *sides)


def sockets(kinds: str) -> tuple[str, ...]:
    """The words for letters of KINDS."""
    return tuple(KINDS[kind] for kind in kinds)


def cut(name: str, weight: float, *sides: str) -> Iterator[Tile]:
    """A large picture as tiles, in every turn; all of them together have this weight."""
    outside = border(*sides)
    picture = np.concatenate([np.concatenate([leads(kinds) for kinds in row], axis=1) for row in outside])
    LARGE[name](picture)
    height, width = len(outside), len(outside[0])
    for y, x in product(range(height), range(width)):
        north, east, south, west = sockets(outside[y][x])
        # A seam is named after the tile to its south or east; > and < keep a tile from meeting itself turned.
        shown = (
            f"{name} {x} {y} down<" if y > 0 else north,
            f"{name} {x + 1} {y} across>" if x < width - 1 else east,
            f"{name} {x} {y + 1} down>" if y < height - 1 else south,
            f"{name} {x} {y} across<" if x > 0 else west,
        )
        part = picture[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE]
        yield Tile(f"{name}-{x + 1}{y + 1}", shown, weight / (height * width), "turned", part)


def border(north: str, east: str, south: str, west: str) -> list[list[str]]:
    """[row][column] what the tiles of a large part show on their four sides; board where they join."""
    kinds = np.full((len(west), len(north), 4), "-")
    kinds[0, :, 0], kinds[:, -1, 1], kinds[-1, :, 2], kinds[:, 0, 3] = map(list, (north, east, south, west))
    return [["".join(each) for each in row] for row in kinds.tolist()]


def line(*stops: tuple[float, float]) -> Field:
    """How far each pixel is from the line from stop to stop."""
    return stroke(stops, SIDE)


def at(side: int, depth: float, lane: float = 0.0) -> tuple[float, float]:
    """The point this deep inside a side, and so far clockwise of its middle."""
    away = HALF - depth
    return ((lane, -away), (away, lane), (-lane, away), (-away, -lane))[side]


def lay(picture: Picture, lines: list[Field], half: float) -> None:
    """Copper under the lacquer along these lines."""
    if lines:
        away = np.min(lines, axis=0)
        paint(picture, away < half + 1, COPPER[2])
        paint(picture, away < half, COPPER[1])
        paint(picture, away < max(half - 1, 0.75), COPPER[0])


def via(picture: Picture, place: tuple[float, float], radius: float = 3.0) -> None:
    """A plated hole that takes a trace to the other side of the board."""
    away = np.hypot(X - place[0], Y - place[1])
    paint(picture, away < radius + 0.8, COPPER[2])
    shade(picture, radius - away, GOLD)
    paint(picture, away < radius * 0.5, DRILL)


def join_traces(picture: Picture, sides: list[int]) -> None:
    """Traces that meet: a slanted bend, or by way of the middle, where three or four are soldered."""
    if len(sides) == 2 and (sides[1] - sides[0]) % 2:
        lay(picture, [line(at(sides[0], 0), at(sides[0], 6), at(sides[1], 6), at(sides[1], 0))], 2)
        return
    lay(picture, [line(at(side, 0), (0.0, 0.0)) for side in sides], 2)
    if len(sides) == 1:
        via(picture, (0.0, 0.0), 4.4)
    elif len(sides) > 2:
        paint(picture, np.hypot(X, Y) < 3.6, COPPER[1])
        paint(picture, np.hypot(X, Y) < 2.2, COPPER[0])


def ribbon(picture: Picture, sides: list[int]) -> None:
    """A bus from side to side, or into the board by three vias."""
    first, last = sides[0], sides[-1]
    if len(sides) == 1:
        ends = [(lane, depth) for lane, depth in zip(LANES, (4, 7, 4), strict=True)]
        lay(picture, [line(at(first, 0, lane), at(first, depth, lane)) for lane, depth in ends], 1)
        for lane, depth in ends:
            via(picture, at(first, depth, lane), 2.5)
    elif (last - first) % 2 == 0:
        lay(picture, [line(at(first, 0, lane), at(last, 0, -lane)) for lane in LANES], 1)
    else:
        clockwise = 1 if (last - first) % 4 == 1 else -1  # the outer lanes go the longer way
        lay(
            picture,
            [
                line(
                    at(first, 0, lane),
                    at(first, 7 - turn, lane),
                    at(last, 7 - turn, -lane),
                    at(last, 0, -lane),
                )
                for lane in LANES
                for turn in (lane * clockwise,)
            ],
            1,
        )


def draw_wires(kinds: str) -> Picture:
    """Traces and buses as these sides tell."""
    if kinds == "b-t-":
        picture = leads(kinds)
        SMALL["network"](picture)
        return picture
    picture = board()
    traces = [side for side in range(4) if kinds[side] == "t"]
    buses = [side for side in range(4) if kinds[side] == "b"]
    if len(buses) < 2 and traces:
        join_traces(picture, traces)
    elif traces:
        lay(picture, [line(at(side, 0), at(side, 3)) for side in traces], 2)
        for side in traces:
            via(picture, at(side, 3), 2.6)
    if buses:
        ribbon(picture, buses)
    return picture


def leads(kinds: str) -> Picture:
    """Traces and buses that lead from these sides to a part."""
    picture = board()
    for side, kind in enumerate(kinds):
        if kind == "t":
            lay(picture, [line(at(side, 0), at(side, HALF))], 2)
        elif kind == "b":
            lay(picture, [line(at(side, 0, lane), at(side, HALF, lane)) for lane in LANES], 1)
    return picture


def jumper() -> Picture:
    """Two traces cross: one of them dives."""
    picture = board()
    lay(picture, [line(at(0, 0), at(2, 0))], 2)
    for side in (1, 3):
        lay(picture, [line(at(side, 0), at(side, 4))], 2)
        via(picture, at(side, 5), 3.0)
    return picture
