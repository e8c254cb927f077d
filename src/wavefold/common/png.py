"""Pictures as PNG, encoded with checkpoints: a large one takes seconds."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from wavefold.common.checkpoint import checkpoint

if TYPE_CHECKING:
    from PIL import Image


class CheckedBuffer(BytesIO):
    """A file in memory with a checkpoint before each write. Pillow writes 64 KB at a time."""

    def write(self, data: Any) -> int:
        checkpoint()
        return super().write(data)


def encode_png(image: Image.Image, optimize: bool = False) -> bytes:
    """The content of a PNG file. optimize : take several times as long for a few percent fewer bytes"""
    file = CheckedBuffer()
    image.save(file, "PNG", optimize=optimize)
    return file.getvalue()
