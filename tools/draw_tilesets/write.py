"""A tile set as files of the package: what `TileSet.save` writes, with a note, and in smaller sheets."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

from draw_tilesets.objects import OBJECTS
from draw_tilesets.refining import with_activities
from wavefold.tiles import Pixels, TileSet

NOTE = "# Drawn by tools/draw_tilesets: change it there, then run `make tilesets`.\n"
CREDITS = {"medieval": "# Its tiles are those of felixturner/hex-map-wfc (MIT); its pictures are not.\n"}


def write_tileset(tiles: TileSet, folder: Path) -> Path:
    """Write NAME.toml and its sheets into a folder. Returns the path of the TOML file."""
    path = folder / f"{tiles.name}.toml"
    with_activities(tiles.with_objects(OBJECTS.get(tiles.name, ()))).save(path)
    path.write_text(NOTE + CREDITS.get(tiles.name, "") + "\n" + path.read_text("utf-8"), "utf-8")
    for sheet in (path.with_name(tiles.name + ending) for ending in (".png", "-flat.png", "-objects.png")):
        if sheet.exists():
            with Image.open(sheet) as image:
                pixels = np.array(image)
            sheet.write_bytes(encode_png(pixels))
    return path


def encode_png(pixels: Pixels) -> bytes:
    """uint8 [row, column, RGBA] as a PNG file without filters.

    Pillow always filters, which suits photographs; these sheets are half as large without.
    """
    rows, columns, _ = pixels.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)  # 8 bits, RGBA
    plain = np.zeros((rows, 1 + 4 * columns), np.uint8)  # each row begins with its filter: 0, none
    plain[:, 1:] = pixels.reshape(rows, -1)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(plain.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(encode_chunk(kind, data) for kind, data in parts)


def encode_chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk of a PNG file: length, kind, data, checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
