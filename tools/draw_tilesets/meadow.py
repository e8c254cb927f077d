"""The tile set "meadow": terrain by the corners of tiles, and roads across it.

A side shows the two corners at its ends, and whether a road crosses it. Every mixture of corners has a
tile, and a road that meets any of them can go on, so a map can be grown in any order. Roads end at houses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from draw_tilesets.apart import keep_apart
from draw_tilesets.pixels import Colour, Field, Picture, canvas, centres, paint, speckle
from wavefold.tiles.neighbour_rules import Beside
from wavefold.tiles.tile import Pattern, Tile
from wavefold.tiles.tileset import TileSet

SIDE = 16
GROUNDS = {"g": "grass", "t": "trees", "w": "water"}
PURE = {"g": 20.0, "t": 8.0, "w": 9.0}  # weights at which no ground swallows the others
Corners = tuple[str, str, str, str]  # northwest, northeast, southeast, southwest

GRASS: tuple[Colour, ...] = ((112, 172, 82), (122, 182, 88), (98, 158, 74))
SAND: tuple[Colour, ...] = ((226, 206, 150), (206, 182, 124))
WATER: tuple[Colour, ...] = ((62, 124, 188), (74, 140, 200), (112, 180, 216), (206, 234, 236))
LEAVES: tuple[Colour, ...] = ((28, 70, 52), (40, 98, 60), (62, 128, 66), (104, 164, 80))
EARTH: tuple[Colour, ...] = ((196, 162, 108), (180, 144, 92), (142, 108, 68))
PLANKS: tuple[Colour, ...] = ((168, 120, 76), (134, 90, 58), (92, 60, 44))
FLOWERS: tuple[Colour, ...] = ((250, 244, 220), (246, 206, 84), (226, 110, 120))

# Pixel centres, from 0 at the northwest corner to 1.
Y, X = (axis / SIDE for axis in centres(SIDE))


def meadow() -> TileSet:
    """Grass, trees and water with sandy shores, crossed by roads and wooden bridges."""
    ways = list(roads())
    return TileSet(
        [*grounds(), *ways, *landmarks()],
        name="meadow",
        beside=[
            *keep_apart(ways, "roads", lambda socket: "+" not in socket, 0.03),
            Beside("junctions", "junctions", weight=0.05),  # else they become a grid
            Beside("bends", ("bends", "junctions"), weight=0.3),  # else they curl
            Beside("to-shore", "to-shore", weight=0.1),  # bridges over ditches, which do the same
            Beside("pinches", "pinches", weight=0.1),  # else ponds and islets become a chessboard
        ],
        shares=SHARES,
        groups=GROUPS,
        description="Grass, trees and water with sandy shores, crossed by roads and wooden bridges.",
    )


# Of the cells of a refined map, where weights alone would give bundles of roads and bridges.
SHARES = {
    "bridge": 0.012, "crossings": 0.0002, "flowers": 0.03, "house": 0.004, "pinches": 0.001,
    "road-grass": 0.05, "road-grass-bend": 0.009, "road-grass-tee": 0.004,
    "road-trees": 0.01, "road-trees-bend": 0.002, "road-trees-tee": 0.0003,
    "to-shore": 0.005, "to-trees": 0.005,
}  # fmt: skip
GROUPS = {
    "bends": ["road-grass-bend", "road-trees-bend"],
    "crossings": ["road-grass-cross", "road-trees-cross", "bridge-cross"],
    "junctions": ["road-*-tee", "road-*-cross", "bridge-cross"],
    "pinches": ["trees-gttg", "trees-tggt", "water-gwwg", "water-wggw", "water-twwt", "water-wttw"],
    "roads": ["road-*", "bridge", "bridge-*"],
    "to-shore": ["road-grass-to-water-*", "road-water-to-grass-*"],
    "to-trees": ["road-grass-to-trees-*", "road-trees-to-grass-*"],
}


def grounds() -> Iterator[Tile]:
    """One tile for each mixture of corners; the more of one kind, the heavier."""
    for corners in product(GROUNDS, GROUNDS, GROUNDS, GROUNDS):
        kinds = sorted(set(corners))
        pure = len(kinds) == 1
        # Letters in reading order: northwest, northeast, southwest, southeast.
        letters = "".join(corners[corner] for corner in (0, 1, 3, 2))
        name = GROUNDS[kinds[0]] if pure else f"{GROUNDS[kinds[-1]]}-{letters}"
        weight = PURE[kinds[0]] if pure else mixed_weight(corners)
        yield Tile(name, sockets(corners), weight, picture=draw_ground(corners))


def mixed_weight(corners: Corners) -> float:
    """Straight borders first, and those of grass: coasts and woods become broad and smooth."""
    borders = [{a, b} for a, b in zip(corners, corners[1:] + corners[:1], strict=True) if a != b]
    halves = sorted(corners)[1] != sorted(corners)[2]
    weight = 0.1 if len(borders) > 2 else 1.2 if halves else 0.3
    return weight * (0.12 if {"t", "w"} in borders else 1.0)


def roads() -> Iterator[Tile]:
    """Roads on one ground, and straight roads from one ground to another."""
    for ground, name in GROUNDS.items():
        on, off = ground + ground + "+", ground + ground
        scale = {"g": 1.0, "t": 0.5, "w": 0.7}[ground]
        kind = "bridge" if ground == "w" else f"road-{name}"
        corners: Corners = (ground, ground, ground, ground)
        shapes: list[tuple[str, str, float, str | tuple[int, ...]]]
        shapes = [("", "NS", 1.6, (0, 90)), ("-cross", "NESW", 0.03, "fixed")]
        if ground != "w":
            shapes += [("-bend", "NE", 0.3, "turned"), ("-tee", "NEW", 0.05, "turned")]
        for suffix, sides, weight, symmetry in shapes:
            open_sides = tuple(on if side in sides else off for side in "NESW")
            yield Tile(kind + suffix, open_sides, scale * weight, symmetry, draw_ground(corners, sides))
    for near, far in product(GROUNDS, repeat=2):
        if near != far:
            weight = 0.05 if "g" not in (near, far) else 0.5
            down: Corners = (near, near, far, far)
            right: Corners = (near, far, far, near)
            names = GROUNDS[near], GROUNDS[far]
            yield Tile(
                "road-{}-to-{}-south".format(*names),
                sockets(down, "NS"),
                weight,
                picture=draw_ground(down, "NS"),
            )
            yield Tile(
                "road-{}-to-{}-east".format(*names),
                sockets(right, "EW"),
                weight,
                picture=draw_ground(right, "EW"),
            )


def landmarks() -> Iterator[Tile]:
    """What stands on grass."""
    grass = ("gg",) * 4
    yield Tile("flowers", grass, 0.8, "turned", flowers())
    yield Tile("tree", grass, 0.7, picture=lone_tree())
    yield Tile("house", ("gg", "gg", "gg+", "gg"), 0.12, "turned", house)


def sockets(corners: Corners, road: str = "") -> tuple[str, ...]:
    """What each side shows: its corners from west to east or north to south, and "+" for a road."""
    ends = ((0, 1), (1, 2), (3, 2), (0, 3))
    return tuple(
        corners[a] + corners[b] + ("+" if side in road else "")
        for side, (a, b) in zip("NESW", ends, strict=True)
    )


def share(corners: Corners, ground: str) -> Field:
    """How much of this ground there is at each pixel, from 0 to 1: blended from the corners.

    Along a side it depends on that side's two corners alone, so neighbours meet without a seam.
    """
    northwest, northeast, southeast, southwest = (float(corner == ground) for corner in corners)
    return (northwest * (1 - X) + northeast * X) * (1 - Y) + (southwest * (1 - X) + southeast * X) * Y


def draw_ground(corners: Corners, road: str = "") -> Picture:
    """The ground, and a road over it."""
    picture = turf()
    wet = share(corners, "w")
    grain = speckle(SIDE, 2)
    # The shore wobbles inside the tile and keeps still at its sides.
    wet = wet + 0.16 * (grain - 0.5) * np.sin(np.pi * X) * np.sin(np.pi * Y) * (wet > 0.2) * (wet < 0.8)
    for depth, colour in (
        (0.40, SAND[0]),
        (0.52, SAND[1]),
        (0.56, WATER[3]),
        (0.62, WATER[2]),
        (0.76, WATER[1]),
    ):
        paint(picture, wet > depth, colour)
    paint(picture, wet > 0.9, WATER[0])
    paint(picture, (wet > 0.9) & ripples(), WATER[1])
    for corner, (column, row) in zip(corners, ((4, 4), (12, 4), (12, 12), (4, 12)), strict=True):
        if corner == "t":
            tree(picture, column, row, 3.9)
    line = way(road)
    paint(picture, (line < 3) & (wet < 0.5), EARTH[2])
    paint(picture, (line < 2) & (wet < 0.5), EARTH[0])
    paint(picture, (line < 2) & (wet < 0.5) & (grain > 0.75), EARTH[1])
    if road:
        deck(picture, line, wet, road)
    return picture


def turf() -> Picture:
    """Grass with a few lighter and darker blades."""
    picture = canvas(SIDE, GRASS[0])
    grain = speckle(SIDE, 1)
    paint(picture, grain > 0.93, GRASS[1])
    paint(picture, grain < 0.06, GRASS[2])
    return picture


def ripples() -> NDArray[np.bool_]:
    """Short waves on open water."""
    row, column = np.floor(Y * SIDE), np.floor(X * SIDE)
    first = (row == 4) & (column > 2) & (column < 7)
    return np.asarray(first | ((row == 11) & (column > 8) & (column < 14)))


def way(sides: str) -> Field:
    """How far each pixel is from the middle line of a road that leaves by these sides, in pixels."""
    x, y = (X - 0.5) * SIDE, (Y - 0.5) * SIDE
    arms = {"N": (-y, x), "E": (x, y), "S": (y, x), "W": (-x, y)}
    if sides == "NE":
        return np.abs(np.hypot(x - SIDE / 2, y + SIDE / 2) - SIDE / 2)
    lines = [np.where(arms[side][0] > 0, np.abs(arms[side][1]), np.hypot(x, y)) for side in sides]
    return np.asarray(np.min([np.full((SIDE, SIDE), np.inf), *lines], axis=0))


def deck(picture: Picture, line: Field, wet: Field, road: str) -> None:
    """Planks wherever a road is over water."""
    over = wet > 0.5
    along = np.floor((Y if "N" in road else X) * SIDE)
    paint(picture, over & (line < 4), WATER[0])
    paint(picture, over & (line < 3), PLANKS[2])
    paint(picture, over & (line < 2), PLANKS[0])
    paint(picture, over & (line < 2) & (along % 4 == 1), PLANKS[1])


def tree(picture: Picture, column: float, row: float, radius: float) -> None:
    """A crown seen from above, light from the northwest."""
    x, y = X * SIDE - column, Y * SIDE - row
    from_centre = np.hypot(x, y)
    paint(picture, np.hypot(x - 0.8, y - 0.8) < radius, GRASS[2])
    paint(picture, from_centre < radius, LEAVES[0])
    paint(picture, np.hypot(x + 0.3, y + 0.3) < radius * 0.86, LEAVES[1])
    paint(picture, np.hypot(x + 0.7, y + 0.7) < radius * 0.6, LEAVES[2])
    paint(picture, np.hypot(x + 1.1, y + 1.1) < radius * 0.3, LEAVES[3])


def lone_tree() -> Picture:
    picture = turf()
    tree(picture, 8, 8, 6.4)
    return picture


def flowers() -> Picture:
    """Grass in bloom."""
    picture = turf()
    for column, row, colour in ((3, 4, 0), (9, 2, 1), (12, 8, 2), (5, 11, 1), (10, 13, 0), (2, 8, 2)):
        picture[row, column, :3] = FLOWERS[colour]
        picture[row + 1, column, :3] = GRASS[2]
    return picture


def house(pattern: Pattern) -> Picture:
    """A red roof, and a road that leads to it. The door is to the south, wherever the road comes from."""
    shown = pattern.sockets or ()
    sides = "".join(side for side, socket in zip("NESW", shown, strict=True) if socket.endswith("+"))
    picture = draw_ground(("g", "g", "g", "g"), sides)
    x, y = np.floor(X * SIDE), np.floor(Y * SIDE)
    paint(picture, (x > 2) & (x < 15) & (y > 3) & (y < 14), GRASS[2])
    paint(picture, (x > 1) & (x < 14) & (y > 2) & (y < 13), (92, 52, 48))
    paint(picture, (x > 2) & (x < 13) & (y > 2) & (y < 6), (214, 104, 82))
    paint(picture, (x > 2) & (x < 13) & (y > 5) & (y < 9), (182, 76, 66))
    paint(picture, (x > 2) & (x < 13) & (y > 8) & (y < 12), (236, 222, 190))
    paint(picture, (x > 6) & (x < 9) & (y > 8) & (y < 13), (92, 60, 44))
    return picture
