"""One configuration out of four sources: defaults, a file, the environment, flags. The later win."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from wavefold.config.budgets import limits_in
from wavefold.config.checks import problems_of
from wavefold.config.effective import Effective
from wavefold.config.environment import FILE_VARIABLE, in_environment, misspelled
from wavefold.config.files import ConfigFile, find_file, read_file
from wavefold.config.messages import sentence, unknown_section
from wavefold.config.models import Config
from wavefold.config.origins import DEFAULT, KeyPath, Origin, Problem, complain
from wavefold.errors import ConfigError

NESTED = "terrain"  # the section whose keys are tables that are merged, too


class Setting(NamedTuple):
    """A value somebody set."""

    path: KeyPath
    value: Any
    origin: Origin


def load_config(
    path: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Effective:
    """The configuration in force, and where each of its values comes from.

    Parameters
    ----------
    path : the file; if None, the one WAVEFOLD_CONFIG names, else the nearest `wavefold.toml`, or
        `pyproject.toml` with [tool.wavefold], in `folder` or above it. "" reads no file
    environment : the variables; those of the process if None
    flags : {"generate.seed": 7, "budget": "2s", "weights": {"house": 0.5}}; None as a value means: not given
    folder : where to begin to look for the file; the current one if None
    """
    variables = os.environ if environment is None else environment
    file = chosen_file(path, variables, folder)
    problems: list[Problem] = list(misspelled(variables, Config.model_fields))
    data: dict[str, Any] = {}
    origins: dict[KeyPath, Origin] = {}
    for setting in (
        *from_file(file, problems),
        *from_environment(variables, problems),
        *from_flags(flags, problems),
    ):
        put(data, setting.path, setting.value)
        origins[setting.path] = setting.origin
    forget_the_overruled(data, origins)
    locate = locator(origins, file)
    config = validated(data, locate, file, problems)
    problems += [(locate(where), text) for where, text in problems_of(config)]
    if problems:
        complain(problems)
    return Effective(config, origins, file)


def chosen_file(
    path: str | os.PathLike[str] | None, variables: Mapping[str, str], folder: str | os.PathLike[str] | None
) -> ConfigFile | None:
    """The file that was named, else the nearest one."""
    named = variables.get(FILE_VARIABLE) if path is None else os.fspath(path)
    if named is None:
        return find_file(Path.cwd() if folder is None else Path(folder))
    return read_file(Path(named)) if named else None


def from_file(file: ConfigFile | None, problems: list[Problem]) -> Iterator[Setting]:
    if file is not None:
        yield from settings(file.data, file.origin, problems, file.prefix)


def from_environment(variables: Mapping[str, str], problems: list[Problem]) -> Iterator[Setting]:
    for variable, section, key, value in in_environment(variables, Config.model_fields):
        data = {section: value if key is None else {key: value}}
        yield from settings(data, everywhere(Origin(2, variable)), problems)


def from_flags(flags: Mapping[str, Any] | None, problems: list[Problem]) -> Iterator[Setting]:
    for name, value in (flags or {}).items():
        section, _, key = name.partition(".")
        given = {key: value} if key else value
        if isinstance(given, Mapping):
            given = {each: amount for each, amount in given.items() if amount is not None}
        if given is not None:
            origin = Origin(3, "--" + (key or section).replace("_", "-"))
            yield from settings({section: given}, everywhere(origin), problems)


def everywhere(origin: Origin) -> Callable[[KeyPath], Origin]:
    """The origin of values that share one."""
    return lambda _: origin


def settings(
    data: Mapping[str, Any],
    origin: Callable[[KeyPath], Origin],
    problems: list[Problem],
    prefix: str = "",
) -> Iterator[Setting]:
    """The values of all sections, key by key; what belongs in no section is a problem."""
    for section, given in data.items():
        here = origin((section,))
        if section not in Config.model_fields:
            problems.append((here, unknown_section(section, given, prefix)))
            continue
        try:
            table = as_section(section, given)
        except ConfigError as error:
            problems.append((here, str(error)))
            continue
        for key, value in table.items():
            path = (section, key)
            if section == NESTED and isinstance(value, Mapping):
                yield from (
                    Setting((*path, name), each, origin((*path, name))) for name, each in value.items()
                )
            else:
                yield Setting(path, value, origin(path))


def as_section(name: str, given: Any) -> Mapping[str, Any]:
    """A section as a table; two may be written as one value, which then says all there is to say."""
    if isinstance(given, Mapping):
        return given
    if name == "budget" and type(given) in (int, float, str):
        return limits_in(str(given))
    if name == "search" and isinstance(given, str):
        return {"ladder": given}
    raise ConfigError(f"{name!r} is a section: write [{name}], and its keys below")


def put(data: dict[str, Any], path: KeyPath, value: Any) -> None:
    """Set a value, and replace what stands in its way."""
    for part in path[:-1]:
        if not isinstance(data.get(str(part)), dict):
            data[str(part)] = {}
        data = data[str(part)]
    data[str(path[-1])] = value


def forget_the_overruled(data: dict[str, Any], origins: dict[KeyPath, Origin]) -> None:
    """A size of a later source overrules a radius, a ladder by name the knobs of another."""
    for path in list(origins):
        section, key = path[:2]
        ruler = {"search": "ladder", "generate": "size" if key == "radius" else None}.get(str(section))
        if ruler and origins.get((section, ruler), DEFAULT).rank > origins[path].rank:
            del data[str(section)][key], origins[path]


def locator(origins: Mapping[KeyPath, Origin], file: ConfigFile | None) -> Callable[[KeyPath], Origin]:
    """A function that tells where a value was set, parts of values included."""

    def locate(path: KeyPath) -> Origin:
        parts = [path[:length] for length in range(len(path), 0, -1)]
        origin = next((origins[part] for part in parts if part in origins), DEFAULT)
        if origin is DEFAULT:  # nobody set it: what does not fit with it stands in the same section
            origin = next((each for start, each in origins.items() if start[:1] == path[:1]), DEFAULT)
        return file.origin(path) if file is not None and origin.rank == 1 else origin

    return locate


def validated(
    data: dict[str, Any],
    locate: Callable[[KeyPath], Origin],
    file: ConfigFile | None,
    problems: list[Problem],
) -> Config:
    """The values in their sections, or one sentence for each that does not fit."""
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            in_file = file is not None and locate(tuple(each["loc"])).rank == 1
            path, text = sentence(each, file.prefix if file is not None and in_file else "", in_file)
            problems.append((locate(path), text))
        complain(problems)
