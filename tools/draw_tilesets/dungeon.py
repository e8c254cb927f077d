"""The tile set "dungeon": rooms behind walls, and corridors between their doors.

A tile is known by what is at its four corners, rock, floor or water, and by the sides a corridor crosses.
Rock and water never share a side, and every other mixture has a tile, so a map can be made in any order.
Seen from the south and above: walls to the north of a floor show their bricks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from draw_tilesets.apart import keep_apart
from draw_tilesets.dungeon_things import CAP, FLAGS, STONE, THINGS, WOOD
from draw_tilesets.pixels import (
    Colour,
    Mask,
    Picture,
    canvas,
    centres,
    paint,
    speckle,
    tint,
    widen_mask,
)
from wavefold import Border, Connected, Count, PairSeparation, Room, Separation
from wavefold.tiles.neighbour_rules import Beside
from wavefold.tiles.tile import Pattern, Tile
from wavefold.tiles.tileset import TileSet

SIDE = 24
HALF = SIDE // 2
PLACES = {"r": "rock", "f": "floor", "w": "water"}
Corners = tuple[str, ...]  # northwest, northeast, southeast, southwest

# What all tiles of rock weigh together, all of floor, all of water; and how many there are. Few: a search
# that goes back would try each of them.
BULK = {"rock": 25.0, "floor": 16.0, "water": 3.0}
LOOKS = {"floor": 6}
# Walls run straight: a room is a rectangle, unless something is in its way. Shores are fewer.
STRAIGHT, CORNER, NOTCH, PINCH = 2.0, 0.6, 0.02, 0.0005
SHORE = 0.4
DOOR = 0.2
CORRIDOR = {"N": 0.004, "NS": 0.8, "NE": 0.06, "NES": 0.03, "NESW": 0.02}
FURNITURE = {"exit": 0.1, "chest": 0.3, "pillar": 1.8, "bones": 0.7, "pots": 1.0, "crack": 1.6}
ON_WALLS = {"entrance": 0.05, "torch": 0.5, "banner": 0.25}

BRICK: tuple[Colour, ...] = ((108, 82, 84), (94, 70, 76), (58, 44, 58), (134, 106, 102))
MOSS: Colour = (112, 128, 96)
POOL: tuple[Colour, ...] = ((38, 96, 122), (50, 118, 140), (92, 172, 178), (26, 62, 88))

FACE = 7  # pixels of brick that show of a wall
RIM = 3  # pixels of wall around what is open
REACH = 4  # half the width of a corridor
LEVEL = 14  # the middle of a corridor from west to east, from the north
Y, X = centres(SIDE)


def dungeon() -> TileSet:
    """Rooms with pools and treasure, joined by corridors and doors, from an entrance to an exit."""
    passages = [*corridors(), *doors()]
    return TileSet(
        [*rooms(), *passages, *furniture()],
        name="dungeon",
        beside=[
            *keep_apart(passages, "passages", lambda socket: socket == "rr", 0.05),
            Beside("junctions", "junctions", weight=0.1),  # else they become a grid
            Beside("bend", "bend", weight=0.3),  # else corridors curl
            Beside("door", "door", ("east", "west"), weight=0.05),
            Beside("rubble", "passages", ("north",), weight=0.1),
            *(Beside(wall, "walls", (side,), weight=0.02) for wall, side in FACING.items()),
        ],
        groups=GROUPS,
        shares=SHARES,
        constraints=PLAYABLE,
        description=(dungeon.__doc__ or "").strip(),
        order="spiral",
    )


# What holds in whole maps: one can walk from the entrance to everything else, the exit included. The rim is
# rock, so nothing is cut off by the edge of the map.
PLAYABLE = [
    Connected(sides=["ff", "fr>", "fr<", "fw>", "fw<", "rr+"]),
    Count("pinches", at_most=0),
    Border("rock"),
    Room("inside", smallest=4, largest=80),
    Count("entrance", at_least=1, at_most=1),
    Count("exit", at_least=1, at_most=1),
    PairSeparation("entrance", "exit", 5),
    Count("chest", at_most=5),
    Separation("chest", 10),
]
GROUPS = {
    "floors": ["floor", "floor-*"],
    "passages": ["corridor", "bend", "tee", "crossing", "door", "rubble"],
    "walls": ["wall-*", "torch", "banner", "entrance", "door"],
    "inside": ["floor", "floor-*", "exit", "chest", "pillar", "bones", "pots", "crack", "water", "pool-*"],
    "pinches": ["wall-frfr", "pool-frfw", "pool-fwfw"],
    "junctions": ["tee", "crossing"],
}
# The side on which a room begins: where walls face each other, it is but a cell wide.
FACING = {"wall-ffrr": "north", "torch": "south", "banner": "south", "entrance": "south", "door": "south"}
# Of the cells of a refined map: more rock and corridors than by weight, fewer pools.
SHARES = {
    "rock": 0.45, "floors": 0.16, "wall-ffrr": 0.135, "wall-frrr": 0.034, "wall-fffr": 0.004,
    "corridor": 0.06, "bend": 0.01, "tee": 0.004, "crossing": 0.0005, "door": 0.013, "rubble": 0.0002,
    "water": 0.015, "pool-ffww": 0.014, "pool-fffw": 0.007, "pool-fwww": 0.001, "chest": 0.001,
    "pillar": 0.008, "bones": 0.003, "pots": 0.004, "crack": 0.008, "torch": 0.009, "banner": 0.005,
    "entrance": 0.0003, "exit": 0.0003, "pinches": 0.0002,
}  # fmt: skip


def rooms() -> Iterator[Tile]:
    """One tile for each mixture of corners that is not another one turned."""
    for corners in product(PLACES, repeat=4):
        turns = ["".join(corners[-turn:] + corners[:-turn]) for turn in range(4)]
        around = zip(corners, corners[1:] + corners[:1], strict=True)
        if turns[0] == min(turns) and not any({a, b} == {"r", "w"} for a, b in around):
            pure = len(set(corners)) == 1
            name = PLACES[corners[0]] if pure else f"{'pool' if 'w' in corners else 'wall'}-{turns[0]}"
            turned = (0, 90, 180, 270)[: len(set(turns))]  # the rest looks the same
            for look in range(LOOKS.get(name, 1)):
                title = f"{name}-{look + 1}" if look else name
                yield Tile(title, sockets(corners), room_weight(corners), turned, draw_pattern)


def room_weight(corners: Corners) -> float:
    """What a tile without a corridor weighs, by its shape."""
    kinds = sorted(set(corners))
    if len(kinds) == 1:
        return BULK[PLACES[kinds[0]]] / LOOKS.get(PLACES[kinds[0]], 1)
    if len(kinds) == 3 or (corners[0] == corners[2] and corners[1] == corners[3]):
        return PINCH
    inner = "w" if "w" in kinds else "f"
    shape = {1: CORNER, 2: STRAIGHT, 3: NOTCH}[corners.count(inner)]
    return shape * (SHORE if inner == "w" else 1.0)


def corridors() -> Iterator[Tile]:
    """Ways through the rock. Where one ends, it has fallen in."""
    names = {"N": "rubble", "NS": "corridor", "NE": "bend", "NES": "tee", "NESW": "crossing"}
    for sides, name in names.items():
        turned = {"NS": (0, 90), "NESW": (0,)}.get(sides, (0, 90, 180, 270))
        yield Tile(name, sockets(("r",) * 4, sides), CORRIDOR[sides], turned, draw_pattern)


def doors() -> Iterator[Tile]:
    """Where a corridor comes into a room."""
    yield Tile("door", sockets(("r", "r", "f", "f"), "N"), DOOR, "turned", draw_pattern)


def furniture() -> Iterator[Tile]:
    """What stands on a floor or hangs on a wall."""
    for name, weight in FURNITURE.items():
        yield Tile(name, sockets(("f",) * 4), weight, picture=draw_pattern)
    for name, weight in ON_WALLS.items():
        yield Tile(name, sockets(("r", "r", "f", "f")), weight, picture=draw_pattern)


def sockets(corners: Corners, corridor: str = "") -> tuple[str, ...]:
    """What each side shows: its corners, and "+" for a corridor.

    From the other side the corners are seen the other way round: `fr>` matches `fr<`.
    """
    found = []
    for side, (a, b) in zip("NESW", zip(corners, corners[1:] + corners[:1], strict=True), strict=True):
        if a == b:
            found.append(a + b + ("+" if side in corridor else ""))
        else:
            found.append(f"{a}{b}>" if a < b else f"{b}{a}<")
    return tuple(found)


def corners_of(shown: tuple[str, ...]) -> str:
    """The corners, from the sockets of a turned tile."""
    return "".join(socket[1] if socket.endswith("<") else socket[0] for socket in shown)


def draw_pattern(pattern: Pattern) -> Picture:
    """Walls, floor and what is on it. Light falls from the northwest, however the tile is turned."""
    shown = pattern.sockets or ()
    corners = corners_of(shown)
    ways = "".join(side for side, socket in zip("NESW", shown, strict=True) if socket.endswith("+"))
    floor = quarters(corners, "fw") | passage(ways)
    face = widen_mask(floor, 0, FACE, 0, 0) & ~floor
    picture = rock()
    wall(picture, floor | face)
    bricks(picture, face)
    pave(picture, floor)
    tint(picture, floor & ~quarters(corners, "fw"), 0.84)
    pool(picture, quarters(corners, "w"))
    if "f" in corners and ways:
        frame(picture, ways)
    name, _, look = pattern.tile.name.partition("-")
    if name in THINGS:
        THINGS[name](picture)
    elif name == "floor":
        wear(picture, int(look or 1))
    return picture


def quarters(corners: str, kinds: str) -> Mask:
    """The quarters of the tile whose corners are of these kinds."""
    northwest, northeast, southeast, southwest = (corner in kinds for corner in corners)
    upper = np.where(X < HALF, northwest, northeast)
    return np.where(Y < HALF, upper, np.where(X < HALF, southwest, southeast))


def passage(ways: str) -> Mask:
    """The floor of a corridor that leaves by these sides; a little south, to leave room for bricks."""
    across, along = np.abs(X - HALF) < REACH, np.abs(Y - LEVEL) < REACH
    arms = {
        "N": across & (Y < LEVEL + REACH),
        "E": along & (X > HALF - REACH),
        "S": across & (Y > LEVEL - REACH),
        "W": along & (X < HALF + REACH),
    }
    return np.asarray(np.any([np.zeros((SIDE, SIDE), bool), *(arms[side] for side in ways)], axis=0))


def rock() -> Picture:
    picture = canvas(SIDE, STONE[0])
    paint(picture, speckle(SIDE, 31) > 0.93, STONE[1])
    return picture


def wall(picture: Picture, hollow: Mask) -> None:
    """The top of the wall around what is open."""
    paint(picture, widen_mask(hollow, RIM, RIM, RIM, RIM), CAP[2])
    paint(picture, widen_mask(hollow, RIM - 1, RIM - 1, RIM - 1, RIM - 1), CAP[1])
    paint(picture, widen_mask(hollow, 1, 1, 0, 0), CAP[0])


def bricks(picture: Picture, face: Mask) -> None:
    """A wall seen from the front."""
    row, column = np.floor(Y), np.floor(X)
    course = np.floor(row / 3)
    paint(picture, face, BRICK[0])
    paint(picture, face & (speckle(SIDE, 33) > 0.7), BRICK[1])
    paint(picture, face & ((row % 3 == 2) | ((column + 3 * (course % 2)) % 6 == 0)), BRICK[2])
    paint(picture, face & ~widen_mask(~face, 0, 0, 0, 1) & (row % 3 == 0), BRICK[3])


def pave(picture: Picture, floor: Mask) -> None:
    """Flagstones, darker along the walls that keep the light away."""
    row, column = np.floor(Y), np.floor(X)
    course = np.floor(row / 8)
    flag = np.floor((column + 5 * course) % SIDE / 8) + 3 * course
    paint(picture, floor, FLAGS[0])
    paint(picture, floor & (flag % 4 == 1), FLAGS[1])
    paint(picture, floor & (flag % 7 == 3), FLAGS[2])
    paint(picture, floor & ((row % 8 == 7) | ((column + 5 * course) % 8 == 7)), FLAGS[3])
    tint(picture, floor & widen_mask(~floor, 0, 0, 2, 3), 0.8)
    tint(picture, floor & widen_mask(~floor, 0, 0, 0, 1), 0.8)


def wear(picture: Picture, look: int) -> None:
    """Chips and moss, here and there, so that no two flagstones are alike."""
    grain = speckle(SIDE, 80 + look)
    paint(picture, grain > 0.992, FLAGS[3])
    paint(picture, (grain < 0.006) & (look % 3 == 0), MOSS)


def pool(picture: Picture, water: Mask) -> None:
    """Water in a basin: a rim of stone, the shade of its north side, and a glint."""
    if not water.any():
        return
    paint(picture, widen_mask(water, 2, 2, 2, 2), CAP[1])
    paint(picture, widen_mask(water, 1, 1, 1, 1), CAP[0])
    paint(picture, water, POOL[0])
    paint(picture, water & (speckle(SIDE, 35) > 0.8), POOL[1])
    paint(picture, water & widen_mask(~water, 0, 0, 1, 3), POOL[3])
    row, column = np.floor(Y), np.floor(X)
    deep = ~widen_mask(~water, 4, 4, 4, 5)
    paint(picture, deep & (row % 12 == 5) & (column % 12 > 4) & (column % 12 < 10), POOL[2])


def frame(picture: Picture, ways: str) -> None:
    """The posts and the sill of a door."""
    boxes = {
        "N": ((3, 6, 4, 20), (3, 12, 6, 8), (3, 12, 16, 18)),
        "E": ((2, 11, 12, 15), (17, 20, 12, 15), (11, 17, 13, 14)),
        "S": ((12, 15, 6, 8), (12, 15, 16, 18), (13, 14, 8, 16)),
        "W": ((2, 11, 9, 12), (17, 20, 9, 12), (11, 17, 10, 11)),
    }
    for top, bottom, left, right in boxes[ways]:
        picture[top:bottom, left:right, :3] = WOOD[1]
        picture[top, left:right, :3] = WOOD[3]
        picture[bottom - 1, left:right, :3] = WOOD[2]
