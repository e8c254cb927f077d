"""Load a configuration from four sources: defaults, a file, the environment, flags. Later ones win."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from wavefold.config.effective import Effective
from wavefold.config.models import Config
from wavefold.config.sections import parse_limits
from wavefold.config.sources import (
    DEFAULT,
    FILE_VARIABLE,
    ConfigFile,
    ConfigProblem,
    KeyPath,
    Origin,
    find_file,
    find_misspelled,
    find_origin,
    raise_problems,
    read_file,
    read_variables,
)
from wavefold.config.validation import describe_invalid, describe_unknown_section, find_problems
from wavefold.errors import ConfigError
from wavefold.options.option import find_declaration
from wavefold.options.values import check_path, check_type

# Flags of keys that another package declares: they can be repeated.
REPEATED_FLAGS = {"allow_hosts": "allow-host", "allow_origins": "allow-origin", "limits": "limit"}
NESTED = ("terrain", "service")  # the sections whose tables are merged key by key


Section = TypeVar("Section", bound=BaseModel)


class Setting(NamedTuple):
    """A value that was set, and where."""

    path: KeyPath
    value: Any
    origin: Origin


def load_config(
    path: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Effective:
    """Return the effective configuration, and where each of its values comes from.

    Parameters
    ----------
    path : the file; if None, the one WAVEFOLD_CONFIG names, else the nearest `wavefold.toml`, or
        `pyproject.toml` with [tool.wavefold], in `folder` or above it. "" reads no file
    environment : the variables; those of the process if None
    flags : {"generate.seed": 7, "budget": "2s", "weights": {"house": 0.5}}; None as a value means: not given
    folder : where to begin to look for the file; the current one if None
    """
    for name, given in (("path", path), ("folder", folder)):
        if given is not None:
            check_path(name, given)
    for name, table in (("environment", environment), ("flags", flags)):
        check_type(name, table, (Mapping, NoneType), "a dict")
    variables = os.environ if environment is None else environment
    file = choose_file(path, variables, folder)
    problems: list[ConfigProblem] = list(find_misspelled(variables, Config.model_fields))
    data: dict[str, Any] = {}
    origins: dict[KeyPath, Origin] = {}
    for setting in collect_settings(file, variables, flags or {}, problems):
        set_value(data, setting.path, setting.value)
        origins[setting.path] = setting.origin
    drop_overruled(data, origins)
    locate = make_locator(origins, file)
    config = validate(data, locate, file, problems)
    problems += [(locate(where), text) for where, text in find_problems(config)]
    if problems:
        raise_problems(problems)
    return Effective(config, origins, file)


def choose_file(
    path: str | os.PathLike[str] | None, variables: Mapping[str, str], folder: str | os.PathLike[str] | None
) -> ConfigFile | None:
    """Return the named file, else the nearest one."""
    named = variables.get(FILE_VARIABLE) if path is None else os.fspath(path)
    if named is None:
        return find_file(Path.cwd() if folder is None else Path(folder))
    return read_file(Path(named)) if named else None


def collect_settings(
    file: ConfigFile | None,
    variables: Mapping[str, str],
    flags: Mapping[str, Any],
    problems: list[ConfigProblem],
) -> Iterator[Setting]:
    """Yield all values that were set, in order of increasing precedence."""
    if file is not None:
        yield from split_settings(file.data, file.origin, problems, file.prefix)
    for variable, section, key, value in read_variables(variables, Config.model_fields):
        data = {section: value if key is None else {key: value}}
        yield from split_settings(data, same_origin(Origin(2, variable)), problems)
    for name, value in flags.items():
        section, _, key = name.partition(".")
        given = {key: value} if key else value
        if isinstance(given, Mapping):
            given = {each: amount for each, amount in given.items() if amount is not None}
        if given is not None:
            origin = Origin(3, name_flag(name))
            yield from split_settings({section: given}, same_origin(origin), problems)


def name_flag(name: str) -> str:
    """Return the flag of a key such as "generate.diagnostics", or of a whole section: "--diagnostic"."""
    section, _, key = name.partition(".")
    declared = find_declaration(section, key)
    other = REPEATED_FLAGS.get(key, key or section).replace("_", "-")
    return f"--{other}" if declared is None else declared.flag.partition("/")[0]


def same_origin(origin: Origin) -> Callable[[KeyPath], Origin]:
    """Return a function that gives every key this origin."""
    return lambda _: origin


def split_settings(
    data: Mapping[str, Any],
    origin: Callable[[KeyPath], Origin],
    problems: list[ConfigProblem],
    prefix: str = "",
) -> Iterator[Setting]:
    """Yield the values of all sections, key by key; names outside of sections become problems."""
    for section, given in data.items():
        here = origin((section,))
        if section not in Config.model_fields:
            problems.append((here, describe_unknown_section(section, given, prefix)))
            continue
        try:
            table = as_section(section, given)
        except ConfigError as error:
            problems.append((here, str(error)))
            continue
        for key, value in table.items():
            path = (section, key)
            if section in NESTED and isinstance(value, Mapping):
                yield from (
                    Setting((*path, name), each, origin((*path, name))) for name, each in value.items()
                )
            else:
                yield Setting(path, value, origin(path))


def as_section(name: str, given: Any) -> Mapping[str, Any]:
    """Return a section as a table; `budget` and `search` may be written as a single value."""
    if isinstance(given, Mapping):
        return given
    if name == "budget" and type(given) in (int, float, str):
        return parse_limits(str(given))
    if name == "search" and isinstance(given, str):
        return {"ladder": given}
    raise ConfigError(f"{name!r} is a section: write [{name}], and its keys below")


def set_value(data: dict[str, Any], path: KeyPath, value: Any) -> None:
    """Set a nested value; anything on its path that is not a table is replaced."""
    for part in path[:-1]:
        if not isinstance(data.get(str(part)), dict):
            data[str(part)] = {}
        data = data[str(part)]
    data[str(path[-1])] = value


def drop_overruled(data: dict[str, Any], origins: dict[KeyPath, Origin]) -> None:
    """Drop a radius that a size of a later source overrules, and knobs that a ladder's name overrules."""
    for path in list(origins):
        section, key = path[:2]
        ruler = {"search": "ladder", "generate": "size" if key == "radius" else None}.get(str(section))
        if ruler and origins.get((section, ruler), DEFAULT).rank > origins[path].rank:
            del data[str(section)][key], origins[path]


