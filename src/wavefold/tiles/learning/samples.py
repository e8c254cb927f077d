"""Read samples from paths, bundled samples, images, arrays or rows of values.

Bundled samples are pictures in `data/samples/`; `samples.toml` has their descriptions and options.
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
# Pillow runs external programs for some other formats.
SAMPLE_FORMATS = ("PNG", "GIF", "BMP", "JPEG", "WEBP", "TIFF", "TGA", "PPM", "PCX")
LOSSY_FORMATS = ("JPEG", "MPO")  # MPO: some JPEG files of cameras
EIGHT_BIT_MODES = {"1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV"}
SAMPLES_FOLDER = Path(str(files("wavefold"))) / "data" / "samples"

Content = TypeVar("Content")


class Sample(NamedTuple):
    """A sample: the number of the value in each cell, and the values by number."""

    numbers: NDArray[np.int64]  # [row, column]
    values: Sequence[Any]
    coloured: bool  # values are colours: tuples of 3 or 4 numbers from 0 to 255
    lossy: bool = False  # from a JPEG file


def split_samples(source: Any) -> list[Any]:
    """Return the samples in a list, or the single sample. Rows of values are one sample; texts are paths."""
    if not isinstance(source, list | tuple):
        return [source]
    return [source] if source and all(is_row(each) for each in source) else list(source)


def read_samples(sources: Iterable[Any]) -> list[Sample]:
    """Read samples and number their values in the same way."""
    samples = [read_sample(each) for each in sources]
    if not samples:
        raise TileSetError("the list of samples is empty")
    if len({sample.coloured for sample in samples}) > 1:
        raise TileSetError("pictures and arrays of other values cannot be learned together")
    return merge_values(samples)


def is_row(source: Any) -> bool:
    """Whether this is a row of values. Tuples in it are values; lists in it are rows."""
    if isinstance(source, np.ndarray):
        return source.ndim == 1
    return isinstance(source, list | tuple) and not any(
        isinstance(each, list | np.ndarray) for each in source
    )


def find_reader(ability: str, source: Any) -> Callable[..., list[Any]] | None:
    """The function of a map format that reads samples from this path; None for pictures and arrays."""
    return find_function(source, ability) if isinstance(source, str | os.PathLike) else None


def read_sample(source: Any) -> Sample:
    """Read a sample from a path, the name of a bundled sample, a Pillow image or an array."""
    if reader := find_reader("read_sample", source):
        return convert_rows(reader(source))
    if isinstance(source, str | os.PathLike):
        return read_sample_file(find_sample_path(source) if is_sample(source) else source)
    if isinstance(source, list | tuple):
        return convert_rows(source)
    if not isinstance(source, np.ndarray):
        from PIL import Image

        if isinstance(source, Image.Image):
            return convert_image(source, "the picture")
        if not hasattr(source, "__array__"):
            raise TileSetError(
                f"a sample must be a path, a Pillow image or an array [row, column], not {shorten(source)}"
            )
        source = np.asarray(source)
    return convert_array(source)


def read_sample_file(path: str | os.PathLike[str]) -> Sample:
    """Read a picture file."""
    bare = Path(path).stem == str(path)  # possibly a misspelled name
    hint = f", or the name of a sample: {suggest(path, samples())}" if bare else ""
    return read_picture(path, str(path), convert_image, SAMPLE_FORMATS, hint)


def read_picture(
    path: str | os.PathLike[str],
    name: str,
    read: Callable[[Any, str], Content],
    formats: tuple[str, ...] | None = None,
    hint: str = "",
) -> Content:
    """Open a picture with Pillow and return the result of `read`; errors name the file.

    formats : the formats to accept, by Pillow's names; None: all
    hint : appended to the error for a missing file
    """
    from PIL import Image, UnidentifiedImageError

    note_read(path)
    try:
        if Path(path).exists() and not Path(path).is_file():  # opening a pipe would block
            raise FormatError(f"{name} is not a file; expected a picture such as a PNG")
        with Image.open(path, formats=formats) as image:
            return read(image, name)
    except FileNotFoundError:
        raise FormatError(f"{name}: no such file; expected a picture such as a PNG{hint}") from None
    except UnidentifiedImageError:
        raise FormatError(f"{name} is not a picture in a supported format; save it as PNG") from None
    except WavefoldError:
        raise
    except Exception as error:  # damaged files make Pillow raise errors of many types
        raise FormatError(f"{name} cannot be read as a picture: {error}") from error


def convert_image(image: Any, name: str) -> Sample:
    """Convert a Pillow image. The size is checked before decoding: a small file can declare a huge image."""
    check_size(image.height, image.width, name)
    if image.mode not in EIGHT_BIT_MODES:
        raise FormatError(f"{name} has pixels in mode {image.mode!r}; save it with 8 bits per channel")
    try:
        pixels = np.asarray(image.convert("RGBA" if image.has_transparency_data else "RGB"))
    except Exception as error:  # damaged files
        raise FormatError(f"{name} is damaged: {error}; save it again, for example as PNG") from error
    return convert_array(pixels, name)._replace(lossy=image.format in LOSSY_FORMATS)


def convert_array(array: NDArray[Any], name: str = "the sample") -> Sample:
    """Convert an array [row, column] of any values, or uint8 [row, column, RGB or RGBA]."""
    if array.ndim == 3 and array.shape[2] in (3, 4) and array.dtype == np.uint8:
        return convert_colours(array, name)
    if array.ndim != 2:
        raise TileSetError(
            f"{name} is an array {array.dtype} {array.shape}; it must be [row, column] of values, "
            "or uint8 [row, column, RGB or RGBA] of colours"
        )
    check_size(array.shape[0], array.shape[1], name)
    if array.dtype == object:
        return convert_rows(array.tolist())
    found, numbers = number_values(array)
    values = found.tolist()
    check_values(values)
    return Sample(numbers, values, False)


def convert_colours(array: NDArray[np.uint8], name: str) -> Sample:
    """Convert an array of colours; each colour is one value."""
    check_size(array.shape[0], array.shape[1], name)
    numbers, colours = number_colours(array)
    return Sample(numbers, colours, True)


def convert_rows(rows: Sequence[Any]) -> Sample:
    """Convert rows of hashable values. An array of numbers and text would convert the numbers to text."""
    listed = [list(to_python(row)) if is_row(row) else None for row in rows]
    widths = {-1 if row is None else len(row) for row in listed}
    if len(widths) != 1 or -1 in widths:
        raise TileSetError("a sample must be [row, column]: all rows need the same length")
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
    """Convert a NumPy value to a Python object."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def check_size(height: int, width: int, name: str) -> None:
    """Raise for an empty or a too large sample."""
    if height < 1 or width < 1:
        raise TileSetError(f"{name} is empty: it has {height} rows and {width} columns")
    if height * width > MOST_PIXELS:
        raise TileSetError(
            f"{name} is {width:,} x {height:,}, more than {MOST_PIXELS:,} cells; learn from a part of it"
        )


