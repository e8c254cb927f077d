"""What the reader and the writer agree on, and values as TOML writes them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

FORMAT = 1
MOST_BYTES = 8 << 20
MOST_PATTERNS = 1 << 14
OTHERS = "others"  # the sides a table does not name
WIDEST = 100  # characters of a line with a list in it


def freeze_lists(value: Any) -> Any:
    """Lists as tuples, in tables as well."""
    if isinstance(value, dict):
        return {name: freeze_lists(each) for name, each in value.items()}
    return tuple(freeze_lists(each) for each in value) if isinstance(value, list) else value


def by_side(values: Sequence[Any], compass: Sequence[str], default: Any = None) -> Any:
    """One for all sides; a table, if more than half are the same; or one after another."""
    common, count = Counter(values).most_common(1)[0]
    if count == len(values):
        return common
    if 2 * count <= len(values):
        return values
    table = {side: value for side, value in zip(compass, values, strict=True) if value != common}
    return table if common == default else table | {OTHERS: common}


def pairs(**values: Any) -> Iterator[str]:
    """A line for each that is not None."""
    return (f"{name} = {literal(value)}" for name, value in values.items() if value is not None)


def literal(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1 << 53 else repr(value)
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key(name)} = {literal(each)}' for name, each in value.items())} }}"
    if isinstance(value, tuple | list):
        return array([literal(each) for each in value])
    return str(value)


def array(items: Iterable[str]) -> str:
    """A list on one line, or on as many as it needs."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > WIDEST:
            lines.append("")
        lines[-1] += f"{', ' if lines[-1] else ''}{item}"
    if len(lines) == 1:
        return f"[{lines[0]}]"
    return "[\n" + "".join(f"  {line},\n" for line in lines) + "]"


def key(name: str) -> str:
    """A key, in quotes if it must be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else literal(name)
