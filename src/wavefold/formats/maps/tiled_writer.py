"""Maps for Tiled: the map, its tile set and the sheet of its tiles, as JSON or as XML.

Every pattern is a tile of its own, drawn as it appears: nothing has to be flipped. Its class is the name of
its tile, its property `pattern` the full name, by which an edited map is read again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from wavefold.errors import ConfigError
from wavefold.formats.maps.about import about, as_json, checked_names, encoded
from wavefold.formats.maps.documents import MOST_CELLS
from wavefold.formats.maps.tiled_chart import Chart, chart_of, stagger_of
from wavefold.formats.maps.tiled_sheet import Sheet, check_sheet, sheet_for
from wavefold.formats.maps.together import write_together
from wavefold.formats.tiled.document import MOST_BYTES
from wavefold.render.limits import Map
from wavefold.render.save import check_place
from wavefold.solver.problem import Problem

__all__ = [
    "LAYER",
    "LAYER_NUMBER",
    "OWN_PROPERTIES",
    "check_tiled_map",
    "tiled_companions",
    "write_tiled_map",
]

VERSIONS = {"version": "1.10", "tiledversion": "1.10.2"}  # of the format, and of a Tiled that writes it
LAYER, LAYER_NUMBER = "map", "z"
OWN_PROPERTIES = ("content_version", "digest", "origin", "seed", "tileset", "topology", "wavefold")
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Fields = dict[str, Any]


def write_tiled_map(
    solution: Map, path: str | os.PathLike[str], tile_size: int | None = None, unused: bool | None = None
) -> None:
    """Write a .tmx or .tmj, and beside it the tile set (.tsx or .tsj) and its picture, named like the map.

    `tile_size` is how many pixels a tile is across. `unused` says whether the tile set has every pattern, to
    draw with, or those of the map only; every one of up to 1,024, if not given.
    """
    place = Path(path)
    check_place(place)
    chart = checked_chart(solution.problem, place)
    sheet = sheet_for(solution, tile_size, unused)
    tileset, picture = tiled_companions(place)
    is_json = place.name.lower().endswith(".tmj")
    drawn_set = tileset_fields(solution.problem, sheet, picture.name)
    drawn_map = map_fields(solution, chart, sheet, tileset.name)
    write = json_text if is_json else xml_text
    data = {picture: sheet.png, tileset: encoded(write(drawn_set)), place: encoded(write(drawn_map))}
    if max(map(len, data.values())) > MOST_BYTES:
        raise ConfigError(f"cannot write {str(path)!r}: the map is too large to be read again from Tiled")
    write_together(data)


def tiled_companions(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """The files that are written beside a map: its tile set, and the picture of that."""
    place = Path(path)
    ending = ".tsj" if place.name.lower().endswith(".tmj") else ".tsx"
    return place.with_name(f"{place.stem}-tiles{ending}"), place.with_name(f"{place.stem}-tiles.png")


def check_tiled_map(problem: Problem, path: str | os.PathLike[str], tile_size: int | None = None) -> None:
    """Raise, before a map is made, for what could not be written later."""
    checked_chart(problem, Path(path))
    check_sheet(problem, tile_size)


def checked_chart(problem: Problem, place: Path) -> Chart:
    """Where cells stand in Tiled's layers, if they can."""
    if set(place.name) & set(":\\"):  # on some machine the map could not name the files beside it
        raise ConfigError(f"choose a name without ':' and '\\' for the map, not {place.name!r}")
    chart = chart_of(problem.topology)
    if chart.cells[0].size > MOST_CELLS:
        raise ConfigError(f"a map for Tiled has at most {MOST_CELLS:,} cells in a layer")
    return chart


# --- what the files say, as JSON has it -----------------------------------------------------------


