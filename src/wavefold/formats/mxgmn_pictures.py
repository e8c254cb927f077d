"""Pictures of tiles, beside the file that names them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.formats.xml_tree import Element, complain

Pixels = NDArray[np.uint8]  # [row, column, RGBA]
LARGEST_PICTURE = 1024  # pixels across


class PictureFolder:
    """The pictures beside the file, all square and of one size."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.folder = source.with_suffix("")
        self.side = 0  # pixels, once there is a first picture
        self.sized_by = ""

    def read(self, name: str, element: Element) -> Pixels:
        """The picture `name`.png."""
        path = self.folder / f"{name}.png"
        try:
            if not path.is_file():
                complain(self.source, element, f"needs a picture {str(path)!r}; there is no such file")
            with Image.open(path, formats=("PNG",)) as image:
                self.check_size(path, image.size, element)
                return np.array(image.convert("RGBA"))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Warning) as error:
            complain(
                self.source,
                element,
                f"needs a picture, but {str(path)!r} is not a complete PNG file: {error}",
            )

    def check_size(self, path: Path, size: tuple[int, int], element: Element) -> None:
        """Raise unless the picture is a square like those before it."""
        width, height = size
        problem = f"has a picture {str(path)!r} of {width} x {height} pixels"
        if width != height or width > LARGEST_PICTURE:
            complain(
                self.source,
                element,
                f"{problem}; pictures are square, at most {LARGEST_PICTURE} pixels across",
            )
        if self.side == 0:
            self.side, self.sized_by = width, path.name
        if self.side != width:
            other = f"{self.sized_by!r} has {self.side} x {self.side}"
            complain(self.source, element, f"{problem} but {other}; all must be of one size")
