"""What is built and what grows in the tile set "castle"."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from draw_tilesets.pixels import Colour, Picture, box, centres, paint, speckle, tint

SIDE = 24
HALF = SIDE // 2

GRASS: tuple[Colour, ...] = ((124, 176, 84), (134, 186, 92), (106, 158, 76), (152, 198, 102))
RIVER: tuple[Colour, ...] = ((62, 124, 186), (76, 144, 202), (132, 192, 222), (60, 96, 92), (204, 190, 136))
STONE: tuple[Colour, ...] = ((206, 202, 196), (168, 162, 160), (122, 116, 122), (84, 80, 92), (228, 226, 220))
ROOF: tuple[Colour, ...] = ((214, 106, 78), (186, 80, 64), (138, 54, 54))
SLATE: tuple[Colour, ...] = ((118, 138, 172), (92, 110, 148), (66, 80, 116))
PLASTER: tuple[Colour, ...] = ((240, 226, 194), (204, 182, 148))
WOOD: tuple[Colour, ...] = ((146, 98, 60), (104, 66, 46), (64, 42, 36))
LEAVES: tuple[Colour, ...] = ((32, 78, 56), (44, 104, 62), (68, 134, 70), (112, 170, 84))

Y, X = centres(SIDE)


def walk(picture: Picture, left: int, right: int, top: int, bottom: int, upright: bool) -> None:
    """The top of a wall: a path between two rows of battlements."""
    if upright:
        picture[top:bottom, right : right + 2, :3] = picture[top:bottom, right : right + 2, :3] // 3 * 2
    picture[top:bottom, left:right, :3] = STONE[1]
    gaps = np.arange(top, bottom) if upright else np.arange(left, right)
    merlon = np.where(gaps[:, None] % 4 < 2, STONE[4], STONE[2])
    if upright:
        picture[top:bottom, left, :3] = picture[top:bottom, right - 1, :3] = merlon
        picture[top:bottom, left + 1, :3] = STONE[0]
    else:
        picture[top, left:right, :3] = picture[bottom - 1, left:right, :3] = merlon
        picture[top + 1, left:right, :3] = STONE[0]


def stones(picture: Picture, left: int, right: int, top: int, bottom: int) -> None:
    """A wall seen from the south, and its shadow on the ground."""
    tint(picture, box(SIDE, left, bottom, right, bottom + 2), 0.72)
    face = box(SIDE, left, top, right, bottom)
    row, column = np.floor(Y) - top, np.floor(X)
    paint(picture, face, STONE[2])
    paint(picture, face & ((row % 3 == 2) | ((column + 3 * np.floor(row / 3)) % 6 == 0)), STONE[3])


def tower(picture: Picture, x: float, y: float, radius: float) -> None:
    """A round tower: its foot, its wall, its battlements and the roof."""
    tint(picture, np.hypot(X - x - 2.5, Y - y - 9) < radius, 0.72)
    body = box(SIDE, x - radius, y, x + radius, y + 8) | (np.hypot(X - x, (Y - y - 8) * 1.6) < radius)
    paint(picture, body, STONE[2])
    paint(picture, body & (X - x < -1), STONE[1])
    paint(picture, body & (X - x > 3), STONE[3])
    around = np.hypot(X - x, Y - y)
    paint(picture, around < radius + 0.4, STONE[3])
    paint(picture, around < radius - 0.4, STONE[0])
    turn = np.floor(np.arctan2(Y - y, X - x) / np.pi * 6) % 2 == 0
    paint(picture, (around < radius - 0.4) & (around > radius - 2) & turn, STONE[4])
    for reach, shift, colour in ((4.6, 0.0, SLATE[2]), (4.0, 0.5, SLATE[1]), (2.6, 1.0, SLATE[0])):
        paint(picture, np.hypot(X - x + shift, Y - y + shift) < reach, colour)
    paint(picture, np.hypot(X - x + 0.2, Y - y + 0.6) < 0.9, (236, 200, 110))


def gatehouse(picture: Picture, upright: bool) -> None:
    """Two turrets and an arch; from the side, a block of stone over the road."""
    if upright:
        for left in (4, 15):
            stones(picture, left, left + 5, 8, 20)
            walk(picture, left, left + 5, 2, 9, upright=False)
        arch = (np.abs(X - HALF) < 3) & (Y > 9) & (Y < 20)
        paint(picture, arch, WOOD[2])
        paint(picture, arch & (Y > 12) & (np.floor(X) % 2 == 0), WOOD[0])
        paint(picture, (np.abs(X - HALF) < 3) & (Y > 8) & (Y < 10), STONE[0])
    else:
        stones(picture, 6, 18, 13, 21)
        walk(picture, 6, 18, 3, 14, upright=False)
        for left in (5, 17):
            picture[9:15, left : left + 2, :3] = WOOD[2]


def tree(picture: Picture, column: float = 12, row: float = 12, radius: float = 7.0) -> None:
    """A crown seen from above."""
    x, y = X - column, Y - row
    tint(picture, np.hypot(x - 1.5, y - 2) < radius, 0.72)
    paint(picture, np.hypot(x, y) < radius, LEAVES[0])
    for size, shift, colour in ((0.88, 0.4, LEAVES[1]), (0.62, 1.2, LEAVES[2]), (0.32, 2.0, LEAVES[3])):
        paint(picture, np.hypot(x + shift, y + shift) < radius * size, colour)


def trees(picture: Picture) -> None:
    """A small wood."""
    for column, row, radius in ((7, 6, 4.6), (17, 8, 5.0), (9, 16, 5.0), (18, 18, 4.0)):
        tree(picture, column, row, radius)


def bushes(picture: Picture) -> None:
    """Here and there."""
    for column, row, radius in ((6, 7, 2.6), (16, 13, 3.0), (9, 18, 2.2)):
        tree(picture, column, row, radius)


def flowers(picture: Picture) -> None:
    """A meadow in bloom."""
    colours: tuple[Colour, ...] = ((252, 246, 226), (248, 210, 90), (232, 118, 128))
    for number, (row, column) in enumerate(np.argwhere(speckle(SIDE - 2, 57) > 0.965).tolist()):
        picture[row, column, :3] = colours[number % 3]
        picture[row + 1, column, :3] = GRASS[2]


def field(picture: Picture) -> None:
    """Corn in rows behind a hedge."""
    inside = np.maximum(np.abs(X - HALF), np.abs(Y - HALF)) < 9
    paint(picture, np.maximum(np.abs(X - HALF), np.abs(Y - HALF)) < 10, LEAVES[2])
    paint(picture, inside, (216, 178, 84))
    paint(picture, inside & (np.floor(Y) % 3 == 0), (184, 142, 66))
    paint(picture, inside & (np.floor(Y) % 3 == 1) & (speckle(SIDE, 59) > 0.5), (236, 206, 116))


def garden(picture: Picture) -> None:
    """A square of green."""
    paint(picture, np.maximum(np.abs(X - HALF), np.abs(Y - HALF)) < 8, STONE[1])
    paint(picture, np.maximum(np.abs(X - HALF), np.abs(Y - HALF)) < 7, GRASS[0])
    tree(picture, 12, 12, 4.5)


def well(picture: Picture) -> None:
    """Deep and cold."""
    tint(picture, np.hypot(X - 13.5, Y - 14) < 6, 0.72)
    for reach, colour in ((6.0, STONE[3]), (5.2, STONE[0]), (3.6, STONE[3]), (3.0, RIVER[0])):
        paint(picture, np.hypot(X - 12, Y - 12) < reach, colour)


def building(
    picture: Picture, left: int, right: int, top: int, bottom: int, roof: tuple[Colour, ...]
) -> None:
    """A gabled house with its door to the south."""
    eaves = top + (bottom - top) * 6 // 10
    tint(picture, box(SIDE, left + 2, top + 2, right + 2, bottom + 2), 0.72)
    picture[top:bottom, left:right, :3] = PLASTER[0]
    picture[eaves : eaves + 1, left:right, :3] = PLASTER[1]
    picture[top:eaves, left - 1 : right + 1, :3] = roof[1]
    picture[top : (top + eaves) // 2, left - 1 : right + 1, :3] = roof[0]
    picture[top:eaves:3, left - 1 : right + 1, :3] = roof[1]
    picture[eaves - 1, left - 1 : right + 1, :3] = roof[2]
    middle = (left + right) // 2
    picture[bottom - 4 : bottom, middle - 1 : middle + 1, :3] = WOOD[1]
    for column in (left + 2, right - 4):
        picture[bottom - 4 : bottom - 2, column : column + 2, :3] = SLATE[2]


def house(picture: Picture) -> None:
    """Someone lives in the court."""
    building(picture, 4, 20, 4, 20, ROOF)


def farm(picture: Picture) -> None:
    """Where a road ends."""
    building(picture, 5, 19, 2, 16, ROOF)


def keep(picture: Picture) -> None:
    """The lord's hall."""
    building(picture, 4, 20, 2, 18, SLATE)
    for x in (4.5, 19.5):
        tower(picture, x, 7, 3.6)


THINGS: dict[str, Callable[[Picture], None]] = {
    "tree": tree, "trees": trees, "bushes": bushes, "flowers": flowers, "field": field,
    "garden": garden, "well": well, "house": house, "farm": farm, "keep": keep,
}  # fmt: skip