def tileset_fields(problem: Problem, sheet: Sheet, picture: str) -> Fields:
    """The tile set."""
    rules = problem.rules
    checked_names(rules.names)
    tiles = [
        {
            "id": number,
            "type": rules.tiles[rules.tile_of[pattern]],
            "probability": float(rules.weights[pattern]),
            "properties": properties({"pattern": rules.names[pattern]}),
        }
        for number, pattern in enumerate(sheet.patterns)
    ]
    return {
        "type": "tileset",
        **VERSIONS,
        "name": about_name(problem),
        "tilewidth": sheet.width,
        "tileheight": sheet.height,
        "tilecount": len(sheet.patterns),
        "columns": sheet.columns,
        "margin": 0,
        "spacing": 0,
        "image": picture,
        "imagewidth": sheet.picture.width,
        "imageheight": sheet.picture.height,
        "tiles": tiles,
    }


def about_name(problem: Problem) -> str:
    """Tiled wants a tile set to have a name."""
    return str(getattr(problem.tiles, "name", "") or "tiles")


def map_fields(solution: Map, chart: Chart, sheet: Sheet, tileset: str) -> Fields:
    """The map."""
    topology = solution.problem.topology
    hexagonal = {
        "hexsidelength": sheet.side,
        "staggeraxis": stagger_of(topology),
        "staggerindex": chart.stagger,
    }
    return {
        "type": "map",
        **VERSIONS,
        "orientation": "hexagonal" if chart.stagger else "orthogonal",
        "renderorder": "right-down",
        "width": chart.width,
        "height": chart.height,
        "tilewidth": sheet.width,
        "tileheight": sheet.height,
        "infinite": False,
        **(hexagonal if chart.stagger else {}),
        "nextlayerid": len(chart.cells) + 1,
        "nextobjectid": 1,
        "properties": properties(notes(solution, chart)),
        "tilesets": [{"firstgid": 1, "source": tileset}],
        "layers": list(layers_of(solution, chart, sheet)),
    }


def notes(solution: Map, chart: Chart) -> dict[str, str]:
    """What the map was made with. All of it is text: Tiled keeps numbers in 32 bits, seeds are longer."""
    header = about(solution)
    return {
        "content_version": str(header["content_version"]),
        "digest": header["tileset"]["digest"],
        "origin": as_json(list(chart.origin)),
        "seed": "" if header["seed"] is None else str(header["seed"]),
        "tileset": header["tileset"]["name"],
        "topology": as_json(header["topology"]),
        "wavefold": header["wavefold"],
    }


def layers_of(solution: Map, chart: Chart, sheet: Sheet) -> Iterator[Fields]:
    """The cells as numbers of tiles, from 1; 0 where there is no cell, or an undecided one."""
    tile = np.zeros(len(solution.problem.rules) + 1, np.int64)
    tile[sheet.patterns] = np.arange(1, len(sheet.patterns) + 1)
    tiles = tile[np.append(solution.patterns, -1)]
    stacked = len(solution.problem.topology.shape or ()) == 3
    for number, cells in enumerate(chart.cells):
        layer: Fields = {
            "type": "tilelayer",
            "id": number + 1,
            "name": f"{LAYER} {number}" if stacked else LAYER,
            "x": 0,
            "y": 0,
            "width": chart.width,
            "height": chart.height,
            "opacity": 1,
            "visible": True,
        }
        if stacked:
            layer["properties"] = properties({LAYER_NUMBER: str(number)})
        yield layer | {"data": tiles[cells].ravel().tolist()}


def properties(values: Mapping[str, str]) -> list[Fields]:
    """Custom properties, in the order Tiled keeps them."""
    return [{"name": name, "type": "string", "value": values[name]} for name in sorted(values)]


# --- as text --------------------------------------------------------------------------------------


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
        yield " " + element(
            "layer", layer, without=("type", "x", "y", "opacity", "visible", "properties", "data")
        )
        yield from properties_xml(layer, "  ")
        yield '  <data encoding="csv">'
        width, data = layer["width"], layer["data"]
        rows = (data[start : start + width] for start in range(0, len(data), width))
        yield ",\n".join(",".join(map(str, row)) for row in rows)
        yield "  </data>\n </layer>"
    yield "</map>"


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
