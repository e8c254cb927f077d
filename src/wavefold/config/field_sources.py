"""Fields as a configuration writes them, made into `wf.Fields`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from wavefold.config.checks import fields_in_order
from wavefold.config.expressions import Formula, parse
from wavefold.config.field_sections import FieldsSection, FieldTable
from wavefold.fields import Expression, Noise
from wavefold.fields.expression import Constant, Numbers
from wavefold.fields.positions import Axes, CellPositions, describe_position
from wavefold.fields.presets import preset
from wavefold.fields.sources import ExpressionSource as FromExpression
from wavefold.fields.sources import PictureSource, Source, source_of
from wavefold.fields.user_functions import check_finite


def sources_of(
    section: FieldsSection,
    at: Callable[..., AbstractContextManager[None]],
    path: Callable[..., Path],
) -> Mapping[str, Source]:
    """All fields of a section. `at` tells where something is wrong, `path` where a picture lies."""
    made: dict[str, Source] = {}
    if section.preset is not None:
        chosen = preset(section.preset.name, section.preset.seed)
        made = {name: FromExpression(expression) for name, expression in chosen.items()}
    for name in fields_in_order(section):
        table = section.tables[name]
        with at("fields", name):
            if table.picture is not None:
                made[name] = source_of(name, path(table.picture, "fields", name))
            else:
                made[name] = table_source(table, made)
    return made


def table_source(table: FieldTable, others: Mapping[str, Source]) -> Source:
    """Where a field comes from that is no picture."""
    if table.noise is not None:
        return FromExpression(Noise(**dict(table.noise)))
    if table.expression is not None:
        return expression_of(table.expression, others)
    return FromExpression(Constant(table.value or 0.0))


def expression_of(text: str, fields: Mapping[str, Source]) -> Source:
    """An expression of fields: noise stays noise; where a picture takes part, values are combined."""
    formula = parse(text)
    needed = {name: fields[name] for name in formula.names}
    plain = {name: each.expression for name, each in needed.items() if isinstance(each, FromExpression)}
    if len(plain) == len(needed):
        return FromExpression(formula.expression(plain))
    mixed = Mixed(formula, tuple(needed.items()))
    _ = mixed.bounds  # what cannot be rescaled is said now
    return mixed


@dataclass(frozen=True, repr=False, eq=False)
class Held(Expression):
    """Values that are known already, as a part of an expression."""

    amounts: Numbers
    extremes: tuple[float, float]

    @property
    def bounds(self) -> tuple[float, float]:
        return self.extremes

    def values(self, axes: Sequence[Numbers]) -> Numbers:
        return self.amounts

    def __repr__(self) -> str:
        return "a field"


@dataclass(frozen=True, repr=False)
class Mixed(Source):
    """An expression of fields that are not all noise."""

    formula: Formula
    fields: tuple[tuple[str, Source], ...]

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which values it lies."""
        nothing = np.empty(0)
        held = {name: Held(nothing, bounds_of(source)) for name, source in self.fields}
        return self.formula.expression(held).bounds

    def at(self, places: CellPositions, what: str) -> Numbers:
        values = {name: source.at(places, f"field {name!r}") for name, source in self.fields}
        return check_finite(self._combined(values, places.count), places.describe, what)

    def sample(self, axes: Axes, what: str) -> Numbers:
        values = {name: source.sample(axes, f"field {name!r}") for name, source in self.fields}
        return check_finite(
            self._combined(values, len(axes[0])), lambda place: describe_position(axes, place), what
        )

    def _combined(self, values: Mapping[str, Numbers], count: int) -> Numbers:
        held = {name: Held(values[name], bounds_of(source)) for name, source in self.fields}
        with np.errstate(all="ignore"):  # what is not finite is reported with its place
            return self.formula.expression(held).values([np.empty(count)])

    def digest(self, what: str) -> str:
        digest = blake2b(f"mixed {self.formula.text}".encode(), digest_size=16)
        for name, source in self.fields:
            digest.update(f" {name} {source.digest(what)}".encode())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<{self.formula.text}>"


def bounds_of(source: Source) -> tuple[float, float]:
    """Between which values a field of a configuration lies."""
    if isinstance(source, FromExpression):
        return source.expression.bounds
    if isinstance(source, Mixed):
        return source.bounds
    assert isinstance(source, PictureSource)
    return 0.0, 1.0
