"""The values of fields at some cells, and weights and masks [cell, pattern] from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.fields.expression import Expression, FieldValues
from wavefold.fields.positions import CellPositions
from wavefold.fields.sources import ExpressionSource, Values, check_finite, evaluate
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles import Pattern, Rules, TileSet, get_rules
from wavefold.tiles.tile import FieldLimits

if TYPE_CHECKING:
    from wavefold.fields.fields import Factor, Fields

Limits = FieldLimits | Sequence[FieldLimits]  # one of several ranges must hold
CellMask = NDArray[np.bool_]  # [cell]
CellPatternMask = NDArray[np.bool_]  # [cell, pattern]
CellPatternWeights = NDArray[np.float64]  # [cell, pattern]

LEVEL = "level"  # in limits: the level of the pattern, unless a field has this name


@dataclass(frozen=True)
class SampledFields:
    """The values of fields at some cells."""

    fields: Fields
    places: CellPositions
    values: Values  # {name: float64 [cell]}

    def factor(self, tile: str, factor: Factor | ArrayLike) -> FieldValues:
        """float64 [cell]: the factor on the weight of a tile."""
        given: Any = factor
        if isinstance(factor, str):
            given = self.values[factor]
        elif isinstance(factor, Expression):
            given = ExpressionSource(factor).at(self.places, f"the factor for {tile!r}")
        return compute_weight_factor(given, self.values, self.places.count, self.places.describe, tile)

    def weights(
        self,
        rules: Rules,
        factors: Mapping[str, Factor | ArrayLike] | None = None,
        own: CellPatternWeights | None = None,
    ) -> CellPatternWeights:
        """float64 [cell, pattern]: the weights `own`, by default those of the rules, times all factors."""
        given = rules.weights if own is None else own
        weights: CellPatternWeights = np.broadcast_to(given, (self.places.count, len(rules))).copy()
        for each in (self.fields.factors, factors or {}):
            for tile, factor in each.items():
                weights[:, rules.patterns(tile)] *= self.factor(tile, factor)[:, None]
        return weights

    def masks(
        self,
        tiles: TileSet | Rules,
        limits: Mapping[str, Limits] | None = None,
        allowed_at: Callable[..., object] | None = None,
    ) -> CellPatternMask:
        """bool [cell, pattern]: where all limits hold; see `Fields.masks`."""
        names = get_rules(tiles).names
        patterns: Sequence[Any] = tiles.patterns if isinstance(tiles, TileSet) else names
        functions = [each for each in (getattr(tiles, "allowed_at", None), allowed_at) if each is not None]
        limits_of = self._list_limits(tiles, limits or {})
        spelled = {id(each): repr(each) for own in limits_of for each in own}
        found: dict[Any, int] = {}
        rows: list[CellMask] = []  # one for all patterns with the same limits
        row_of: list[int] = []  # [pattern]
        for number, (pattern, name, own) in enumerate(zip(patterns, names, limits_of, strict=True)):
            level = getattr(pattern, LEVEL, None)
            same = (*(spelled[id(each)] for each in own), level, number if functions else None)
            row = found.setdefault(same, len(rows))
            if row == len(rows):
                checkpoint()
                allowed = np.ones(self.places.count, np.bool_)
                for each in own:
                    allowed &= find_cells_within(each, self.values, self.places.count, name, level)
                for function in functions:
                    allowed &= self._call(function, pattern, name)
                rows.append(allowed)
            row_of.append(row)
        return np.ascontiguousarray(np.array(rows).T).take(row_of, axis=1)

    def _list_limits(self, tiles: TileSet | Rules, limits: Mapping[str, Limits]) -> list[tuple[Limits, ...]]:
        """[pattern]: the limits of its tile, of the fields, and of the argument."""
        rules = get_rules(tiles)
        every: list[tuple[Limits, ...]] = [()] * len(rules)
        if isinstance(tiles, TileSet):
            every = [(pattern.tile.limits,) for pattern in tiles.patterns]
        for each in (self.fields.limits, limits):
            for tile, limit in each.items():
                for pattern in rules.patterns(tile).tolist():
                    every[pattern] += (limit,)
        return every

    def _call(self, allowed_at: Callable[..., object], pattern: Pattern | str, name: str) -> CellMask:
        """bool [cell]: the results of `allowed_at` for one pattern."""
        what = f"allowed_at for {name!r}"
        places = self.places
        answer = evaluate(
            lambda fields: allowed_at(pattern, fields), [self.values], places.count, places.describe, what
        )
        if answer.dtype != np.bool_:
            raise ConfigError(f"{what} must return True or False, not values of type {answer.dtype}")
        return answer


def compute_weight_factor(
    factor: Any, values: Values, count: int, describe: Callable[[int], str], name: object
) -> FieldValues:
    """float64 [cell]: the factor on the weight of one tile.

    `factor` is a number, an array [cell], or a function of the fields by name, called as in `evaluate`.
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
            f"{what} is {numbers[cell]:g} at {describe(cell)}; it must be at least 0: use .clamp(0, 1) or "
            ".rescaled(0, 1) for noise, which ranges from -1 to 1"
        )
    return numbers


# --- limits ---------------------------------------------------------------------------------------


def find_cells_within(
    limits: Limits, values: Mapping[str, Any], count: int, tile: object, level: int | None = None
) -> CellMask:
    """bool [cell]: whether one of the ranges of a tile holds."""
    known = values if level is None or LEVEL in values else Values(values, **{LEVEL: level})
    holds = np.zeros(count, np.bool_)
    for each in read_ranges(limits, known, tile):
        inside = np.ones(count, np.bool_)
        for field, (low, high) in each.items():
            inside &= (known[field] >= low) & (known[field] <= high)
        holds |= inside
    return holds


def read_ranges(limits: Any, known: Collection[str], tile: object) -> list[dict[str, tuple[float, float]]]:
    """Check the limits of a tile, {field: (lowest, highest)} or a list of these; return a list."""
    given = [limits] if isinstance(limits, Mapping) else limits
    if (
        not isinstance(given, list | tuple)
        or not given
        or not all(isinstance(each, Mapping) for each in given)
    ):
        raise ConfigError(
            f"tile {tile!r}: limits must be {{field: (lowest, highest)}}, or a list of these, not {limits!r}"
        )
    return [{field: read_limits(field, pair, known, tile) for field, pair in each.items()} for each in given]


def read_limits(field: Any, pair: Any, known: Collection[str], tile: object) -> tuple[float, float]:
    """Check the limits of a tile for one field; return two numbers in order, possibly infinite."""
    if field not in known:
        raise ConfigError(f"tile {tile!r}: limits for unknown field {field!r}; {suggest(field, known)}")
    is_pair = isinstance(pair, tuple | list) and len(pair) == 2
    if not is_pair or not all(isinstance(end, Real) and not isnan(end) for end in pair):
        raise ConfigError(
            f"tile {tile!r}: limits for {field!r} must be two numbers (lowest, highest), not {pair!r}"
        )
    low, high = float(pair[0]), float(pair[1])
    if low > high:
        raise ConfigError(
            f"tile {tile!r}: limits for {field!r} are ({low:g}, {high:g}); put the lower one first"
        )
    return low, high
