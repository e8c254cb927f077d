"""Tile sets to begin with: a lawn with paths that fit together already."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavefold.render import HexRaster
from wavefold.tiles import Pixels, Tile, TileSet

NAME = re.compile(r"starter-(square|hex)(?:-([0-9]{1,2}))?")  # kind of cells, and pixels across a tile
WIDTHS = {"square": 16, "hex": 32}  # if not given
SMALLEST, LARGEST = 8, 64
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


def find_starter(id: str) -> TileSet | None:
    """The starter of this name, as "starter-hex-24"; None if it is not the name of one."""
    found = NAME.fullmatch(id)
    if found is None:
        return None
    width = int(found[2] or WIDTHS[found[1]])
    return make_starter(found[1], min(max(width, SMALLEST), LARGEST))


@cache
def make_starter(topology: str, width: int) -> TileSet:
    """The starter for this kind of cells, with tiles of this width."""
    height = width if topology == "square" else HexRaster.of(width, "pointy").stamp_size[1]
    tiles = [
        Tile(
            name,
            tuple("path" if arm == "+" else "grass" for arm in arms),
            weight,
            symmetry,
            draw_paths(arms, width, height, flowers=name == "flowers"),
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
            picture[np.hypot(x - cx * width, y - cy * height) < width / 12, :3] = colour
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
