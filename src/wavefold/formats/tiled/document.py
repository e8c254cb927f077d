"""Tiled's documents, XML or JSON, in the words of the JSON format: as nodes to read, and as text to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from wavefold.errors import ConfigError, FormatError
from wavefold.formats.header import encode_utf8, to_json
from wavefold.formats.nodes import Element, Node, XmlReader, parse_json, read_bytes
from wavefold.storage.files import AnyFile

JSON_ENDINGS = (".tmj", ".tsj", ".json")

# The list of the element around it that an element belongs to.
LISTS = {
    "tileset": "tilesets", "tile": "tiles", "property": "properties", "chunk": "chunks",
    "layer": "layers", "group": "layers", "objectgroup": "layers", "imagelayer": "layers",
    "wangset": "wangsets", "wangcolor": "colors", "wangtile": "wangtiles", "terrain": "terrains",
    "wangcornercolor": "cornercolors", "wangedgecolor": "edgecolors",
}  # fmt: skip
WRAPPERS = ("wangsets", "properties", "terraintypes")  # their children belong to the element around them
SINGLE = ("transformations", "grid")
TYPES = {each: each for each in ("map", "tileset", "group", "objectgroup", "imagelayer")} | {
    "layer": "tilelayer"
}
IMAGE_FIELDS = {
    "source": "image", "trans": "transparentcolor", "width": "imagewidth", "height": "imageheight",
}  # fmt: skip


def read_document(source: AnyFile, kind: str) -> Node:
    """The outermost node of a file that holds a "map" or a "tileset", JSON or XML by its ending."""
    data = read_bytes(source)
    is_json = source.suffix.lower() in JSON_ENDINGS
    root = parse_json(source, data) if is_json else parse_xml(source, data)
    found = root.fields.get("type", kind)
    if found != kind:
        other = {"map": "a map: load it as .tmx or .tmj", "tileset": "a tile set: load it as .tsx or .tsj"}
        holds = other.get(found) if isinstance(found, str) else None
        raise FormatError(f"{str(source)!r} is {holds or 'not a file of Tiled'}; expected a {kind}")
    return root


def parse_xml(source: AnyFile, data: bytes) -> Node:
    """The outermost element of an XML file, translated."""
    root = XmlReader(source).read(data)
    if root.tag not in ("map", "tileset"):
        root.fail("is not an element of Tiled; expected <map> or <tileset>")
    return translate(root)


def translate(element: Element) -> Node:
    """An element with its attributes, its text and what is in it as fields."""
    fields: dict[str, Any] = dict(element.attributes)
    if element.tag in TYPES:
        fields["type"] = TYPES[element.tag]
    if element.tag == "chunk":
        fields["data"] = element.text
    if element.tag == "property":
        fields.setdefault("value", element.text)
    lists: dict[str, list[Node]] = {}
    for child in list_unwrapped_children(element):
        if child.tag in LISTS:
            lists.setdefault(LISTS[child.tag], []).append(translate(child))
        elif child.tag in SINGLE:
            fields[child.tag] = translate(child)
        elif child.tag == "data" and element.tag == "layer":
            fields |= {"encoding": "xml", **translate(child).fields, "data": child.text}
        elif child.tag == "image":
            fields |= {"image": ""}  # one inside this file names no other
            named = {IMAGE_FIELDS.get(name): value for name, value in child.attributes.items()}
            fields |= {name: value for name, value in named.items() if name is not None}
    return Node(element.source, element, fields | lists)


def list_unwrapped_children(element: Element) -> Iterator[Element]:
    """The elements inside, and those in wrappers."""
    for child in element.children:
        if child.tag in WRAPPERS:
            yield from child.children
        else:
            yield child


# --- writing --------------------------------------------------------------------------------------

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

NOT_IN_XML = ("type", "x", "y", "startx", "starty", "opacity", "visible", "properties", "data", "chunks")
NOT_IN_POINT = ("width", "height", "rotation", "visible", "point", "properties")

VERSIONS = {"version": "1.10", "tiledversion": "1.10.2"}  # of the format, and of a Tiled that writes it

Fields = dict[str, Any]  # in the words of Tiled's JSON


def json_text(fields: Fields) -> str:
    """One field on each line; long lists one entry on each."""
    lines = []
    for name, value in fields.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n  ".join(to_json(each) for each in value)
            lines.append(f'"{name}": [\n  {entries}\n ]')
        else:
            lines.append(f'"{name}": {to_json(value)}')
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def xml_text(fields: Fields) -> str:
    """The same in the words of Tiled's XML."""
    lines = map_xml(fields) if fields["type"] == "map" else tileset_xml(fields)
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, ""])


