"""What stands on the hexagons of "medieval": woods and rocks, villages, bridges, boats.

A tile is turned in six ways; where they would look the same, each has something else to show.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin, sqrt

import numpy as np

from draw_tilesets.medieval_fields import SIDES, Plot
from draw_tilesets.medieval_relief import lighten
from draw_tilesets.medieval_sprites import SHADE, SPRITES, lay
from draw_tilesets.pixels import Colour, Field, Picture, paint, speckle
from wavefold.tiles.tile import Pattern

Standing = tuple[str, float, float]  # a sprite; its foot, right and down of the middle

FLOWERS: tuple[Colour, ...] = ((250, 244, 220), (246, 206, 84), (226, 110, 120))
STONE: tuple[Colour, ...] = ((206, 202, 194), (172, 168, 162), (122, 118, 120), (152, 146, 142))

EVERY = -1
# tile -> turn (EVERY: if not listed) -> what, towards which side as drawn (halves are corners), how far.
BUILT: dict[str, dict[int, list[tuple[str, float, float]]]] = {
    "road-end": {EVERY: [("cottage", 0.5, 8), ("hut", 2.0, 9), ("cottage", 3.2, 11), ("tree", 5.3, 12)]},
    "road-d": {EVERY: [("church", 1, 10), ("cottage", 3, 11), ("cottage", 5, 11)]},
    "road-e": {EVERY: [("cottage", 2.1, 11), ("hut", 3.1, 12)]},
    "road-f": {EVERY: [("cottage", 5.1, 12), ("hut", 0.1, 12)]},
    "road-a": {
        1: [("cottage", 2.5, 12), ("bush", 5.3, 11)],
        2: [("stooks", 5.5, 11), ("tree", 2.2, 13)],
        4: [("hut", 5.5, 12)],
        5: [("tree", 2.3, 13), ("tree", 2.8, 10), ("bush", 5.7, 11)],
    },
    "road-b": {0: [("mill", 2, 8)], 3: [("cottage", 2, 9), ("bush", 1.2, 12)], 4: [("stooks", 2, 8)]},
    "river-end": {EVERY: [("bush", 0.3, 9), ("rock", 2.3, 11), ("tree", 1, 13)]},
    "river-b": {1: [("tree", 2, 9), ("bush", 2.8, 8)], 4: [("tree", 1.7, 9), ("tree", 2.4, 10)]},
    "coast-a": {2: [("tree", 5, 9)], 5: [("hut", 5, 8)]},
    "coast-c": {1: [("boat", 2, 8)], 4: [("rock", 1.5, 7)]},
    "coast-d": {0: [("rock", 4.5, 1), ("lighthouse", 4.5, 1)], 2: [("boat", 2, 4)], 3: [("rock", 2, 6)]},
    "coast-e": {0: [("hut", 5.5, 5)], 3: [("tree", 5.2, 8), ("tree", 0.2, 9)]},
}
KINDS = (
    ("tree", "tree", "bush"),
    ("tree", "tree", "fir"),
    ("fir", "tree", "fir"),
    ("fir", "fir", "fir", "rock"),
    ("rock", "fir"),
)  # by level
GOLDEN_ANGLE = 2.399963


def adorn(image: Picture, ground: Plot, pattern: Pattern) -> None:
    """Put everything in its place, what is farther north first."""
    salt = pattern.orientation.turn + SIDES * pattern.level
    if pattern.tile.name == "grass" and pattern.orientation.turn in (1, 4):
        flowers(image, salt)
    things = [*list_plants(pattern), *list_buildings(ground, pattern)]
    for name, x, y in sorted(things, key=lambda thing: thing[2]):
        lay(image, name, x, y)


def list_buildings(ground: Plot, pattern: Pattern) -> Iterator[Standing]:
    """What belongs to a tile."""
    variants = BUILT.get(pattern.tile.name, {})
    turn = pattern.orientation.turn
    things = variants.get(turn, variants.get(EVERY, []))
    if pattern.tile.name == "road-end" and pattern.level > 1:
        things = [("castle", 1, 1)]
    for name, side, far in things:
        x, y = ground.towards(side + turn, far)
        yield name, x, y + SPRITES[name].shape[0] / 2 * (name != "lighthouse")


def list_plants(pattern: Pattern) -> Iterator[Standing]:
    """Trees: none, a few, or a wood; firs and rocks higher up, and mountains at the top."""
    turn, level = pattern.orientation.turn, pattern.level
    if pattern.tile.name != "grass":
        return
    if level == 4 and turn in (1, 3):
        yield "peak", 0, 8
        return
    kinds = KINDS[level]
    many, reach = ((0, 0), (2, 9), (4, 9), (17, 14.5), (0, 0), (11, 13))[turn]
    for number, (x, y) in enumerate(scatter(many, reach, turn + SIDES * level)):
        yield kinds[(number * number + turn) % len(kinds)], x, y + 4


def scatter(many: int, reach: float, salt: int) -> Iterator[tuple[float, float]]:
    """So many places around the middle, spread like seeds in a sunflower and then moved a little."""
    chance = speckle(64, 31 + salt)
    for number in range(many):
        far = reach * sqrt((number + 0.5) / many)
        angle = number * GOLDEN_ANGLE + salt * 1.3
        yield (
            far * cos(angle) + 3 * (chance[0, number] - 0.5),
            far * sin(angle) + 3 * (chance[1, number] - 0.5),
        )


def flowers(image: Picture, salt: int) -> None:
    """A few in the grass."""
    for number, (x, y) in enumerate(scatter(9, 15, salt)):
        image[int(y + image.shape[0] / 2), int(x + image.shape[1] / 2), :3] = FLOWERS[number % 3]


def bridge(image: Picture, ground: Plot, side: int, stream: Field) -> None:
    """Stone across the river, with a wall on either side and its shadow on the water."""
    over, aside = stream < 6.2, np.abs(ground.aside[side])
    lighten(image, (stream < 3.4) & (aside < 7.5), SHADE)
    paint(image, over & (aside < 5.4), STONE[2])
    paint(image, over & (aside < 4.6), STONE[0])
    paint(image, over & (aside < 3.2), STONE[2])
    paint(image, over & (aside < 2.6), STONE[1])
    paint(image, over & (aside < 2.6) & (np.floor(ground.along[side]) % 3 == 0), STONE[3])