def make_locator(origins: Mapping[KeyPath, Origin], file: ConfigFile | None) -> Callable[[KeyPath], Origin]:
    """Return a function that finds the origin of a value, or of a part of one."""

    def locate(path: KeyPath) -> Origin:
        origin = find_origin(origins, path)
        if origin is DEFAULT:  # a default: the value that conflicts with it is in the same section
            origin = next((each for start, each in origins.items() if start[:1] == path[:1]), DEFAULT)
        return file.origin(path) if file is not None and origin.rank == 1 else origin

    return locate


def validate(
    data: dict[str, Any],
    locate: Callable[[KeyPath], Origin],
    file: ConfigFile | None,
    problems: list[ConfigProblem],
) -> Config:
    """Return the validated configuration; raise a message for each invalid value."""
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise_problems([*problems, *list_problems(error, locate, file)])


def check_section(effective: Effective, name: str, model: type[Section]) -> Section:
    """Return a section that another package defines, such as [service]; raise a message for each error."""
    locate = make_locator(effective.origins, effective.file)
    try:
        return model.model_validate(getattr(effective.config, name))
    except ValidationError as error:
        raise_problems(list_problems(error, locate, effective.file, name, model))


def list_problems(
    invalid: ValidationError,
    locate: Callable[[KeyPath], Origin],
    file: ConfigFile | None,
    section: str = "",
    model: type[BaseModel] | None = None,
) -> Iterator[ConfigProblem]:
    """Yield where each invalid value was set, and a message."""
    for each in invalid.errors(include_url=False):
        start = (section,) if section else ()
        in_file = file is not None and locate((*start, *each["loc"])).rank == 1
        prefix = file.prefix if file is not None and in_file else ""
        path, text = describe_invalid(each, prefix, in_file, section, model)
        yield locate(path), text
