"""Sources of fields: noise, arrays, pictures and functions."""

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
from wavefold.fields.expression import Constant, Expression, Numbers
from wavefold.fields.positions import Axes, CellPositions, describe_position
from wavefold.tiles.learning.samples import read_picture

if TYPE_CHECKING:
    from PIL import Image


NUMBERS = "biuf"  # NumPy's letters for truth values, whole and real numbers


class Values(dict[str, Any]):
    """Fields by name, each an array [cell] or the number of one cell. Unknown names raise ConfigError."""

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
    """[place]: what the function returns. Arguments are arrays [place], or mappings of them.

    The function is called with arrays first. If that fails (`if x > 3` needs one truth value), it is called
    for each place, with plain numbers. A single place always gets plain numbers: an array of one element
    would pass for a number.
    """
    if count > 1:
        try:
            with np.errstate(all="ignore"):  # check_finite reports values that are not finite
                answer = np.asarray(function(*arguments))
        except WavefoldError:
            raise
        except Exception:  # the function may still take plain numbers
            answer = np.empty(0)
        if answer.shape in ((), (count,)) and answer.dtype.kind in NUMBERS:
            return np.broadcast_to(answer, count)
    columns = [split_values(argument, count) for argument in arguments]
    return evaluate_each(function, zip(*columns, strict=True), describe, what)


def evaluate_each(
    function: Callable[..., Any],
    places: Iterable[tuple[Any, ...]],
    describe: Callable[[int], str],
    what: str,
) -> NDArray[Any]:
    """[place]: the results of one call per place, each a number or a truth value."""
    answers = []
    for place, arguments in enumerate(places):
        try:
            answer = function(*arguments)
        except WavefoldError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise ConfigError(f"{what} fails at {describe(place)}: {problem}") from error
        if np.ndim(answer) != 0 or np.asarray(answer).dtype.kind not in NUMBERS:
            raise ConfigError(f"{what} returns {answer!r} at {describe(place)}; it must be a number")
        answers.append(answer)
    return np.asarray(answers)


def split_values(argument: NDArray[Any] | Mapping[str, NDArray[Any]], count: int) -> Sequence[Any]:
    """One plain number, or one mapping of them, per place."""
    if isinstance(argument, Mapping):
        if not argument:
            return [Values()] * count
        rows = zip(*(array.tolist() for array in argument.values()), strict=True)
        return [Values(zip(argument, row, strict=True)) for row in rows]
    numbers: list[Any] = argument.tolist()
    return numbers


def check_finite(values: NDArray[Any], describe: Callable[[int], str], what: str) -> NDArray[np.float64]:
    """[place] as finite numbers; raises ConfigError with the first place that has none."""
    if values.dtype.kind not in NUMBERS:
        raise ConfigError(f"{what} must have numbers; got values of type {values.dtype}")
    numbers = values.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if wrong.size:
        place = int(wrong[0])
        raise ConfigError(f"{what} is {numbers[place]} at {describe(place)}; it must be a finite number")
    return numbers


FieldLike: TypeAlias = "Expression | ArrayLike | Callable[..., object] | os.PathLike[str] | Image.Image"

