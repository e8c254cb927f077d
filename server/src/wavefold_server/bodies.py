"""The base class of request bodies, and limits for JSON of any shape."""

from __future__ import annotations

import json
from sys import maxsize
from typing import Annotated, Any, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from wavefold.config import (
    MOST_ERRORS,
    ConfigSection,
    FieldsSection,
    FieldTable,
    as_table,
    parse_sweeps,
    refuse_values,
)
from wavefold.constraints import build_constraint
from wavefold.options import MOST_SWEEPS, find_option

Side = Annotated[int, Field(ge=1, le=9_999_999)]  # cells
Seed = Annotated[
    int, Field(description="same seed, same result, on every machine", ge=-(1 << 63), lt=1 << 64)
]


def read_sweeps(value: Any) -> Any:
    """A number of sweeps, "auto", or false for none; "off" is false, too."""
    if isinstance(value, str) and value not in ("auto", "off"):
        raise ValueError(f'must be "auto", false, or a number of sweeps from 0 to {MOST_SWEEPS:,}')
    sweeps = parse_sweeps(value)
    return False if sweeps == "off" else sweeps


SWEEPS = {
    "anyOf": [{"enum": ["auto", "off", False]}, {"type": "integer", "minimum": 0, "maximum": MOST_SWEEPS}]
}
SweepsBody = Annotated[Any, AfterValidator(read_sweeps), WithJsonSchema(SWEEPS)]
TileSetName = Annotated[
    str, Field(min_length=1, max_length=200, description="the name or id of a tile set", examples=["pipes"])
]

DEEPEST = 6  # lists and tables in each other
LONGEST_TEXT = 200  # characters
LARGEST = 1 << 53  # beyond, JSON numbers are not exact everywhere
DEEPEST_TABLE, LARGEST_SEED = 32, 1 << 64  # of tile sets and documents
MOST_FIELDS = 32
JSON = "application/json"
Parsed = TypeVar("Parsed", bound=BaseModel)


def declared_field(group: type, name: str, **more: Any) -> Any:
    """A field of a body with the default, title, description and bounds of a declared option."""
    declared = find_option(group, name)
    option = declared.option
    if not declared.names:
        more |= {"ge": option.low, "le": option.high}
    return Field(
        default=declared.default, title=option.title or None, description=declared.description, **more
    )


class Body(ConfigSection):
    """JSON with fixed keys, as a section of a configuration."""


def check_plain(
    value: Any, deepest: int = DEEPEST, longest: int = LONGEST_TEXT, largest: int = LARGEST
) -> Any:
    """The value; raises for text, numbers or nesting that nothing in a request needs."""
    level = [value]
    for _ in range(deepest + 1):
        inside: list[Any] = []
        for each in level:
            if isinstance(each, str):
                check_text(each, longest)
            elif isinstance(each, dict):
                inside += each
                inside += each.values()
            elif isinstance(each, list):
                inside += each
            elif isinstance(each, (int, float)) and not abs(each) <= largest:  # nor is NaN
                raise ValueError(f"numbers must be finite and at most {largest:,} in size")
        if not inside:
            return value
        level = inside
    raise ValueError(f"lists and tables are nested more than {deepest} deep")


def check_text(text: str, longest: int) -> None:
    """Raise for a text that is too long, or that cannot be written as UTF-8."""
    if len(text) > longest:
        raise ValueError(f"a text has {len(text):,} characters; at most {longest} are allowed")
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("a text contains a lone surrogate (half of a UTF-16 pair)")


def check_table(table: dict[str, Any]) -> dict[str, Any]:
    """The table of a tile set or a document, whose texts may be pictures and whose numbers may be seeds."""
    check_plain(table, DEEPEST_TABLE, maxsize, LARGEST_SEED)
    return table


PlainTable = Annotated[dict[str, Any], AfterValidator(check_table)]


def parse_body(model: type[Parsed], content: bytes) -> Parsed:
    """A body that was received as bytes; takes a while for large ones, so call it in a thread then."""
    try:
        # The hooks are there so that other threads can run in between.
        data = json.loads(content.decode(), object_hook=pass_table, parse_int=parse_number)
    except json.JSONDecodeError as error:
        raise refuse_json(error.msg, error.pos) from None
    except (ValueError, RecursionError) as error:  # of text, of numbers with too many digits, and of nesting
        raise refuse_json(str(error)) from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:MOST_ERRORS]
        raise RequestValidationError([{**each, "loc": ("body", *each["loc"])} for each in found]) from None


def pass_table(table: dict[str, Any]) -> dict[str, Any]:
    """The same table."""
    return table


def parse_number(digits: str) -> int:
    """Parse a whole number."""
    return int(digits)


def refuse_json(reason: str, *place: int) -> RequestValidationError:
    """The error of a body that is not JSON, at this character."""
    return RequestValidationError(
        [{"type": "json_invalid", "loc": ("body", *place), "msg": reason, "ctx": {"error": reason}}]
    )


# --- constraints and fields as they are written in TOML, but without files ---------------------------


def check_constraint(table: dict[str, Any]) -> dict[str, Any]:
    """The table of a constraint. Areas that are pictures are paths, and no path comes in over HTTP."""
    check_plain(table)
    if isinstance(table.get("area"), str):
        raise ValueError(
            "area: a picture cannot be named over HTTP; give a rectangle [x, y, width, height], a polygon "
            "[[x, y], …] or rows of true and false"
        )
    with refuse_values():
        build_constraint(table)
    return table


ConstraintTable = Annotated[
    dict[str, Any],
    AfterValidator(check_constraint),
    WithJsonSchema({"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}),
]


def refuse_picture(value: Any) -> None:
    """Raise for a field that would be read from a file."""
    if value is not None:
        raise ValueError("a picture cannot be named over HTTP; use noise, a value or an expression")


class FieldBody(FieldTable):
    """The source of one field: noise, a value, or an expression of other fields."""

    picture: Annotated[None, BeforeValidator(refuse_picture)] = Field(
        default=None, description="only in files of configurations"
    )


BareField = Annotated[FieldBody, as_table("expression", str), as_table("value", int, float)]


class FieldsBody(FieldsSection):
    """A value at every cell, by name. Each key that is added here is a field."""

    __pydantic_extra__: dict[str, BareField] = Field(init=False)  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _check_count(cls, data: Any) -> Any:
        if isinstance(data, dict) and len(data.keys() - cls.model_fields.keys()) > MOST_FIELDS:
            raise ValueError(f"at most {MOST_FIELDS} fields are allowed")
        return data
