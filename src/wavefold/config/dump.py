"""A configuration as text: a TOML file that says the same, and the tables of the documentation."""

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
from wavefold.formats.toml.literals import key, literal

TABLES: dict[str, type[BaseModel]] = {"noise": NoiseTable, "field": FieldTable}


def as_toml(effective: Effective) -> str:
    """A file with all values, each with a word on where it comes from; read again, it gives the same."""
    return "\n".join(lines(effective)) + "\n"


def lines(effective: Effective) -> Iterator[str]:
    """The file, line by line: the file that was read, then table after table."""
    yield f"# {effective.file.name if effective.file else 'no file'}"
    for table, settings in groupby(effective.settings(), lambda setting: setting[0][:-1]):
        yield ""
        yield f"[{'.'.join(table)}]"
        for path, value, origin in settings:
            name = key(path[-1])
            yield f"# {name} is not set" if value is None else f"{name} = {written(value)}  # {origin}"


def written(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(written(each) for each in value)}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{key(name)} = {written(each)}" for name, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return literal(value)


def key_table(section: str) -> str:
    """The keys of a section (or of "noise", or of a "field") in Markdown, with defaults and meanings."""
    kind = TABLES.get(section) or Config.model_fields[section].annotation
    assert isinstance(kind, type)
    assert issubclass(kind, BaseModel)
    rows = [
        f"| `{name}` | {default_of(info)} | {info.description} |" for name, info in kind.model_fields.items()
    ]
    return "\n".join(["| key | default | meaning |", "|---|---|---|", *rows])


def default_of(info: FieldInfo) -> str:
    """The cell of a table."""
    if info.default is PydanticUndefined:
        return "needed"
    return "" if info.default is None else f"`{written(info.default)}`"
