"""Tiled's documents, XML or JSON, with the names of the JSON format: nodes for reading, text for writing."""

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

# {tag: the list of the parent's fields that contains the element}
LIST_OF_ELEMENT = {
    "tileset": "tilesets", "tile": "tiles", "property": "properties", "chunk": "chunks",
    "layer": "layers", "group": "layers", "objectgroup": "layers", "imagelayer": "layers",
    "wangset": "wangsets", "wangcolor": "colors", "wangtile": "wangtiles", "terrain": "terrains",
    "wangcornercolor": "cornercolors", "wangedgecolor": "edgecolors",
}  # fmt: skip
WRAPPER_ELEMENTS = ("wangsets", "properties", "terraintypes")  # their children belong to their parent
SINGLE_ELEMENTS = ("transformations", "grid")
TYPE_OF_ELEMENT = {each: each for each in ("map", "tileset", "group", "objectgroup", "imagelayer")} | {
    "layer": "tilelayer"
}
IMAGE_FIELDS = {
    "source": "image", "trans": "transparentcolor", "width": "imagewidth", "height": "imageheight",
}  # fmt: skip


def read_document(source: AnyFile, kind: str) -> Node:
    """Read a file with a "map" or a "tileset", as JSON or XML by its ending."""
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
    """Read an XML file as nodes."""
    root = XmlReader(source).read(data)
    if root.tag not in ("map", "tileset"):
        root.fail("is not an element of Tiled; expected <map> or <tileset>")
    return translate(root)


def translate(element: Element) -> Node:
    """Convert an element to a node: its attributes, text and children become fields."""
    fields: dict[str, Any] = dict(element.attributes)
    if element.tag in TYPE_OF_ELEMENT:
        fields["type"] = TYPE_OF_ELEMENT[element.tag]
    if element.tag == "chunk":
        fields["data"] = element.text
    if element.tag == "property":
        fields.setdefault("value", element.text)
    lists: dict[str, list[Node]] = {}
    for child in list_unwrapped_children(element):
        if child.tag in LIST_OF_ELEMENT:
            lists.setdefault(LIST_OF_ELEMENT[child.tag], []).append(translate(child))
        elif child.tag in SINGLE_ELEMENTS:
            fields[child.tag] = translate(child)
        elif child.tag == "data" and element.tag == "layer":
            fields |= {"encoding": "xml", **translate(child).fields, "data": child.text}
        elif child.tag == "image":
            fields |= {"image": ""}  # an embedded picture has no source
            named = {IMAGE_FIELDS.get(name): value for name, value in child.attributes.items()}
            fields |= {name: value for name, value in named.items() if name is not None}
    return Node(element.source, element, fields | lists)


def list_unwrapped_children(element: Element) -> Iterator[Element]:
    """The children of an element, and those of its wrappers."""
    for child in element.children:
        if child.tag in WRAPPER_ELEMENTS:
            yield from child.children
        else:
            yield child


# --- writing --------------------------------------------------------------------------------------

INVALID_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

LAYER_CONTENT = ("type", "x", "y", "startx", "starty", "opacity", "visible", "properties", "data", "chunks")
POINT_CONTENT = ("width", "height", "rotation", "visible", "point", "properties")

VERSIONS = {"version": "1.10", "tiledversion": "1.10.2"}  # of the format, and of a Tiled that writes it

Fields = dict[str, Any]  # an object of Tiled's JSON


def format_json(fields: Fields) -> str:
    """JSON with one field per line, and one line per entry of long lists."""
    lines = []
    for name, value in fields.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n  ".join(to_json(each) for each in value)
            lines.append(f'"{name}": [\n  {entries}\n ]')
        else:
            lines.append(f'"{name}": {to_json(value)}')
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def format_xml(fields: Fields) -> str:
    """The same fields as XML."""
    lines = format_map(fields) if fields["type"] == "map" else format_tileset(fields)
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, ""])


def format_map(fields: Fields) -> Iterator[str]:
    """The lines of <map>."""
    yield format_element("map", fields, without=("type", "properties", "tilesets", "layers"))
    yield from format_properties(fields)
    for tileset in fields["tilesets"]:
        yield " " + format_element("tileset", tileset, "/")
    for layer in fields["layers"]:
        if layer["type"] == "objectgroup":
            yield from format_objects(layer)
            continue
        yield " " + format_element("layer", layer, without=LAYER_CONTENT)
        yield from format_properties(layer, "  ")
        yield '  <data encoding="csv">'
        if "chunks" not in layer:
            yield format_csv(layer)
        for chunk in layer.get("chunks", ()):
            yield "   " + format_element("chunk", chunk, without=("data",))
            yield format_csv(chunk)
            yield "   </chunk>"
        yield "  </data>\n </layer>"
    yield "</map>"


def format_objects(layer: Fields) -> Iterator[str]:
    """The lines of an <objectgroup> of points."""
    yield " " + format_element("objectgroup", layer, without=(*LAYER_CONTENT, "draworder", "objects"))
    yield from format_properties(layer, "  ")
    for point in layer["objects"]:
        yield "  " + format_element("object", point, without=POINT_CONTENT)
        yield from format_properties(point, "   ")
        yield "   <point/>\n  </object>"
    yield " </objectgroup>"


def format_csv(part: Fields) -> str:
    """The cells of a layer or of one of its chunks."""
    width, data = part["width"], part["data"]
    rows = (data[start : start + width] for start in range(0, len(data), width))
    return ",\n".join(",".join(map(str, row)) for row in rows)


def format_tileset(fields: Fields) -> Iterator[str]:
    """The lines of <tileset>."""
    image = {"source": fields["image"], "width": fields["imagewidth"], "height": fields["imageheight"]}
    yield format_element("tileset", fields, without=("type", "image", "imagewidth", "imageheight", "tiles"))
    yield " " + format_element("image", image, "/")
    for tile in fields["tiles"]:
        yield " " + format_element("tile", tile, without=("properties",))
        yield from format_properties(tile, "  ")
        yield " </tile>"
    yield "</tileset>"


def format_properties(fields: Fields, indent: str = " ") -> Iterator[str]:
    """The lines of <properties>, if there are any. The type is left out, because text is the default."""
    if fields.get("properties"):
        yield f"{indent}<properties>"
        for each in fields["properties"]:
            yield f"{indent} " + format_element("property", each, "/", ("type",))
        yield f"{indent}</properties>"


def format_element(tag: str, fields: Fields, close: str = "", without: tuple[str, ...] = ()) -> str:
    """An opening tag with its attributes; truth values are 0 and 1."""
    written = ""
    for name, value in fields.items():
        if name not in without:
            text = str(int(value)) if isinstance(value, bool) else str(value)
            if INVALID_IN_XML.search(text):
                raise ConfigError(f"XML cannot hold the name {text[:60]!r}; save the map as .tmj")
            written += f" {name}={quoteattr(text)}"
    return f"<{tag}{written}{close}>"


def encode_document(fields: Fields, path: Path) -> bytes:
    """The content of a file: JSON or XML by its ending."""
    return encode_utf8((format_json if path.suffix.lower() in JSON_ENDINGS else format_xml)(fields))


def make_properties(values: Mapping[str, str]) -> list[Fields]:
    """Custom properties, sorted by name like in Tiled."""
    return [{"name": name, "type": "string", "value": values[name]} for name in sorted(values)]
