"""The sections of a configuration: their keys, types and defaults.

Values are checked here one by one. `validation` checks combinations of values: fields that depend on each
other, sizes that must fit. Sections with options of the solver are in `sections`.
"""

from __future__ import annotations

import re
from math import inf, isnan
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from wavefold.config.sections import (
    BudgetSection,
    ConfigSection,
    DeclaredSection,
    Factor,
    HeuristicsSection,
    SearchSection,
    refuse_values,
)
from wavefold.options.groups import (
    LONGEST_SIDE,
    MOST_SWEEPS,
    GenerateOptions,
    LearnOptions,
    PictureOptions,
    WorldOptions,
)
from wavefold.plugins.registry import find

SIZE = re.compile(r"[1-9]\d{0,6}(x[1-9]\d{0,6}){1,2}", re.IGNORECASE)


def parse_size(value: Any) -> tuple[int, ...]:
    """Return (across, down) or (across, down, layers), from "64x48" or a list."""
    if isinstance(value, str) and SIZE.fullmatch(value):
        return tuple(int(part) for part in value.lower().split("x"))
    if isinstance(value, list | tuple) and len(value) in (2, 3):
        if all(type(each) is int and 1 <= each <= LONGEST_SIDE for each in value):
            return tuple(value)
    raise ValueError("must be cells across x cells down, such as '64x48' or [64, 48]")


def parse_optional_size(value: Any) -> tuple[int, ...] | None:
    """Return the parsed size, or None for None."""
    return None if value is None else parse_size(value)


def parse_sweeps(value: Any) -> int | str:
    """Return a number of sweeps, "auto" or "off". The command line gives numbers as text."""
    if value is False or value in ("auto", "off"):
        return "off" if value is False else str(value)
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value
    if type(number) is int and 0 <= number <= MOST_SWEEPS:
        return number
    raise ValueError(f'must be a number of sweeps up to {MOST_SWEEPS:,}, "auto" or "off"')


