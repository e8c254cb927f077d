"""What a configuration means for the tiles and cells at hand: fields, weights, masks, heuristics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavefold.config.expressions import ParsedExpression, parse_expression
from wavefold.config.models import FieldsSection, FieldTable
from wavefold.config.sections import HeuristicsSection
from wavefold.config.validation import fields_in_order
from wavefold.errors import ConfigError, suggest
from wavefold.fields import Expression, Fields, Noise
from wavefold.fields.expression import Constant, FieldValues
from wavefold.fields.positions import Axes, CellPositions, describe_position
from wavefold.fields.presets import preset
from wavefold.fields.sampled import compute_weight_factor
from wavefold.fields.sources import ExpressionSource, PictureSource, Source, Values, check_finite, make_source
from wavefold.solver.heuristics import Heuristics, combine_heuristics, find_choice
from wavefold.solver.search.auto_order import find_auto_order
from wavefold.tiles import Rules, TileSet, get_rules
from wavefold.topology import Topology

if TYPE_CHECKING:
    from wavefold.config.effective import Effective


def build_sources(
    section: FieldsSection, at: Callable[..., AbstractContextManager[None]], path: Callable[..., Path]
) -> Mapping[str, Source]:
    """Build all fields of a section. `at` adds the origin to errors, `path` resolves a picture's path."""
    made: dict[str, Source] = {}
    if section.preset is not None:
        chosen = preset(section.preset.name, section.preset.seed)
        made = {name: ExpressionSource(expression) for name, expression in chosen.items()}
    for name in fields_in_order(section):
        table = section.tables[name]
        with at("fields", name):
            if table.picture is not None:
                made[name] = make_source(name, path(table.picture, "fields", name))
            else:
                made[name] = build_source(table, made)
    return made


def build_source(table: FieldTable, others: Mapping[str, Source]) -> Source:
    """Build a field that is not a picture."""
    if table.noise is not None:
        return ExpressionSource(Noise(**dict(table.noise)))
    if table.expression is not None:
        return build_expression(table.expression, others)
    return ExpressionSource(Constant(table.value or 0.0))


def build_expression(text: str, fields: Mapping[str, Source]) -> Source:
    """Build an expression of fields: noise stays noise; with pictures, values are combined by cell."""
    formula = parse_expression(text)
    needed = {name: fields[name] for name in formula.names}
    plain = {name: each.expression for name, each in needed.items() if isinstance(each, ExpressionSource)}
    if len(plain) == len(needed):
        return ExpressionSource(formula.expression(plain))
    mixed = MixedSource(formula, tuple(needed.items()))
    _ = mixed.bounds  # raises now if something cannot be rescaled
    return mixed


@dataclass(frozen=True, repr=False, eq=False)
class KnownValues(Expression):
    """Values that are already computed, as an operand of an expression."""

    amounts: FieldValues
    extremes: tuple[float, float]

    @property
    def bounds(self) -> tuple[float, float]:
        return self.extremes

    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        return self.amounts

    def __repr__(self) -> str:
        return "a field"


@dataclass(frozen=True, repr=False)
class MixedSource(Source):
    """An expression of fields that are not all noise."""

    formula: ParsedExpression
    fields: tuple[tuple[str, Source], ...]

    @property
    def bounds(self) -> tuple[float, float]:
        """(lowest, highest) value."""
        nothing = np.empty(0)
        held = {name: KnownValues(nothing, source_bounds(source)) for name, source in self.fields}
        return self.formula.expression(held).bounds

    def at(self, positions: CellPositions, what: str) -> FieldValues:
        values = {name: source.at(positions, f"field {name!r}") for name, source in self.fields}
        return check_finite(self._combine(values, positions.count), positions.describe, what)

    def sample(self, axes: Axes, what: str) -> FieldValues:
        values = {name: source.sample(axes, f"field {name!r}") for name, source in self.fields}
        return check_finite(
            self._combine(values, len(axes[0])), lambda index: describe_position(axes, index), what
        )

    def _combine(self, values: Mapping[str, FieldValues], count: int) -> FieldValues:
        held = {name: KnownValues(values[name], source_bounds(source)) for name, source in self.fields}
        with np.errstate(all="ignore"):  # values that are not finite are reported with their cell
            return self.formula.expression(held).values([np.empty(count)])

    def digest(self, what: str) -> str:
        digest = blake2b(f"mixed {self.formula.text}".encode(), digest_size=16)
        for name, source in self.fields:
            digest.update(f" {name} {source.digest(what)}".encode())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<{self.formula.text}>"


def source_bounds(source: Source) -> tuple[float, float]:
    """(lowest, highest) value of a field."""
    if isinstance(source, ExpressionSource):
        return source.expression.bounds
    if isinstance(source, MixedSource):
        return source.bounds
    assert isinstance(source, PictureSource)
    return 0.0, 1.0


