"""Tile sets as JSON: the tables of a TOML file, with tiles in a list, and its pictures.

For programs that edit tile sets, such as web pages: `{"tables": {…}, "files": {"tiles.png": "…"}}`, with
pictures in base64. JSON has no infinite numbers, so open ends of limits are "inf" or "-inf".
"""

from __future__ import annotations

import json
import tomllib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from math import inf
from typing import Any

from wavefold.errors import FormatError
from wavefold.formats.toml.document import MOST_PATTERNS, Document
from wavefold.formats.toml.reader import build_set
from wavefold.formats.toml.writer import encode_toml
from wavefold.options.values import shorten
from wavefold.storage.files import MemoryFile
from wavefold.tiles import TileSet

TILES_FILE = "tiles.toml"
EXAMPLE = '{"tables": {"tiles": […]}, "files": {"tiles.png": base64}}'
INFINITE_WORDS = {"inf": inf, "-inf": -inf}

Tables = dict[str, Any]


class TableDocument(Document):
    """Tables without text: errors name tables, but not lines."""

    def __init__(self, data: Tables, source: MemoryFile, most_patterns: int) -> None:
        self.source, self.most_patterns = source, min(most_patterns, MOST_PATTERNS)
        self.text, self.data, self.problems = "", data, []


def is_json_text(data: bytes) -> bool:
    """Whether these bytes begin a JSON object; no TOML file begins in this way."""
    return data.lstrip()[:1] == b"{"


def encode_tables(tiles: TileSet) -> dict[str, Any]:
    """A tile set as JSON data with the keys `tables` and `files`."""
    files = encode_toml(tiles, TILES_FILE)
    tables = tomllib.loads(files.pop(TILES_FILE).decode())
    tables["tiles"] = [{"name": name, **table} for name, table in tables["tiles"].items()]
    for tile in tables["tiles"]:
        if "limits" in tile:
            tile["limits"] = swap_infinite(
                tile["limits"], {value: word for word, value in INFINITE_WORDS.items()}
            )
    return {"tables": tables, "files": {name: b64encode(data).decode() for name, data in files.items()}}


def decode_tables(
    tables: Tables, files: Mapping[str, bytes] | None = None, most_patterns: int = MOST_PATTERNS
) -> TileSet:
    """Inverse of `encode_tables`. Without `files`, keys that name pictures are ignored."""
    named: Tables = {}
    for number, tile in enumerate(list_tiles(tables)):
        name = tile.get("name")
        if not isinstance(name, str) or name in named:
            what = "has no name" if not isinstance(name, str) else f"has the name of another, {shorten(name)}"
            raise FormatError(f"tile {number + 1} {what}; each tile needs a different name")
        named[name] = {key: value for key, value in tile.items() if key != "name"}
        if "limits" in tile:
            named[name]["limits"] = swap_infinite(tile["limits"], INFINITE_WORDS)
    data = {"format": 1, **tables, "tiles": named}
    if files is None:
        remove_pictures(data)
    return build_set(TableDocument(data, MemoryFile.of(files or {}, "tiles"), most_patterns))


def parse_tables_file(data: bytes, name: str) -> tuple[Tables, dict[str, bytes]]:
    """Read the tables and pictures in a JSON file."""
    try:
        content = json.loads(data)
        tables, files = content["tables"], content.get("files", {})
        pictures = {str(each): b64decode(text, validate=True) for each, text in files.items()}
    except RecursionError:
        raise FormatError(f"{name}: lists or tables are nested too deeply") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{name} is not a tile set in JSON, such as {EXAMPLE}: {error!r}") from None
    if not isinstance(tables, dict):
        raise FormatError(f"{name}: tables must be an object, not {shorten(tables)}")
    return tables, pictures


def list_tiles(tables: Tables) -> list[dict[str, Any]]:
    """The tables of the tiles; raises unless they are in a list."""
    tiles = tables.get("tiles")
    if not isinstance(tiles, list) or not all(isinstance(tile, dict) for tile in tiles):
        raise FormatError('tiles must be a list of tables, such as [{"name": "lawn", "sockets": "grass"}]')
    if not tiles:
        raise FormatError("a tile set needs at least one tile")
    return tiles


def swap_infinite(value: Any, words: Mapping[Any, Any]) -> Any:
    """Replace words by infinite numbers in limits, or the reverse."""
    if isinstance(value, dict):
        return {key: swap_infinite(each, words) for key, each in value.items()}
    if isinstance(value, list):
        return [swap_infinite(each, words) for each in value]
    return words.get(value, value) if isinstance(value, str | float) else value


def remove_pictures(data: Tables) -> None:
    """Remove the keys that name pictures, in place. The tables of tiles must be copies."""
    for table in ("sheet", "flat_sheet", "objects"):
        data.pop(table, None)
    for tile in data["tiles"].values():
        for key in ("at", "flat_at", "picture", "colour", "model"):
            tile.pop(key, None)
