"""Samples as arrays of numbers: from a path, the name of a bundled sample, an image, an array or rows.

Bundled samples are pictures in `data/samples/`, with a table of what each shows and how it is best read:
which mirror images and turns of a window mean the same, whether the picture has a ground.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import FormatError, TileSetError, WavefoldError, suggest
from wavefold.options.names import RecommendedOrder
from wavefold.options.values import shorten
from wavefold.plugins.map_formats import find_function
from wavefold.storage.files import note_read
from wavefold.tiles.learning.pixels import number_colours, number_values

if TYPE_CHECKING:
    from PIL import Image

# A path or name, a picture, an array, rows of values, or several of these
SampleLike: TypeAlias = "str | os.PathLike[str] | Image.Image | NDArray[np.generic] | Sequence[object]"

MOST_PIXELS = 4096 * 4096
FORMATS = ("PNG", "GIF", "BMP", "JPEG", "WEBP", "TIFF", "TGA", "PPM", "PCX")  # none that runs a program
LOSSY = ("JPEG", "MPO")  # MPO is what Pillow calls some files of cameras
EIGHT_BIT_MODES = {"1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV"}
FOLDER = Path(str(files("wavefold"))) / "data" / "samples"

Content = TypeVar("Content")


class Sample(NamedTuple):
    """A drawn map: the number of the value in each cell, and the values by number."""

    numbers: NDArray[np.int64]  # [row, column]
    values: Sequence[Any]
    coloured: bool  # values are colours: tuples of 3 or 4 numbers from 0 to 255
    lossy: bool = False  # from a JPEG file, whose colours are not quite those that were drawn


def split_samples(source: Any) -> list[Any]:
    """The samples in a list, or the one given. Rows of values are one sample; texts are paths."""
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
    return share_values(samples)


def is_row(source: Any) -> bool:
    """Whether this is a row of values. A tuple in it is a value, a list is not: it is a row of its own."""
    if isinstance(source, np.ndarray):
        return source.ndim == 1
    return isinstance(source, list | tuple) and not any(
        isinstance(each, list | np.ndarray) for each in source
    )


def find_reader(ability: str, source: Any) -> Callable[..., list[Any]] | None:
    """The function of a format that reads drawn maps from this path; None for pictures and arrays."""
    return find_function(source, ability) if isinstance(source, str | os.PathLike) else None


def read_sample(source: Any) -> Sample:
    """A path, the name of a bundled sample, a Pillow image or an array, as numbers."""
    if reader := find_reader("read_sample", source):
        return from_rows(reader(source))
    if isinstance(source, str | os.PathLike):
        return from_file(find_sample_path(source) if is_sample(source) else source)
    if isinstance(source, list | tuple):
        return from_rows(source)
    if not isinstance(source, np.ndarray):
        from PIL import Image

        if isinstance(source, Image.Image):
            return from_image(source, "the picture")
        if not hasattr(source, "__array__"):
            raise TileSetError(
                f"a sample is a path, a Pillow image or an array [row, column], not {shorten(source)}"
            )
        source = np.asarray(source)
    return from_array(source)


def from_file(path: str | os.PathLike[str]) -> Sample:
    """A picture, by its path."""
    bare = Path(path).stem == str(path)  # may have been meant as a name
    hint = f", or the name of a sample: {suggest(path, samples())}" if bare else ""
    return read_picture(path, str(path), from_image, FORMATS, hint)


def read_picture(
    path: str | os.PathLike[str],
    name: str,
    read: Callable[[Any, str], Content],
    formats: tuple[str, ...] | None = None,
    hint: str = "",
) -> Content:
    """What `read` makes of the Pillow image in a file; errors name the file.

    formats : of Pillow; all, if not given
    hint : what else the path may have meant, if there is no such file
    """
    from PIL import Image, UnidentifiedImageError

    note_read(path)
    try:
        if Path(path).exists() and not Path(path).is_file():  # opening a pipe would wait for ever
            raise FormatError(f"{name} is not a file; expected a picture such as a PNG")
        with Image.open(path, formats=formats) as image:
            return read(image, name)
    except FileNotFoundError:
        raise FormatError(f"{name}: there is no such file; expected a picture such as a PNG{hint}") from None
    except UnidentifiedImageError:
        raise FormatError(
            f"{name} is not a picture, or of a kind that cannot be read; save it as PNG"
        ) from None
    except WavefoldError:
        raise
    except Exception as error:  # Pillow's readers raise many kinds of errors for damaged files
        raise FormatError(f"{name} cannot be read as a picture: {error}") from error


def from_image(image: Any, name: str) -> Sample:
    """The size is checked before a pixel is decoded: a small file may claim a huge picture."""
    check_size(image.height, image.width, name)
    if image.mode not in EIGHT_BIT_MODES:
        raise FormatError(f"{name} has pixels of kind {image.mode!r}; save it with 8 bits per channel")
    try:
        pixels = np.asarray(image.convert("RGBA" if image.has_transparency_data else "RGB"))
    except Exception as error:  # as above
        raise FormatError(f"{name} is damaged: {error}") from error
    return from_array(pixels, name)._replace(lossy=image.format in LOSSY)


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
    found, numbers = number_values(array)
    values = found.tolist()
    check_values(values)
    return Sample(numbers, values, False)


def from_colours(array: NDArray[np.uint8], name: str) -> Sample:
    """A colour is one value: a tuple of as many numbers as the array has channels."""
    check_size(array.shape[0], array.shape[1], name)
    numbers, colours = number_colours(array)
    return Sample(numbers, colours, True)


def from_rows(rows: Sequence[Any]) -> Sample:
    """Rows of anything hashable; kept unchanged (NumPy would turn numbers beside words into words)."""
    listed = [list(to_python(row)) if is_row(row) else None for row in rows]
    widths = {-1 if row is None else len(row) for row in listed}
    if len(widths) != 1 or -1 in widths:
        raise TileSetError("a sample must be [row, column]: rows of values, all of the same length")
    width = widths.pop()
    check_size(len(listed), width, "the sample")
    number: dict[Any, int] = {}
    cells = (cell for row in listed if row is not None for cell in row)
    try:
        numbers = [number.setdefault(to_python(cell), len(number)) for cell in cells]
    except TypeError as error:
        raise TileSetError(f"the values of a sample must be hashable: {error}") from None
    values = list(number)
    check_values(values)
    return Sample(np.array(numbers, np.int64).reshape(len(listed), width), values, False)


def to_python(value: Any) -> Any:
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


def check_values(values: list[Any]) -> None:
    """Raise for values that cannot be compared: NaN is not equal even to itself."""
    if any(isinstance(value, float) and isnan(value) for value in values):
        raise TileSetError(
            "a sample must not hold NaN: it equals nothing, not even itself; use another value"
        )


def share_values(samples: Sequence[Sample]) -> list[Sample]:
    """The same samples with one list of values for all; opaque colours gain a channel beside others."""
    if len(samples) == 1:
        return list(samples)
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
        sample._replace(numbers=numbers, values=every)
        for numbers, sample in zip(renumbered, samples, strict=True)
    ]


# --- samples that come with wavefold --------------------------------------------------------------


class Options(TypedDict):
    """The keywords of `learn`."""

    n: int
    symmetry: int | Literal["auto"]
    periodic: bool
    ground: bool


@cache
def read_table() -> dict[str, Any]:
    """{name: its table in samples.toml}."""
    return tomllib.loads((FOLDER / "samples.toml").read_text("utf-8"))


def samples() -> list[str]:
    """The names `learn` accepts for a path."""
    return sorted(read_table())


def is_sample(source: object) -> TypeGuard[str]:
    """Whether this is the bare name of a picture that comes with wavefold."""
    return isinstance(source, str) and source in read_table()


def describe_sample(name: str) -> str:
    """What the picture shows, in a line."""
    return str(find_sample(name)["description"])


def get_sample_options(name: str) -> Options:
    """How the picture was meant to be read: the keywords `learn` uses for it if not given.

    >>> get_sample_options("seabed")
    {'n': 3, 'symmetry': 2, 'periodic': True, 'ground': True}
    """
    table = find_sample(name)
    return {"n": 3, "symmetry": table["symmetry"], "periodic": True, "ground": table.get("ground", False)}


def get_sample_order(name: str) -> RecommendedOrder | None:
    """The order that suits maps of the picture, as it was meant to be read."""
    order: RecommendedOrder | None = find_sample(name).get("order")
    return order


def find_sample_path(name: str) -> Path:
    """Where the picture is."""
    find_sample(name)
    return FOLDER / f"{name}.png"


def find_sample(name: str) -> dict[str, Any]:
    """The table of that name."""
    if not is_sample(name):
        raise TileSetError(f"there is no sample {name!r}; {suggest(name, samples())}")
    table: dict[str, Any] = read_table()[name]
    return table