def map_xml(fields: Fields) -> Iterator[str]:
    """<map>"""
    yield element("map", fields, without=("type", "properties", "tilesets", "layers"))
    yield from properties_xml(fields)
    for tileset in fields["tilesets"]:
        yield " " + element("tileset", tileset, "/")
    for layer in fields["layers"]:
        if layer["type"] == "objectgroup":
            yield from objects_xml(layer)
            continue
        yield " " + element("layer", layer, without=NOT_IN_XML)
        yield from properties_xml(layer, "  ")
        yield '  <data encoding="csv">'
        if "chunks" not in layer:
            yield csv_rows(layer)
        for chunk in layer.get("chunks", ()):
            yield "   " + element("chunk", chunk, without=("data",))
            yield csv_rows(chunk)
            yield "   </chunk>"
        yield "  </data>\n </layer>"
    yield "</map>"


def objects_xml(layer: Fields) -> Iterator[str]:
    """<objectgroup>, of points"""
    yield " " + element("objectgroup", layer, without=(*NOT_IN_XML, "draworder", "objects"))
    yield from properties_xml(layer, "  ")
    for point in layer["objects"]:
        yield "  " + element("object", point, without=NOT_IN_POINT)
        yield from properties_xml(point, "   ")
        yield "   <point/>\n  </object>"
    yield " </objectgroup>"


def csv_rows(part: Fields) -> str:
    """The cells of a layer or of one of its chunks."""
    width, data = part["width"], part["data"]
    rows = (data[start : start + width] for start in range(0, len(data), width))
    return ",\n".join(",".join(map(str, row)) for row in rows)


def tileset_xml(fields: Fields) -> Iterator[str]:
    """<tileset>"""
    image = {"source": fields["image"], "width": fields["imagewidth"], "height": fields["imageheight"]}
    yield element("tileset", fields, without=("type", "image", "imagewidth", "imageheight", "tiles"))
    yield " " + element("image", image, "/")
    for tile in fields["tiles"]:
        yield " " + element("tile", tile, without=("properties",))
        yield from properties_xml(tile, "  ")
        yield " </tile>"
    yield "</tileset>"


def properties_xml(fields: Fields, indent: str = " ") -> Iterator[str]:
    """<properties>, if there are any; text is the default type."""
    if fields.get("properties"):
        yield f"{indent}<properties>"
        for each in fields["properties"]:
            yield f"{indent} " + element("property", each, "/", ("type",))
        yield f"{indent}</properties>"


def element(tag: str, fields: Fields, close: str = "", without: tuple[str, ...] = ()) -> str:
    """A tag with its attributes; truth values are 0 and 1."""
    written = ""
    for name, value in fields.items():
        if name not in without:
            text = str(int(value)) if isinstance(value, bool) else str(value)
            if NOT_XML.search(text):
                raise ConfigError(f"XML cannot hold the name {text[:60]!r}; save the map as .tmj")
            written += f" {name}={quoteattr(text)}"
    return f"<{tag}{written}{close}>"


def encode_document(fields: Fields, path: Path) -> bytes:
    """The content of a file: JSON or XML by its ending."""
    return encode_utf8((json_text if path.suffix.lower() in JSON_ENDINGS else xml_text)(fields))


def properties(values: Mapping[str, str]) -> list[Fields]:
    """Custom properties, in the order Tiled keeps them."""
    return [{"name": name, "type": "string", "value": values[name]} for name in sorted(values)]
