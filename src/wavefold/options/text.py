"""Values of `key=value` in options of commands: parsed from text, and written as text."""

from __future__ import annotations

import json
import tomllib
from typing import Any


def read_value(text: str) -> Any:
    """A number, true, false, a list in brackets as in TOML or separated by commas, or text."""
    if text.startswith("["):
        return tomllib.loads(f"value = {text}")["value"]
    if "," in text:
        return [read_value(each) for each in text.split(",")]
    try:
        found = tomllib.loads(f"value = {text}")
    except ValueError:
        return text
    return found["value"] if isinstance(found["value"], bool | int | float) and len(found) == 1 else text


def write_value(value: Any) -> str | None:
    """Inverse of `read_value`; None if no text means this value, as the text "7" or a table."""
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        return text if read_value(text) == value else None
    except ValueError:
        return None
