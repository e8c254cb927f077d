"""What is laid over the tiles of the bundled sets: small pictures, each a letter for every pixel.

Every object stays inside its cell, so that a picture of a part of a world is a part of the picture.
"""

from __future__ import annotations

import numpy as np

from draw_tilesets.pixels import Picture
from wavefold.tiles import MapObject

SHADOW = (20, 24, 40, 96)

INKS: dict[str, tuple[int, int, int, int]] = {
    " ": (0, 0, 0, 0),
    ".": SHADOW,
    "k": (34, 30, 38, 255),  # outlines and eyes
    "o": (132, 136, 124, 255),  # outlines of what is light, also if it is drawn small
    "w": (250, 248, 240, 255),  # wool, sails
    "v": (214, 208, 200, 255),  # wool in the shade
    "b": (112, 72, 44, 255),  # hulls, fur
    "d": (78, 48, 32, 255),
    "t": (176, 120, 72, 255),  # light fur
    "s": (240, 200, 160, 255),  # skin
    "r": (186, 52, 52, 255),
    "u": (60, 84, 160, 255),
    "y": (236, 196, 84, 255),
    "i": (168, 172, 184, 255),  # iron
    "g": (96, 192, 88, 255),  # slime
    "h": (176, 236, 152, 255),
    "e": (44, 116, 56, 255),
    "m": (146, 108, 86, 255),  # mice and rats
    "n": (98, 70, 60, 255),
    "p": (232, 160, 164, 255),
    "f": (228, 240, 248, 200),  # foam
}

SHEEP = """
  ooooo
 owwwwwo
kbowwwwo
kbbwwwwo
 kkvvvvo
 .k...k.
"""
COW = """
          k
 kkkkkkk kbk
kwwbbwwwkkbk
kwwbbbwwwbsk
kwwwbbwwwkk
kvwwwwwvvk
 kk.kk.kk.
 k...k..k...
"""
BOAT = """
    k
   kwk
   kwwk
   kwvwk
   kwvvk
   kkkkk
kkkkdkkkk
kbbbbbbbk
 kdddddk
 fffffff
"""
SHIP = """
      k
   k  kwwk
   kwwkwwvk
  kwwwkwvvk
  kwwvkwvvk
   kkdkkdk
k  kkdkkdk  k
kkkkkkkkkkkkk
 kbbybbybbbk
  kdddddddk
   fffffff
"""
DEER = """
k k
 kk
 ktk
ktsk
 kktkkkk
  kttttk
  kttttk
  kkdkdk
  .k..k.
"""
SLIME = """
    kkkk
  kkgggekk
 kghhggggek
 khhggggggk
kgggkggkggek
kgggkggkggek
kggggggggeek
 kegggggeek
  kkkkkkkk
 ..........
"""
RAT = """
 kk
knmk  kkkk
kmmmkkmmmmk
kkmmmmmmmmk
pkmmmmmmmnkp
 kkknmmnnk p
  .k..k...pp
"""
GUARD = """
  kk   i
 kiik  k
 kssk  k
 kkkk  k
kuuuuk k
kuyyuksk
ksuuukkk
 kuuk  k
 knnk  k
 k..k...
"""
VILLAGER = """
  kkk
 kbbbk
 ksssk
  ksk
 krrrk
ksrrrsk
 krrrk
 kdddk
 .k.k..
"""


def sprite(text: str) -> Picture:
    """A picture of letters as pixels; rows may end early."""
    rows = text.strip("\n").split("\n")
    width = max(map(len, rows))
    return np.array([[INKS[letter] for letter in row.ljust(width)] for row in rows], np.uint8)


def stand(
    name: str, on: str | tuple[str, ...], density: float, apart: int, art: str, jitter: float
) -> MapObject:
    """An object drawn in letters, which stands in the middle of its cell or so."""
    return MapObject(name, on, density, apart, picture=sprite(art), jitter=jitter)


OBJECTS: dict[str, tuple[MapObject, ...]] = {
    "castle": (
        stand("guard", ("court", "gate"), 0.12, 3, GUARD, 0.2),
        stand("villager", ("court", "road-inside"), 0.12, 2, VILLAGER, 0.25),
        stand("cow", "meadow", 0.05, 2, COW, 0.2),
    ),
    "dungeon": (
        stand("slime", ("floor", "floor-*"), 0.05, 4, SLIME, 0.15),
        stand("rat", ("floor", "floor-*"), 0.05, 3, RAT, 0.2),
    ),
    "meadow": (
        stand("sheep", "grass", 0.09, 2, SHEEP, 0.25),
        stand("boat", "water", 0.04, 5, BOAT, 0.15),
    ),
    "medieval": (stand("ship", "water", 0.2, 3, SHIP, 0.1),),
    "terrain": (
        stand("deer", ("plains", "plains-[0-9]*"), 0.04, 3, DEER, 0.2),
        stand("ship", ("ocean", "ocean-*"), 0.02, 6, SHIP, 0.05),
    ),
}
