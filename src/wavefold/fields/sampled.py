"""Fields at some cells: their values, and the weights and masks [cell, pattern] made of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.fields.expression import Expression, Numbers
from wavefold.fields.positions import CellPositions
from wavefold.fields.sources import ExpressionSource, Values, check_finite, evaluate
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles import Pattern, Rules, TileSet, get_rules

if TYPE_CHECKING:
    from wavefold.fields.fields import Factor, Fields

Range = Mapping[str, tuple[float, float]]  # {field: (lowest, highest)}, both included
Limits = Range | Sequence[Range]  # several: one of them must hold
CellMask = NDArray[np.bool_]  # [cell]
CellPatternMask = NDArray[np.bool_]  # [cell, pattern]

LEVEL = "level"  # in limits: the level of a pattern, unless there is a field of this name


@dataclass(frozen=True)
class SampledFields:
    """The values of fields at some places."""

    fields: Fields
    places: CellPositions
    values: Values  # {name: float64 [cell]}

    def factor(self, tile: str, factor: Factor | ArrayLike) -> Numbers:
        """[cell]: what the weight of a tile is multiplied by."""
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
        own: Numbers | None = None,
    ) -> Numbers:
        """float64 [cell, pattern]: `own` weights, by default those of the rules, times all factors."""
        given = rules.weights if own is None else own
        weights: Numbers = np.broadcast_to(given, (self.places.count, len(rules))).copy()
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
        """bool [cell, pattern]: where all limits hold, those of tiles and fields included; see `Fields`."""
        names = get_rules(tiles).names
        patterns: Sequence[Any] = tiles.patterns if isinstance(tiles, TileSet) else names
        functions = [each for each in (getattr(tiles, "allowed_at", None), allowed_at) if each is not None]
        limits_of = self._list_limits(tiles, limits or {})
        spelled = {id(each): repr(each) for own in limits_of for each in own}
        found: dict[Any, int] = {}
        rows: list[CellMask] = []  # few: many patterns have the same limits
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
        """[pattern]: the limits of its tile, those of the fields, and these."""
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
        """[cell]: what `allowed_at` returns for one pattern, given all cells or one after the other."""
        what = f"allowed_at for {name!r}"
        places = self.places
        answer = evaluate(
            lambda fields: allowed_at(pattern, fields), [self.values], places.count, places.describe, what
        )
        if answer.dtype != np.bool_:
            raise ConfigError(f"{what} must return True or False; it returned values of type {answer.dtype}")
        return answer


def compute_weight_factor(
    factor: Any, values: Values, count: int, describe: Callable[[int], str], name: object
) -> Numbers:
    """[cell]: what the weight of one tile is multiplied by.

    A factor is a number, an array [cell], or a function of the fields by name, which gets whole arrays or,
    if it cannot take them, the numbers of one cell after the other.
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
            f"{what} is {numbers[cell]:g} at {describe(cell)}; weights are at least 0: bring noise, from -1 "
            "to 1, to this range with .clamp(0, 1) or .rescaled(0, 1)"
        )
    return numbers


# --- limits ---------------------------------------------------------------------------------------


def find_cells_within(
    limits: Limits, values: Mapping[str, Any], count: int, tile: object, level: int | None = None
) -> CellMask:
    """[cell]: where all limits of one tile hold; of several ranges, where one of them does."""
    known = values if level is None or LEVEL in values else Values(values, **{LEVEL: level})
    holds = np.zeros(count, np.bool_)
    for each in read_ranges(limits, known, tile):
        inside = np.ones(count, np.bool_)
        for field, (low, high) in each.items():
            inside &= (known[field] >= low) & (known[field] <= high)
        holds |= inside
    return holds


def read_ranges(limits: Any, known: Collection[str], tile: object) -> list[dict[str, tuple[float, float]]]:
    """The ranges of a tile, {field: (lowest, highest)} or a list of these, checked."""
    given = [limits] if isinstance(limits, Mapping) else limits
    if (
        not isinstance(given, list | tuple)
        or not given
        or not all(isinstance(each, Mapping) for each in given)
    ):
        raise ConfigError(
            f"tile {tile!r}: limits are written {{field: (lowest, highest)}}, or a list of these; "
            f"got {limits!r}"
        )
    return [{field: read_limits(field, pair, known, tile) for field, pair in each.items()} for each in given]


def read_limits(field: Any, pair: Any, known: Collection[str], tile: object) -> tuple[float, float]:
    """Two numbers in order, possibly infinite, for an existing field."""
    if field not in known:
        raise ConfigError(f"tile {tile!r} has limits for an unknown field {field!r}; {suggest(field, known)}")
    is_pair = isinstance(pair, tuple | list) and len(pair) == 2
    if not is_pair or not all(isinstance(end, Real) and not isnan(end) for end in pair):
        raise ConfigError(
            f"tile {tile!r}: limits for {field!r} are written (lowest, highest), two numbers; got {pair!r}"
        )
    low, high = float(pair[0]), float(pair[1])
    if low > high:
        raise ConfigError(f"tile {tile!r}: limits for {field!r} are {low:g} to {high:g}; the lowest is first")
    return low, high
