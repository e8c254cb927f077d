"""What the values of a configuration mean together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from wavefold.config.expressions import is_field_name, parse
from wavefold.config.field_sections import FieldsSection
from wavefold.config.models import Config
from wavefold.config.origins import KeyPath
from wavefold.config.solver_sections import SearchSection
from wavefold.errors import ConfigError, suggest


def problems_of(config: Config) -> Iterator[tuple[KeyPath, str]]:
    """Where something does not fit, and what."""
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
            yield ("fields", circle[0]), f"fields need each other in a circle: {' → '.join(circle)}"


def expression_problems(path: KeyPath, text: object, known: Iterable[str]) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(text, str):
        try:
            formula = parse(text)
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
        yield ("search", "ladder"), "the ladder 'sat' asks an outside solver: it has no knobs; leave them out"


def world_problems(config: Config) -> Iterator[tuple[KeyPath, str]]:
    world = config.world
    if world.strip_half_width >= world.corner_radius:
        yield (
            ("world", "strip_half_width"),
            f"strip_half_width is {world.strip_half_width}; it must be less than corner_radius, "
            f"which is {world.corner_radius}: else strips would touch each other",
        )
    if world.chunk < 2 * world.corner_radius + 2:
        yield (
            ("world", "chunk"),
            f"a chunk of {world.chunk} cells is too small for a corner_radius of {world.corner_radius}: "
            f"it needs at least {2 * world.corner_radius + 2}",
        )
    if world.stride > world.window:
        yield (
            ("world", "stride"),
            f"stride is {world.stride}; it must be at most window, which is {world.window}: "
            "else cells would be left out",
        )


def field_names(section: FieldsSection) -> list[str]:
    """All fields: those of the preset, and the section's own."""
    names: list[str] = []
    if section.preset is not None:
        from wavefold.fields.presets import preset

        names += preset(section.preset.name)
    return [*dict.fromkeys([*names, *section.tables])]


def fields_in_order(section: FieldsSection) -> list[str]:
    """The section's own fields, each after those it needs. Raises `CycleError` if that cannot be."""
    tables = section.tables
    needs = {
        name: [each for each in parse(table.expression).names if each in tables] if table.expression else []
        for name, table in tables.items()
    }
    return list(TopologicalSorter(needs).static_order())
