"""The sections about fields: their sources, and how they limit and weight tiles."""

from __future__ import annotations

from math import inf, isnan
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from wavefold.config.sections import ConfigSection
from wavefold.errors import WavefoldError

INFINITE = {"inf": inf, "-inf": -inf}
End = Annotated[float, Field(allow_inf_nan=True)]


def parse_range(value: Any) -> tuple[float, float]:
    """(lowest, highest); either may be infinite, in JSON as text."""
    if isinstance(value, list | tuple) and len(value) == 2:
        ends: list[Any] = [INFINITE.get(each, each) if isinstance(each, str) else each for each in value]
        if all(type(end) in (int, float) and not isnan(end) for end in ends) and ends[0] <= ends[1]:
            return float(ends[0]), float(ends[1])
    raise ValueError("must be [lowest, highest], two numbers in this order")


def parse_factor(value: Any) -> str | float:
    """What a weight is multiplied by: an expression of fields, or a number."""
    if isinstance(value, str):
        return value
    if type(value) in (int, float) and 0 <= value < inf:
        return float(value)
    raise ValueError("must be an expression of fields, or a number of at least 0")


def as_table(key: str, *kinds: type) -> BeforeValidator:
    """A bare value of these types as a table with this one key."""
    return BeforeValidator(lambda value: {key: value} if type(value) in kinds else value)


class NoiseTable(ConfigSection):
    """The parameters of `wf.Noise`."""

    scale: float = Field(description="from one hill to the next it is about 1 / `scale` cells")
    octaves: int = Field(default=1, description="layers, each finer and fainter, 1 to 24")
    seed: int = Field(default=0, description="another seed gives unrelated noise")
    lacunarity: float = Field(default=2.0, description="how many times finer each layer is")
    gain: float = Field(default=0.5, description="amplitude of each layer relative to the previous one")
    offset: Annotated[
        tuple[float, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)
    ] = Field(default=(0.0, 0.0), description="moves it, in cells: `[x, y]` or `[x, y, z]`")

    @model_validator(mode="after")
    def _check_accepted(self) -> NoiseTable:
        from wavefold.fields import Noise

        try:
            Noise(**dict(self))
        except WavefoldError as error:
            raise ValueError(f"noise: {error}") from None
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

        try:
            preset(name)
        except WavefoldError as error:
            raise ValueError(str(error)) from None
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
