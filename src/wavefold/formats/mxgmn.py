"""Tile sets of mxgmn/WaveFunctionCollapse: an XML file, and its pictures in a folder beside it.

A symmetry letter says how many variants a tile has. Variant k is the drawn tile turned k quarters
counter-clockwise, so here it is called after the clockwise turn that gives the same: variant 1 of `road` is
`road@270`. Variants 4 to 7 (class F only) are mirror images of variants 0 to 3: variant 4 + k is the mirrored
tile turned k quarters clockwise, `road@m`, `road@m90`, …
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import suggest
from wavefold.formats.pictures import PictureFolder
from wavefold.formats.xml_tree import Element, attribute, complain, only_child, read_tree
from wavefold.tiles import Pattern, Relation, Rules, Tile, TileSet

__all__ = ["VariantTileSet", "read_mxgmn", "subsets"]

MOST_PATTERNS = 4096  # the table of what may touch has a byte for each pair and direction

NORTH, EAST, SOUTH, WEST = range(4)


class Symmetry(NamedTuple):
    """How many variants a tile has, and which one turning or mirroring a variant gives."""

    variants: int
    turned: Callable[[int], int]  # 90° counter-clockwise
    mirrored: Callable[[int], int]  # left to right

    def acted(self, variant: int, action: int) -> int:
        """The variant after one of the eight actions: `action % 4` turns, then a mirror for 4 and above."""
        for _ in range(action % 4):
            variant = self.turned(variant)
        return self.mirrored(variant) if action >= 4 else variant


ALL_ALIKE = Symmetry(1, lambda i: i, lambda i: i)  # X, and every letter that is not below
SYMMETRIES = {
    "I": Symmetry(2, lambda i: 1 - i, lambda i: i),
    "\\": Symmetry(2, lambda i: 1 - i, lambda i: 1 - i),
    "L": Symmetry(4, lambda i: (i + 1) % 4, lambda i: i ^ 1),
    "T": Symmetry(4, lambda i: (i + 1) % 4, lambda i: i if i % 2 == 0 else 4 - i),
    "F": Symmetry(8, lambda i: (i + 1) % 4 if i < 4 else 4 + (i - 1) % 4, lambda i: (i + 4) % 8),
}


# --- what it makes ------------------------------------------------------------------------------


class VariantTileSet(TileSet):
    """A tile set whose patterns, and what may touch what, were given one by one.

    `tiles` has one tile for each picture that is not another one turned. Where that is more than one per
    name (mirror images, or a picture for each variant), `groups` [pattern] tells the name they share: it is
    what a bare name in a pin means, and what `solution.values` shows.
    """

    def __init__(
        self,
        tiles: Sequence[Tile],
        patterns: Iterable[Pattern],
        allowed: NDArray[np.bool_],  # [direction, pattern, pattern]
        groups: Sequence[str],
        name: str = "",
    ) -> None:
        self.name = name
        self.topology = "square"
        self.tiles = tuple(tiles)
        self.patterns = tuple(patterns)
        self.groups = tuple(groups)
        self._table = allowed

    @cached_property
    def rules(self) -> Rules:
        """The tile set as numbers, made once."""
        tile_of = [pattern.tile for pattern in self.patterns]
        one_to_one = all(
            self.tiles[tile].name == group for tile, group in zip(tile_of, self.groups, strict=True)
        )
        return Rules(
            [pattern.name for pattern in self.patterns],
            self._relations(),
            [self.tiles[tile].weight for tile in tile_of],
            tiles=[tile.name for tile in self.tiles],
            tile_of=tile_of,
            values=None if one_to_one else self.groups,
            topology=self.topology,
        )

    def _relations(self) -> list[Relation]:
        return [Relation.from_allowed(side) for side in self._table]


def read_mxgmn(path: str | os.PathLike[str], subset: str | None = None) -> TileSet:
    """The tile set in an mxgmn XML file, or only the tiles of one of its subsets."""
    source = Path(path)
    root = read_root(source)
    drawn = drawn_tiles(source, root)
    kept = set(drawn) if subset is None else tiles_of_subset(source, root, subset, drawn)
    kinds = {name: kind for name, kind in drawn.items() if name in kept}
    first: dict[str, int] = {}  # the number of each tile's variant 0
    count = 0
    for name, kind in kinds.items():
        first[name] = count
        count += kind.symmetry.variants
    if count > MOST_PATTERNS:
        complain(source, root, f"has {count:,} variants of tiles; at most {MOST_PATTERNS:,} can be read")
    allowed = allowed_pairs(source, root, drawn, first, count)
    unique = root.attributes.get("unique", "").strip().lower() == "true"
    pictures = PictureFolder(source)
    tiles: list[Tile] = []
    patterns: list[Pattern] = []
    for kind in kinds.values():
        if unique:
            add_pictured(tiles, patterns, kind, pictures)
        else:
            add_turned(tiles, patterns, kind, pictures)
    groups = [name for name, kind in kinds.items() for _ in range(kind.symmetry.variants)]
    title = source.stem if subset is None else f"{source.stem}, {subset}"
    return VariantTileSet(tiles, patterns, allowed, groups, title)


def subsets(path: str | os.PathLike[str]) -> list[str]:
    """The names `read_mxgmn` accepts as a subset of this file, in its order."""
    source = Path(path)
    return list(named_subsets(source, read_root(source)))


def read_root(source: Path) -> Element:
    """The <set> of a file."""
    root = read_tree(source)
    if root.tag != "set":
        complain(source, root, "is not a tile set; expected <set> with <tiles> and <neighbors> in it")
    return root


# --- tiles --------------------------------------------------------------------------------------


class DrawnTile(NamedTuple):
    """A <tile> of the file."""

    name: str
    symmetry: Symmetry
    weight: float
    element: Element


def drawn_tiles(source: Path, root: Element) -> dict[str, DrawnTile]:
    """Every tile of the file by its name, in its order."""
    found: dict[str, DrawnTile] = {}
    for element in only_child(source, root, "tiles").every("tile"):
        name = attribute(source, element, "name")
        if not name or any(sign in name for sign in "@/\\\0"):
            complain(source, element, r"needs a name without '@', '/' and '\'")
        if name in found:
            complain(
                source, element, f"has a name that line {found[name].element.line} took; names must differ"
            )
        symmetry = SYMMETRIES.get(element.attributes.get("symmetry", "X"), ALL_ALIKE)
        found[name] = DrawnTile(name, symmetry, weight_of(source, element), element)
    if not found:
        complain(source, root, "has no <tile> in its <tiles>; a tile set needs at least one")
    return found


def weight_of(source: Path, element: Element) -> float:
    """The weight of each variant."""
    text = element.attributes.get("weight", "1")
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not (math.isfinite(weight) and weight > 0):
        complain(source, element, f"has weight {text!r}; weights must be finite numbers above 0")
    return weight


def named_subsets(source: Path, root: Element) -> dict[str, Element]:
    """Every <subset> of the file by its name."""
    lists = root.every("subsets")
    return {attribute(source, each, "name"): each for subsets in lists for each in subsets.every("subset")}


def tiles_of_subset(source: Path, root: Element, subset: str, known: Collection[str]) -> set[str]:
    """The names of the tiles a subset lists."""
    found = named_subsets(source, root)
    if subset not in found:
        complain(source, root, f"has no subset {subset!r}; {suggest(subset, found)}")
    names = set()
    for element in found[subset].every("tile"):
        name = attribute(source, element, "name")
        if name not in known:
            complain(source, element, f"is not one of <tiles>; {suggest(name, known)}")
        names.add(name)
    if not names:
        complain(source, found[subset], "lists no <tile>; a tile set needs at least one")
    return names


def add_turned(tiles: list[Tile], patterns: list[Pattern], kind: DrawnTile, pictures: PictureFolder) -> None:
    """One picture, turned for each variant; its mirror image for those after the fourth."""
    picture = pictures.read(kind.name, kind.element)
    variants = kind.symmetry.variants
    counter_clockwise = tuple(-variant % 4 for variant in range(min(variants, 4)))
    sides = ("",) * 4
    for turn in counter_clockwise:
        name = kind.name if turn == 0 else f"{kind.name}@{turn * 90}"
        patterns.append(Pattern(name, len(tiles), turn, sides))
    tiles.append(Tile(kind.name, sides, kind.weight, counter_clockwise, picture))
    if variants > 4:
        clockwise = tuple(range(variants - 4))
        for turn in clockwise:
            patterns.append(Pattern(f"{kind.name}@m{turn * 90 or ''}", len(tiles), turn, sides))
        tiles.append(Tile(f"{kind.name}@mirrored", sides, kind.weight, clockwise, picture[:, ::-1]))


def add_pictured(
    tiles: list[Tile], patterns: list[Pattern], kind: DrawnTile, pictures: PictureFolder
) -> None:
    """A picture of its own for each variant, drawn as it is."""
    for variant in range(kind.symmetry.variants):
        turn = f"m{(variant - 4) * 90 or ''}" if variant >= 4 else f"{-variant % 4 * 90}"
        name = kind.name if variant == 0 else f"{kind.name}@{turn}"
        picture = pictures.read(f"{kind.name} {variant}", kind.element)
        patterns.append(Pattern(name, len(tiles), 0, ("",) * 4))
        tiles.append(Tile(name, ("",) * 4, kind.weight, picture=picture))


# --- what may touch what ------------------------------------------------------------------------


def allowed_pairs(
    source: Path, root: Element, drawn: dict[str, DrawnTile], first: dict[str, int], count: int
) -> NDArray[np.bool_]:
    """bool [direction, pattern, pattern]; each <neighbor> holds turned and mirrored as well: eight facts."""
    allowed = np.zeros((4, count, count), bool)
    for element in only_child(source, root, "neighbors").every("neighbor"):
        left, left_action = neighbour(source, element, "left", drawn)
        right, right_action = neighbour(source, element, "right", drawn)
        if left not in first or right not in first:
            continue  # not in the subset
        turn = (drawn[left].symmetry.acted, drawn[right].symmetry.acted)
        start = (first[left], first[right])
        here, there = turn[0](0, left_action), turn[1](0, right_action)
        below, above = turn[0](here, 1), turn[1](there, 1)
        for action, swaps_east, swaps_north in (
            (0, False, False),
            (6, False, True),
            (4, True, False),
            (2, True, True),
        ):
            beside = (start[0] + turn[0](here, action), start[1] + turn[1](there, action))
            upright = (start[0] + turn[0](below, action), start[1] + turn[1](above, action))
            allowed[EAST][beside[::-1] if swaps_east else beside] = True
            allowed[NORTH][upright[::-1] if swaps_north else upright] = True
    allowed[WEST] = allowed[EAST].T
    allowed[SOUTH] = allowed[NORTH].T
    return allowed


def neighbour(source: Path, element: Element, side: str, known: Collection[str]) -> tuple[str, int]:
    """The tile on one side of a <neighbor>, and the action on its variant 0: `road 1`, or `road` for 0."""
    text = attribute(source, element, side).strip()
    if text in known:
        return text, 0
    name, space, number = text.rpartition(" ")
    name = name.strip()
    if not space or (name not in known and not number.isdecimal()):
        complain(source, element, f"names an unknown tile {text!r}; {suggest(text, known)}")
    if name not in known:
        complain(source, element, f"names an unknown tile {name!r}; {suggest(name, known)}")
    if number not in tuple("01234567"):
        complain(source, element, f"asks for variant {number!r} of {name!r}; variants go from 0 to 7")
    return name, int(number)
