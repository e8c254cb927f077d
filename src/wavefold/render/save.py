"""Pictures as PNG files."""

from __future__ import annotations

import os
from typing import Any

from PIL import Image

from wavefold.common.files import check_writable, write_atomically
from wavefold.render.draw import draw
from wavefold.render.limits import Map


def save_picture(solution: Map, path: str | os.PathLike[str], **options: Any) -> None:
    """Draw the map into a PNG file; the options are those of `draw`."""
    check_writable(path)
    write_image(draw(solution, **options), path)


def write_image(image: Image.Image, path: str | os.PathLike[str]) -> None:
    """Write a picture into a PNG file."""
    with write_atomically(path) as file:
        image.save(file, "PNG", optimize=image.width * image.height < 1 << 21)
