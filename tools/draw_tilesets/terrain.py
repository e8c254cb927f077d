"""The tile set "terrain": a landscape by altitude, from the ocean to the snow.

A tile is known by the grounds at its four corners, a side by the two at its ends. Corners of one side are at
most one step of altitude apart, and every such mixture has a tile, so a map can be grown in any order.

A side along a beach also shows where the sea is: what is `beach>` to the tile on the seaward side is `beach<`
to the one on the landward side. So a beach lies between the two, and is not a spit of sand in the ocean.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from draw_tilesets.pixels import (
    Colour,
    Field,
    Picture,
    blend,
    canvas,
    centres,
    cloud,
    paint,
    speckle,
)
from wavefold.tiles.neighbour_rules import Beside
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet

SIDE = 16
GROUNDS = ("ocean", "beach", "plains", "forest", "mountain", "snow")  # by altitude
OCEAN, BEACH, PLAINS, FOREST, MOUNTAIN, SNOW = range(len(GROUNDS))
Corners = tuple[int, ...]  # northwest, northeast, southeast, southwest

# The altitudes from 0 to 1 at which a ground may lie. Neighbours overlap by far more than a smooth field
# changes from cell to cell, so that a steep place still finds a tile for every step of the chain.
BANDS = ((0.0, 0.44), (0.30, 0.54), (0.40, 0.68), (0.52, 0.82), (0.66, 0.94), (0.78, 1.0))

# How broad a ground lies: what all tiles of nothing else weigh together. The ocean and the plains go on and
# on; a beach is a mere seam; mountains are light, so that ranges stay narrow, and snow is lighter still.
BREADTH = (50.0, 0.02, 70.0, 42.0, 12.0, 5.0)
# How many tiles they are. The more, the less is certain inside a ground, so that an order by least entropy
# follows borders first, to the end: coasts and ranges become long. With one tile each they would be specks.
LOOKS = (16, 1, 16, 10, 7, 6)
# How borders run: bends as often as not, so that they wind; two grounds touch at a point hardly ever.
STRAIGHT, BEND, SADDLE, STEEP = 1.6, 1.0, 0.005, 0.9
# What a border weighs by the lower of its grounds. To a mountain and to snow it is rare, or they would be one
# restless massif instead of ranges.
CLIMB = (0.75, 0.75, 0.8, 0.5, 0.3)

WATER: tuple[Colour, ...] = ((40, 88, 150), (50, 106, 168), (72, 140, 194), (128, 194, 216), (226, 242, 236))
SAND: tuple[Colour, ...] = ((240, 222, 168), (226, 202, 142), (200, 174, 118))
GRASS: tuple[Colour, ...] = ((130, 188, 90), (138, 196, 96), (112, 170, 80), (156, 208, 108))
FLOWERS: tuple[Colour, ...] = ((252, 246, 226), (248, 210, 90), (232, 118, 128))
WOODS: tuple[Colour, ...] = ((86, 146, 74), (78, 134, 70))
LEAVES: tuple[Colour, ...] = ((24, 66, 56), (36, 94, 62), (58, 124, 68), (100, 162, 82))
SCREE: tuple[Colour, ...] = ((146, 138, 112), (132, 124, 102))
ROCK: tuple[Colour, ...] = ((78, 72, 84), (98, 90, 98), (136, 122, 112), (164, 150, 130), (194, 180, 154))
ICE: tuple[Colour, ...] = (
    (222, 232, 242),
    (208, 220, 234),
    (112, 134, 170),
    (166, 190, 220),
    (255, 255, 255),
)

Y, X = centres(SIDE)


def terrain() -> TileSet:
    """Oceans, beaches, plains, forests, mountains and snow, each beside the next by altitude."""
    lines = list(borders())
    return TileSet(
        [*lines, *whole()],
        name="terrain",
        beside=[Beside(line.name, line.name, weight=0.2) for line in lines if is_straight(line)],
        description="Oceans, beaches, plains, forests, mountains and snow, each beside the next by altitude.",
    )


def whole() -> Iterator[Tile]:
    """Tiles of one ground, some of them with more to see."""
    for ground, name in enumerate(GROUNDS):
        if ground != BEACH:
            for look in range(LOOKS[ground]):
                title = f"{name}-{look + 1}" if look else name
                yield tile(title, (ground,) * 4, BREADTH[ground] / LOOKS[ground], look=look)
    for ends in product("><", repeat=4):
        seaward = sum(end == ">" for end in ends)
        weight = BREADTH[BEACH] * (1.0 if 0 < seaward < 4 else 0.1)
        letters = "".join(side for side, end in zip("nesw", ends, strict=True) if end == "<")
        yield tile("beach" + f"-{letters}" * bool(letters), (BEACH,) * 4, weight, "".join(ends))


def borders() -> Iterator[Tile]:
    """One tile for each mixture of grounds."""
    for corners in product(range(len(GROUNDS)), repeat=4):
        around = list(zip(corners, corners[1:] + corners[:1], strict=True))
        if len(set(corners)) > 1 and all(abs(a - b) <= 1 for a, b in around):
            # In reading order: northwest, northeast, southwest, southeast.
            letters = "".join(GROUNDS[corners[corner]][0] for corner in (0, 1, 3, 2))
            seaward = ">" if OCEAN in corners else "<"
            yield tile(f"{GROUNDS[max(corners)]}-{letters}", corners, border_weight(corners), seaward * 4)


def is_straight(tile: Tile) -> bool:
    """Whether a border runs straight through a tile. Refined, no border does so for long, as if ruled."""
    corners = tile.name[-4:]  # in reading order
    is_level = corners[0] == corners[1] and corners[2] == corners[3]
    return is_level or (corners[0] == corners[2] and corners[1] == corners[3])


def tile(name: str, corners: Corners, weight: float, seaward: str = "", look: int = 0) -> Tile:
    """A tile with these grounds at its corners; `seaward` is for its sides along a beach."""
    low, high = altitudes(corners)
    return Tile(
        name,
        sockets(corners, seaward),
        weight,
        picture=lambda pattern: draw_ground(corners, look),
        limits={"altitude": (low, high)},
    )


def sockets(corners: Corners, seaward: str) -> tuple[str, ...]:
    """What each side shows: the grounds at its ends, from west to east or from north to south."""
    ends = [(GROUNDS[corners[a]], GROUNDS[corners[b]]) for a, b in ((0, 1), (1, 2), (3, 2), (0, 3))]
    return tuple(
        f"beach{seaward[side]}" if pair == ("beach", "beach") else "-".join(pair)
        for side, pair in enumerate(ends)
    )


def altitudes(corners: Corners) -> tuple[float, float]:
    """Where a tile may lie: the bands of its corners, averaged."""
    low, high = np.mean([BANDS[ground] for ground in corners], axis=0).round(4).tolist()
    return low, high


def border_weight(corners: Corners) -> float:
    """The shape of the border, and what it divides."""
    low, high = min(corners), max(corners)
    if high - low > 1:
        return STEEP * CLIMB[low] * CLIMB[high - 1]
    if corners[0] == corners[2]:
        shape = SADDLE if corners[1] == corners[3] else BEND
    else:
        shape = BEND if corners[1] == corners[3] else STRAIGHT
    return shape * CLIMB[low]


def draw_ground(corners: Corners, look: int) -> Picture:
    """The ground, then what stands on it, from north to south, so that the nearer hides the farther."""
    picture = canvas(SIDE, WATER[0])
    # The noise goes on across sides, so borders wind and still meet.
    height = blend(corners, SIDE) + 0.4 * (cloud(SIDE, 5, 4) - 0.5)
    wet(picture, height)
    dry(picture, height)
    detail(picture, corners, look)
    northwest, northeast, southeast, southwest = corners
    for ground, column in ((northwest, 0), (northeast, SIDE)):
        stand(picture, ground, column, 0)
    middle(picture, corners, look)
    for ground, column in ((southwest, 0), (southeast, SIDE)):
        stand(picture, ground, column, SIDE)
    return picture


def wet(picture: Picture, height: Field) -> None:
    """Water, paler where it is shallow, and foam."""
    grain = 0.1 * (speckle(SIDE, 11) - 0.5)
    for depth, colour in zip((0.22, 0.5, 0.68, 0.76), WATER[1:], strict=True):
        paint(picture, height + grain * (depth < 0.6) > depth, colour)
    paint(picture, height > 0.81, SAND[2])


def dry(picture: Picture, height: Field) -> None:
    """Sand, grass, the floor of a wood, rock and snow."""
    grain = speckle(SIDE, 12)
    paint(picture, height > 0.86, SAND[0])
    paint(picture, (height > 0.9) & (grain > 0.9), SAND[1])
    paint(picture, height > 1.16, SAND[2])
    for level, (light, dark, *_) in ((1.23, GRASS), (2.45, WOODS), (3.4, SCREE), (4.8, ICE)):
        paint(picture, height + 0.08 * (grain - 0.5) > level, light)
        paint(picture, (height > level + 0.04) & (grain > 0.9), dark)


def detail(picture: Picture, corners: Corners, look: int) -> None:
    """Waves on the ocean; tufts, flowers or a bush on the plains."""
    grain = speckle(SIDE, 40 + look)
    seeds = np.argwhere(grain[2:-2, 2:-3] > 0.96)[:4] + 2
    if max(corners) == OCEAN:
        for row, column in seeds[: look % 3].tolist():
            picture[row, column : column + 3, :3] = WATER[1]
    elif min(corners) == max(corners) == PLAINS:
        for number, (row, column) in enumerate(seeds.tolist()):
            picture[row, column : column + 2, :3] = GRASS[3]
            picture[row + 1, column : column + 2, :3] = GRASS[2]
            if look in (3, 7):
                picture[row, column, :3] = FLOWERS[number % len(FLOWERS)]
        if look == 5:
            tree(picture, 9, 7, 3.2)


def stand(picture: Picture, ground: int, column: float, row: float) -> None:
    """What stands at a corner. The four tiles around it draw a quarter each."""
    if ground == FOREST:
        tree(picture, column, row, 5.4)
    elif ground == MOUNTAIN:
        peak(picture, column, row, 10.5, 16.0, 0.0)
    elif ground == SNOW:
        peak(picture, column, row, 11.5, 20.0, 0.6)


def middle(picture: Picture, corners: Corners, look: int) -> None:
    """What stands in the middle of a tile, where its corners leave room."""
    aside, size = (-1.5, 1.0, 0.0, 2.0, -0.5, 1.5)[look % 6], (0, 2, 1, 3, -1, 1)[look % 6]
    if min(corners) >= MOUNTAIN and look % 3 == 1:
        cap = 0.6 if min(corners) == SNOW else 0.0
        peak(picture, 8 + aside, 9, 8.0 + size / 2, 12.0 + size, cap)
    elif max(corners) == FOREST and sum(corner == FOREST for corner in corners) >= 3:
        tree(picture, 8 + aside / 2, 8, 4.6 + size / 4)


def tree(picture: Picture, column: float, row: float, radius: float) -> None:
    """A round crown, light from the northwest, and its shadow."""
    x, y = X - column, Y - row
    paint(picture, np.hypot(x - 1, y - 1.5) < radius, LEAVES[0])
    for size, shift, colour in ((1.0, 0.0, LEAVES[1]), (0.72, 0.9, LEAVES[2]), (0.36, 1.7, LEAVES[3])):
        paint(picture, np.hypot(x + shift, y + shift) < radius * size, colour)


def peak(picture: Picture, column: float, row: float, width: float, height: float, cap: float) -> None:
    """A mountain with its foot around a point: the west side in the light, snow on the upper `cap` of it."""
    x, down = X - column, Y - row + height * 0.7  # from the summit
    jag = 0.8 * np.sin(down * 1.3 + 0.5)
    reach = 0.8 + np.minimum(down, height * 0.85) * width / height
    body = (down > 0) & (down < height) & (np.abs(x) < reach)
    lit = x < jag
    paint(picture, body, ROCK[1])
    paint(picture, body & (x > 0.55 * reach), ROCK[0])
    paint(picture, body & lit, ROCK[4])
    paint(picture, body & (x < jag - 0.5 * reach), ROCK[3])
    paint(picture, body & lit & (np.abs(x - jag + 0.3 * down) < 0.6) & (down > 5), ROCK[2])
    if cap:
        white = body & (down < cap * height + 1.6 * np.sin(x * 1.6))
        paint(picture, white, ICE[3])
        paint(picture, white & lit, ICE[4])
