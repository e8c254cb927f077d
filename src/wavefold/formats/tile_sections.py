"""Tile sets as bytes: the same text and tile sheet that `TileSet.save` writes to a folder."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from wavefold.formats.toml.reader import load_toml
from wavefold.formats.toml.writer import encode_toml
from wavefold.storage.memory_file import MemoryFile
from wavefold.storage.sections import TILES
from wavefold.tiles import TileSet

TEXT, SHEET, FLAT_SHEET, OBJECTS = TILES.entries
# For each sheet: its table, and the keys of other tables that name parts of it.
TABLES = {
    SHEET: ("[sheet]", "[tiles.", ("at = ", "model = ")),
    FLAT_SHEET: ("[flat_sheet]", "[tiles.", ("flat_at = ",)),
    OBJECTS: (None, "[objects.", ("picture = ", "cut = ")),
}


def encode_tiles(tiles: TileSet) -> dict[str, bytes]:
    """{entry: bytes}: the text of a tile set, and its tile sheets if it has pictures."""
    files = encode_toml(tiles, TEXT)
    return {name: files[name] for name in TILES.entries if name in files}


def decode_tiles(entries: Mapping[str, bytes]) -> TileSet:
    """Inverse of `encode_tiles`; without the pictures of a tile sheet that is missing.

    Warnings about the tiles are not repeated: they were given when the tile set was made.
    """
    text = entries[TEXT]
    for sheet in TABLES:
        if sheet not in entries:
            text = remove_pictures(text, sheet)
    return load_toml(MemoryFile.of({**entries, TEXT: text}, TEXT))


def remove_pictures(text: bytes, sheet: str) -> bytes:
    """The text of a tile set written by wavefold, without one of its sheets and the positions in it."""
    sheet_table, others, keys = TABLES[sheet]
    lines, table, skipping = [], "", False
    for line in text.decode().split("\n"):  # other line ends, such as U+2028, may be in names
        if line.startswith("["):
            table = line
        if not line.startswith((" ", "]")):  # not the continuation of a value
            is_picture = table.startswith(others) and line.startswith(keys)
            skipping = table == sheet_table or is_picture
        if not skipping:
            lines.append(line)
    return "\n".join(lines).encode()


def hash_limits(tiles: TileSet) -> str:
    """A digest of the limits of tiles, which the digest of their rules does not cover."""
    limits = []
    for tile in tiles.tiles:
        ranges = [tile.limits] if isinstance(tile.limits, Mapping) else tile.limits
        for each in ranges:
            limits += [(tile.name, *((name, *map(float, pair)) for name, pair in sorted(each.items())))]
    return blake2b(repr(limits).encode(), digest_size=16).hexdigest()
