"""What all sections share, and those with options of the solver: heuristics, search and budget.

Pydantic reports every error. A megabyte of wrong values would give hundreds of megabytes of errors, and
seconds in which no other thread runs. So long lists and tables are checked in pieces, up to the first piece
with an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial, reduce
from itertools import islice
from operator import or_
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticKnownError, core_schema

from wavefold.errors import ConfigError, WavefoldError, suggest
from wavefold.options.groups import GenerateOptions
from wavefold.options.option import DeclaredOption, Option, list_options, plain_type
from wavefold.solver import Budget, Ladder
from wavefold.solver.heuristics import Heuristics, find_choice
from wavefold.solver.search.ladder import SEARCHES

PIECE = 100  # elements that are checked at once
MOST_ERRORS = 20  # that are reported of one list or table, and unknown keys
# Where a schema has others inside; `choices` of a union may be pairs of a schema and a label.
INSIDE = ("schema", "items_schema", "keys_schema", "values_schema", "extras_schema", "choices", "steps")
UNLIMITED_WORD = "unlimited"  # in place of limits
ENDLESS = 10**18  # decisions; in a configuration, no value would mean the default budget
LONGEST_SHOWN = 60  # characters of limits in a message
# A limit: a number and a unit.
AMOUNT = re.compile(r"([0-9][0-9_]{0,17}(?:\.[0-9]{1,9})?)\s*([A-Za-z]*)")
UNITS: dict[str, tuple[str, int]] = {  # what a unit counts, and how many of it
    "": ("decisions", 1),
    "ms": ("ms", 1),
    "s": ("ms", 1_000),
    "min": ("ms", 60_000),
    "decision": ("decisions", 1),
    "decisions": ("decisions", 1),
    "backtrack": ("backtracks", 1),
    "backtracks": ("backtracks", 1),
}
EXPECTED = "write a time such as 50ms, 2s or 1min, a number of decisions, or several, separated by commas"

Schema = dict[str, Any]
Factor = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]


def bound_errors(schema: Any) -> Any:
    """Return a Pydantic schema in which long lists and tables are checked in pieces."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(bound_errors(each) for each in schema)
    if not isinstance(schema, dict) or schema.get("type") == "model" or is_bounded(schema):
        return schema
    bounded = {key: bound_errors(value) if key in INSIDE else value for key, value in schema.items()}
    if "fields" in schema:
        bounded["fields"] = {name: bound_errors(field) for name, field in schema["fields"].items()}
    if isinstance(schema.get("choices"), dict):
        bounded["choices"] = {tag: bound_errors(each) for tag, each in schema["choices"].items()}
    check = CHECKS.get(schema.get("type", ""))
    most = schema.get("max_length")
    if check is None or (most is not None and most <= PIECE):
        return bounded
    return core_schema.no_info_wrap_validator_function(partial(check, most), bounded)


def bound_model(schema: Any) -> Any:
    """Return the schema of a model, inside its validators, with bounds for its fields."""
    if "schema" not in schema:
        return schema
    bound = bound_errors if schema["type"] == "model" else bound_model
    return {**schema, "schema": bound(schema["schema"])}


def is_bounded(schema: Schema) -> bool:
    """Whether this was made by `bound_errors`: Pydantic may offer a schema twice."""
    function = schema.get("function")
    return isinstance(function, dict) and isinstance(function.get("function"), partial)


def check_list(most: int | None, values: Any, check: core_schema.ValidatorFunctionWrapHandler) -> Any:
    """Check a list piece by piece."""
    if not isinstance(values, (list, tuple)) or len(values) <= PIECE:
        return check(values)
    check_length(values, "List", most)
    checked: list[Any] = []
    for start in range(0, len(values), PIECE):
        with_place = partial(move_error, start)
        checked += check_piece(values[start : start + PIECE], check, with_place)
    return checked


