"""What stands in the rooms of the tile set "dungeon"."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from draw_tilesets.pixels import Colour, Picture, centres, paint, speckle, tint

SIDE = 24
HALF = SIDE // 2

STONE: tuple[Colour, ...] = ((20, 18, 30), (26, 24, 38))
CAP: tuple[Colour, ...] = ((142, 134, 154), (98, 92, 116), (56, 52, 76))
FLAGS: tuple[Colour, ...] = ((146, 138, 130), (136, 128, 124), (156, 148, 136), (114, 106, 110))
WOOD: tuple[Colour, ...] = ((150, 98, 56), (116, 72, 44), (70, 42, 34), (182, 128, 76))
GOLD: tuple[Colour, ...] = ((255, 224, 120), (222, 164, 62))
FIRE: tuple[Colour, ...] = ((255, 246, 190), (255, 196, 84), (232, 108, 48))

Y, X = centres(SIDE)


def chest(picture: Picture) -> None:
    """Full of gold."""
    picture[9:20, 6:20, :3] = FLAGS[3]
    picture[8:18, 5:19, :3] = WOOD[2]
    picture[9:12, 6:18, :3] = WOOD[3]
    picture[12:17, 6:18, :3] = WOOD[0]
    picture[12, 6:18, :3] = WOOD[1]
    for column in (7, 16):
        picture[9:17, column, :3] = GOLD[1]
    picture[11:14, 11:13, :3] = GOLD[0]


def pillar(picture: Picture) -> None:
    """A round column, its shadow to the southeast."""
    tint(picture, np.hypot(X - 14, Y - 17) < 6, 0.7)
    for middle, radius, colour in (
        (14, 6.0, CAP[2]),
        (13, 5.4, CAP[1]),
        (9, 5.6, CAP[2]),
        (8.4, 5.0, CAP[0]),
    ):
        paint(picture, np.hypot(X - 12, Y - middle) < radius, colour)
    paint(picture, np.hypot(X - 11, Y - 7.4) < 2.6, (150, 142, 158))


def bones(picture: Picture) -> None:
    """Someone was here before."""
    bone: Colour = (226, 218, 200)
    for top, bottom, left, right in ((9, 13, 8, 13), (13, 14, 9, 12), (16, 17, 6, 15), (14, 18, 16, 17)):
        picture[top + 1 : bottom + 1, left:right, :3] = FLAGS[3]
        picture[top:bottom, left:right, :3] = bone
    picture[10, 9, :3] = picture[10, 11, :3] = STONE[0]


def pots(picture: Picture) -> None:
    """Two jars and a crate."""
    for x, y, radius in ((8, 9, 3.6), (15, 14, 4.2)):
        tint(picture, np.hypot(X - x - 1.5, Y - y - 2) < radius, 0.7)
        paint(picture, np.hypot(X - x, Y - y) < radius, (126, 66, 48))
        paint(picture, np.hypot(X - x + 0.7, Y - y + 0.7) < radius * 0.7, (176, 100, 66))
        paint(picture, np.hypot(X - x, Y - y + 1) < radius * 0.4, STONE[1])


def crack(picture: Picture) -> None:
    """A flagstone has split."""
    line = np.abs(Y - 12 - 3 * np.sin(X * 0.6) - (X - 12) * 0.4) < 0.7
    paint(picture, line & (np.abs(X - 12) < 7), FLAGS[3])
    paint(picture, (speckle(SIDE, 37) > 0.97) & (np.abs(X - 12) < 9), (108, 128, 88))


def torch(picture: Picture) -> None:
    """Fire on the wall, and the light it throws."""
    glow = np.clip(1 - np.hypot(X - HALF, Y - 11) / 11.5, 0, 1)[..., None]
    picture[..., :3] = np.minimum(picture[..., :3] + glow * (110, 62, 10), 255)
    picture[7:11, 11:13, :3] = WOOD[1]
    for radius, colour in ((2.6, FIRE[2]), (1.9, FIRE[1]), (1.0, FIRE[0])):
        paint(picture, np.hypot(X - HALF, (Y - 5.5) * 0.8) < radius, colour)


def banner(picture: Picture) -> None:
    """A red cloth on the wall."""
    picture[4:5, 7:17, :3] = WOOD[0]
    picture[5:13, 8:16, :3] = (150, 36, 48)
    picture[5:12, 8:10, :3] = (186, 56, 60)
    picture[12, 11:13, :3] = FLAGS[3]
    picture[7:10, 11:13, :3] = GOLD[0]


def entrance(picture: Picture) -> None:
    """An arch in the wall, and the daylight that falls through it."""
    glow = np.clip(1.1 - np.hypot((X - HALF) * 1.2, Y - 9) / 15, 0, 1)[..., None]
    picture[..., :3] = np.minimum(picture[..., :3] + glow * (70, 84, 74), 255)
    for radius, top, colour in ((6.5, 2, CAP[2]), (5.6, 2, CAP[0]), (4.2, 3, (172, 208, 226))):
        arch = (np.hypot(X - HALF, np.minimum(Y - 7.5, 0)) < radius) & (top < Y) & (Y < 13)
        paint(picture, arch, colour)
    picture[8:13, 9:15, :3] = (214, 236, 226)
    picture[11:13, 8:16, :3] = (244, 248, 220)
    picture[13, 6:18, :3] = CAP[1]


def way_down(picture: Picture) -> None:
    """Steps down into the dark."""
    picture[3:22, 4:21, :3] = FLAGS[3]
    picture[3:21, 4:20, :3] = CAP[2]
    picture[4:20, 5:19, :3] = CAP[1]
    for step in range(6):
        picture[5 + 2 * step : 7 + 2 * step, 6:18, :3] = np.array(FLAGS[2]) * (1 - 0.15 * step)
        picture[6 + 2 * step, 6:18, :3] = np.array(FLAGS[3]) * (1 - 0.16 * step)
    picture[17:19, 6:18, :3] = STONE[0]
    tint(picture, (Y > 5) & (Y < 19) & (X > 6) & (X < 8), 0.6)


def rubble(picture: Picture) -> None:
    """The roof has come down."""
    for x, y, radius in ((9, 13, 2.6), (14, 12, 3.0), (12, 16, 3.2), (15.5, 16.5, 2.0), (8.5, 17, 1.6)):
        paint(picture, np.hypot(X - x - 0.6, Y - y - 0.8) < radius, STONE[0])
        paint(picture, np.hypot(X - x, Y - y) < radius, CAP[2])
        paint(picture, np.hypot(X - x + 0.5, Y - y + 0.5) < radius * 0.7, CAP[1])


THINGS: dict[str, Callable[[Picture], None]] = {
    "chest": chest, "pillar": pillar, "bones": bones, "pots": pots, "crack": crack, "torch": torch,
    "banner": banner, "entrance": entrance, "exit": way_down, "rubble": rubble,
}  # fmt: skip
