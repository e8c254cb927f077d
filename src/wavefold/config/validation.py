"""Messages about invalid configurations: about single values, and about values that conflict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from pydantic import BaseModel

from wavefold.config.expressions import is_field_name, parse_expression
from wavefold.config.models import Config, FieldsSection, FieldTable, NoiseTable, PresetTable
from wavefold.config.sections import SearchSection
from wavefold.config.sources import KeyPath
from wavefold.errors import ConfigError, suggest
from wavefold.options.validation import describe_error, format_value


def describe_invalid(
    error: Any, prefix: str, with_table: bool, section: str = "", model: type[BaseModel] | None = None
) -> tuple[KeyPath, str]:
    """Return the key of a Pydantic error, and a message.

    prefix : of the names of sections in this file
    with_table : name the table as well, unless a flag or a variable already names it
    section, model : of a section that another package defines, whose model the error is from
    """
    path: KeyPath = (section, *error["loc"]) if section else tuple(error["loc"])
    table = prefix + ".".join(map(str, path[:-1]))
    match error["type"]:
        case "extra_forbidden":
            of_key = model_at(path[:-1]) if model is None else descend(model, path[1:-1])
            known = of_key.model_fields
            return path, f"unknown key {path[-1]!r} in [{table}]; {suggest(path[-1], known)}"
        case "missing":
            return path[:-1], f"[{table}] needs a key {str(path[-1])!r}"
        case "model_type" if len(path) == 2 and path[0] == "fields":
            value = format_value(error["input"])
            problem = f"{path[-1]} must be a number, an expression, or a table, not {value}"
        case _:
            problem = describe_error(error, str(path[-1]))
    return path, f"in [{table}], {problem}" if with_table else problem


def describe_unknown_section(name: str, value: Any, prefix: str) -> str:
    """Return a message about a top-level name that is not a section."""
    if isinstance(value, dict):
        return f"unknown section [{prefix}{name}]; {suggest(name, Config.model_fields)}"
    homes = [f"[{prefix}{each}]" for each in Config.model_fields if name in section_model(each).model_fields]
    if homes:
        return f"{name!r} is outside of any section; it belongs in {' or '.join(homes)}"
    return f"unknown key {name!r}; every key belongs in a section: {', '.join(Config.model_fields)}"


def section_model(section: str) -> type[BaseModel]:
    """Return the model of a section; one without keys if users choose the names."""
    kind = Config.model_fields[section].annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else BaseModel


def descend(model: type[BaseModel], path: KeyPath) -> type[BaseModel]:
    """Return the model of a table within a model."""
    for key in path:
        kind = model.model_fields[str(key)].annotation
        model = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else BaseModel
    return model


def model_at(path: KeyPath) -> type[BaseModel]:
    """Return the model of the table at this path."""
    match path:
        case ("fields", "preset", *_):
            return PresetTable
        case ("fields", _):
            return FieldTable
        case ("fields", _, *_):
            return NoiseTable
        case (str(section), *_):
            return section_model(section)
    return Config


def find_problems(config: Config) -> Iterator[tuple[KeyPath, str]]:
    """Yield (key, message) for values that conflict."""
    yield from field_problems(config)
    known = field_names(config.fields)
    for tile, limits in config.terrain.limits.items():
        yield from unknown_fields(("terrain", "limits", tile), limits, known)
    for tile, factor in config.terrain.weights.items():
        yield from expression_problems(("terrain", "weights", tile), factor, known)
    yield from heuristics_problems(config, known)
    yield from world_problems(config)


def field_problems(config: Config) -> Iterator[tuple[KeyPath, str]]:
    known = field_names(config.fields)
    sound = True
    for name, table in config.fields.tables.items():
        path = ("fields", name)
        if not is_field_name(name):
            yield path, f"a field cannot be called {name!r}: use letters, digits and _, as expressions need"
        for problem in expression_problems(path, table.expression, known):
            sound = False
            yield problem
    if sound:
        try:
            fields_in_order(config.fields)
        except CycleError as error:
            circle = error.args[1][::-1]
            yield ("fields", circle[0]), f"fields depend on each other in a circle: {' → '.join(circle)}"


def expression_problems(path: KeyPath, text: object, known: Iterable[str]) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(text, str):
        try:
            formula = parse_expression(text)
        except ConfigError as error:
            yield path, str(error)
        else:
            yield from unknown_fields(path, formula.names, known)


def unknown_fields(
    path: KeyPath, names: Iterable[str], known: Iterable[str]
) -> Iterator[tuple[KeyPath, str]]:
    fields = list(known)
    for name in names:
        if name not in fields:
            yield path, f"there is no field {name!r}; {suggest(name, fields)}"


def heuristics_problems(config: Config, known: Iterable[str]) -> Iterator[tuple[KeyPath, str]]:
    heuristics, search = config.heuristics, config.search
    yield from expression_problems(("heuristics", "influence"), heuristics.influence, known)
    if heuristics.bias and heuristics.influence is None:
        yield ("heuristics", "bias"), "bias needs influence: a field, or an expression of fields"
    if search.ladder == "sat" and search != SearchSection.model_validate({"ladder": "sat"}):
        yield (
            ("search", "ladder"),
            "the ladder 'sat' calls an external solver, which has no other options; remove them",
        )


def world_problems(config: Config) -> Iterator[tuple[KeyPath, str]]:
    world = config.world
    radius, half_width = world.corner_radius, world.strip_half_width
    if radius is None:  # the library finds one
        return
    if half_width is not None and half_width >= radius:
        yield (
            ("world", "strip_half_width"),
            f"strip_half_width is {half_width}; it must be less than the radius of corners, which is "
            f"{radius}",
        )
    if world.chunk < 2 * radius + 2:
        yield (
            ("world", "chunk"),
            f"a chunk of {world.chunk} cells is too small for corners of radius {radius}: it needs at least "
            f"{2 * radius + 2}",
        )


def field_names(section: FieldsSection) -> list[str]:
    """Return the names of all fields: those of the preset, then those of the section."""
    names: list[str] = []
    if section.preset is not None:
        from wavefold.fields.presets import preset

        names += preset(section.preset.name)
    return [*dict.fromkeys([*names, *section.tables])]


def fields_in_order(section: FieldsSection) -> list[str]:
    """Return the fields of the section, each after those it depends on. Raise `CycleError` on a cycle."""
    tables = section.tables
    needs = {
        name: [each for each in parse_expression(table.expression).names if each in tables]
        if table.expression
        else []
        for name, table in tables.items()
    }
    return list(TopologicalSorter(needs).static_order())
