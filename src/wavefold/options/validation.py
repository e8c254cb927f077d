"""Pydantic's validation errors as sentences: what a value must be, and what it is instead.

Callers add where in a file the value is, and which keys there are.
"""

from __future__ import annotations

from typing import Any

from wavefold.errors import suggest
from wavefold.options.option import format_range
from wavefold.options.values import shorten

# Where Pydantic's own messages are about Python types.
EXPECTED = {
    "model_type": "a table",
    "model_attributes_type": "a table",
    "dict_type": "a table",
    "list_type": "a list",
    "tuple_type": "a list",
    "string_type": "text, in quotes",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
}
NUMBER_ERRORS = ("int_parsing", "int_parsing_size", "greater_than_equal", "less_than_equal")


def describe_error(error: Any, name: str, table: str = "a table") -> str:
    """One error of `ValidationError.errors()`: "size must be a whole number, not 'three'".

    `name` is what to call the value; `table` is "an object" for files of JSON. Not for unknown and missing
    keys.
    """
    value = error["input"]
    match error["type"]:
        case "value_error":
            problem = str(error["ctx"]["error"])
        case "literal_error" if isinstance(value, str) and "'" in error["ctx"]["expected"]:
            known = error["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
            return f"unknown {name} {format_value(value)}; {suggest(value, known)}"
        case "literal_error":
            problem = f"must be {error['ctx']['expected']}"
        case "greater_than_equal":
            problem = "must be a number" + format_range(error["ctx"]["ge"], None)
        case "too_short":
            problem = f"must have at least {error['ctx']['min_length']} entries"
        case "too_long":
            problem = f"must have at most {error['ctx']['max_length']} entries"
        case "union_tag_not_found":
            return f"{name} needs a key {error['ctx']['discriminator']}"
        case "union_tag_invalid":
            known = error["ctx"]["expected_tags"].replace("'", "").split(", ")
            return f"unknown {name} {error['ctx']['tag']!r}; {suggest(error['ctx']['tag'], known)}"
        case kind if kind in EXPECTED:
            problem = f"must be {EXPECTED[kind]}".replace("a table", table)
        case _:
            problem = str(error["msg"]).replace("Input should be", "must be")
            if not problem.startswith("must "):
                return f"{name}: {problem}"
    return f"{name} {problem}, not {format_value(value, table)}" if problem.startswith("must ") else problem


def describe_number_error(error: Any, name: str, low: float | None, high: float | None) -> str | None:
    """An error about a text that should be a whole number: "--n must be a whole number from 1 to 5, not 40".

    None if the error is about something else.
    """
    if error["type"] not in NUMBER_ERRORS:
        return None
    is_number = error["type"] in ("greater_than_equal", "less_than_equal")
    value = shorten(int(error["input"]) if is_number else error["input"])
    return f"{name} must be {EXPECTED['int_type']}{format_range(low, high)}, not {value}"


def format_value(value: object, table: str = "a table") -> str:
    """The start of a value, as TOML or JSON writes it, or nearly so."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return table
    return shorten(list(value) if isinstance(value, tuple) else value)
