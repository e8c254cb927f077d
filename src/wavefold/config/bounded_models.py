"""Models whose validation stops after some errors, and lets other threads run in between.

Pydantic reports every error. A megabyte of wrong values would give hundreds of megabytes of errors, and
seconds in which no other thread runs. So long lists and tables are checked in pieces, up to the first piece
with an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticKnownError, core_schema

PIECE = 100  # elements that are checked at once
MOST_ERRORS = 20  # that are reported of one list or table, and unknown keys

Schema = dict[str, Any]


def bound_errors(schema: Any) -> Any:
    """A schema of Pydantic's in which long lists and tables are checked in pieces."""
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
    """The schema of a model, whose validators may be around it, with bounds for its fields."""
    if "schema" not in schema:
        return schema
    bound = bound_errors if schema["type"] == "model" else bound_model
    return {**schema, "schema": bound(schema["schema"])}


# Where a schema has others inside; `choices` of a union may be pairs of a schema and a label.
INSIDE = ("schema", "items_schema", "keys_schema", "values_schema", "extras_schema", "choices", "steps")


def is_bounded(schema: Schema) -> bool:
    """Whether this was made by `bound_errors`: Pydantic may offer a schema twice."""
    function = schema.get("function")
    return isinstance(function, dict) and isinstance(function.get("function"), partial)


def check_list(most: int | None, values: Any, check: core_schema.ValidatorFunctionWrapHandler) -> Any:
    """A list, checked piece by piece."""
    if not isinstance(values, (list, tuple)) or len(values) <= PIECE:
        return check(values)
    check_length(values, "List", most)
    checked: list[Any] = []
    for start in range(0, len(values), PIECE):
        with_place = partial(move_error, start)
        checked += check_piece(values[start : start + PIECE], check, with_place)
    return checked


def check_table(most: int | None, values: Any, check: core_schema.ValidatorFunctionWrapHandler) -> Any:
    """A table, checked piece by piece."""
    if not isinstance(values, dict) or len(values) <= PIECE:
        return check(values)
    check_length(values, "Dictionary", most)
    checked: dict[Any, Any] = {}
    for piece in split_table(values):
        checked.update(check_piece(piece, check, lambda place: place))
    return checked


CHECKS = {"list": check_list, "dict": check_table}


def check_piece(piece: Any, check: core_schema.ValidatorFunctionWrapHandler, move: Any) -> Any:
    """A part of a list or table. Raises the first errors, at the places that `move` gives them."""
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
    """The place of an error in a list, from its place in a piece that begins at `start`."""
    return (place[0] + start, *place[1:])


def split_table(values: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """Parts of a table."""
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
