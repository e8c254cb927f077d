"""Tiled's XML in the words of its JSON: lists under their names there, <data> and <image> as fields."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wavefold.errors import FormatError
from wavefold.formats.document import Node, parse_json, read_bytes
from wavefold.formats.xml_tree import Element, TreeReader

JSON_ENDINGS = (".tmj", ".tsj", ".json")

# The list of the element around it that an element belongs to.
LISTS = {
    "tileset": "tilesets", "tile": "tiles", "property": "properties", "chunk": "chunks",
    "layer": "layers", "group": "layers", "objectgroup": "layers", "imagelayer": "layers",
    "wangset": "wangsets", "wangcolor": "colors", "wangtile": "wangtiles", "terrain": "terrains",
    "wangcornercolor": "cornercolors", "wangedgecolor": "edgecolors",
}  # fmt: skip
WRAPPERS = ("wangsets", "properties", "terraintypes")  # only gather what belongs to the element around them
SINGLE = ("transformations", "grid")
WITH_TEXT = ("data", "chunk", "property")
TYPES = {each: each for each in ("map", "tileset", "group", "objectgroup", "imagelayer")} | {
    "layer": "tilelayer"
}
IMAGE_FIELDS = {
    "source": "image",
    "trans": "transparentcolor",
    "width": "imagewidth",
    "height": "imageheight",
}


def read_document(source: Path, kind: str) -> Node:
    """The outermost node of a file that holds a "map" or a "tileset"; its ending tells JSON from XML."""
    data = read_bytes(source)
    is_json = source.suffix.lower() in JSON_ENDINGS
    root = parse_json(source, data) if is_json else TextReader(source).document(data)
    found = root.fields.get("type", kind)
    if found != kind:
        other = {"map": "a map: load it as .tmx or .tmj", "tileset": "a tile set: load it as .tsx or .tsj"}
        holds = other.get(found) if isinstance(found, str) else None
        raise FormatError(f"{str(source)!r} is {holds or 'not a file of Tiled'}; expected a {kind}")
    return root


class TextReader(TreeReader):
    """Reads XML with the text that stands in some elements."""

    def __init__(self, source: Path) -> None:
        super().__init__(source)
        self.parser.buffer_text = True
        self.parser.CharacterDataHandler = self.characters
        self.texts: dict[int, list[str]] = {}

    def characters(self, text: str) -> None:
        """A piece of text."""
        if self.open[-1].tag in WITH_TEXT:
            self.texts.setdefault(id(self.open[-1]), []).append(text)

    def refuse(self, name: str, *declared: object) -> None:  # type: ignore[override]
        """Tiled before 0.9 names a document type, which is never read; one that defines things is refused."""
        *_, defines = declared
        if defines:
            super().refuse(name, *declared)

    def document(self, data: bytes) -> Node:
        """The outermost element, translated."""
        root = self.read(data)
        if root.tag not in ("map", "tileset"):
            raise FormatError(
                f"{str(self.source)!r}, line {root.line}: {root} is not an element of Tiled; "
                "expected <map> or <tileset>"
            )
        return self.translated(root)

    def translated(self, element: Element) -> Node:
        """An element with its attributes, its text and what is in it as fields."""
        fields: dict[str, Any] = dict(element.attributes)
        if element.tag in TYPES:
            fields["type"] = TYPES[element.tag]
        if element.tag == "chunk":
            fields["data"] = self.text(element)
        if element.tag == "property":
            fields.setdefault("value", self.text(element))
        lists: dict[str, list[Node]] = {}
        for child in inside(element):
            if child.tag in LISTS:
                lists.setdefault(LISTS[child.tag], []).append(self.translated(child))
            elif child.tag in SINGLE:
                fields[child.tag] = self.translated(child)
            elif child.tag == "data" and element.tag == "layer":
                fields |= {"encoding": "xml", **self.translated(child).fields, "data": self.text(child)}
            elif child.tag == "image":
                fields |= {"image": ""}  # one inside this file names no other
                fields |= {
                    IMAGE_FIELDS[name]: value
                    for name, value in child.attributes.items()
                    if name in IMAGE_FIELDS
                }
        return Node(self.source, element, fields | lists)

    def text(self, element: Element) -> str:
        """The text in an element."""
        return "".join(self.texts.get(id(element), ()))


def inside(element: Element) -> Iterator[Element]:
    """The elements inside, and those in wrappers."""
    for child in element.children:
        if child.tag in WRAPPERS:
            yield from child.children
        else:
            yield child
