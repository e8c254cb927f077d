"""Tile sets of Tiled: tiles, their names and pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping
from functools import cached_property

import numpy as np
from PIL import Image

from wavefold.errors import FormatError
from wavefold.formats.nodes import Node
from wavefold.formats.sheet import LARGEST_CELL, MOST_PIXELS
from wavefold.storage.files import AnyFile, note_read
from wavefold.tiles import Orientation, Pixels

PICTURE_KINDS = ("PNG", "GIF", "JPEG", "BMP", "WEBP")


class TiledTileSet:
    """A <tileset>, in a separate file or in a map.

    Attributes
    ----------
    opened : the file that the user opened: the tile set, or the map that names it
    tiles : the tiles that the file lists, by number; a set that is cut from one sheet has more
    """

    def __init__(self, node: Node, opened: AnyFile | None = None) -> None:
        self.node = node
        self.opened = opened or node.source
        self.name = node.text("name", "").replace("@", "_") or node.source.stem.replace("@", "_")
        self.tiles: dict[int, Node] = {}
        for tile in node.every("tiles"):
            number = tile.whole("id")
            if number in self.tiles:
                tile.fail(f"has the number {number} of an earlier tile; numbers must differ")
            self.tiles[number] = tile

    @cached_property
    def pictures(self) -> Pictures:
        """The pictures, opened on first use: a map can be read without them."""
        return Pictures(self.node, self.tiles, self.opened)

    def probability(self, number: int) -> float:
        """The tile's probability in Tiled."""
        return self.tiles[number].share("probability", 1.0) if number in self.tiles else 1.0

    @cached_property
    def words(self) -> dict[int, str]:
        """The author's names of tiles: the property `name`, or else the class (`type` before Tiled 1.9)."""
        return {number: word for number, tile in self.tiles.items() if (word := read_author_name(tile))}

    @cached_property
    def names(self) -> dict[str, int]:
        """{author's name: tile}; a shared name is followed by the number of the tile."""
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
        """The name of a tile: the author's name, or `tile 12`."""
        return self.name_by_number.get(number) or make_unique(f"tile {number}", self.names)


def make_unique(name: str, taken: Container[str]) -> str:
    """Append apostrophes to a name until it is unique."""
    while name in taken:
        name += "'"
    return name


def read_author_name(tile: Node) -> str:
    """The author's name of a tile, or ""."""
    word = tile.custom("name")
    field = "property 'name'"
    if word is None:
        field = "class" if "class" in tile else "type"
        word = tile.text(field, "")
    if "@" in word:
        tile.fail(f"has the {field} {word!r}; names of tiles must not contain '@'")
    return word.strip()


class Pictures:
    """The pictures of one tile set, from one sheet or from one file per tile; read on first use."""

    def __init__(self, node: Node, tiles: Mapping[int, Node], opened: AnyFile) -> None:
        self.node = node
        self.tiles = tiles
        self.opened = opened
        self.files: dict[AnyFile, Pixels] = {}
        self.one_sheet = "image" in node
        if self.one_sheet:
            self.width = node.whole("tilewidth", least=1, most=LARGEST_CELL)
            self.height = node.whole("tileheight", least=1, most=LARGEST_CELL)
            self.margin = node.whole("margin", 0, most=MOST_PIXELS)
            self.spacing = node.whole("spacing", 0, most=MOST_PIXELS)

    def __contains__(self, number: int) -> bool:
        if self.one_sheet:
            return "tilecount" not in self.node or number < self.node.whole("tilecount")
        return number in self.tiles and "image" in self.tiles[number]

    def read(self, number: int) -> Pixels:
        """uint8 [row, column, RGBA] picture of a tile, which must be in the set."""
        return self.cut(number) if self.one_sheet else self.own(self.tiles[number])

    def cut(self, number: int) -> Pixels:
        """Cut a tile out of the sheet."""
        sheet = self.open_picture(self.node)
        across = (sheet.shape[1] - 2 * self.margin + self.spacing) // (self.width + self.spacing)
        columns = self.node.whole("columns", 0) or max(across, 1)
        row, column = divmod(number, columns)
        top = self.margin + row * (self.height + self.spacing)
        left = self.margin + column * (self.width + self.spacing)
        if top + self.height > sheet.shape[0] or left + self.width > sheet.shape[1]:
            self.node.fail(
                f"is {sheet.shape[1]} x {sheet.shape[0]} pixels, too small for tile {number} in {columns} "
                f"columns, at {left}, {top}",
                "image",
            )
        return sheet[top : top + self.height, left : left + self.width]

    def own(self, tile: Node) -> Pixels:
        """The separate picture of a tile, or the part of it that shows the tile."""
        picture = self.open_picture(tile)
        height, width = picture.shape[:2]
        left, top = tile.whole("x", 0, most=width - 1), tile.whole("y", 0, most=height - 1)
        wide = tile.whole("width", width - left, least=1, most=width - left)
        high = tile.whole("height", height - top, least=1, most=height - top)
        if max(wide, high) > LARGEST_CELL:
            tile.fail(
                f"is {wide} x {high} pixels; tiles may be at most {LARGEST_CELL} pixels across", "image"
            )
        return picture[top : top + high, left : left + wide]

    def open_picture(self, node: Node) -> Pixels:
        """The picture that a node names, with its transparent colour removed; each file is read once."""
        path = node.picture("image", self.opened)
        if path not in self.files:
            self.files[path] = self.decode(path, node)
        return self.files[path]

    def decode(self, path: AnyFile, node: Node) -> Pixels:
        """Decode a picture. Its size is checked first, because a small file may declare a huge picture."""
        used = sum(picture.shape[0] * picture.shape[1] for picture in self.files.values())
        note_read(path)
        try:
            with path.open("rb") as file, Image.open(file, formats=PICTURE_KINDS) as image:
                if used + image.width * image.height > MOST_PIXELS:
                    node.fail(
                        f"is {image.width:,} x {image.height:,} pixels; all pictures of a tile set may have "
                        f"{MOST_PIXELS:,} in total",
                        "image",
                    )
                pixels = np.array(image.convert("RGBA"))
        except FormatError:
            raise
        except Exception as error:  # Pillow's readers raise anything for damaged files
            node.fail(f"names {str(path)!r}, which is not a complete picture: {error}", "image")
        colour = self.transparent_colour(node)
        if colour is not None:
            pixels[(pixels[..., :3] == colour).all(axis=2), 3] = 0
        return pixels

    def transparent_colour(self, node: Node) -> list[int] | None:
        """The colour that means transparent, such as `#ff00ff` or `ff00ff`."""
        text = node.text("transparentcolor", "")
        found = re.fullmatch(r"#?(?:[0-9a-fA-F]{2})?([0-9a-fA-F]{6})", text)
        if text and not found:
            node.fail_field("transparentcolor", "a colour such as #ff00ff")
        return list(bytes.fromhex(found[1])) if found else None


def orient_tile_picture(picture: Pixels, orientation: Orientation) -> Pixels:
    """Orient a picture: mirror it left to right, if required, then turn it clockwise."""
    return np.rot90(picture[:, ::-1] if orientation.mirrored else picture, k=-orientation.turn)
