"""Tile sets of mxgmn/WaveFunctionCollapse: an XML file, and a folder of pictures beside it.

A symmetry letter sets the number of variants of a tile. Variant k is the drawn tile, turned k quarters
counter-clockwise. It is named after the equal clockwise turn: variant 1 of `road` is `road@270`. Variants 4
to 7, which only class F has, are mirror images: variant 4 + k is the mirrored tile, turned k quarters
clockwise (`road@m`, `road@m90`, …).
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from wavefold.errors import suggest
from wavefold.formats.nodes import Element, XmlReader
from wavefold.formats.sheet import LARGEST_CELL
from wavefold.options.values import fail_limit
from wavefold.plugins.map_formats import MapFormat
from wavefold.storage.files import AnyFile, find_inside, note_read, read_limited
from wavefold.tiles import Beside, Orientation, Pixels, Tile, TileSet, get_ring
from wavefold.tiles.orientation import parse_symmetry

MOST_BYTES = 8 << 20
MOST_PATTERNS = 4096  # the table of allowed pairs has a byte for each pair and direction

# The orientations that `tile 0` to `tile 7` mean.
VARIANT_ORIENTATIONS = ("0", "270", "180", "90", "m", "m90", "m180", "m270")
SYMMETRY_LETTERS = "ILTF\\"  # X and all other letters look the same in every orientation


# --- files --------------------------------------------------------------------------------------


def read_mxgmn(path: str | os.PathLike[str], subset: str | None = None) -> TileSet:
    """Read the tile set in an mxgmn XML file, or one of its subsets."""
    return load_mxgmn(Path(path), subset)


def load_mxgmn(source: AnyFile, subset: str | None = None, most_patterns: int = MOST_PATTERNS) -> TileSet:
    """Like `read_mxgmn`, for any kind of file. Raises before reading pictures if there are more patterns."""
    root = read_root(source)
    drawn = parse_tiles(root)
    kept = set(drawn) if subset is None else parse_subset(root, subset, drawn)
    count = sum(len(list_variants(tile)) for name, tile in drawn.items() if name in kept)
    if count > (most := min(most_patterns, MOST_PATTERNS)):
        fail_limit(root.fail, f"has {count:,} tile variants; at most {most:,} can be read", "patterns", most)
    unique = root.attributes.get("unique", "").strip().lower() == "true"
    rules = parse_neighbour_rules(root, drawn, kept)
    pictures = PictureFolder(source)
    tiles = [
        Tile(name, None, tile.weight, tile.symmetry, read_tile_picture(tile, pictures, unique))
        for name, tile in drawn.items()
        if name in kept
    ]
    title = source.stem if subset is None else f"{source.stem}, {subset}"
    return TileSet(tiles, name=title, beside=rules)


def subsets(path: str | os.PathLike[str]) -> list[str]:
    """The names `read_mxgmn` accepts as a subset of this file, in its order."""
    return list(parse_subsets(read_root(Path(path))))


def read_root(source: AnyFile) -> Element:
    """The element <set> of a file."""
    root = XmlReader(source).read(read_limited(source, MOST_BYTES, "a tile set file is much smaller"))
    if root.tag != "set":
        root.fail("is not a tile set; expected <set> with <tiles> and <neighbors>")
    return root


# --- tiles --------------------------------------------------------------------------------------


class DrawnTile(NamedTuple):
    """An element <tile>."""

    name: str
    symmetry: str  # a letter
    weight: float
    element: Element


def parse_tiles(root: Element) -> dict[str, DrawnTile]:
    """{name: tile} for every tile, in the order of the file."""
    found: dict[str, DrawnTile] = {}
    for element in root.only("tiles").every("tile"):
        name = element.attribute("name")
        if not name or any(sign in name for sign in "@/\\\0"):
            element.fail(r"needs a name without '@', '/' and '\'")
        if name in found:
            element.fail(
                f"has the same name as the tile on line {found[name].element.line}; names must differ"
            )
        letter = element.attributes.get("symmetry", "X")
        symmetry = letter if len(letter) == 1 and letter in SYMMETRY_LETTERS else "X"
        found[name] = DrawnTile(name, symmetry, parse_weight(element), element)
    if not found:
        root.fail("has no <tile> in <tiles>; a tile set needs at least one")
    return found


def parse_weight(element: Element) -> float:
    """The weight of each variant."""
    text = element.attributes.get("weight", "1")
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not (math.isfinite(weight) and weight > 0):
        element.fail(f"has weight {text!r}; weights must be finite numbers above 0")
    return weight


def parse_subsets(root: Element) -> dict[str, Element]:
    """{name: element} for every <subset>."""
    lists = root.every("subsets")
    return {each.attribute("name"): each for subsets in lists for each in subsets.every("subset")}


def parse_subset(root: Element, subset: str, known: Collection[str]) -> set[str]:
    """The names of the tiles a subset lists."""
    found = parse_subsets(root)
    if subset not in found:
        root.fail(f"has no subset {subset!r}; {suggest(subset, found)}")
    names = set()
    for element in found[subset].every("tile"):
        name = element.attribute("name")
        if name not in known:
            element.fail(f"is not one of <tiles>; {suggest(name, known)}")
        names.add(name)
    if not names:
        found[subset].fail("lists no <tile>; a tile set needs at least one")
    return names


def list_variants(tile: DrawnTile) -> tuple[Orientation, ...]:
    """The orientations of a tile in the order the format numbers them."""
    return parse_symmetry(tile.symmetry, get_ring("square"), tile.name).variants


def read_tile_picture(tile: DrawnTile, pictures: PictureFolder, unique: bool) -> Pixels | tuple[Pixels, ...]:
    """One picture, which is turned, or one per variant in a set with unique="True"."""
    if not unique:
        return pictures.read(tile.name, tile.element)
    numbers = range(len(list_variants(tile)))
    return tuple(pictures.read(f"{tile.name} {number}", tile.element) for number in numbers)


# --- neighbour rules ----------------------------------------------------------------------------


def parse_neighbour_rules(root: Element, drawn: Collection[str], kept: Collection[str]) -> list[Beside]:
    """The rules between kept tiles. Like our own rules, they also apply to turned and mirrored tiles."""
    rules = []
    for element in root.only("neighbors").every("neighbor"):
        left, left_action = parse_neighbour(element, "left", drawn)
        right, right_action = parse_neighbour(element, "right", drawn)
        if left in kept and right in kept:
            rules.append(
                Beside(
                    f"{left}@{VARIANT_ORIENTATIONS[left_action]}",
                    f"{right}@{VARIANT_ORIENTATIONS[right_action]}",
                    "east",
                )
            )
    return rules


def parse_neighbour(element: Element, side: str, known: Collection[str]) -> tuple[str, int]:
    """The tile on one side of a <neighbor>, and its variant: `road 1`, or `road` for variant 0."""
    text = element.attribute(side).strip()
    if text in known:
        return text, 0
    name, space, number = text.rpartition(" ")
    name = name.strip()
    if not space or (name not in known and not number.isdecimal()):
        element.fail(f"names an unknown tile {text!r}; {suggest(text, known)}")
    if name not in known:
        element.fail(f"names an unknown tile {name!r}; {suggest(name, known)}")
    if number not in tuple("01234567"):
        element.fail(f"names variant {number!r} of {name!r}; variants are 0 to 7")
    return name, int(number)


# --- pictures -------------------------------------------------------------------------------------


class PictureFolder:
    """The pictures beside the file: all square, and all of one size."""

    def __init__(self, source: AnyFile) -> None:
        self.source = source
        self.side = 0  # pixels; set by the first picture
        self.sized_by = ""

    def read(self, name: str, element: Element) -> Pixels:
        """The picture `name`.png."""
        path = self.source.with_suffix("") / f"{name}.png"
        try:
            if find_inside(f"{self.source.stem}/{name}.png", self.source) is None:
                element.fail(f"needs the picture {str(path)!r}, which is outside the folder of the file")
            if not path.is_file():
                element.fail(f"needs the picture {str(path)!r}, which does not exist")
            note_read(path)
            with path.open("rb") as file, Image.open(file, formats=("PNG",)) as image:
                self.check_size(path, image.size, element)
                return np.array(image.convert("RGBA"))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Warning) as error:
            element.fail(f"needs the picture {str(path)!r}, which is not a complete PNG file: {error}")

    def check_size(self, path: AnyFile, size: tuple[int, int], element: Element) -> None:
        """Raise unless the picture is square and as large as earlier ones."""
        width, height = size
        problem = f"has the picture {str(path)!r} of {width} x {height} pixels"
        if width != height or width > LARGEST_CELL:
            element.fail(f"{problem}; pictures must be square, and at most {LARGEST_CELL} pixels across")
        if self.side == 0:
            self.side, self.sized_by = width, path.name
        if self.side != width:
            other = f"{self.sized_by!r} has {self.side} x {self.side}"
            element.fail(f"{problem}, but {other}; all must have the same size")


MXGMN = MapFormat(
    description="Tile sets of mxgmn's WaveFunctionCollapse.", endings=(".xml",), read_tiles=read_mxgmn
)
