"""PNG files of pixel art, encoded with checkpoints and without row filters, which suit photographs.

Pillow filters rows: its files of maps are 40 % larger, and take one and a half times as long to encode.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint

if TYPE_CHECKING:
    from PIL import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPES = {3: 2, 4: 6}  # channels: RGB, RGBA
BAND = 64  # rows between two checkpoints
FAST_PNG, SMALL = 1, 6  # levels of compression


def encode_png(pixels: NDArray[np.uint8], level: int = SMALL) -> bytes:
    """A picture [row, column, RGB or RGBA] as PNG."""
    height, width, channels = pixels.shape
    compressor, data = zlib.compressobj(level), b""
    for top in range(0, height, BAND):
        checkpoint()
        band = pixels[top : top + BAND]
        rows = np.zeros((len(band), 1 + width * channels), np.uint8)  # each begins with its filter: none
        rows[:, 1:].reshape(band.shape)[...] = band
        data += compressor.compress(rows.data)
    data += compressor.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[channels], 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", data), (b"IEND", b"")]
    return SIGNATURE + b"".join(encode_part(kind, content) for kind, content in parts)


def drop_opaque(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture [row, column, RGBA] without its last channel if it is opaque everywhere."""
    return pixels[..., :3] if (pixels[..., 3] == 255).all() else pixels


def encode_image(image: Image.Image) -> bytes:
    """A Pillow image as PNG."""
    return encode_png(np.asarray(image.convert("RGBA")))


def encode_part(kind: bytes, content: bytes) -> bytes:
    """A part of a PNG file, with its length and checksum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
