"""How "medieval" looks: every pattern is painted from its sockets and heights, once for each layout."""

from __future__ import annotations

import numpy as np

from draw_tilesets.medieval_fields import Plot, plot, sides_with, wet_corners
from draw_tilesets.medieval_props import adorn, bridge
from draw_tilesets.medieval_relief import Mask, cliff, grains, is_cliff, lighten, meadow
from draw_tilesets.pixels import Colour, Field, Picture, paint, speckle
from wavefold.tiles.tile import Pattern

DEEP: tuple[Colour, ...] = (
    (44, 98, 156),
    (54, 114, 170),
    (66, 132, 182),
    (82, 150, 192),
    (102, 168, 202),
)  # by level
CLEAR: Colour = (134, 210, 210)  # water over sand
SAND: tuple[Colour, ...] = ((214, 194, 138), (232, 214, 160), (196, 172, 116))
FOAM: Colour = (226, 240, 236)
EARTH: tuple[Colour, ...] = ((214, 184, 132), (198, 166, 114), (142, 112, 72))
STREAM = 3.4  # half the width of a river
ROAD = 2.6  # half the width of a road


def draw_pointy(pattern: Pattern) -> Picture:
    """A pattern on a pointy-top hexagon."""
    return draw(pattern, False)


def draw_flat(pattern: Pattern) -> Picture:
    """A pattern on a flat-top hexagon."""
    return draw(pattern, True)


def draw(pattern: Pattern, flat: bool) -> Picture:
    """The ground first, then what flows, what falls, what leads across, and what stands on it."""
    ground = plot(flat)
    salt = pattern.orientation.turn + 7 * pattern.level
    height = ground.height(pattern.heights)
    image = meadow(ground, pattern, height, salt)
    wet = ground.wetness(wet_corners(pattern))
    shore(image, ground, wet, min(pattern.heights), salt)
    stream = river(image, ground, pattern, wet)
    if is_cliff(pattern):
        cliff(image, ground, pattern, height)
    road(image, ground, pattern, stream)
    adorn(image, ground, pattern)
    return image


def shore(image: Picture, ground: Plot, wet: Field, level: int, salt: int) -> None:
    """Sand, foam, shallows and deep water."""
    if not (wet > 0.3).any():
        return
    grain = grains(ground, salt + 100)
    wobble = 0.035 * (grain - 0.5) * (wet > 0.25) * (wet < 0.6)
    deep = DEEP[level]
    for depth, colour in (
        (0.32, SAND[0]),
        (0.38, SAND[1]),
        (0.465, SAND[2]),
        (0.50, FOAM),
        (0.54, mix_colours(deep, CLEAR, 0.75)),
        (0.66, mix_colours(deep, CLEAR, 0.38)),
        (0.80, mix_colours(deep, CLEAR, 0.15)),
        (0.93, deep),
    ):
        paint(image, wet + wobble > depth, colour)
    paint(image, (wet > 0.93) & ripples(ground, salt), mix_colours(deep, CLEAR, 0.21))


def mix_colours(first: Colour, second: Colour, share: float) -> Colour:
    """A colour between two."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def ripples(ground: Plot, salt: int) -> Mask:
    """Short waves on open water, at other places for other patterns."""
    found = np.zeros(ground.x.shape, bool)
    for number in range(3):
        x, y = ((salt * 11 + number * 17) % 25) - 12, ((salt * 7 + number * 13) % 27) - 13
        found |= (np.floor(ground.y) == y) & (np.abs(ground.x - x) < 4 - number)
        found |= (np.floor(ground.y) == y + 1) & (np.abs(ground.x - x - 5 + number) < 2)
    return found


def river(image: Picture, ground: Plot, pattern: Pattern, wet: Field) -> Field:
    """Water between banks; how far each pixel is from its middle line."""
    sides = sides_with(pattern, "river")
    line = ground.way(sides, "curvy" in pattern.tile.name)
    if not sides:
        return line
    dry = wet < 0.5
    if len(sides) == 1 and dry.all():
        line = np.minimum(line, np.maximum(np.hypot(ground.x, ground.y) - 4.5, 0))  # ends in a pond
    elif len(sides) == 1:
        line = np.where(ground.along[sides[0]] > -4, np.abs(ground.aside[sides[0]]), np.inf)
    lighten(image, dry & (line < STREAM + 1.6), 0.84)
    lighten(image, dry & (line < STREAM + 0.6), 0.7)
    for reach, share in ((STREAM, 0.55), (STREAM - 1, 0.35), (STREAM - 2.2, 0.2)):
        paint(image, (line < reach) & (wet < 0.6), mix_colours(DEEP[min(pattern.heights)], CLEAR, share))
    if len(set(pattern.heights)) > 1:
        fall(image, ground, pattern, line)
    return line


def fall(image: Picture, ground: Plot, pattern: Pattern, line: Field) -> None:
    """White water where a river drops."""
    side = sides_with(pattern, "river")[0]
    share = ground.height(pattern.heights) - min(pattern.heights)
    strand = speckle(64, 5)[np.floor(ground.aside[side]).astype(int) + 32, 0]
    water = line < STREAM
    paint(image, water & (share > 0.12 + 0.2 * strand) & (share < 0.86 - 0.2 * strand), (168, 214, 228))
    white = water & (share > 0.1 + 0.3 * strand) & (share < 0.9 - 0.3 * strand) & (strand > 0.4)
    paint(image, white, (242, 248, 248))


def road(image: Picture, ground: Plot, pattern: Pattern, stream: Field) -> None:
    """Trodden earth; over a river, a bridge."""
    sides = sides_with(pattern, "road")
    if not sides:
        return
    line = ground.way(sides)
    grain = grains(ground, 9)
    paint(image, line < ROAD + 1, EARTH[2])
    paint(image, line < ROAD, EARTH[0])
    paint(image, (line < ROAD) & (grain > 0.72), EARTH[1])
    if np.isfinite(stream).any():
        bridge(image, ground, sides[0], stream)
