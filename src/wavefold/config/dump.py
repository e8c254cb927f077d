"""A configuration as text: an equivalent TOML file, and the tables of the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from wavefold.config.effective import Effective
from wavefold.config.field_sections import FieldTable, NoiseTable
from wavefold.config.models import Config
from wavefold.formats.toml.document import key, literal

TABLES: dict[str, type[BaseModel]] = {"noise": NoiseTable, "field": FieldTable}


def as_toml(effective: Effective) -> str:
    """A TOML file with all values, each with a comment on its origin; loading it gives the same values."""
    return "\n".join(toml_lines(effective)) + "\n"


def toml_lines(effective: Effective) -> Iterator[str]:
    """The file, line by line: the file that was read, then table after table."""
    yield f"# {effective.file.name if effective.file else 'no file'}"
    for table, settings in groupby(effective.settings(), lambda setting: setting[0][:-1]):
        yield ""
        yield f"[{'.'.join(table)}]"
        for path, value, origin in settings:
            name = key(path[-1])
            yield f"# {name} is not set" if value is None else f"{name} = {format_value(value)}  # {origin}"


def format_value(value: Any) -> str:
    """A value in TOML, on one line."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(format_value(each) for each in value)}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{key(name)} = {format_value(each)}" for name, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return literal(value)


def key_table(section: str) -> str:
    """The keys of a section (or of "noise", or of a "field") in Markdown, with defaults and meanings."""
    kind = TABLES.get(section) or Config.model_fields[section].annotation
    assert isinstance(kind, type)
    assert issubclass(kind, BaseModel)
    rows = [
        f"| `{name}` | {format_default(info)} | {info.description} |"
        for name, info in kind.model_fields.items()
    ]
    return "\n".join(["| key | default | meaning |", "|---|---|---|", *rows])


def format_default(info: FieldInfo) -> str:
    """The cell of a table."""
    if info.default is PydanticUndefined:
        return "needed"
    return "" if info.default is None else f"`{format_value(info.default)}`"
