"""Parameters as users write them: parsed, checked, and kept in a form that compares and hashes."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod
from typing import Any, NoReturn, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, FormatError, TileSetError

Item = TypeVar("Item")
Wraps: TypeAlias = bool | tuple[bool, ...]


class LimitError(FormatError, TileSetError):
    """There is more than a limit allows.

    limit : the name of the limit
    most : its value
    """

    def __init__(self, message: str, limit: str, most: int) -> None:
        super().__init__(message)
        self.limit, self.most = limit, most

    def __reduce__(self) -> tuple[type, tuple[str, str, int]]:
        return type(self), (str(self), self.limit, self.most)


def fail_limit(fail: Callable[[str], NoReturn], problem: str, limit: str, most: int) -> NoReturn:
    """Raise what `fail(problem)` raises, which says where in the file it is, as a `LimitError`."""
    try:
        fail(problem)
    except FormatError as error:
        raise LimitError(str(error), limit, most) from None


def parse_integer(value: object) -> int | None:
    """The whole number this is, or None. True and 3.0 are not: they are slips more often than meant."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def parse_in_range(name: str, value: object, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    number = parse_integer(value)
    if number is None or not low <= number <= high:
        raise ConfigError(f"{name} must be a whole number from {low:,} to {high:,}, not {value!r}")
    return number


def require_integer(name: str, value: object) -> int:
    """A whole number, or a ConfigError that names the argument."""
    if (number := parse_integer(value)) is None:
        raise ConfigError(f"{name} must be a whole number, not {value!r}")
    return number


def parse_seed(seed: object) -> int:
    """A seed: any whole number, whatever its size."""
    if (number := parse_integer(seed)) is None:
        raise ConfigError(f"a seed is a whole number, not {seed!r}")
    return number


def check_type(name: str, value: object, kinds: type | tuple[type, ...], accepted: str) -> None:
    """Raise unless this is of one of these classes; `accepted` says which, such as "a Problem"."""
    if not isinstance(value, kinds):
        raise ConfigError(f"{name} must be {accepted}, not {shorten(value)}")


def check_path(name: str, value: object) -> None:
    """Raise unless this is the path of a file."""
    check_type(name, value, (str, os.PathLike), "a str or a Path")


def parse_list(name: str, values: Iterable[Item]) -> list[Item]:
    """The items, or a ConfigError that names the argument."""
    check_type(name, values, Iterable, "a list")
    return list(values)


def check_flag(name: str, value: object) -> None:
    """Raise unless this is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ConfigError(f"{name} must be True or False, not {value!r}")


def check_function(name: str, value: object) -> None:
    """Raise unless this can be called, or is None."""
    if value is not None and not callable(value):
        raise ConfigError(f"{name} must be a function, not {value!r}")


def parse_size(name: str, value: object, smallest: int = 1) -> int:
    """A number of cells, at least `smallest`."""
    number = parse_integer(value)
    if number is None or number < smallest:
        noun = "a radius starts" if name == "radius" else "sizes start"
        raise ConfigError(f"{name} must be a whole number: {noun} at {smallest}; got {value!r}")
    return number


def parse_wraps(wraps: object, axes: str) -> tuple[bool, ...]:
    """Whether each axis joins its two ends, from one answer for all or one for each."""
    if isinstance(wraps, bool | np.bool_):
        return (bool(wraps),) * len(axes)
    if isinstance(wraps, tuple | list) and len(wraps) == len(axes):
        if all(isinstance(each, bool | np.bool_) for each in wraps):
            return tuple(bool(each) for each in wraps)
    raise ConfigError(
        f"wraps must be True, False or one of them for each axis ({', '.join(axes)}); got {wraps!r}"
    )


def format_wraps(wraps: object, axes: str) -> str:
    """The end of a repr: nothing for a grid with edges all round."""
    each = parse_wraps(wraps, axes)
    if not any(each):
        return ""
    return f", wraps={True if all(each) else each}"


@dataclass(frozen=True, slots=True, repr=False)
class Mask:
    """Which cells of a bounding box exist, packed so that equal masks compare and hash equal."""

    shape: tuple[int, ...]
    bits: bytes

    @classmethod
    def of(cls, mask: MaskLike, shape: tuple[int, ...]) -> Mask:
        """A mask for exactly this shape, from a bool array or from another grid's mask."""
        array = mask.array if isinstance(mask, Mask) else _rectangular(mask)
        if array.dtype != np.bool_:
            raise ConfigError(
                f"mask must hold True where a cell exists and False where it is missing; "
                f"got values of type {array.dtype}"
            )
        if array.shape != shape:
            raise ConfigError(
                f"mask has shape {array.shape} but this grid needs {shape} ({_axes(len(shape))})"
            )
        return cls(shape, np.packbits(array).tobytes())

    @property
    def array(self) -> NDArray[np.bool_]:
        """[row, column] or [layer, row, column], True where the cell exists."""
        bits = np.unpackbits(np.frombuffer(self.bits, np.uint8), count=prod(self.shape))
        return bits.astype(np.bool_).reshape(self.shape)

    def __repr__(self) -> str:
        return f"<{np.count_nonzero(self.array)} of {prod(self.shape)} cells>"


MaskLike: TypeAlias = Mask | ArrayLike


def _rectangular(mask: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(mask)
    except ValueError as error:
        raise ConfigError("mask must be an array: all its rows must have the same length") from error


def _axes(count: int) -> str:
    return "rows, columns" if count == 2 else "layers, rows, columns"


def shorten(value: object) -> str:
    """The repr of a value for a message, cut after 57 characters."""
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}…"


def format_count(number: int, noun: str) -> str:
    """`1 grid`, `2 grids`."""
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def parse_colour(text: object) -> bytes | None:
    """Red, green, blue (and opacity) of "#70ac52", "#70ac5280" or a name such as "olive"; else None."""
    from PIL import ImageColor

    try:
        return bytes(ImageColor.getrgb(str(text)))
    except ValueError:
        return None
