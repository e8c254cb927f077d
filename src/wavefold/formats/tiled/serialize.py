"""What a map or a tile set of Tiled says, as JSON or as XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

from wavefold.errors import ConfigError
from wavefold.formats.header import as_json

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

NOT_IN_XML = ("type", "x", "y", "startx", "starty", "opacity", "visible", "properties", "data", "chunks")

Fields = dict[str, Any]  # in the words of Tiled's JSON


def json_text(fields: Fields) -> str:
    """One field on each line; long lists one entry on each."""
    lines = []
    for name, value in fields.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n  ".join(as_json(each) for each in value)
            lines.append(f'"{name}": [\n  {entries}\n ]')
        else:
            lines.append(f'"{name}": {as_json(value)}')
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
    """<properties>, if there are any; text is the type that goes without saying."""
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
