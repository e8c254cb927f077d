"""Constraints as tables, the form used in TOML files, configurations and requests.

`{"kind": "border", "tile": "wall", "side": "north"}` is `Border("wall", side="north")`. A kind is the name of
a plugin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter, signature
from os import PathLike, fspath
from typing import Any

from wavefold.errors import ConfigError, TileSetError, suggest
from wavefold.plugins.registry import available, find, index_plugins, is_offered

KIND_KEY = "kind"


def build_constraint(table: Mapping[str, Any]) -> Any:
    """Build a constraint from a table. Raises `ConfigError` for an unknown kind or key."""
    if not isinstance(table, Mapping) or not isinstance(table.get(KIND_KEY), str):
        raise ConfigError(f'a constraint must be a table such as {{ kind = "connected" }}, not {table!r}')
    kind = table[KIND_KEY]
    if not is_offered("constraint", kind):
        raise ConfigError(f"unknown kind of constraint {kind!r}; {suggest(kind, available('constraint'))}")
    make = find("constraint", kind)
    given = {key: to_tuples(value) for key, value in table.items() if key != KIND_KEY}
    known = list_keys(make)
    for key in given:
        if key not in known:
            raise ConfigError(f"{kind!r} has no key {key!r}; {suggest(key, known)}")
    for key, is_needed in known.items():
        if is_needed and key not in given:
            raise ConfigError(f"{kind!r} needs a key {key!r}")
    return make(**given)


def to_tuples(value: Any) -> Any:
    """Convert lists of numbers, which are cells or areas, to tuples; TOML and JSON have only lists."""
    if not isinstance(value, list):
        return value
    is_tuple = value != [] and all(isinstance(each, int | float) for each in value)
    return tuple(value) if is_tuple else [to_tuples(each) for each in value]


def list_keys(make: Any) -> dict[str, bool]:
    """{key: whether it is required} for the tables of a kind."""
    return {
        each.name: each.default is Parameter.empty
        for each in signature(make).parameters.values()
        if each.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    }


def tabulate_constraint(constraint: Any) -> dict[str, Any]:
    """Inverse of `build_constraint`. Raises `TileSetError` if a table cannot hold the constraint."""
    kind = find_kind(type(constraint))
    if kind is None or not is_dataclass(constraint):
        raise TileSetError(f"{constraint!r} cannot be saved: `wavefold plugins` does not list its class")
    table: dict[str, Any] = {KIND_KEY: kind}
    for each in fields(constraint):
        value = getattr(constraint, each.name)
        if each.default is not MISSING and each.default is value:
            continue
        if not is_plain(value):
            raise TileSetError(
                f"constraint {kind!r} cannot be saved: {each.name} must be text, a number or a list of these"
            )
        table[each.name] = value
    return table


def find_kind(made: type) -> str | None:
    """The kind of a class of constraints, or None."""
    for name, plugin in index_plugins("constraint").items():
        if plugin.entry.attr == made.__qualname__ and plugin.load() is made:
            return name
    return None


def find_path(constraint: Any) -> str | None:
    """The path of the picture that a constraint uses as its area, or None.

    Code that builds constraints from untrusted input must refuse such constraints.
    """
    area = getattr(constraint, "area", None)
    return fspath(area) if isinstance(area, str | PathLike) else None


def is_plain(value: Any) -> bool:
    """Whether a table can hold a value."""
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    return isinstance(value, str | bool | int | float)
