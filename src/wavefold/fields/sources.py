"""Sources of fields: expressions of noise, arrays, pictures and functions."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, FormatError, WavefoldError, suggest
from wavefold.fields.expression import Constant, Expression, FieldValues
from wavefold.fields.positions import Axes, CellPositions, describe_position
from wavefold.tiles.learning.samples import read_picture

if TYPE_CHECKING:
    from PIL import Image


NUMBER_KINDS = "biuf"  # `dtype.kind` of booleans, integers and floats
MOST_PIXELS = 8192 * 8192  # of a picture
SIXTEEN_BIT_MODES = {"I;16", "I;16L", "I;16B", "I;16N", "I"}
COLOUR_MODES = {"LA", "La", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV"}
# Functions (index, size) that continue arrays and pictures outside of their bounds.
BEYOND: dict[str, Callable[[NDArray[np.int64], int], NDArray[np.int64]]] = {
    "edge": lambda index, size: index.clip(0, size - 1),
    "repeat": lambda index, size: index % size,
    "mirror": lambda index, size: np.minimum(index % (2 * size), 2 * size - 1 - index % (2 * size)),
}

FieldLike: TypeAlias = "Expression | ArrayLike | Callable[..., object] | os.PathLike[str] | Image.Image"


class Values(dict[str, Any]):
    """{name: values of a field}, arrays [cell] or single numbers. Unknown names raise ConfigError."""

    def __missing__(self, name: object) -> Any:
        raise ConfigError(f"there is no field {name!r}; {suggest(name, self)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Values, (dict(self),)


def evaluate(
    function: Callable[..., Any],
    arguments: Sequence[NDArray[Any] | Mapping[str, NDArray[Any]]],
    count: int,
    describe: Callable[[int], str],
    what: str,
) -> NDArray[Any]:
    """[place]: the results of a function. Arguments are arrays [place], or mappings of them.

    The function is called with arrays first. If that fails (`if x > 3` does with an array), it is called for
    each place, with numbers. A single place is always passed as numbers: an array of one element can be used
    like a number by mistake.
    """
    if count > 1:
        try:
            with np.errstate(all="ignore"):  # check_finite reports them
                answer = np.asarray(function(*arguments))
        except WavefoldError:
            raise
        except Exception:  # the function may still accept numbers
            answer = np.empty(0)
        if answer.shape in ((), (count,)) and answer.dtype.kind in NUMBER_KINDS:
            return np.broadcast_to(answer, count)
    columns = [split_values(argument, count) for argument in arguments]
    return evaluate_each(function, zip(*columns, strict=True), describe, what)


def evaluate_each(
    function: Callable[..., Any],
    places: Iterable[tuple[Any, ...]],
    describe: Callable[[int], str],
    what: str,
) -> NDArray[Any]:
    """[place]: the results of one call per place, each a number or a boolean."""
    answers = []
    for place, arguments in enumerate(places):
        try:
            answer = function(*arguments)
        except WavefoldError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise ConfigError(f"{what} failed at {describe(place)}: {problem}") from error
        if np.ndim(answer) != 0 or np.asarray(answer).dtype.kind not in NUMBER_KINDS:
            raise ConfigError(f"{what} returned {answer!r} at {describe(place)}; it must return a number")
        answers.append(answer)
    return np.asarray(answers)


def split_values(argument: NDArray[Any] | Mapping[str, NDArray[Any]], count: int) -> Sequence[Any]:
    """Split an array, or a mapping of arrays, into one number or mapping per place."""
    if isinstance(argument, Mapping):
        if not argument:
            return [Values()] * count
        rows = zip(*(array.tolist() for array in argument.values()), strict=True)
        return [Values(zip(argument, row, strict=True)) for row in rows]
    numbers: list[Any] = argument.tolist()
    return numbers


def check_finite(values: NDArray[Any], describe: Callable[[int], str], what: str) -> NDArray[np.float64]:
    """Return values [place] as float64. Raises ConfigError for the first place without a finite number."""
    if values.dtype.kind not in NUMBER_KINDS:
        raise ConfigError(f"{what} must have numbers, not values of type {values.dtype}")
    numbers = values.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if wrong.size:
        place = int(wrong[0])
        raise ConfigError(f"{what} is {numbers[place]} at {describe(place)}; it must be a finite number")
    return numbers


class Source(ABC):
    """A source of the values of one field. `what` is the description of the field in messages."""

    @abstractmethod
    def at(self, places: CellPositions, what: str) -> FieldValues:
        """float64 [cell]: the values at all cells."""

    @abstractmethod
    def sample(self, axes: Axes, what: str) -> FieldValues:
        """float64 [place]: the values at any places of the plane or of space."""

    @abstractmethod
    def digest(self, what: str) -> str:
        """A digest of the source, the same on every machine."""


@dataclass(frozen=True, repr=False)
class ExpressionSource(Source):
    """Noise, or an expression of noise."""

    expression: Expression

    def at(self, places: CellPositions, what: str) -> FieldValues:
        require_positions(places, what)
        return check_finite(self._values(places.axes()), places.describe, what)

    def sample(self, axes: Axes, what: str) -> FieldValues:
        return check_finite(self._values(axes), lambda place: describe_position(axes, place), what)

    def _values(self, axes: Axes) -> FieldValues:
        with np.errstate(all="ignore"):  # check_finite reports them
            return self.expression.values([axis.astype(np.float64) for axis in axes])

    def digest(self, what: str) -> str:
        # The repr has all parameters. Increase the number whenever the values of noise change.
        return blake2b(f"noise 1/{self.expression!r}".encode(), digest_size=16).hexdigest()

    def __repr__(self) -> str:
        return repr(self.expression)


@dataclass(frozen=True, repr=False, eq=False)
class ArraySource(Source):
    """A read-only array: [cell], or in the shape of the topology."""

    array: FieldValues
    beyond: str | None = None  # how it is continued outside; see `Fields.beyond`

    kind = "array"

    def at(self, places: CellPositions, what: str) -> FieldValues:
        if places.origin is not None:
            return self.sample(tuple(places.cells), what)
        if self.array.shape == (places.count,):
            return self.array.copy()
        shape = places.topology.shape
        if shape is None or self.array.shape != shape:
            rows = "" if shape is None else f"{shape} or "
            raise ConfigError(
                f"{what} has shape {self.array.shape}, but {places.topology!r} needs {rows}"
                f"{(places.count,)}, one number per cell"
            )
        return self.array[places.box]

    def sample(self, axes: Axes, what: str) -> FieldValues:
        """The values of the nearest cells. Raises ConfigError outside, unless `beyond` is set."""
        if self.array.ndim != len(axes):
            raise ConfigError(
                f"{what} is an array of shape {self.array.shape}; it has no values at places with "
                f"{len(axes)} coordinates"
            )
        return self.array[find_nearest_cells(axes, self.array.shape, self.beyond, what)]

    def digest(self, what: str) -> str:
        return self._digest

    @cached_property
    def _digest(self) -> str:
        beyond = f" {self.beyond}" if self.beyond else ""
        content = blake2b(f"{self.kind} {self.array.shape}{beyond}".encode(), digest_size=16)
        content.update(self.array.astype("<f8").tobytes())
        return content.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArraySource) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"<{self.kind} {' x '.join(map(str, self.array.shape))}>"


class PictureSource(ArraySource):
    """Grey values from 0 to 1 [row, column], stretched over the whole map; for cubes, over each layer."""

    kind = "picture"

    def at(self, places: CellPositions, what: str) -> FieldValues:
        require_positions(places, what)
        if places.origin is not None:
            return self.sample(tuple(places.cells), what)
        across, down = places.pixels(self.array.shape)
        return self.array[down, across]

    def sample(self, axes: Axes, what: str) -> FieldValues:
        """The values of the nearest pixels, one pixel per cell; for cubes the same in each layer."""
        return super().sample(axes[:2], what)

    def __repr__(self) -> str:
        height, width = self.array.shape
        return f"<picture of {width} x {height} pixels>"


@dataclass(frozen=True, repr=False)
class FunctionSource(Source):
    """A function of the position; for graphs, of the cell."""

    function: Callable[..., Any]

    def at(self, places: CellPositions, what: str) -> FieldValues:
        if places.in_space:
            values = evaluate(self.function, places.axes(), places.count, places.describe, what)
        else:
            cells = ((places.topology.coordinate(cell),) for cell in range(places.count))
            values = evaluate_each(self.function, cells, places.describe, what)
        return check_finite(values, places.describe, what)

    def sample(self, axes: Axes, what: str) -> FieldValues:
        def describe(place: int) -> str:
            return describe_position(axes, place)

        return check_finite(evaluate(self.function, axes, len(axes[0]), describe, what), describe, what)

    def digest(self, what: str) -> str:
        raise ConfigError(f"{what} is a function, which has no digest; use noise, or an array of its values")

    def __repr__(self) -> str:
        return f"<function {getattr(self.function, '__name__', type(self.function).__name__)}>"


def make_source(name: str, given: Any) -> Source:
    """Make the source of a field from an argument of `Fields`. Arrays and files are read immediately."""
    if isinstance(given, Source):
        return given
    if isinstance(given, Expression):
        return ExpressionSource(given)
    if isinstance(given, Real) and not isinstance(given, bool):
        return ExpressionSource(Constant(given))  # type: ignore[arg-type]
    if isinstance(given, str | os.PathLike) or is_picture(given):
        return PictureSource(make_read_only(read_heights(given, f"field {name!r}")))
    if callable(given):
        return FunctionSource(given)
    if isinstance(given, list | tuple) or hasattr(given, "__array__"):
        return ArraySource(make_read_only(read_array(given, f"field {name!r}")))
    raise ConfigError(
        f"field {name!r} must be noise, an array, a function of x and y, or a picture, not {given!r}"
    )


def read_array(given: Any, what: str) -> FieldValues:
    """Copy an array as finite numbers."""
    try:
        array = np.asarray(given)
    except ValueError:
        raise ConfigError(f"{what}: all rows of an array must have the same length") from None
    if array.ndim not in (1, 2, 3):
        raise ConfigError(f"{what} has shape {array.shape}; it must be [cell] or [row, column]")

    def describe(place: int) -> str:
        return str([int(each) for each in np.unravel_index(place, array.shape)])

    return check_finite(array.ravel(), describe, what).reshape(array.shape) + 0.0  # -0.0 is 0.0


def make_read_only(array: FieldValues) -> FieldValues:
    """Make an array read-only, and return it."""
    array.flags.writeable = False
    return array


def require_positions(places: CellPositions, what: str) -> None:
    """Raise ConfigError if the cells have no positions, as in graphs."""
    if not places.in_space:
        raise ConfigError(
            f"{what} needs positions, but cells of a {places.topology.kind} have none; "
            "use an array [cell] or a function of the cell"
        )


def find_nearest_cells(
    axes: Axes, shape: tuple[int, ...], beyond: str | None, what: str
) -> tuple[NDArray[np.int64], ...]:
    """The index (row, column) or (layer, row, column) of the cell nearest to each place."""
    with np.errstate(invalid="ignore"):  # NaN and infinity become indices far outside
        index = tuple(np.floor(axis + 0.5).astype(np.int64) for axis in axes[::-1])
    if beyond is not None:
        return tuple(BEYOND[beyond](axis, size) for axis, size in zip(index, shape, strict=True))
    inside = np.ones(len(axes[0]), bool)
    for axis, size in zip(index, shape, strict=True):
        inside &= (axis >= 0) & (axis < size)
    if not inside.all():
        ends = zip("xyz", shape[::-1], strict=False)
        extent = " and ".join(f"{name} from 0 to {size - 1}" for name, size in ends)
        where = describe_position(axes, int(inside.argmin()))
        raise ConfigError(
            f"{what} has no value at {where}, only for {extent}; continue it with Fields.beyond"
        )
    return index


# --- height maps ----------------------------------------------------------------------------------


def is_picture(given: object) -> bool:
    """Whether this is a Pillow image. Does not import Pillow."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(given, pillow.Image)


