"""Samples as arrays of numbers, and the tile set that is learned from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import FormatError, TileSetError, suggest
from wavefold.plugins import available, find
from wavefold.tiles.relation import Relation
from wavefold.tiles.rules import Rules
from wavefold.tiles.samples import is_sample, sample_path, samples
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet
from wavefold.topology import SquareGrid, Topology

MOST_PIXELS = 4096 * 4096
FORMATS = ("PNG", "GIF", "BMP", "JPEG", "WEBP", "TIFF", "TGA", "PPM", "PCX")  # none that runs a program
EIGHT_BIT_MODES = {"1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV"}


class Sample(NamedTuple):
    """A drawn map: the number of the value in each cell, and the values by number."""

    numbers: NDArray[np.int64]  # [row, column]
    values: list[Any]
    coloured: bool  # values are colours: tuples of 3 or 4 numbers from 0 to 255


class LearnedTileSet(TileSet):
    """Patterns learned from samples, with what each stands for and how often it was found.

    Attributes
    ----------
    n, symmetry, periodic : how the samples were read
    values : what each pattern stands for: a colour, or a value of the array; of a window, its top-left
    ground_pattern : the pattern found last, if it is the ground; see `ground_masks`
    """

    def __init__(
        self,
        names: Sequence[str],
        values: Sequence[Any],
        counts: Sequence[int],
        relations: Sequence[Relation],
        *,
        coloured: bool,
        n: int = 1,
        symmetry: int = 1,
        periodic: bool = False,
        ground: bool = False,
        title: str = "",
    ) -> None:
        self.n, self.symmetry, self.periodic = n, symmetry, periodic
        self.ground_pattern = len(names) - 1 if ground else None
        self.values = tuple(values)
        self._learned = tuple(relations)
        super().__init__(
            (
                Tile(name, None, float(count), picture=picture_of(value, coloured))
                for name, value, count in zip(names, values, counts, strict=True)
            ),
            name=title,
        )

    @cached_property
    def rules(self) -> Rules:
        """The tile set as numbers, made once."""
        names = [tile.name for tile in self.tiles]
        weights = [tile.weight for tile in self.tiles]
        return Rules(names, self._relations(), weights, values=self.values, topology=self.topology)

    def _relations(self) -> list[Relation]:
        return list(self._learned)

    def ground_masks(self, topology: Topology) -> NDArray[np.bool_]:
        """bool [cell, pattern] for `Problem(masks=...)`: the ground fills the bottom row, nothing else."""
        if self.ground_pattern is None:
            raise TileSetError("this set was learned without a ground; learn it with ground=True")
        if not isinstance(topology, SquareGrid):
            raise TileSetError(f"only a SquareGrid has a bottom row for the ground, not {topology!r}")
        rows = topology.to_array(np.arange(topology.cell_count), missing=-1)
        bottom = np.zeros(topology.cell_count, bool)
        bottom[rows[-1][rows[-1] >= 0]] = True
        masks = np.repeat(~bottom[:, None], len(self), axis=1)
        masks[:, self.ground_pattern] = bottom
        return masks


def picture_of(value: Any, coloured: bool) -> NDArray[np.uint8] | None:
    """A pixel of a colour; of other values, the picture they bring along, if any."""
    return pixel(value) if coloured else getattr(value, "picture", None)


def pixel(colour: Sequence[int]) -> NDArray[np.uint8]:
    """[1, 1, RGBA]: a picture of one pixel."""
    return np.array([[(*colour, 255)[:4]]], np.uint8)


# --- what users hand in -------------------------------------------------------------------------


def several(source: Any) -> list[Any]:
    """The samples of a list, or the one given. Rows of values are one sample; words are paths."""
    if not isinstance(source, list | tuple):
        return [source]
    return [source] if source and all(is_row(each) for each in source) else list(source)


def read_samples(sources: Iterable[Any]) -> list[Sample]:
    """Every sample, with the same values behind the same numbers."""
    samples = [read_sample(each) for each in sources]
    if not samples:
        raise TileSetError("there is no sample to learn from: the list is empty")
    if len({sample.coloured for sample in samples}) > 1:
        raise TileSetError("some samples are pictures and some hold other values; learn from one kind")
    return shared_numbers(samples)


def is_row(source: Any) -> bool:
    """Whether this is a row of values. A tuple in it is a value, a list is not: it is a row of its own."""
    if isinstance(source, np.ndarray):
        return source.ndim == 1
    return isinstance(source, list | tuple) and not any(
        isinstance(each, list | np.ndarray) for each in source
    )


def reader_of(kind: str, source: Any) -> Callable[..., list[Any]] | None:
    """What reads drawn maps of this ending, if they are no pictures."""
    ending = Path(source).suffix.lower() if isinstance(source, str | os.PathLike) else ""
    return find(kind, ending) if ending in available(kind) else None


def read_sample(source: Any) -> Sample:
    """A path, the name of a bundled sample, a Pillow image or an array, as numbers."""
    if reader := reader_of("sample_reader", source):
        return from_rows(reader(source))
    if isinstance(source, str | os.PathLike):
        return from_file(sample_path(source) if is_sample(source) else source)
    if isinstance(source, list | tuple):
        return from_rows(source)
    if not isinstance(source, np.ndarray):
        from PIL import Image

        if isinstance(source, Image.Image):
            return from_image(source, "the picture")
        if not hasattr(source, "__array__"):
            raise TileSetError(
                f"a sample is a path, a Pillow image or an array [row, column], not {shortened(source)}"
            )
        source = np.asarray(source)
    return from_array(source)


def from_file(path: str | os.PathLike[str]) -> Sample:
    """A picture; whatever is wrong with the file is said with its path."""
    from PIL import Image, UnidentifiedImageError

    try:
        if Path(path).exists() and not Path(path).is_file():  # opening a pipe would wait for ever
            raise FormatError(f"{path} is not a file; expected a picture, as a PNG")
        with Image.open(path, formats=FORMATS) as image:
            return from_image(image, str(path))
    except FileNotFoundError:
        bare = Path(path).stem == str(path)  # may have been meant as a name
        hint = f", or the name of a sample: {suggest(path, samples())}" if bare else ""
        raise FormatError(f"{path}: there is no such file; expected a picture, as a PNG{hint}") from None
    except UnidentifiedImageError:
        raise FormatError(
            f"{path} is not a picture, or of a kind that cannot be read; save it as PNG"
        ) from None
    except (TileSetError, FormatError):
        raise
    except Exception as error:  # Pillow's readers raise whatever a damaged file leads them to
        raise FormatError(f"{path} cannot be read as a picture: {error}") from error


def from_image(image: Any, name: str) -> Sample:
    """The size is checked before a pixel is decoded: a small file may claim a huge picture."""
    check_size(image.height, image.width, name)
    if image.mode not in EIGHT_BIT_MODES:
        raise FormatError(f"{name} has pixels of kind {image.mode!r}; save it with 8 bits per channel")
    try:
        pixels = np.asarray(image.convert("RGBA" if image.has_transparency_data else "RGB"))
    except Exception as error:  # as above
        raise FormatError(f"{name} is damaged: {error}") from error
    return from_array(pixels, name)


def from_array(array: NDArray[Any], name: str = "the sample") -> Sample:
    """[row, column] of any values, or uint8 [row, column, RGB or RGBA]."""
    if array.ndim == 3 and array.shape[2] in (3, 4) and array.dtype == np.uint8:
        return from_colours(array, name)
    if array.ndim != 2:
        raise TileSetError(
            f"{name} is an array {array.dtype} {array.shape}; it must be [row, column] of values, "
            "or uint8 [row, column, RGB or RGBA] of colours"
        )
    check_size(array.shape[0], array.shape[1], name)
    if array.dtype == object:
        return from_rows(array.tolist())
    values, numbers = np.unique(array, return_inverse=True)
    return Sample(numbers.reshape(array.shape).astype(np.int64), checked_values(values.tolist()), False)


def from_colours(array: NDArray[np.uint8], name: str) -> Sample:
    """A colour is one value: a tuple of as many numbers as the array has channels."""
    check_size(array.shape[0], array.shape[1], name)
    packed = np.zeros(array.shape[:2], np.uint32)
    for channel in range(array.shape[2]):
        packed |= array[..., channel].astype(np.uint32) << np.uint32(8 * channel)
    found, numbers = np.unique(packed, return_inverse=True)
    channels = [
        (found >> np.uint32(8 * channel) & np.uint32(255)).tolist() for channel in range(array.shape[2])
    ]
    return Sample(numbers.reshape(packed.shape).astype(np.int64), list(zip(*channels, strict=True)), True)


def from_rows(rows: Sequence[Any]) -> Sample:
    """Rows of anything hashable; kept as they are (NumPy would make words of numbers beside words)."""
    listed = [list(plain(row)) if is_row(row) else None for row in rows]
    widths = {-1 if row is None else len(row) for row in listed}
    if len(widths) != 1 or -1 in widths:
        raise TileSetError("a sample must be [row, column]: rows of values, all of the same length")
    width = widths.pop()
    check_size(len(listed), width, "the sample")
    number: dict[Any, int] = {}
    try:
        numbers = [
            number.setdefault(plain(cell), len(number)) for row in listed if row is not None for cell in row
        ]
    except TypeError as error:
        raise TileSetError(f"the values of a sample must be hashable: {error}") from None
    return Sample(
        np.array(numbers, np.int64).reshape(len(listed), width), checked_values(list(number)), False
    )


def plain(value: Any) -> Any:
    """Python's own object for one of NumPy's."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def check_size(height: int, width: int, name: str) -> None:
    """Raise for a sample with nothing in it, or far too much."""
    if height < 1 or width < 1:
        raise TileSetError(f"{name} is empty: it has {height} rows and {width} columns")
    if height * width > MOST_PIXELS:
        raise TileSetError(
            f"{name} has {width:,} x {height:,} pixels, more than {MOST_PIXELS:,} in all; "
            "learn from a part of it"
        )


