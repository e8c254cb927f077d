"""What Pydantic finds, in sentences: which key, what it must be, what it is instead."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from wavefold.common.validation import describe_error, format_value
from wavefold.config.field_sections import FieldTable, NoiseTable, PresetTable
from wavefold.config.models import Config
from wavefold.config.origins import KeyPath
from wavefold.errors import suggest


def sentence(error: Any, prefix: str, with_table: bool) -> tuple[KeyPath, str]:
    """Where it is, and what is wrong with it.

    `prefix` stands before the names of sections in this file. `with_table` names the table as well, which
    the name of a flag or a variable does already.
    """
    path: KeyPath = tuple(error["loc"])
    table = section_name(path[:-1], prefix)
    match error["type"]:
        case "extra_forbidden":
            known = model_at(path[:-1]).model_fields
            return path, f"unknown key {path[-1]!r} in [{table}]; {suggest(path[-1], known)}"
        case "missing":
            return path[:-1], f"[{table}] needs a key {str(path[-1])!r}"
        case "model_type" if len(path) == 2 and path[0] == "fields":
            value = format_value(error["input"])
            problem = f"{path[-1]} must be a number, an expression, or a table, not {value}"
        case _:
            problem = describe_error(error, str(path[-1]))
    return path, f"in [{table}], {problem}" if with_table else problem


def unknown_section(name: str, value: Any, prefix: str) -> str:
    """What to say about a name that stands beside the sections and is none."""
    if isinstance(value, dict):
        return f"unknown section [{prefix}{name}]; {suggest(name, Config.model_fields)}"
    homes = [f"[{prefix}{section}]" for section in Config.model_fields if name in keys_of(section)]
    if homes:
        return f"{name!r} stands outside of any section; it belongs in {' or '.join(homes)}"
    return f"unknown key {name!r}; every key belongs in a section: {', '.join(Config.model_fields)}"


def keys_of(section: str) -> list[str]:
    """The keys of a section, none if they are the author's own names."""
    kind = Config.model_fields[section].annotation
    return list(kind.model_fields) if isinstance(kind, type) and issubclass(kind, BaseModel) else []


def section_name(path: KeyPath, prefix: str) -> str:
    """A table as one writes it."""
    return prefix + ".".join(str(part) for part in path)


def model_at(path: KeyPath) -> type[BaseModel]:
    """The model of the table at this place."""
    match path:
        case ("fields", "preset", *_):
            return PresetTable
        case ("fields", _):
            return FieldTable
        case ("fields", _, *_):
            return NoiseTable
        case (str(section), *_):
            kind = Config.model_fields[section].annotation
            return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else Config
    return Config
