"""A tile set of Tiled: which tiles it has, what they are called, and what they look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from functools import cached_property

from wavefold.formats.document import Node
from wavefold.formats.tiled.pictures import Pictures
from wavefold.tiles import Pixels


class TiledTileSet:
    """A <tileset>, in a file of its own or in a map.

    Attributes
    ----------
    tiles : the tiles the file says something about, by number; a set cut from one sheet has more
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        self.name = node.text("name", "").replace("@", "_") or node.source.stem.replace("@", "_")
        self.tiles: dict[int, Node] = {}
        for tile in node.every("tiles"):
            number = tile.whole("id")
            if number in self.tiles:
                tile.fail(f"has the number {number}, which an earlier tile has")
            self.tiles[number] = tile

    @cached_property
    def pictures(self) -> Pictures:
        """Checked when first needed: a map can be read without its pictures."""
        return Pictures(self.node, self.tiles)

    def __contains__(self, number: int) -> bool:
        return number in self.pictures

    def picture(self, number: int) -> Pixels:
        """uint8 [row, column, RGBA]."""
        return self.pictures.read(number)

    def probability(self, number: int) -> float:
        """How often Tiled would choose the tile."""
        return self.tiles[number].share("probability", 1.0) if number in self.tiles else 1.0

    @cached_property
    def words(self) -> dict[int, str]:
        """What the author calls tiles: a property `name`, or else the class (`type` before Tiled 1.9)."""
        return {number: word for number, tile in self.tiles.items() if (word := author_name(tile))}

    @cached_property
    def names(self) -> dict[str, int]:
        """Tiles by the author's words; those that share a word have their number after it."""
        shared = Counter(self.words.values())
        names: dict[str, int] = {}
        for number, word in self.words.items():
            names[make_unique(word if shared[word] == 1 else f"{word} {number}", names)] = number
        return names

    @cached_property
    def name_by_number(self) -> dict[int, str]:
        """Inverse of `names`."""
        return {number: name for name, number in self.names.items()}

    def name_of(self, number: int) -> str:
        """A tile's name: the author's, or `tile 12`."""
        return self.name_by_number.get(number) or make_unique(f"tile {number}", self.names)


def make_unique(name: str, taken: Container[str]) -> str:
    """The name, followed by as many apostrophes as are needed to make it unique."""
    while name in taken:
        name += "'"
    return name


def author_name(tile: Node) -> str:
    """What the author calls a tile, or nothing."""
    word = tile.custom("name")
    field = "property 'name'"
    if word is None:
        field = "class" if "class" in tile else "type"
        word = tile.text(field, "")
    if "@" in word:
        tile.fail(f"has the {field} {word!r}; a tile's name has no '@'")
    return word.strip()
