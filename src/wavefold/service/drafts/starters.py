"""Tile sets to begin with: a lawn with paths that fit together already."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavefold.tiles import Pixels, Tile, TileSet

PREFIX = "starter-"  # and the kind of cells: the name of a starter where a tile set is named
SIZES = {"square": (16, 16), "hex": (32, 38)}  # width and height of a picture
# name, sides with a path, weight, orientations
KINDS: dict[str, list[tuple[str, str, float, str | tuple[int, ...]]]] = {
    "square": [
        ("lawn", "----", 6, "fixed"),
        ("flowers", "----", 1, "fixed"),
        ("path", "+-+-", 2, (0, 90)),
        ("bend", "++--", 1.5, "turned"),
        ("fork", "+++-", 0.5, "turned"),
        ("crossing", "++++", 0.2, "fixed"),
        ("end", "+---", 0.1, "turned"),
    ],
    "hex": [
        ("lawn", "------", 12, "fixed"),
        ("flowers", "------", 2, "fixed"),
        ("path", "-+--+-", 2, (0, 60, 120)),
        ("bend", "+-+---", 2, "turned"),
        ("fork", "+-+-+-", 0.6, (0, 60)),
        ("end", "-+----", 0.2, "turned"),
    ],
}
LAWN, BLADES, SAND, GRIT, RIM = (
    (127, 179, 90),
    (111, 163, 76),
    (232, 217, 168),
    (216, 196, 140),
    (184, 155, 102),
)
PETALS = (217, 83, 79), (242, 193, 78)


@cache
def make_starter(topology: str) -> TileSet:
    """The starter for this kind of cells."""
    size = SIZES[topology]
    tiles = [
        Tile(
            name,
            tuple("path" if arm == "+" else "grass" for arm in arms),
            weight,
            symmetry,
            draw_paths(arms, *size, flowers=name == "flowers"),
        )
        for name, arms, weight, symmetry in KINDS[topology]
    ]
    return TileSet(tiles, topology, "my tiles")


def draw_paths(arms: str, width: int, height: int, flowers: bool) -> Pixels:
    """uint8 [row, column, RGBA]: a lawn with a path from the middle to each side that has a plus."""
    down, right = np.mgrid[:height, :width] + 0.5
    x, y = right - width / 2, down - height / 2
    speck = np.random.RandomState(3).randint(0, 101, (height, width))
    picture = np.full((height, width, 4), 255, np.uint8)
    picture[..., :3] = LAWN
    picture[speck < 14, :3] = BLADES
    if flowers:
        for (cx, cy), colour in zip([(-0.2, -0.15), (0.22, 0.2)], PETALS, strict=True):
            picture[np.hypot(x - cx * width, y - cy * height) < 1.3, :3] = colour
    if "+" in arms:
        broad, far = 0.19 * width, distance_to_paths(arms, x, y)
        picture[far < broad, :3] = SAND
        picture[(far < broad) & (speck < 10), :3] = GRIT
        picture[(far < broad) & (far > broad - 1), :3] = RIM
    return picture


def distance_to_paths(arms: str, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each pixel is from the middle line of the nearest path."""
    first = -np.pi / 2 if len(arms) == 4 else -np.pi / 3  # the direction of the first side
    far = np.full(x.shape, np.inf)
    for side, arm in enumerate(arms):
        if arm == "+":
            across, down = (
                np.cos(first + side * 2 * np.pi / len(arms)),
                np.sin(first + side * 2 * np.pi / len(arms)),
            )
            along = np.maximum(0, x * across + y * down)
            far = np.minimum(far, np.hypot(x - along * across, y - along * down))
    return far