def read_heights(given: Any, what: str) -> NDArray[np.float64]:
    """[row, column]: the grey values of a Pillow image or a file, from 0 (black) to 1 (white)."""
    if is_picture(given):
        return convert_image(given, f"{what}: the picture")
    path = os.fspath(given)
    return read_picture(path, f"{what}: {path}", convert_image)


def convert_image(image: Any, name: str) -> NDArray[np.float64]:
    """Convert a Pillow image. The size is checked before decoding: a small file can declare a huge image."""
    width, height = image.size
    if width < 1 or height < 1 or width * height > MOST_PIXELS:
        raise FormatError(
            f"{name} has {width:,} x {height:,} pixels; the number must be from 1 to {MOST_PIXELS:,}"
        )
    try:
        return read_grey_values(image, name)
    except FormatError:
        raise
    except Exception as error:  # damaged files make Pillow raise errors of many types
        raise FormatError(f"{name} is damaged: {error}; save it again, for example as PNG") from error


def read_grey_values(image: Any, name: str) -> NDArray[np.float64]:
    """The grey values of an image. Colours have their luminance; transparency is ignored."""
    if image.mode == "1":
        return np.asarray(image.convert("L")) / 255.0
    if image.mode == "L":
        return np.asarray(image) / 255.0
    if image.mode in SIXTEEN_BIT_MODES:
        pixels = np.asarray(image).astype(np.int64)
        if pixels.min() < 0 or pixels.max() > 65535:
            raise FormatError(f"{name} has values below 0 or above 65535; save it with 16 bits per pixel")
        return pixels / 65535.0
    if image.mode not in COLOUR_MODES:
        raise FormatError(f"{name} has pixels in mode {image.mode!r}; save it in grey, with 8 or 16 bits")
    red, green, blue = np.moveaxis(np.asarray(image.convert("RGB")).astype(np.int64), 2, 0)
    luminance: NDArray[np.int64] = 299 * red + 587 * green + 114 * blue
    return luminance / 255000.0  # equal to the values of a grey picture where it is grey