def checked_values(values: list[Any]) -> list[Any]:
    """Values that can be told apart: not a number is unlike even itself."""
    if any(isinstance(value, float) and isnan(value) for value in values):
        raise TileSetError(
            "a sample must not hold NaN: it equals nothing, not even itself; use another value"
        )
    return values


def shared_numbers(samples: Sequence[Sample]) -> list[Sample]:
    """The same samples with one list of values for all; opaque colours gain a channel beside others."""
    channels = max(
        (len(value) for sample in samples if sample.coloured for value in sample.values), default=0
    )
    number: dict[Any, int] = {}
    renumbered = []
    for sample in samples:
        values: Iterable[Any] = sample.values
        if sample.coloured:
            values = [(*value, 255)[:channels] for value in sample.values]
        new = np.array([number.setdefault(value, len(number)) for value in values], np.int64)
        renumbered.append(new[sample.numbers])
    every = list(number)
    return [
        Sample(numbers, every, sample.coloured) for numbers, sample in zip(renumbered, samples, strict=True)
    ]


def shortened(source: object) -> str:
    """The start of what was given, for a message."""
    text = repr(source)
    return text if len(text) < 60 else f"{text[:57]}…"


def names_for(values: Sequence[Any]) -> Iterator[str]:
    """A tile's name for each value: its text, if that is a name and no other value has the same."""
    taken: set[str] = set()
    for value in values:
        text = str(value)
        name = text.replace("@", " ") or f"value {len(taken)}"
        while name in taken:
            name += "'"
        taken.add(name)
        yield name
