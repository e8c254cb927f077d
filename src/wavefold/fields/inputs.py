"""From values at cells to what a problem takes: weights and masks [cell, pattern]."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.fields.calling import Values, ask, finite

__all__ = ["Limits", "masks_from", "weight_factor", "within"]

Limits = Mapping[str, tuple[float, float]]  # {field: (lowest, highest)}, both included


def weight_factor(
    factor: Any, values: Values, count: int, describe: Callable[[int], str], name: object
) -> NDArray[np.float64]:
    """[cell]: what the weight of one tile is multiplied by.

    A factor is a number, an array [cell], or a function of the fields by name, which is given either
    whole arrays or, if it cannot take them, the numbers of one cell after the other.
    """
    what = f"the factor for {name!r}"
    if callable(factor):
        answer = ask(factor, [values], count, describe, what)
    else:
        answer = np.asarray(factor)
        if answer.shape not in ((), (count,)):
            raise ConfigError(f"{what} has shape {answer.shape}; it must be [cell] = {(count,)}")
        answer = np.broadcast_to(answer, count)
    numbers = finite(answer, describe, what)
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
    """bool [cell, pattern]: where every limit of a pattern holds, and `allowed_at` says True.

    Parameters
    ----------
    values : {field: float64 [cell]}
    patterns, names, limits : for each pattern what `allowed_at` is given, its name and its limits
    allowed_at : a function (pattern, fields) -> bool, given whole arrays or one cell after the other
    count, describe : how many cells there are, and each of them in words
    """
    known = Values(values)
    masks = np.ones((count, len(patterns)), np.bool_)
    for number, (pattern, name, own) in enumerate(zip(patterns, names, limits, strict=True)):
        masks[:, number] &= within(own, known, count, name)
        if allowed_at is not None:
            masks[:, number] &= permitted(allowed_at, pattern, name, known, count, describe)
    return masks


def within(limits: Limits, values: Mapping[str, Any], count: int, tile: object) -> NDArray[np.bool_]:
    """[cell]: where all limits of one tile hold."""
    holds = np.ones(count, np.bool_)
    if not isinstance(limits, Mapping):
        raise ConfigError(f"tile {tile!r}: limits are written {{field: (lowest, highest)}}; got {limits!r}")
    for field, pair in limits.items():
        low, high = read_limits(field, pair, values, tile)
        holds &= (values[field] >= low) & (values[field] <= high)
    return holds


def read_limits(field: Any, pair: Any, known: Mapping[str, Any], tile: object) -> tuple[float, float]:
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


def permitted(
    allowed_at: Callable[..., Any],
    pattern: Any,
    name: str,
    values: Values,
    count: int,
    describe: Callable[[int], str],
) -> NDArray[np.bool_]:
    """[cell]: what `allowed_at` says of one pattern."""
    what = f"allowed_at for {name!r}"
    answer = ask(lambda fields: allowed_at(pattern, fields), [values], count, describe, what)
    if answer.dtype != np.bool_:
        raise ConfigError(f"{what} must answer True or False; it gave values of type {answer.dtype}")
    return answer
