"""The tile set "pipes". Every way to open the four sides has a tile, so any map can be finished."""

from __future__ import annotations

import numpy as np

from draw_tilesets.pixels import Colour, Field, Picture, canvas, centres, paint, shade
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet

SIDE = 24
HALF = SIDE / 2
HALF_TURNS = (0, 90)  # the rest looks the same

WALL: Colour = (27, 31, 46)
SEAM: Colour = (22, 25, 38)
SHADOWS: tuple[Colour, ...] = ((15, 17, 27), (19, 22, 34), (23, 26, 40))
# From the axis of a pipe to its rim. Tiles are turned, so light falls straight from above.
STEEL: tuple[Colour, ...] = ((214, 240, 232), (131, 196, 196), (81, 148, 160), (50, 102, 122), (24, 50, 68))
BRASS: tuple[Colour, ...] = (
    (255, 232, 170), (240, 200, 112), (214, 160, 76), (168, 112, 54), (116, 72, 42), (66, 40, 32),
)  # fmt: skip
RED: tuple[Colour, ...] = ((255, 176, 150), (232, 92, 80), (178, 48, 56), (104, 24, 40))
GLOW: tuple[Colour, ...] = ((255, 255, 235), (255, 240, 170), (255, 206, 96), (236, 150, 60), (150, 84, 44))
REACH = len(STEEL)  # half the width of a pipe, in pixels
FLANGE = 3  # pixels of brass where a fitting ends

# Pixel centres seen from the middle of the tile: x to the east, y to the south.
Y, X = (axis - HALF for axis in centres(SIDE))


def pipes() -> TileSet:
    """Steel pipes on a dark wall: straights, bends, tees, crossings, valves and lamps."""
    pipe, wall = "pipe", "wall"
    north, through = (pipe, wall, wall, wall), (pipe, wall, pipe, wall)
    return TileSet(
        [
            Tile("wall", (wall,) * 4, 9.0, picture=plate()),
            Tile("vent", (wall,) * 4, 0.5, HALF_TURNS, vent()),
            Tile("lamp", north, 0.22, "turned", lamp()),
            Tile("straight", through, 3.2, HALF_TURNS, fitting(np.abs(X), "")),
            Tile("valve", through, 0.25, HALF_TURNS, valve()),
            Tile("bend", (pipe, pipe, wall, wall), 2.0, "turned", fitting(bow(), "NE")),
            Tile("tee", (pipe, pipe, wall, pipe), 0.7, "turned", fitting(distance_to_arms("NEW"), "NEW")),
            Tile("cross", (pipe,) * 4, 0.25, picture=fitting(distance_to_arms("NESW"), "NESW")),
            Tile("bridge", (pipe,) * 4, 1.0, HALF_TURNS, bridge()),
        ],
        name="pipes",
        description="Steel pipes on a dark wall: straights, bends, tees, crossings, valves and lamps.",
    )


def plate() -> Picture:
    """The bare wall: a panel with seams around it."""
    picture = canvas(SIDE, WALL)
    paint(picture, np.maximum(np.abs(X), np.abs(Y)) > HALF - 1, SEAM)
    return picture


def vent() -> Picture:
    """Slots in the wall."""
    picture = plate()
    slots = (np.abs(X) < 6) & (np.abs(Y) < 6)
    paint(picture, slots & (np.floor(Y) % 4 < 2), SHADOWS[0])
    paint(picture, slots & (np.floor(Y) % 4 == 2), (42, 48, 68))
    return picture


def arm(side: str) -> Field:
    """How far each pixel is from the line between the middle and this side."""
    along, across = {"N": (-Y, X), "E": (X, Y), "S": (Y, X), "W": (-X, Y)}[side]
    return np.where(along > 0, np.abs(across), np.hypot(along, across))


def distance_to_arms(sides: str) -> Field:
    """How far each pixel is from the nearest of these arms."""
    return np.asarray(np.min([arm(side) for side in sides], axis=0))


def bow() -> Field:
    """How far each pixel is from the quarter circle between north and east."""
    return np.abs(np.hypot(X - HALF, Y + HALF) - HALF)


def lay(picture: Picture, distance: Field) -> None:
    """A pipe and the shadow beside it."""
    for step, colour in enumerate(reversed(SHADOWS)):
        paint(picture, distance < REACH + len(SHADOWS) - step, colour)
    shade(picture, distance, STEEL)


def fitting(distance: Field, flanges: str) -> Picture:
    """A pipe along the line of distance 0, with a brass ring where it leaves by these sides."""
    picture = plate()
    lay(picture, distance)
    for side in flanges:
        ring(picture, side)
    return picture


def ring(picture: Picture, side: str) -> None:
    """Brass around a pipe, at the edge of the tile."""
    along, across = {"N": (-Y, X), "E": (X, Y), "S": (Y, X), "W": (-X, Y)}[side]
    edge = along > HALF - FLANGE
    inner = edge & (along < HALF - FLANGE + 1)
    shade(picture, np.where(edge, np.abs(across), np.inf), BRASS)
    shade(picture, np.where(inner, np.abs(across) + 1, np.inf), BRASS)


def bridge() -> Picture:
    """One pipe over another, not joined."""
    picture = plate()
    lay(picture, np.abs(Y))
    lay(picture, np.abs(X))
    return picture


def valve() -> Picture:
    """A straight pipe with a red wheel on it."""
    picture = fitting(np.abs(X), "")
    around = np.hypot(X, Y)
    paint(picture, around < 9.6, SHADOWS[0])
    shade(picture, np.abs(around - 7) + 0.6, RED[1:])
    spokes = np.minimum(np.abs(X - Y), np.abs(X + Y)) / np.sqrt(2)
    shade(picture, np.where(around < 6, spokes, np.inf), RED[1:3])
    shade(picture, around, (BRASS[0], BRASS[1], BRASS[3]))
    return picture


def lamp() -> Picture:
    """A pipe that ends in a light."""
    picture = fitting(arm("N"), "N")
    around = np.hypot(X, Y)
    paint(picture, around < 10.2, SHADOWS[0])
    shade(picture, around - 3.2, BRASS)
    shade(picture, around * 5 / 6.2, GLOW)
    return picture
