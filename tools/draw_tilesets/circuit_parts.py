"""The board of the tile set "circuit", and what is soldered to it. Light falls straight from above."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from draw_tilesets.pixels import Colour, Field, Picture, canvas, cloud, paint, speckle, tint

Part = Callable[[Picture], None]  # draws on a picture of board and traces

MASK: tuple[Colour, ...] = ((14, 66, 62), (16, 71, 66), (12, 60, 57))
GOLD: tuple[Colour, ...] = ((255, 236, 166), (232, 190, 92), (168, 122, 52))
SOLDER: tuple[Colour, ...] = ((238, 242, 244), (196, 204, 210), (138, 148, 160), (84, 94, 110))
BLACK: tuple[Colour, ...] = ((38, 40, 50), (56, 59, 72), (22, 24, 32))
TAN: tuple[Colour, ...] = ((196, 158, 112), (220, 186, 140), (148, 112, 76))
WIRE: tuple[Colour, ...] = ((214, 124, 64), (246, 176, 108), (132, 66, 38))
INK: Colour = (216, 234, 224)
DRILL: Colour = (6, 20, 24)
PITCH = 5  # pixels from leg to leg
TILE = 24


def board() -> Picture:
    """Green lacquer over glass fibre."""
    return lacquer().copy()


@cache
def lacquer() -> Picture:
    """Drawn once, for it is under everything."""
    picture = canvas(TILE, MASK[0])
    down, right = np.mgrid[:TILE, :TILE]
    paint(picture, ((down + right) % 4 == 0) & (cloud(TILE, 9, 4) > 0.5), MASK[1])
    paint(picture, speckle(TILE, 71) > 0.96, MASK[2])
    return picture


def block(picture: Picture, left: int, top: int, right: int, bottom: int, body: tuple[Colour, ...]) -> None:
    """A box seen from above: its edge dark, its rim in the light."""
    picture[top:bottom, left:right, :3] = body[2]
    picture[top + 1 : bottom - 1, left + 1 : right - 1, :3] = body[1]
    picture[top + 2 : bottom - 2, left + 2 : right - 2, :3] = body[0]


def drop(picture: Picture, left: int, top: int, right: int, bottom: int) -> None:
    """The shade all around something that stands up."""
    where = np.zeros(picture.shape[:2], bool)
    where[max(top - 2, 0) : bottom + 2, max(left - 2, 0) : right + 2] = True
    tint(picture, where, 0.7)


def around(picture: Picture, x: float, y: float) -> Field:
    """How far each pixel is from a point."""
    height, width = picture.shape[:2]
    down, right = np.mgrid[:height, :width] + 0.5
    return np.asarray(np.hypot(right - x, down - y))


def resistor(picture: Picture) -> None:
    """Two ends of solder, a black body, three figures."""
    drop(picture, 7, 5, 17, 19)
    block(picture, 7, 5, 17, 19, SOLDER[1:])
    block(picture, 7, 8, 17, 16, BLACK)
    for column in (9, 12, 14):
        picture[10:14, column, :3] = INK


def capacitor(picture: Picture) -> None:
    """The same in brown, without a word."""
    drop(picture, 7, 5, 17, 19)
    block(picture, 7, 5, 17, 19, SOLDER[1:])
    block(picture, 7, 8, 17, 16, TAN)


def diode(picture: Picture) -> None:
    """Glass with a ring."""
    drop(picture, 8, 5, 16, 19)
    block(picture, 8, 5, 16, 19, SOLDER[1:])
    block(picture, 8, 7, 16, 17, ((170, 76, 52), (206, 112, 74), (98, 40, 34)))
    picture[8:10, 9:15, :3] = BLACK[2]


def lamp(picture: Picture, dark: Colour, bright: Colour) -> None:
    """A light that is on."""
    away = around(picture, 12, 12)
    glow = np.clip(1 - away / 11.5, 0, 1)[..., None]
    picture[..., :3] = np.minimum(picture[..., :3] + 0.7 * glow * bright, 255)
    block(picture, 8, 6, 16, 18, SOLDER[1:])
    for radius, colour in ((4.6, dark), (3.8, bright), (2.0, (255, 246, 226))):
        paint(picture, away < radius, colour)


def network(picture: Picture) -> None:
    """Several resistors in one body, where a bus becomes a trace."""
    drop(picture, 3, 8, 21, 17)
    for leg in (6, 11, 16):
        picture[6:10, leg : leg + 2, :3] = SOLDER[1]
    picture[16:19, 11:13, :3] = SOLDER[1]
    block(picture, 3, 9, 21, 17, BLACK)
    picture[12:14, 7:17:3, :3] = INK


def hole(picture: Picture) -> None:
    """For a screw."""
    away = around(picture, 12, 12)
    for radius, colour in ((9.0, GOLD[2]), (8.0, GOLD[1]), (6.6, GOLD[0]), (6.0, GOLD[2]), (5.0, DRILL)):
        paint(picture, away < radius, colour)


def points(picture: Picture) -> None:
    """Pads to hold a probe to."""
    for x, y in ((7, 7), (17, 7), (7, 17), (17, 17)):
        paint(picture, around(picture, x, y) < 2.6, GOLD[2])
        paint(picture, around(picture, x, y) < 1.8, GOLD[0])


def print_letters(picture: Picture, rows: tuple[str, ...]) -> None:
    """White ink wherever there is a `#`."""
    signs = np.array([[sign == "#" for sign in row] for row in rows])
    top, left = (TILE - signs.shape[0]) // 2, (TILE - signs.shape[1]) // 2
    picture[top : top + signs.shape[0], left : left + signs.shape[1], :3][signs] = INK


def chip(picture: Picture, quad: bool) -> None:
    """A black body and its legs: on all four sides, or on the two long ones."""
    height, width = picture.shape[:2]
    drop(picture, 6 if quad else 3, 6, width - (6 if quad else 3), height - 6)
    for middle in range(TILE // 2, width, TILE):
        for leg in range(middle - PITCH - 1, middle + PITCH, PITCH):
            picture[2:7, leg : leg + 2, :3] = picture[height - 7 : height - 2, leg : leg + 2, :3] = SOLDER[1]
            picture[2, leg : leg + 2, :3] = picture[height - 3, leg : leg + 2, :3] = SOLDER[0]
    if quad:
        chip_sides(picture)
    edge = 6 if quad else 3
    block(picture, edge, 6, width - edge, height - 6, BLACK)
    paint(picture, around(picture, edge + 5, 11) < 2, BLACK[1])
    if quad:
        block(
            picture, edge + 10, 16, width - edge - 10, height - 16, ((46, 48, 60), (62, 66, 80), (30, 32, 42))
        )
    middle = height // 2
    for row, length in ((middle - 2, 0.5), (middle + 1, 0.34)):
        begin = int(width * (0.5 - length / 2))
        picture[row, begin : begin + int(width * length), :3] = SOLDER[2]
        picture[row, begin + 4 : begin + int(width * length) : 5, :3] = BLACK[0]


def chip_sides(picture: Picture) -> None:
    """The legs to the west and to the east."""
    height, width = picture.shape[:2]
    for middle in range(TILE // 2, height, TILE):
        for leg in range(middle - PITCH - 1, middle + PITCH, PITCH):
            picture[leg : leg + 2, 2:7, :3] = picture[leg : leg + 2, width - 7 : width - 2, :3] = SOLDER[1]
            picture[leg : leg + 2, 2, :3] = picture[leg : leg + 2, width - 3, :3] = SOLDER[0]


def reservoir(picture: Picture) -> None:
    """A tall can of aluminium, its top scored with a cross."""
    away = around(picture, TILE, TILE)
    down, right = np.mgrid[: 2 * TILE, : 2 * TILE] + 0.5 - TILE
    tint(picture, away < 20.5, 0.6)
    for radius, colour in (
        (18.5, BLACK[2]), (17.5, SOLDER[3]), (16.5, SOLDER[1]), (15.0, SOLDER[2]), (14.0, SOLDER[1]),
    ):  # fmt: skip
        paint(picture, away < radius, colour)
    paint(picture, (away < 14) & ((np.abs(down) < 1) | (np.abs(right) < 1)), SOLDER[3])
    paint(picture, (away < 17.5) & (right > 10.5), (52, 66, 120))
    paint(picture, (away < 17.5) & (right > 12.5) & (np.abs(down) < 4) & (np.abs(down) > 1), SOLDER[0])


def coil(picture: Picture) -> None:
    """Copper wound around a ring."""
    away = around(picture, TILE, TILE)
    down, right = np.mgrid[: 2 * TILE, : 2 * TILE] + 0.5 - TILE
    ring = (away < 18) & (away > 7)
    tint(picture, away < 20, 0.6)
    paint(picture, ring, WIRE[2])
    turn = np.arctan2(down, right) / (2 * np.pi) * 22 % 1
    paint(picture, ring & (turn > 0.25), WIRE[0])
    paint(picture, ring & (turn > 0.5) & (turn < 0.8) & (away > 9) & (away < 16), WIRE[1])
    paint(picture, away < 7, BLACK[2])
    paint(picture, away < 5.5, (10, 52, 50))


def crystal(picture: Picture) -> None:
    """A silver can that beats time."""
    height, width = picture.shape[:2]
    x = np.abs(np.mgrid[:height, :width][1] + 0.5 - width / 2)
    away = np.hypot(np.maximum(x - 11, 0), np.mgrid[:height, :width][0] + 0.5 - height / 2)
    tint(picture, away < 11, 0.65)
    for radius, colour in (
        (9.0, SOLDER[3]),
        (8.0, SOLDER[1]),
        (6.5, SOLDER[2]),
        (5.5, SOLDER[0]),
        (3.5, SOLDER[1]),
    ):
        paint(picture, away < radius, colour)
    picture[11:13, 16:32:3, :3] = SOLDER[3]


R1 = ("###..##.", "#.#...#.", "##....#.", "#.#...#.", "#.#..###")
C7 = ("###..###", "#......#", "#.....#.", "#....#..", "###..#..")
ARROW = ("....#....", "...###...", "..#####..", ".#######.", "....#....", "....#....", ".#######.")

SMALL: dict[str, Part] = {
    "resistor": resistor,
    "capacitor": capacitor,
    "diode": diode,
    "network": network,
    "red-lamp": lambda picture: lamp(picture, (150, 24, 36), (244, 70, 62)),
    "green-lamp": lambda picture: lamp(picture, (28, 120, 40), (120, 240, 96)),
    "hole": hole,
    "test-points": points,
    "print-r1": lambda picture: print_letters(picture, R1),
    "print-c7": lambda picture: print_letters(picture, C7),
    "arrow": lambda picture: print_letters(picture, ARROW),
}
LARGE: dict[str, Part] = {
    "processor": lambda picture: chip(picture, True),
    "controller": lambda picture: chip(picture, True),
    "memory": lambda picture: chip(picture, False),
    "driver": lambda picture: chip(picture, False),
    "reservoir": reservoir,
    "coil": coil,
    "crystal": crystal,
}
