"""The tile set "knots": interlaced bands, as in the margins of old Irish books.

Bands cross on the sides of tiles, and each tile holds four lengths of band, one around each corner. A side
is crossed, closed (bands turn back before it) or parallel (bands go through it side by side). Every mixture
has a tile, so any map can be finished. A length passes under a band where it begins and over one where it
ends, clockwise; so every band goes over and under in turn, all over the map.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from draw_tilesets.pixels import (
    Colour,
    Field,
    Picture,
    canvas,
    centres,
    cloud,
    paint,
    shade,
    tint,
    trail,
)
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet

SIDE = 24
HALF = SIDE / 2
KINDS = {"x": "crossed", "o": "closed", "i": "parallel"}
# What each side adds to the weight of a tile. Bands go far, and yet half of the knots come to an end.
LIKELY = {"x": 1.0, "o": 0.62, "i": 0.12}
BARE_WEIGHT = 0.5  # of cloth without a band: knots get an outline

CLOTH: tuple[Colour, ...] = ((20, 40, 62), (24, 47, 70))
SHADOW: Colour = (10, 20, 36)
THREAD: tuple[Colour, ...] = ((70, 108, 128), (58, 92, 114), (44, 74, 98))
ROSE: tuple[Colour, ...] = ((226, 92, 72), (170, 52, 56))
# From the middle of a band to its rim.
METALS: dict[str, tuple[Colour, ...]] = {
    "gold": ((206, 146, 60), (240, 196, 98), (255, 236, 170), (92, 54, 36)),
    "silver": ((132, 156, 172), (186, 206, 214), (240, 248, 246), (54, 70, 90)),
    "copper": ((172, 76, 60), (222, 122, 88), (252, 190, 146), (84, 34, 42)),
}
REACH = 4  # half the width of a band, in pixels
LANE = 6.0  # how far bands keep from a closed side, and from each other on a parallel one

NORMALS = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])  # north, east, south, west
Y, X = (axis - HALF for axis in centres(SIDE))


def knots() -> TileSet:
    """Bands of gold, silver and copper, woven over and under each other."""
    return TileSet(
        [Tile("cloth", ("closed",) * 4, BARE_WEIGHT, picture=bare()), *weaves()],
        name="knots",
        description="Bands of gold, silver and copper, woven over and under each other.",
    )


def weaves() -> Iterator[Tile]:
    """One tile for each mixture of sides that is not another one turned, in each metal."""
    for kinds in product(KINDS, repeat=4):
        turns = ["".join(kinds[-turn:] + kinds[:-turn]) for turn in range(4)]
        if turns[0] != min(turns) or turns[0] == "oooo":
            continue
        weight = float(np.prod([LIKELY[kind] for kind in kinds]))
        turned = (0, 90, 180, 270)[: len(set(turns))]  # the rest looks the same
        for metal, picture in zip(METALS, weave(turns[0]), strict=True):
            sockets = tuple("closed" if kind == "o" else f"{metal} {KINDS[kind]}" for kind in kinds)
            yield Tile(f"{metal}-{turns[0]}", sockets, weight, turned, picture)


def weave(kinds: str) -> Iterator[Picture]:
    """The four lengths of band of a tile, without what they hide of each other; in each metal."""
    away = [trail(length(kinds, side), SIDE) for side in range(4)]
    near = np.min(away, axis=0)
    hidden = [(away[side - 1] < REACH) & (kinds[side] == "x") for side in range(4)]
    visible = np.min([np.where(hidden[side], np.inf, away[side]) for side in range(4)], axis=0)
    for shades in METALS.values():
        picture = cloth()
        paint(picture, near < REACH + 1.5, SHADOW)
        studs(picture, near)
        shade(picture, visible, shades)
        for side in range(4):
            if kinds[side] == "x":
                under = (away[side] < REACH - 1) & ~hidden[side]
                tint(picture, under & (away[side - 1] < REACH + 2.2), 0.62)
        yield picture


def length(kinds: str, side: int) -> Field:
    """Points [point, (x, y)] along the band from this side to the next one clockwise."""
    following = (side + 1) % 4
    start, away = end_of(kinds[side], side, 1)
    stop, back = end_of(kinds[following], following, -1)
    pull = 0.55 * np.hypot(*(stop - start)) + 2.0
    share = np.linspace(0, 1, 26)[:, None]
    points = (
        start * (1 - share) ** 3
        + 3 * (start + away * pull * 0.7) * (1 - share) ** 2 * share
        + 3 * (stop + back * pull * 0.7) * (1 - share) * share**2
        + stop * share**3
    )
    ahead = np.linspace(0, HALF / 2, 7)[:, None]  # beyond a crossing, to show what reaches in from there
    tails = [
        place - ahead * way
        for place, way, kind in ((start, away, kinds[side]), (stop, back, kinds[following]))
        if kind == "x"
    ]
    return np.concatenate([points, *tails])


def end_of(kind: str, side: int, hand: int) -> tuple[Field, Field]:
    """Where a band begins at a side, and the direction it takes; `hand` is 1 clockwise of the middle."""
    normal, along = NORMALS[side], hand * NORMALS[(side + 1) % 4]
    if kind == "x":
        return HALF * normal, (along - normal) / np.sqrt(2)
    if kind == "o":
        return (HALF - LANE) * normal, along
    return HALF * normal + LANE * along, -normal


def cloth() -> Picture:
    """What the bands lie on."""
    picture = canvas(SIDE, CLOTH[0])
    paint(picture, cloud(SIDE, 3, 6) > 0.55, CLOTH[1])
    return picture


def bare() -> Picture:
    """Cloth with a flower stitched on it."""
    picture = cloth()
    studs(picture, np.full_like(X, np.inf))
    petals = np.hypot(np.abs(X) - 3.6, np.abs(Y) - 3.6)
    paint(picture, petals < 4.2, SHADOW)
    shade(picture, petals / 1.1, THREAD)
    paint(picture, np.hypot(X, Y) < 2.6, SHADOW)
    paint(picture, np.hypot(X, Y) < 1.6, ROSE[0])
    return picture


def studs(picture: Picture, near: Field) -> None:
    """A stud at each corner, where there is always room, and in the middle if there is."""
    shade(picture, np.hypot(HALF - np.abs(X), HALF - np.abs(Y)), ROSE)
    if near[np.hypot(X, Y) < 3].min() > REACH:
        shade(picture, np.hypot(X, Y), ROSE)
