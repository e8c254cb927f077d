"""What all sections share, and those with options of the solver: heuristics, search and budget."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import reduce
from operator import or_
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from wavefold.config.bounded_models import BoundedModel
from wavefold.errors import ConfigError, WavefoldError, suggest
from wavefold.options.generate import GenerateOptions
from wavefold.options.option import DeclaredOption, Option, list_options, plain_type
from wavefold.solver import Budget, Ladder
from wavefold.solver.heuristics import Heuristics, find_choice
from wavefold.solver.search.ladder import SEARCHES

Factor = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]


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

    A subclass names them in `declared_by`; of two options with the same key the first counts.
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
    """The type of an option for Pydantic. The library checks its bounds, and they are in the schema."""

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
    """A type with the bounds of an option in its JSON schema, if it is a number, or those of its numbers."""
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
    """What Pydantic knows of an option beside its type."""
    option = declared.option
    about: dict[str, Any] = {"title": option.title} if option.title else {}
    if get_origin(plain_type(declared)) is tuple:
        about["strict"] = False  # a list of TOML or JSON
    if declared.names and option.plugins:
        about["examples"] = list(declared.names)
    return Field(default=default, description=option.help, **about)


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


# --- budgets as people write them: "50ms", "10000", "2s, 500 backtracks" --------------------------------

NO_LIMIT = "unlimited"
ENDLESS = 10**18  # decisions; in a configuration, no value would mean the default budget
LONGEST_SHOWN = 60  # characters
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


def parse_limits(text: str) -> dict[str, float | int | None]:
    """The limits a text names, by their names in `Budget`; None for those it does not name."""
    limits: dict[str, float | int | None] = dict.fromkeys(each.name for each in list_options(Budget))
    if text.strip() == NO_LIMIT:
        return limits | {"decisions": ENDLESS}
    for part in text.split(","):
        name, amount = parse_limit(part.strip(), text)
        if limits[name] is not None:
            what = "a time" if name == "ms" else name
            raise ConfigError(f"the budget {text!r} names {what} twice; keep one of them")
        limits[name] = amount
    return limits


def parse_limit(part: str, text: str) -> tuple[str, float | int]:
    """The name and the amount of one limit."""
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