def build_weights(
    effective: Effective, tiles: TileSet | Rules, topology: Topology
) -> NDArray[np.float64] | None:
    """float [pattern], or [cell, pattern] if fields are involved; None if the tiles decide alone."""
    everywhere, by_cell = effective.config.weights, effective.config.terrain.weights
    if not everywhere and not by_cell:
        return None
    rules = get_rules(tiles)
    row = rules.weights.copy()
    for tile, factor in everywhere.items():
        row[find_patterns(effective, rules, "weights", tile)] *= factor
    if not by_cell:
        return row
    weights = np.tile(row, (topology.cell_count, 1))
    for tile, expression in by_cell.items():
        path = ("terrain", "weights", tile)
        chosen = find_patterns(effective, rules, *path)
        values = evaluate_expression(effective, str(expression), topology, *path)
        with effective.at(*path):
            factors = compute_weight_factor(values, Values(), topology.cell_count, topology.describe, tile)
        weights[:, chosen] *= factors[:, None]
    return weights


def build_masks(effective: Effective, tiles: TileSet | Rules, topology: Topology) -> NDArray[np.bool_] | None:
    """bool [cell, pattern]: the limits of [terrain] and of the tiles; None if [terrain] has no limits."""
    limits = effective.config.terrain.limits
    if not limits:
        return None
    for tile in limits:
        find_patterns(effective, get_rules(tiles), "terrain", "limits", tile)
    return effective.fields.masks(tiles, topology, limits)


def build_driving_fields(
    effective: Effective, tiles: TileSet | Rules, sources: Mapping[str, Any] | None = None
) -> Fields | None:
    """Fields with the limits and weights of [terrain] and [weights], for worlds; None without any.

    sources : instead of those in [fields]
    """
    rules, terrain = get_rules(tiles), effective.config.terrain
    fields = effective.fields if sources is None else Fields(**sources)
    for section, named in ((("terrain", "limits"), terrain.limits), (("weights",), effective.config.weights)):
        for tile in named:
            find_patterns(effective, rules, *section, tile)
    factors: dict[str, Any] = dict(effective.config.weights)
    made: dict[str, Source] = {}
    for tile, text in terrain.weights.items():
        path = ("terrain", "weights", tile)
        find_patterns(effective, rules, *path)
        with effective.at(*path):
            source = build_expression(f"({text}) * {float(factors.get(tile, 1.0))!r}", fields.sources)
        factors[tile] = name = f"weight of {tile}"
        made[name] = source
    if not fields.names and not factors:
        return None
    with effective.at("terrain", "limits"):
        return Fields(**fields.sources, **made).with_limits(terrain.limits).with_factors(factors)


def build_heuristics(effective: Effective, tiles: TileSet | Rules, topology: Topology) -> dict[str, Any]:
    """`order` and `choice` of `wf.Solver`: their names or, if more is set, all of it as one `Heuristics`."""
    section, rules = effective.config.heuristics, get_rules(tiles)
    given: dict[str, Any] = {
        name: value for name, value in section if value != HeuristicsSection.model_fields[name].default
    }
    order: str = given.pop("order", "auto")
    choice = given.pop("choice", None)
    if not given:
        return {"order": order} if choice is None else {"order": order, "choice": choice}
    for name, tiles_named in (("caps", section.caps), ("priors", section.priors)):
        for tile in tiles_named:
            with effective.at("heuristics", name):
                if tile not in rules.tiles:
                    raise ConfigError(f"{name}: unknown tile {tile!r}; {suggest(tile, rules.tiles)}")
    if section.influence is not None:
        given["influence"] = evaluate_expression(
            effective, section.influence, topology, "heuristics", "influence"
        )
    heuristics = Heuristics.of(find_auto_order(rules) if order == "auto" else order)
    if choice is not None:
        chosen = find_choice(choice)
        is_function = not isinstance(chosen, Heuristics)
        heuristics = combine_heuristics(heuristics, Heuristics(choice=chosen) if is_function else chosen)
    return {"order": replace(heuristics, **given)}


def evaluate_expression(
    effective: Effective, text: str, topology: Topology, *path: str
) -> NDArray[np.float64]:
    """float [cell]: the value of an expression at every cell."""
    sources = effective.sources
    with effective.at(*path):
        return build_expression(text, sources).at(CellPositions(topology), path[-1])


def find_patterns(effective: Effective, rules: Rules, *path: str) -> NDArray[np.int64]:
    """The patterns of the tile at the end of `path`; an unknown tile is reported with its origin."""
    with effective.at(*path):
        return rules.patterns(path[-1])
