"""The tile set "medieval": hexagons of ground and water at five heights, after a public table of 34 tiles.

Sides match if they show the same and lie equally high, so the ground rises only across slopes and cliffs.

With the fields `water` and `elevation` there is the sea where water is above 0.4, a shore where it is above
0.2, and beyond it highland where elevation is above 0.3, or else land.
"""

from __future__ import annotations

from math import inf

from draw_tilesets.medieval_art import draw_flat, draw_pointy
from wavefold import Downhill
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet

HEIGHTS = 5
SEA, SHORE, HIGH = 0.4, 0.2, 0.3  # values of fields
LOWEST_HIGHLAND = 2  # land lies at 0 and 1, highland above; a slope between the two belongs to both
SOCKETS = {"g": "grass", "w": "water", "r": "road", "s": "river", "c": "coast"}

# The facts of felixturner/hex-map-wfc (MIT): name; sides from northeast, clockwise; weight; how far each side
# rises above the tile ("-": none does); "apart" if it may not touch its own kind.
TABLE = """
grass               gggggg  500  -
water               wwwwww  500  -
road-a              grggrg   30  -
road-b              rgggrg    8  -
road-d              rgrgrg    2  -       apart
road-e              rrggrg    2  -       apart
road-f              grrgrg    2  -       apart
road-end            ggggrg    1  -       apart
river-a             gsggsg   20  -
river-a-curvy       gsggsg   20  -
river-b             sgggsg   30  -
river-d             sgsgsg    4  -       apart
river-e             ssggsg    4  -       apart
river-f             gssgsg    4  -       apart
river-end           ggggsg    4  -       apart
coast-a             gcwcgg   20  -
coast-b             gcwwcg   15  -
coast-c             cwwwcg   15  -
coast-d             wwwwcc   15  -       apart
coast-e             ggccgg   10  -       apart
coast-slope-a-low   gggcwc    1  111000
coast-slope-a-high  gggcwc    1  222000
river-a-slope-low   gsggsg    1  111000
river-into-coast    cwwwcs    3  -       apart
river-crossing-a    gsrgsr    4  -       apart
river-crossing-b    rsgrsg    4  -       apart
grass-slope-high    gggggg   20  222000
road-a-slope-high   grggrg   12  222000
grass-cliff         gggggg    6  222000
grass-cliff-c       gggggg    6  020000
grass-slope-low     gggggg   20  111000
road-a-slope-low    grggrg   12  111000
grass-cliff-low     gggggg    6  111000
grass-cliff-low-c   gggggg    6  010000
"""


def medieval() -> TileSet:
    """A land of hexagons at five heights: meadows, woods, lakes, rivers, roads, slopes and cliffs."""
    return TileSet(
        [tile(*line.split()) for line in TABLE.strip().splitlines()],
        "hex",
        "medieval",
        groups={"rivers": ["river-*"]},
        constraints=[Downhill("rivers")],
        description=(medieval.__doc__ or "").strip(),
        order="scanline",
    )


def tile(name: str, sides: str, weight: str, rises: str, apart: str = "") -> Tile:
    """One line of the table. All six turns are kept, even those that look alike."""
    climbs = () if rises == "-" else tuple(map(int, rises))
    return Tile(
        name,
        tuple(SOCKETS[letter] for letter in sides),
        float(weight),
        "turned",
        draw_pointy,
        levels=HEIGHTS,
        rises=climbs,
        apart=apart == "apart",
        limits=places(sides, max(climbs, default=0)),
        flat_picture=draw_flat,
    )


def places(sides: str, climb: int) -> list[dict[str, tuple[float, float]]]:
    """Where a tile may stand, if fields place ground and water.

    The sea lies at level 0, and what is on its shore stands there, be it wet or dry.
    """
    sea, shore = {"level": (0.0, 0.0), "water": (SHORE, inf)}, {"level": (0.0, 0.0), "water": (SHORE, SEA)}
    if set(sides) & set("wc"):
        return [sea if set(sides) == {"w"} else shore]
    inland = (-inf, SHORE)
    land = {"level": (0.0, LOWEST_HIGHLAND - 1.0), "water": inland, "elevation": (-inf, HIGH)}
    high = {"level": (float(LOWEST_HIGHLAND - climb), inf), "water": inland, "elevation": (HIGH, inf)}
    return [shore, land, high]
