"""PNG files of small pictures, written for speed: rows unfiltered, compressed at the lowest level.

For pixel art that takes a third of the time of Pillow's encoder, and the files are smaller: its filters suit
photographs.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LEVEL = 1
COLOUR_TYPES = {3: 2, 4: 6}  # channels: RGB, RGBA


def encode_png(picture: NDArray[np.uint8]) -> bytes:
    """A picture [row, column, RGBA] as PNG; without its last channel if it is opaque everywhere."""
    channels = 3 if (picture[..., 3] == 255).all() else 4
    height, width = picture.shape[:2]
    rows = np.zeros((height, 1 + width * channels), np.uint8)  # each begins with its filter: none
    rows[:, 1:].reshape(height, width, channels)[...] = picture[..., :channels]
    header = struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[channels], 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.data, LEVEL)), (b"IEND", b"")]
    return SIGNATURE + b"".join(encode_part(kind, data) for kind, data in parts)


def encode_part(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file, with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