def check_constraints(tables: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    """Return the tables; raise for one that describes no constraint."""
    if tables:
        from wavefold.constraints.tables import build_constraint  # loads the solver

        with refuse_values():
            for each in tables:
                build_constraint(each)
    return tables


class GenerateSection(DeclaredSection, declared_by=(GenerateOptions,)):
    """What to make: which tiles, how large, from which seed."""

    _parse_size = field_validator("size", mode="before", check_fields=False)(parse_optional_size)
    _parse_refine = field_validator("refine", mode="before", check_fields=False)(parse_sweeps)
    _check_constraints = field_validator("constraints", check_fields=False)(check_constraints)

    @field_validator("diagnostics", check_fields=False)
    @classmethod
    def _check_installed(cls, asked: tuple[str, ...]) -> tuple[str, ...]:
        with refuse_values():
            for each in asked:
                find("diagnostic", each.partition("=")[0])
        return asked


class LearnSection(DeclaredSection, declared_by=(LearnOptions,)):
    """How a picture is learned: the arguments of `wf.learn`. Bundled samples have values of their own."""


class WorldSection(DeclaredSection, declared_by=(WorldOptions,)):
    """Endless worlds: the sizes of chunks and windows."""

    _parse_refine = field_validator("refine", mode="before", check_fields=False)(parse_sweeps)
    _check_constraints = field_validator("constraints", check_fields=False)(check_constraints)

    @field_validator("network", check_fields=False)
    @classmethod
    def _check_network(cls, table: dict[str, Any]) -> dict[str, Any]:
        if table:
            from wavefold.worlds.roads import build_network  # loads the solver

            with refuse_values():
                build_network(table)
        return table


class PictureSection(DeclaredSection, declared_by=(PictureOptions,)):
    """How maps are drawn."""

    @field_validator("renderer", check_fields=False)
    @classmethod
    def _check_installed(cls, name: str) -> str:
        with refuse_values():
            find("renderer", name)
        return name


# --- fields: their sources, and how they limit and weight tiles ---------------------------------------

INFINITE = {"inf": inf, "-inf": -inf}
End = Annotated[float, Field(allow_inf_nan=True)]


def parse_range(value: Any) -> tuple[float, float]:
    """Return (lowest, highest). Either may be infinite, in JSON as text."""
    if isinstance(value, list | tuple) and len(value) == 2:
        ends: list[Any] = [INFINITE.get(each, each) if isinstance(each, str) else each for each in value]
        if all(type(end) in (int, float) and not isnan(end) for end in ends) and ends[0] <= ends[1]:
            return float(ends[0]), float(ends[1])
    raise ValueError("must be [lowest, highest], two numbers in this order")


def parse_factor(value: Any) -> str | float:
    """Return what a weight is multiplied by: an expression of fields, or a number."""
    if isinstance(value, str):
        return value
    if type(value) in (int, float) and 0 <= value < inf:
        return float(value)
    raise ValueError("must be an expression of fields, or a number of at least 0")


def as_table(key: str, *kinds: type) -> BeforeValidator:
    """Return a validator that turns a bare value of these types into a table with this one key."""
    return BeforeValidator(lambda value: {key: value} if type(value) in kinds else value)


class NoiseTable(ConfigSection):
    """The parameters of `wf.Noise`."""

    scale: float = Field(description="hills are about 1 / `scale` cells apart")
    octaves: int = Field(default=1, description="layers, each finer and fainter, 1 to 24")
    seed: int = Field(default=0, description="another seed gives unrelated noise")
    lacunarity: float = Field(default=2.0, description="how many times finer each layer is")
    gain: float = Field(default=0.5, description="amplitude of each layer relative to the previous one")
    offset: Annotated[
        tuple[float, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)
    ] = Field(default=(0.0, 0.0), description="shift of the noise, in cells: `[x, y]` or `[x, y, z]`")

    @model_validator(mode="after")
    def _check_accepted(self) -> NoiseTable:
        from wavefold.fields import Noise

        with refuse_values("noise: "):
            Noise(**dict(self))
        return self


class FieldTable(ConfigSection):
    """The source of one field: exactly one of these keys."""

    noise: NoiseTable | None = Field(default=None, description="simplex noise, from -1 to 1")
    picture: str | None = Field(
        default=None,
        description="a picture stretched over the map, 0 (black) to 1; its path is relative to this file",
    )
    value: float | None = Field(
        default=None, description="the same number everywhere; may be written without the table"
    )
    expression: str | None = Field(
        default=None, description="made of other fields; may be written without the table"
    )

    @model_validator(mode="after")
    def _check_one_source(self) -> FieldTable:
        given = [name for name, value in self if value is not None]
        if len(given) != 1:
            both = " and ".join(given) or "none"
            raise ValueError(f"a field is one of {', '.join(FieldTable.model_fields)}; this has {both}")
        return self


BareOrTable = Annotated[FieldTable, as_table("expression", str), as_table("value", int, float)]


class PresetTable(ConfigSection):
    """Predefined fields, by name."""

    name: str
    seed: int = 0

    @field_validator("name", mode="after")
    @classmethod
    def _check_known(cls, name: str) -> str:
        from wavefold.fields.presets import preset

        with refuse_values():
            preset(name)
        return name


class FieldsSection(ConfigSection):
    """A value at every cell, by name."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, BareOrTable] = Field(init=False)

    preset: Annotated[PresetTable | None, as_table("name", str)] = Field(
        default=None,
        description='`"terrain"` or `"hex"`, or `{ name = "terrain", seed = 7 }`: fields to start with',
    )

    @property
    def tables(self) -> dict[str, FieldTable]:
        """The fields that this section defines itself."""
        return dict(self.__pydantic_extra__ or {})


class TerrainSection(ConfigSection):
    """How fields limit and weight tiles."""

    limits: dict[str, dict[str, Annotated[tuple[End, End], BeforeValidator(parse_range)]]] = Field(
        default={},
        description="`{tile = {field = [lowest, highest]}}`: where a tile is allowed; `-inf` and `inf` "
        "are numbers",
    )
    weights: dict[str, Annotated[str | float, BeforeValidator(parse_factor)]] = Field(
        default={}, description="`{tile = expression}`: what its weight is multiplied by, cell by cell"
    )


class Config(ConfigSection):
    """The whole configuration."""

    generate: GenerateSection = GenerateSection()
    learn: LearnSection = LearnSection()
    weights: dict[str, Factor] = Field(default={})
    heuristics: HeuristicsSection = HeuristicsSection()
    search: SearchSection = SearchSection()
    budget: BudgetSection = BudgetSection()
    fields: FieldsSection = FieldsSection()
    terrain: TerrainSection = TerrainSection()
    world: WorldSection = WorldSection()
    picture: PictureSection = PictureSection()
    service: dict[str, Any] = Field(default={}, description="checked by `wavefold serve`")
