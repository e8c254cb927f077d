"""Call a user's function: once for all places if it takes arrays, otherwise place by place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, WavefoldError, suggest

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