MOST_PIXELS = 8192 * 8192
SIXTEEN_BIT_MODES = {"I;16", "I;16L", "I;16B", "I;16N", "I"}
COLOUR_MODES = {"LA", "La", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV"}

# How arrays and pictures continue outside: with the nearest value, repeated, or back and forth.
BEYOND: dict[str, Callable[[NDArray[np.int64], int], NDArray[np.int64]]] = {
    "edge": lambda index, size: index.clip(0, size - 1),
    "repeat": lambda index, size: index % size,
    "mirror": lambda index, size: np.minimum(index % (2 * size), 2 * size - 1 - index % (2 * size)),
}


class Source(ABC):
    """Where the values of one field come from. `what` names the field in messages."""

    @abstractmethod
    def at(self, places: CellPositions, what: str) -> Numbers:
        """[cell]: the value at every cell."""

    @abstractmethod
    def sample(self, axes: Axes, what: str) -> Numbers:
        """[place]: the value at any places of the plane (or of space)."""

    @abstractmethod
    def digest(self, what: str) -> str:
        """A digest of the content, equal on every machine."""


@dataclass(frozen=True, repr=False)
class ExpressionSource(Source):
    """Noise, or an expression of noise."""

    expression: Expression

    def at(self, places: CellPositions, what: str) -> Numbers:
        require_positions(places, what)
        return check_finite(self._values(places.axes()), places.describe, what)

    def sample(self, axes: Axes, what: str) -> Numbers:
        return check_finite(self._values(axes), lambda place: describe_position(axes, place), what)

    def _values(self, axes: Axes) -> Numbers:
        with np.errstate(all="ignore"):  # what is not finite is reported with its place
            return self.expression.values([axis.astype(np.float64) for axis in axes])

    def digest(self, what: str) -> str:
        # The repr has all parameters. Raise the number if the values of noise ever change.
        return blake2b(f"noise 1/{self.expression!r}".encode(), digest_size=16).hexdigest()

    def __repr__(self) -> str:
        return repr(self.expression)


@dataclass(frozen=True, repr=False, eq=False)
class ArraySource(Source):
    """Numbers in a read-only array: [cell], or in rows and columns."""

    array: Numbers
    beyond: str | None = None  # how it continues outside, in a world; None: it does not

    kind = "array"

    def at(self, places: CellPositions, what: str) -> Numbers:
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

    def sample(self, axes: Axes, what: str) -> Numbers:
        """The value of the nearest cell; raises outside, unless `beyond` continues the array."""
        if self.array.ndim != len(axes):
            raise ConfigError(
                f"{what} is an array of shape {self.array.shape}: it has no values at places with "
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
    """Grey values from 0 to 1 [row, column], stretched over the whole map; on cubes, over every layer."""

    kind = "picture"

    def at(self, places: CellPositions, what: str) -> Numbers:
        require_positions(places, what)
        if places.origin is not None:
            return self.sample(tuple(places.cells), what)
        across, down = places.pixels(self.array.shape)
        return self.array[down, across]

    def sample(self, axes: Axes, what: str) -> Numbers:
        """The nearest pixel, one per cell; on cubes the same in every layer."""
        return super().sample(axes[:2], what)

    def __repr__(self) -> str:
        height, width = self.array.shape
        return f"<picture of {width} x {height} pixels>"


@dataclass(frozen=True, repr=False)
class FunctionSource(Source):
    """A function of the place, or on graphs of the cell itself."""

    function: Callable[..., Any]

    def at(self, places: CellPositions, what: str) -> Numbers:
        if places.in_space:
            values = evaluate(self.function, places.axes(), places.count, places.describe, what)
        else:
            cells = ((places.topology.coordinate(cell),) for cell in range(places.count))
            values = evaluate_each(self.function, cells, places.describe, what)
        return check_finite(values, places.describe, what)

    def sample(self, axes: Axes, what: str) -> Numbers:
        def describe(place: int) -> str:
            return describe_position(axes, place)

        return check_finite(evaluate(self.function, axes, len(axes[0]), describe, what), describe, what)

    def digest(self, what: str) -> str:
        raise ConfigError(
            f"{what} is a function, which has no digest; use noise, or give its values as an array"
        )

    def __repr__(self) -> str:
        return f"<function {getattr(self.function, '__name__', type(self.function).__name__)}>"


def make_source(name: str, given: Any) -> Source:
    """The source of a field from what the user gives. Arrays and files are read once, here."""
    if isinstance(given, Source):
        return given
    if isinstance(given, Expression):
        return ExpressionSource(given)
    if isinstance(given, Real) and not isinstance(given, bool):
        return ExpressionSource(Constant(given))  # type: ignore[arg-type]
    if isinstance(given, str | os.PathLike) or is_picture(given):
        return PictureSource(freeze(read_heights(given, f"field {name!r}")))
    if callable(given):
        return FunctionSource(given)
    if isinstance(given, list | tuple) or hasattr(given, "__array__"):
        return ArraySource(freeze(read_array(given, f"field {name!r}")))
    raise ConfigError(
        f"field {name!r} must be noise, an array, a function of x and y, or a picture; got {given!r}"
    )


def read_array(given: Any, what: str) -> Numbers:
    """A copy, as finite numbers."""
    try:
        array = np.asarray(given)
    except ValueError:
        raise ConfigError(f"{what} must be an array: all its rows must have the same length") from None
    if array.ndim not in (1, 2, 3):
        raise ConfigError(f"{what} has shape {array.shape}; it must be [cell] or [row, column]")

    def describe(place: int) -> str:
        return str([int(each) for each in np.unravel_index(place, array.shape)])

    return check_finite(array.ravel(), describe, what).reshape(array.shape) + 0.0  # -0.0 is 0.0


def freeze(array: Numbers) -> Numbers:
    """The same array, read-only."""
    array.flags.writeable = False
    return array


def require_positions(places: CellPositions, what: str) -> None:
    """Raise if the cells have no positions, as on graphs."""
    if not places.in_space:
        raise ConfigError(
            f"{what} needs positions, which cells of a {places.topology.kind} have not: "
            "give an array [cell] or a function of the cell"
        )


def find_nearest_cells(
    axes: Axes, shape: tuple[int, ...], beyond: str | None, what: str
) -> tuple[NDArray[np.int64], ...]:
    """The index [row, column] (or [layer, row, column]) of the nearest cell to each place."""
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
            f"{what} has no value at {where}, only for {extent}; continue it outside with Fields.beyond"
        )
    return index


# --- height maps ----------------------------------------------------------------------------------


def is_picture(given: object) -> bool:
    """Whether this is a Pillow image; without Pillow loaded there can be none."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(given, pillow.Image)


def read_heights(given: Any, what: str) -> NDArray[np.float64]:
    """[row, column] of grey values from 0 (black) to 1 (white), of a Pillow image or a file."""
    if is_picture(given):
        return from_image(given, f"{what}: the picture")
    path = os.fspath(given)
    return read_picture(path, f"{what}: {path}", from_image)


def from_image(image: Any, name: str) -> NDArray[np.float64]:
    """The size is checked before a pixel is decoded: a small file may claim a huge picture."""
    width, height = image.size
    if width < 1 or height < 1 or width * height > MOST_PIXELS:
        raise FormatError(f"{name} has {width:,} x {height:,} pixels; at least one, at most {MOST_PIXELS:,}")
    try:
        return read_grey_values(image, name)
    except FormatError:
        raise
    except Exception as error:  # Pillow raises many kinds of errors for damaged files
        raise FormatError(f"{name} is damaged: {error}") from error


def read_grey_values(image: Any, name: str) -> NDArray[np.float64]:
    """Whole numbers, divided once. Colours count by their luminance; transparency does not count."""
    if image.mode == "1":
        return np.asarray(image.convert("L")) / 255.0
    if image.mode == "L":
        return np.asarray(image) / 255.0
    if image.mode in SIXTEEN_BIT_MODES:
        pixels = np.asarray(image).astype(np.int64)
        if pixels.min() < 0 or pixels.max() > 65535:
            raise FormatError(f"{name} has values outside 0 to 65535; save it with 16 bits per pixel")
        return pixels / 65535.0
    if image.mode not in COLOUR_MODES:
        raise FormatError(f"{name} has pixels of kind {image.mode!r}; save it with 8 or 16 bits, in grey")
    red, green, blue = np.moveaxis(np.asarray(image.convert("RGB")).astype(np.int64), 2, 0)
    luminance: NDArray[np.int64] = 299 * red + 587 * green + 114 * blue
    return luminance / 255000.0  # equal to the values of a grey picture where it is grey
