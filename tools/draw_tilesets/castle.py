"""The tile set "castle": walled courts in a terrain of rivers and roads. A hard one.

Walls divide meadows from courts, so they must close; rivers have no end; a road ends only at a house, and
crosses a river by a straight bridge and a wall by a straight gate. Nothing else joins. A search that only
takes back its last choice soon runs in circles on a large map.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from draw_tilesets.castle_things import GRASS, RIVER, STONE, THINGS, gatehouse, stones, tower, walk
from draw_tilesets.pixels import (
    Colour,
    Picture,
    canvas,
    centres,
    cloud,
    paint,
    route,
    speckle,
)
from wavefold.tiles.neighbour_rules import Beside
from wavefold.tiles.tile import Pattern, Tile
from wavefold.tiles.tileset import TileSet

SIDE = 24
HALF = SIDE // 2
Corners = tuple[str, str, str, str]  # northwest, northeast, southeast, southwest; m: meadow, c: court
OUTSIDE: Corners = ("m", "m", "m", "m")
INSIDE: Corners = ("c", "c", "c", "c")
ACROSS: Corners = ("m", "m", "c", "c")

# How often what is seen where nothing else goes on.
ON_MEADOWS = {"meadow": 14.0, "tree": 1.5, "trees": 1.5, "bushes": 1.5, "flowers": 1.5, "field": 1.0}
IN_COURTS = {"court": 5.0, "house": 3.0, "well": 0.8, "garden": 1.5}

COURT: tuple[Colour, ...] = ((190, 174, 142), (178, 162, 132), (164, 148, 120))
ROAD: tuple[Colour, ...] = ((214, 184, 128), (200, 168, 112), (150, 118, 76))

Y, X = centres(SIDE)


def castle() -> TileSet:
    """Castles with walls, towers and gates, and roads with bridges over rivers."""
    return TileSet(
        [*open_ground(), *walls(), *rivers(), *roads()],
        name="castle",
        beside=apart_lines(),
        shares=SHARES,
        description="Castles with walls, towers and gates, and roads with bridges over rivers.",
        order="scanline",
    )


# Of the cells of a refined map. Their weights give a bridge to every two cells of a river, which makes
# ladders of bridges across bundles of rivers.
SHARES = {
    "bridge": 0.006, "river": 0.07, "river-bend": 0.009, "road": 0.06, "road-bend": 0.012, "road-fork": 0.005,
    "road-inside": 0.025, "road-bend-inside": 0.008, "road-fork-inside": 0.004,
    "gate": 0.01, "tower": 0.026, "inner-tower": 0.008,
}  # fmt: skip


def apart_lines() -> Iterator[Beside]:
    """Refined maps have few rivers and roads that run side by side, or turn at every step."""
    for line in ("river", "road"):
        yield Beside(f"{line}@0", (f"{line}@0", f"{line}-bend"), ("east", "west"), weight=0.08)
    yield Beside("river-bend", "river-bend", weight=0.25)
    yield Beside("road-bend", ("road-bend", "road-fork"), weight=0.2)
    yield Beside("road-bend-inside", ("road-bend-inside", "road-fork-inside"), weight=0.2)
    yield Beside("wall@0", "river@270", "north", weight=0.3)


def open_ground() -> Iterator[Tile]:
    """Meadows and courts, with what stands there."""
    for corners, things in ((OUTSIDE, ON_MEADOWS), (INSIDE, IN_COURTS)):
        for name, weight in things.items():
            yield Tile(name, sockets(corners), weight, picture=draw_pattern)


def walls() -> Iterator[Tile]:
    """Around courts, with a tower at each corner."""
    yield Tile("wall", sockets(ACROSS), 1.6, "T", draw_pattern)
    yield Tile("tower", sockets(("m", "c", "m", "m")), 0.5, "L", draw_pattern, apart=True)
    yield Tile("inner-tower", sockets(("c", "m", "c", "c")), 0.12, "L", draw_pattern, apart=True)
    yield Tile("gate", sockets(ACROSS, road="NS"), 0.5, "T", draw_pattern, apart=True)


def rivers() -> Iterator[Tile]:
    """They have no end."""
    yield Tile("river", sockets(OUTSIDE, river="NS"), 1.4, "I", draw_pattern)
    yield Tile("river-bend", sockets(OUTSIDE, river="NE"), 0.35, "L", draw_pattern, apart=True)
    crossing = (("north", "south"), ("east", "west"))
    yield Tile(
        "bridge", sockets(OUTSIDE, road="EW", river="NS"), 1.0, "I", draw_pattern, apart=True, meets=crossing
    )


def roads() -> Iterator[Tile]:
    """Outside and inside, from house to house."""
    for corners, suffix, share in ((OUTSIDE, "", 1.0), (INSIDE, "-inside", 0.7)):
        yield Tile("road" + suffix, sockets(corners, road="NS"), 1.2 * share, "I", draw_pattern)
        yield Tile(
            "road-bend" + suffix, sockets(corners, road="NE"), 0.3 * share, "L", draw_pattern, apart=True
        )
        yield Tile("road-fork" + suffix, sockets(corners, road="NEW"), 0.1 * share, "T", draw_pattern)
    yield Tile("farm", sockets(OUTSIDE, road="S"), 0.1, picture=draw_pattern)
    yield Tile("keep", sockets(INSIDE, road="S"), 0.2, picture=draw_pattern)


def sockets(corners: Corners, road: str = "", river: str = "") -> tuple[str, ...]:
    """What each side shows: its corners, and "=" for a road or "~" for a river.

    From the other side the corners are seen the other way round: `cm>` matches `cm<`.
    """
    found = []
    for side, a, b in zip("NESW", corners, corners[1:] + corners[:1], strict=True):
        crossed = "=" if side in road else "~" if side in river else ""
        found.append(a + b + crossed if a == b else f"{a}{b}>" if a < b else f"{b}{a}<")
    return tuple(found)


def draw_pattern(pattern: Pattern) -> Picture:
    """One pattern: the light falls from the northwest however it is turned."""
    shown = pattern.sockets or ()
    corners = "".join(socket[1] if socket.endswith("<") else socket[0] for socket in shown)
    road, river, wall = (
        "".join(side for side, socket in zip("NESW", shown, strict=True) if socket[-1] in marks)
        for marks in ("=", "~", "<>")
    )
    picture = ground(corners)
    stream(picture, river)
    way(picture, road, river)
    rampart(picture, wall, road)
    if pattern.tile.name in THINGS:
        THINGS[pattern.tile.name](picture)
    return picture


def ground(corners: str) -> Picture:
    """Grass, and paving in the quarters that lie inside."""
    picture = canvas(SIDE, GRASS[0])
    grain = speckle(SIDE, 51)
    paint(picture, grain > 0.93, GRASS[1])
    paint(picture, grain < 0.06, GRASS[2])
    northwest, northeast, southeast, southwest = (corner == "c" for corner in corners)
    upper, lower = np.where(X < HALF, northwest, northeast), np.where(X < HALF, southwest, southeast)
    inside = np.where(Y < HALF, upper, lower)
    row, column = np.floor(Y), np.floor(X)
    paint(picture, inside, COURT[0])
    paint(picture, inside & (grain > 0.8), COURT[1])
    paint(picture, inside & ((row % 6 == 5) | ((column + 3 * np.floor(row / 6)) % 6 == 0)), COURT[1])
    return picture


def stream(picture: Picture, sides: str) -> None:
    """A river between banks."""
    if not sides:
        return
    away = route(sides, SIDE) + 1.4 * (cloud(SIDE, 7, 4) - 0.5)
    for reach, colour in (
        (7.4, RIVER[4]),
        (6.4, RIVER[3]),
        (5.6, RIVER[2]),
        (4.8, RIVER[1]),
        (3.0, RIVER[0]),
    ):
        paint(picture, away < reach, colour)
    ripple = (speckle(SIDE, 53) > 0.94) & (away < 4)
    paint(picture, ripple, RIVER[2])


def way(picture: Picture, sides: str, river: str) -> None:
    """A road; over a river, a bridge of stone."""
    if not sides:
        return
    away = route(sides, SIDE)
    if river:
        along = X if "E" in sides else Y
        paint(picture, (away < 7.5) & (np.abs(along - HALF) < 8), RIVER[3])
        paint(picture, away < 5.5, STONE[2])
        paint(picture, away < 4.5, STONE[0])
        paint(picture, (away < 4.5) & (away > 3.2), STONE[4])
        paint(picture, away < 3, STONE[1])
        paint(picture, (away < 3) & (np.floor(along) % 4 == 0), STONE[2])
    else:
        grain = speckle(SIDE, 55)
        paint(picture, away < 4.2, ROAD[2])
        paint(picture, away < 3.3, ROAD[0])
        paint(picture, (away < 3.3) & (grain > 0.75), ROAD[1])


def rampart(picture: Picture, sides: str, road: str) -> None:
    """A wall that leaves by these sides: from above its walk and battlements, from the south its stones."""
    if not sides:
        return
    if "N" in sides:
        walk(picture, 9, 15, 0, HALF, upright=True)
    if "S" in sides:
        walk(picture, 9, 15, HALF, SIDE, upright=True)
    if "W" in sides or "E" in sides:
        left, right = (0 if "W" in sides else HALF), (SIDE if "E" in sides else HALF)
        stones(picture, left, right, 11, 19)
        walk(picture, left, right, 5, 12, upright=False)
    if len(sides) == 2 and sides not in ("NS", "EW"):
        tower(picture, 12, 9, 6.6)
    if road:
        gatehouse(picture, upright="N" in road)
