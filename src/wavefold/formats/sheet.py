"""Pictures of tiles in files: single pictures, and sheets that are cut into equal cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import ceil, sqrt
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
from PIL import Image

from wavefold.errors import FormatError, TileSetError
from wavefold.storage.files import AnyFile, find_inside, note_read
from wavefold.tiles import Pixels
from wavefold.tiles.learning.samples import EIGHT_BIT_MODES
from wavefold.topology import is_plane

MOST_PIXELS = 4096 * 4096  # in one file, and in all pictures of a tile set
LARGEST_CELL = 1024  # pixels across

Cell = tuple[int, int]  # column, row


class Sheet(NamedTuple):
    """A picture that is cut into cells: `margin` pixels around them, `spacing` pixels between them."""

    pixels: Pixels  # [row, column, RGBA]
    size: tuple[int, int]  # of a cell: width, height
    margin: int = 0
    spacing: int = 0

    @property
    def columns(self) -> int:
        """The number of whole cells in a row."""
        return self._fitting(self.pixels.shape[1], self.size[0])

    @property
    def rows(self) -> int:
        """The number of whole cells in a column."""
        return self._fitting(self.pixels.shape[0], self.size[1])

    def cut(self, cell: Cell) -> Pixels:
        """The picture in one cell."""
        column, row = cell
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise FormatError(
                f"cell [{column}, {row}] is outside the sheet of {self.columns} columns and "
                f"{self.rows} rows of cells of {self.size[0]} x {self.size[1]} pixels; cells count from 0"
            )
        width, height = self.size
        x, y = (self.margin + at * (side + self.spacing) for at, side in zip(cell, self.size, strict=True))
        return self.pixels[y : y + height, x : x + width].copy()

    def _fitting(self, length: int, side: int) -> int:
        return max(0, (length - 2 * self.margin + self.spacing) // (side + self.spacing))


class StoredSheet(NamedTuple):
    """A sheet in the package, which is read when the first cell is cut out."""

    path: AnyFile
    size: tuple[int, int]  # of a cell: width, height

    def cut(self, cell: Cell) -> Pixels:
        """The picture in one cell."""
        return read_sheet(self.path, self.size).cut(cell)


@lru_cache(16)
def read_sheet(path: AnyFile, size: tuple[int, int]) -> Sheet:
    """Read the sheet in a file; cached."""
    return Sheet(read_picture(path), size)


class Packed(NamedTuple):
    """A sheet without margin and spacing, and the cell of each picture."""

    sheet: Sheet
    cells: list[Cell]


def pack(pictures: Sequence[Pixels]) -> Packed:
    """Arrange RGBA pictures of one size in a sheet that is about square. Equal pictures share a cell."""
    height, width = pictures[0].shape[:2]
    arrays = {id(picture): picture for picture in pictures}  # many may be the same object
    digests = {key: blake2b(picture.tobytes()).digest() for key, picture in arrays.items()}
    contents = [digests[id(picture)] for picture in pictures]
    different = dict(zip(contents, pictures, strict=True))
    columns = ceil(sqrt(len(different)))
    rows = ceil(len(different) / columns)
    if max(width, height) > LARGEST_CELL or columns * width * rows * height > MOST_PIXELS:
        raise TileSetError(
            f"{len(different):,} pictures of {width} x {height} pixels do not fit on a sheet; a picture may "
            f"be {LARGEST_CELL:,} pixels across, and the sheet may have {MOST_PIXELS:,} pixels"
        )
    sheet = Sheet(arrange(list(different.values()), columns), (width, height))
    number = {content: number for number, content in enumerate(different)}
    return Packed(sheet, [divmod(number[content], columns)[::-1] for content in contents])


def arrange(pictures: Sequence[Pixels], columns: int) -> Pixels:
    """Arrange pictures of one size side by side, row by row."""
    height, width = pictures[0].shape[:2]
    rows = ceil(len(pictures) / columns)
    pixels = np.zeros((rows, height, columns, width, 4), np.uint8)
    for number, picture in enumerate(pictures):
        pixels[number // columns, :, number % columns] = picture
    return pixels.reshape(rows * height, columns * width, 4)


def resolve_beside(source: AnyFile, name: str) -> AnyFile:
    """The PNG file that a file names, in the same folder or deeper."""
    path = find_inside(name, source)
    if path is None or not is_sheet_name(name):
        raise FormatError(
            f"a picture must be a PNG file in the same folder or deeper, such as 'art/lawn.png', not {name!r}"
        )
    return path


def is_sheet_name(name: str) -> bool:
    """Whether this is a name of a PNG file that is valid on every system."""
    return PurePosixPath(name).suffix.lower() == ".png" and not any(sign in name for sign in "\\:")


def read_picture(path: AnyFile, most: int = MOST_PIXELS) -> Pixels:
    """Read the RGBA pixels of a PNG file. The size is checked before decoding."""
    try:
        if not path.is_file():
            raise FormatError(f"the picture {str(path)!r} does not exist")
        note_read(path)
        with path.open("rb") as file, Image.open(file, formats=("PNG",)) as image:
            width, height = image.size
            if width * height > most:
                raise FormatError(
                    f"the picture {str(path)!r} has {width:,} x {height:,} pixels; all pictures of a tile "
                    f"set may have {MOST_PIXELS:,} in total"
                )
            if image.mode not in EIGHT_BIT_MODES:
                raise FormatError(
                    f"the picture {str(path)!r} has pixels of kind {image.mode!r}; "
                    "save it with 8 bits per channel"
                )
            return np.array(image.convert("RGBA"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Warning) as error:
        raise FormatError(f"the picture {str(path)!r} is not a complete PNG file: {error}") from error


def add_alpha(picture: object, tile: str, topology: str) -> Pixels:
    """Convert the picture of a tile to RGBA; for cubes also a model, [layer, row, column, RGB or RGBA]."""
    array = np.asarray(picture)
    dimensions = (3,) if is_plane(topology) else (3, 4)
    fits = array.dtype == np.uint8 and array.ndim in dimensions and array.shape[-1] in (3, 4)
    if not fits or not array.size:
        raise TileSetError(
            f"the picture of tile {tile!r} is {array.dtype} {array.shape}; "
            "it must be uint8 [row, column, RGB or RGBA]"
        )
    if array.shape[-1] == 4:
        return array
    return np.concatenate([array, np.full((*array.shape[:-1], 1), 255, np.uint8)], axis=-1)
