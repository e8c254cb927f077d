"""From values at cells to what a problem takes: weights and masks [cell, pattern]."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isnan
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.fields.user_functions import Values, check_finite, evaluate

Range = Mapping[str, tuple[float, float]]  # {field: (lowest, highest)}, both included
Limits = Range | Sequence[Range]  # several: any of them will do

LEVEL = "level"  # in limits: the height a pattern stands at, unless there is a field of this name


def weight_factor(
    factor: Any, values: Values, count: int, describe: Callable[[int], str], name: object
) -> NDArray[np.float64]:
    """[cell]: what the weight of one tile is multiplied by.

    A factor is a number, an array [cell], or a function of the fields by name, which is given either
    whole arrays or, if it cannot take them, the numbers of one cell after the other.
    """
    what = f"the factor for {name!r}"
    if callable(factor):
        answer = evaluate(factor, [values], count, describe, what)
    else:
        answer = np.asarray(factor)
        if answer.shape not in ((), (count,)):
            raise ConfigError(f"{what} has shape {answer.shape}; it must be [cell] = {(count,)}")
        answer = np.broadcast_to(answer, count)
    numbers = check_finite(answer, describe, what)
    negative = np.flatnonzero(numbers < 0)
    if negative.size:
        cell = int(negative[0])
        raise ConfigError(
            f"{what} is {numbers[cell]:g} at {describe(cell)}; weights are at least 0: noise goes from "
            "-1 to 1, so use .clamp(0, 1) or .rescaled(0, 1)"
        )
    return numbers


def masks_from(
    values: Mapping[str, NDArray[np.float64]],
    patterns: Sequence[Any],
    names: Sequence[str],
    limits: Sequence[Limits],
    allowed_at: Callable[..., Any] | None,
    count: int,
    describe: Callable[[int], str],
) -> NDArray[np.bool_]:
    """bool [cell, pattern]: where every limit of a pattern holds, and `allowed_at` returns True.

    Parameters
    ----------
    values : {field: float64 [cell]}
    patterns, names, limits : for each pattern what `allowed_at` is given, its name and its limits
    allowed_at : a function (pattern, fields) -> bool, given whole arrays or one cell after the other
    count, describe : how many cells there are, and each of them in words
    """
    row_of, rows = mask_rows(values, patterns, names, [(own,) for own in limits], allowed_at, count, describe)
    return expand_rows(row_of, rows)


def mask_rows(
    values: Mapping[str, NDArray[np.float64]],
    patterns: Sequence[Any],
    names: Sequence[str],
    limits: Sequence[tuple[Limits, ...]],
    allowed_at: Callable[..., Any] | None,
    count: int,
    describe: Callable[[int], str],
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The same in few rows, for many patterns have the same limits: int [pattern] -> row, bool [row, cell].

    limits : several for each pattern, which must all hold
    """
    known = Values(values)
    different = {id(each): each for own in limits for each in own}
    spelled = {number: repr(each) for number, each in different.items()}
    found: dict[Any, int] = {}
    rows: list[NDArray[np.bool_]] = []
    row_of: list[int] = []
    for number, (pattern, name, own) in enumerate(zip(patterns, names, limits, strict=True)):
        level = getattr(pattern, LEVEL, None)
        same = (*(spelled[id(each)] for each in own), level, None if allowed_at is None else number)
        row = found.setdefault(same, len(rows))
        if row == len(rows):
            rows.append(
                np.logical_and.reduce([cells_within(each, known, count, name, level) for each in own])
            )
            if allowed_at is not None:
                rows[row] &= evaluate_allowed_at(allowed_at, pattern, name, known, count, describe)
        row_of.append(row)
    return np.array(row_of, np.int64), np.array(rows, np.bool_).reshape(-1, count)


def expand_rows(row_of: NDArray[np.int64], rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool [cell, pattern] out of [row, cell]."""
    return np.ascontiguousarray(rows.T).take(row_of, axis=1)


def cells_within(
    limits: Limits, values: Mapping[str, Any], count: int, tile: object, level: int | None = None
) -> NDArray[np.bool_]:
    """[cell]: where all limits of one tile hold; of several, where any of them does."""
    known = values if level is None or LEVEL in values else Values(values, **{LEVEL: level})
    holds = np.zeros(count, np.bool_)
    for each in read_ranges(limits, known, tile):
        inside = np.ones(count, np.bool_)
        for field, (low, high) in each.items():
            inside &= (known[field] >= low) & (known[field] <= high)
        holds |= inside
    return holds


def read_ranges(limits: Any, known: Collection[str], tile: object) -> list[dict[str, tuple[float, float]]]:
    """Limits as users write them: one range of each field, or several of them."""
    given = [limits] if isinstance(limits, Mapping) else limits
    if (
        not isinstance(given, list | tuple)
        or not given
        or not all(isinstance(each, Mapping) for each in given)
    ):
        raise ConfigError(
            f"tile {tile!r}: limits are written {{field: (lowest, highest)}}, or as a list of such; "
            f"got {limits!r}"
        )
    return [{field: read_limits(field, pair, known, tile) for field, pair in each.items()} for each in given]


def read_limits(field: Any, pair: Any, known: Collection[str], tile: object) -> tuple[float, float]:
    """Two numbers in order, infinite ones included, for a field there is."""
    if field not in known:
        raise ConfigError(
            f"tile {tile!r} has limits for a field {field!r} that does not exist; {suggest(field, known)}"
        )
    is_pair = isinstance(pair, tuple | list) and len(pair) == 2
    if not is_pair or not all(isinstance(end, Real) and not isnan(end) for end in pair):
        raise ConfigError(
            f"tile {tile!r}: limits for {field!r} are written (lowest, highest), two numbers; got {pair!r}"
        )
    low, high = float(pair[0]), float(pair[1])
    if low > high:
        raise ConfigError(f"tile {tile!r}: limits for {field!r} are {low:g} to {high:g}; the lowest is first")
    return low, high


def evaluate_allowed_at(
    allowed_at: Callable[..., Any],
    pattern: Any,
    name: str,
    values: Values,
    count: int,
    describe: Callable[[int], str],
) -> NDArray[np.bool_]:
    """[cell]: what `allowed_at` returns for one pattern."""
    what = f"allowed_at for {name!r}"
    answer = evaluate(lambda fields: allowed_at(pattern, fields), [values], count, describe, what)
    if answer.dtype != np.bool_:
        raise ConfigError(f"{what} must answer True or False; it gave values of type {answer.dtype}")
    return answer
