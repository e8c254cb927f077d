"""Fields at some cells: their values, and what tiles make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, TileSetError
from wavefold.fields.expression import Expression, Numbers
from wavefold.fields.masks import Limits, expand_rows, mask_rows, masks_from, weight_factor
from wavefold.fields.positions import CellPositions
from wavefold.fields.sources import ExpressionSource
from wavefold.fields.user_functions import Values
from wavefold.tiles import Rules, TileSet

if TYPE_CHECKING:
    from wavefold.fields.fields import Fields


@dataclass(frozen=True)
class SampledFields:
    """The values of fields at some places."""

    fields: Fields
    places: CellPositions
    values: Values  # {name: float64 [cell]}

    def factor(self, tile: Any, factor: Any) -> Numbers:
        """[cell]: what the weight of a tile is multiplied by."""
        given = factor
        if isinstance(factor, str):
            given = self.values[factor]
        elif isinstance(factor, Expression):
            given = ExpressionSource(factor).at(self.places, f"the factor for {tile!r}")
        return weight_factor(given, self.values, self.places.count, self.places.describe, tile)

    def weights(
        self, rules: Rules, factors: Mapping[Any, Any] | None = None, own: Numbers | None = None
    ) -> Numbers:
        """float64 [cell, pattern]: weights, the rules' if none are given, times all factors there are."""
        given = rules.weights if own is None else own
        weights: Numbers = np.broadcast_to(given, (self.places.count, len(rules))).copy()
        for each in (self.fields.factors, factors or {}):
            for tile, factor in each.items():
                weights[:, rules.patterns(tile)] *= self.factor(tile, factor)[:, None]
        return weights

    def masks(
        self,
        tiles: TileSet | Rules,
        limits: Mapping[Any, Limits] | None = None,
        allowed_at: Callable[..., Any] | None = None,
    ) -> NDArray[np.bool_]:
        """bool [cell, pattern]: where all limits hold, those of tiles and fields included; see `Fields`."""
        row_of, rows = self._rows(tiles, limits or {})
        masks = expand_rows(row_of, rows)
        if allowed_at is not None:
            anywhere: list[Limits] = [{}] * len(row_of)
            masks &= masks_from(self.values, *list_patterns(tiles), anywhere, allowed_at, *self._described)
        return masks

    @property
    def _described(self) -> tuple[int, Callable[[int], str]]:
        return self.places.count, self.places.describe

    def _rows(
        self, tiles: TileSet | Rules, limits: Mapping[Any, Limits]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """What tiles and fields say, and these limits; see `mask_rows`."""
        patterns, names = list_patterns(tiles)
        own: list[tuple[Limits, ...]] = [()] * len(names)
        if isinstance(tiles, TileSet):
            own = [(pattern.tile.limits,) for pattern in tiles.patterns]
        for each in (self.fields.limits, limits):
            for tile, limit in each.items():
                for pattern in rules_of(tiles).patterns(tile).tolist():
                    own[pattern] += (limit,)
        allowed_at = tiles.allowed_at if isinstance(tiles, TileSet) else None
        limits_of = [each or ({},) for each in own]
        return mask_rows(self.values, patterns, names, limits_of, allowed_at, *self._described)


def list_patterns(tiles: TileSet | Rules) -> tuple[Sequence[Any], Sequence[str]]:
    """What functions are given for each pattern, and its name."""
    rules = rules_of(tiles)
    return (tiles.patterns if isinstance(tiles, TileSet) else rules.names), rules.names


def rules_of(tiles: TileSet | Rules) -> Rules:
    """The patterns of whatever a problem takes."""
    if not isinstance(tiles, TileSet | Rules):
        raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('pipes'), not {tiles!r}")
    return tiles.rules if isinstance(tiles, TileSet) else tiles


def read_mapping(name: str, given: Any) -> Mapping[Any, Any]:
    """What users write as {tile: …}."""
    if not isinstance(given, Mapping):
        raise ConfigError(f"{name} must be a dict {{tile: …}}, not {given!r}")
    return given