def check_values(values: list[Any]) -> None:
    """Raise if a value is NaN, which does not equal itself."""
    if any(isinstance(value, float) and isnan(value) for value in values):
        raise TileSetError("a sample must not contain NaN; use another value")


def merge_values(samples: Sequence[Sample]) -> list[Sample]:
    """Number the values of all samples in the same way.

    If some samples have an alpha channel, it is added to the others.
    """
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


# --- bundled samples ------------------------------------------------------------------------------


class LearnSettings(TypedDict):
    """The keywords of `learn`."""

    n: int
    symmetry: int | Literal["auto"]
    periodic: bool
    ground: bool


@cache
def read_sample_table() -> dict[str, Any]:
    """{name: table in samples.toml}."""
    return tomllib.loads((SAMPLES_FOLDER / "samples.toml").read_text("utf-8"))


def samples() -> list[str]:
    """The names of the bundled samples."""
    return sorted(read_sample_table())


def is_sample(source: object) -> TypeGuard[str]:
    """Whether this is the name of a bundled sample."""
    return isinstance(source, str) and source in read_sample_table()


def describe_sample(name: str) -> str:
    """The description of a bundled sample, in one line."""
    return str(find_sample(name)["description"])


def get_sample_options(name: str) -> LearnSettings:
    """The default keywords of `learn` for a bundled sample.

    >>> get_sample_options("seabed")
    {'n': 3, 'symmetry': 2, 'periodic': True, 'ground': True}
    """
    table = find_sample(name)
    return {"n": 3, "symmetry": table["symmetry"], "periodic": True, "ground": table.get("ground", False)}


def get_sample_order(name: str) -> RecommendedOrder | None:
    """The recommended order for maps of a bundled sample."""
    order: RecommendedOrder | None = find_sample(name).get("order")
    return order


def find_sample_path(name: str) -> Path:
    """The path of a bundled sample."""
    find_sample(name)
    return SAMPLES_FOLDER / f"{name}.png"


def find_sample(name: str) -> dict[str, Any]:
    """The table of a bundled sample. Raises TileSetError for an unknown name."""
    if not is_sample(name):
        raise TileSetError(f"there is no sample {name!r}; {suggest(name, samples())}")
    table: dict[str, Any] = read_sample_table()[name]
    return table