def check_table(most: int | None, values: Any, check: core_schema.ValidatorFunctionWrapHandler) -> Any:
    """Check a table piece by piece."""
    if not isinstance(values, dict) or len(values) <= PIECE:
        return check(values)
    check_length(values, "Dictionary", most)
    checked: dict[Any, Any] = {}
    for piece in split_table(values):
        checked.update(check_piece(piece, check, lambda place: place))
    return checked


CHECKS = {"list": check_list, "dict": check_table}


def check_piece(piece: Any, check: core_schema.ValidatorFunctionWrapHandler, move: Any) -> Any:
    """Check a part of a list or table. Raise the first errors, at the places that `move` returns."""
    try:
        return check(piece)
    except ValidationError as error:
        found = error.errors(include_url=False)[:MOST_ERRORS]
        lines = [
            InitErrorDetails(
                type=each["type"], loc=move(each["loc"]), input=each["input"], ctx=each.get("ctx", {})
            )
            for each in found
        ]
        raise ValidationError.from_exception_data(error.title, lines) from None


def move_error(start: int, place: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the place of an error in a list, given its place in a piece that begins at `start`."""
    return (place[0] + start, *place[1:])


def split_table(values: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """Yield parts of a table."""
    items = iter(values.items())
    while piece := dict(islice(items, PIECE)):
        yield piece


def check_length(values: Any, kind: str, most: int | None) -> None:
    """Raise if there are too many values, before they are checked."""
    if most is not None and len(values) > most:
        counts = {"field_type": kind, "max_length": most, "actual_length": len(values)}
        raise PydanticKnownError("too_long", counts)


class BoundedModel(BaseModel):
    """A model that reports at most `MOST_ERRORS` errors of each of its lists and tables."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return bound_model(handler(source))

    @model_validator(mode="before")
    @classmethod
    def _drop_unknown(cls, data: Any) -> Any:
        """Without most unknown keys, if there are many and none is allowed: each would be an error."""
        known = cls.model_fields
        if not isinstance(data, dict) or len(data) <= len(known) + MOST_ERRORS:
            return data
        if cls.model_config.get("extra") != "forbid":
            return data
        first = islice((key for key in data if key not in known), MOST_ERRORS)
        return {key: data[key] for key in known if key in data} | {key: data[key] for key in first}


class ConfigSection(BoundedModel):
    """A table with fixed keys. `true` is not a number, and 1.0 is not a whole number."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


@contextmanager
def refuse_values(prefix: str = "") -> Iterator[None]:
    """Turn errors of the library into those that Pydantic collects."""
    try:
        yield
    except WavefoldError as error:
        raise ValueError(f"{prefix}{error}") from None


class DeclaredSection(ConfigSection):
    """A section whose keys, types, defaults and bounds are declared as options of dataclasses.

    A subclass names them in `declared_by`; of two options with the same key, the first counts.
    """

    if TYPE_CHECKING:  # its fields

        def __getattr__(self, name: str) -> Any: ...

    def __init_subclass__(
        cls, declared_by: tuple[type, ...] = (), defaults: Mapping[str, Any] = {}, **settings: Any
    ) -> None:
        super().__init_subclass__(**settings)
        groups = [list_options(each) for each in declared_by]
        section = groups[-1][0].section if groups else ""
        found: dict[str, DeclaredOption] = {}
        for each in (each for group in groups for each in group if each.section == section):
            found.setdefault(each.key, each)
        cls.__annotations__ = {key: derive_type(each) for key, each in found.items()} | cls.__annotations__
        for key, each in found.items():
            setattr(cls, key, derive_field(each, defaults.get(key, each.default)))


def derive_type(declared: DeclaredOption) -> Any:
    """Return the type of an option for Pydantic. Its declaration checks values; schemas show bounds."""

    def check(value: Any) -> Any:
        with refuse_values():
            if declared.option.plain is None:
                declared.check(value)
        return value

    # Of a union, Pydantic would report an error for each member.
    validator = (
        BeforeValidator(check) if declared.names and len(declared.parts) > 1 else AfterValidator(check)
    )
    return Annotated[describe_bounds(plain_type(declared), declared.option), validator]


def describe_bounds(kind: Any, option: Option) -> Any:
    """Return a type with the bounds of an option, for numbers and mappings to numbers."""
    if kind in (int, float) and option.bounds:
        bounds: Any = option.bounds
        return Annotated[kind, Field(json_schema_extra=bounds)]
    if get_origin(kind) in (Union, UnionType):
        return reduce(or_, [describe_bounds(part, option) for part in get_args(kind)])
    if get_origin(kind) is dict and option.bounds:
        key, number = get_args(kind)
        return dict[key, Annotated[number, Field(ge=option.low, le=option.high)]]  # type: ignore[valid-type]
    return kind


def derive_field(declared: DeclaredOption, default: Any) -> Any:
    """Return the default, title and description of an option as a Pydantic field."""
    option = declared.option
    about: dict[str, Any] = {"title": option.title} if option.title else {}
    if get_origin(plain_type(declared)) is tuple:
        about["strict"] = False  # a list of TOML or JSON
    if declared.names and option.plugins:
        about["examples"] = list(declared.names)
    description = "; ".join(filter(None, (declared.description, option.files)))
    return Field(default=default, description=description, **about)


class HeuristicsSection(DeclaredSection, declared_by=(GenerateOptions, Heuristics)):
    """Which cell is decided next, and which tile it becomes: the options of `wf.Heuristics`."""

    @field_validator("order", "choice", check_fields=False)
    @classmethod
    def _check_known(cls, value: Any, info: ValidationInfo) -> Any:
        with refuse_values():
            if info.field_name == "choice":
                find_choice(value)
            elif value != "auto":
                Heuristics.of(value)
        return value


class SearchSection(
    DeclaredSection, declared_by=(GenerateOptions, Ladder), defaults=asdict(SEARCHES["auto"])
):
    """What to do at a dead end: a ladder by name, and the options of `wf.Ladder` to change it."""

    @model_validator(mode="before")
    @classmethod
    def _start_with_ladder(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("ladder", "auto") == "auto":
            return data
        name = data["ladder"]
        named = asdict(SEARCHES[name]) if isinstance(name, str) and name in SEARCHES else {}
        return named | data


class BudgetSection(DeclaredSection, declared_by=(Budget,)):
    """When to give up: the limits of `wf.Budget`. Without any: 100,000 decisions and 200 per cell."""


# --- budgets as text: "50ms", "10000", "2s, 500 backtracks" ------------------------------------------------


def parse_limits(text: str) -> dict[str, float | int | None]:
    """Return {name in `Budget`: limit}, with None for limits that the text does not name."""
    limits: dict[str, float | int | None] = dict.fromkeys(each.name for each in list_options(Budget))
    if text.strip() == UNLIMITED_WORD:
        return limits | {"decisions": ENDLESS}
    for part in text.split(","):
        name, amount = parse_limit(part.strip(), text)
        if limits[name] is not None:
            what = "a time" if name == "ms" else name
            raise ConfigError(f"the budget {text!r} names {what} twice; keep one of them")
        limits[name] = amount
    return limits


def parse_limit(part: str, text: str) -> tuple[str, float | int]:
    """Return the name and the amount of one limit."""
    found = AMOUNT.fullmatch(part)
    if found is None:
        shown = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
        raise ConfigError(f"{shown!r} is not a budget: {EXPECTED}")
    digits, unit = found[1], found[2]
    if unit.lower() not in UNITS:
        raise ConfigError(
            f"the budget {text!r} has an unknown unit {unit!r}; {suggest(unit, filter(None, UNITS))}"
        )
    name, times = UNITS[unit.lower()]
    if name == "ms":
        if not float(digits):
            raise ConfigError(f"the budget {text!r} allows no time at all; {EXPECTED}")
        return name, float(digits) * times
    if "." in digits:
        raise ConfigError(f"the budget {text!r} has a fraction of {name}: {name} are whole numbers")
    return name, int(digits) * times
