"""Where values come from: origins for messages, the file with the line of every key, environment variables.

Not pydantic-settings: it keeps no line numbers and no origins, which every message here names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from wavefold.errors import ConfigError, FormatError

if TYPE_CHECKING:
    from wavefold.formats.toml.document import Document


KeyPath = tuple[str | int, ...]  # ("generate", "seed"), ("fields", "altitude", "noise", "scale")
ConfigProblem = tuple["Origin", str]  # where, and what is wrong there

MOST_PROBLEMS = 10  # in one message


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was set. The higher `rank` wins: 0 default, 1 file, 2 environment, 3 flag."""

    rank: int = 0
    name: str = ""  # "wavefold.toml", "WAVEFOLD_GENERATE_SEED", "--seed"
    line: int | None = None

    @property
    def kind(self) -> str:
        """ "default", "file", "environment" or "flag"."""
        return ("default", "file", "environment", "flag")[self.rank]

    def __str__(self) -> str:
        """For tables: `wavefold.toml:12`."""
        return "default" if not self.rank else f"{self.name}:{self.line}" if self.line else self.name

    @property
    def place(self) -> str:
        """For the beginning of a message: `wavefold.toml, line 12: `; nothing for defaults."""
        return f"{self.name}, line {self.line}: " if self.line else f"{self.name}: " if self.rank else ""


DEFAULT = Origin()


def find_origin(origins: Mapping[KeyPath, Origin], path: KeyPath) -> Origin:
    """Return where the value at `path` was set; a part of a value has the origin of the whole."""
    parts = (path[:length] for length in range(len(path), 0, -1))
    return next((origins[part] for part in parts if part in origins), DEFAULT)


def raise_problems(problems: Iterable[ConfigProblem]) -> NoReturn:
    """Raise `ConfigError` with one line for each problem, which begins with its origin."""
    in_order = sorted(problems, key=lambda problem: (problem[0].rank, problem[0].line or 0))
    sentences = [f"{origin.place}{text}" for origin, text in in_order]
    more = len(sentences) - MOST_PROBLEMS
    shown = [*sentences[:MOST_PROBLEMS], *([f"and {more:,} more"] if more > 0 else [])]
    raise ConfigError("\n".join(shown))


OWN_NAME, SHARED_NAME = "wavefold.toml", "pyproject.toml"
OUR_TABLE = ("tool", "wavefold")
MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class ConfigFile:
    """A file that was read. `data` are its sections, `table` the names of the tables around them."""

    path: Path
    name: str  # in messages
    data: dict[str, Any]
    table: tuple[str, ...]
    document: Document

    @property
    def prefix(self) -> str:
        """What precedes the name of a section in this file: `tool.wavefold.` or nothing."""
        return "".join(f"{part}." for part in self.table)

    def origin(self, path: KeyPath) -> Origin:
        """The origin of a key: its line, or that of the table or value around it."""
        whole = (*self.table, *path)
        found = (self.document.lines.get(whole[:length]) for length in range(len(whole), 0, -1))
        return Origin(1, self.name, next((line for line in found if line), None))


def find_file(folder: Path) -> ConfigFile | None:
    """The nearest file: here, or in a folder above, up to the one with `.git` in it.

    In each folder `wavefold.toml` comes first; a `pyproject.toml` counts only if it has [tool.wavefold].
    """
    start = folder.absolute()
    for each in (start, *start.parents):
        if (each / OWN_NAME).is_file():
            return read_file(each / OWN_NAME)
        shared = each / SHARED_NAME
        if shared.is_file() and mentions_wavefold(shared):
            found = read_file(shared, optional=True)
            if found is not None:
                return found
        if (each / ".git").exists():
            break
    return None


def mentions_wavefold(path: Path) -> bool:
    """Whether a file mentions wavefold: mistakes in other files are not reported."""
    try:
        with open(path, "rb") as file:
            return b"wavefold" in file.read(MOST_BYTES + 1)
    except OSError:
        return False


def read_file(path: Path, optional: bool = False) -> ConfigFile | None:
    """Read a file. With `optional`, None if it is a pyproject.toml without [tool.wavefold]."""
    from wavefold.formats.toml.document import Document

    name = short_name(path)
    try:
        document = Document(Path(name), MOST_BYTES, "a configuration is much smaller")
    except FormatError as error:
        raise ConfigError(str(error)) from None
    table = OUR_TABLE if path.name == SHARED_NAME else ()
    data: Any = document.data
    for part in table:
        data = data.get(part) if isinstance(data, dict) else None
    if isinstance(data, dict):
        return ConfigFile(path, name, data, table, document)
    if optional and data is None:
        return None
    raise ConfigError(f"{name} has no table [{'.'.join(OUR_TABLE)}]; add one, or write a {OWN_NAME}")


def short_name(path: Path) -> str:
    """Return a path relative to the current folder, if it is below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


PREFIX = "WAVEFOLD_"
FILE_VARIABLE = "WAVEFOLD_CONFIG"  # names the file to read; empty: none
ALIKE = 0.8  # variables less similar to a section are not settings, such as WAVEFOLD_DATA


def read_variables(
    environment: Mapping[str, str], sections: Mapping[str, Any]
) -> Iterator[tuple[str, str, str | None, Any]]:
    """Yield (variable, section, key, value) of each setting; key None: a whole section."""
    for variable, section, key in split_variables(environment):
        if section in sections:
            yield variable, section, key, parse_value(environment[variable])


def find_misspelled(environment: Mapping[str, str], sections: Mapping[str, Any]) -> Iterator[ConfigProblem]:
    """Yield variables whose section is misspelled."""
    for variable, section, _ in split_variables(environment):
        if section not in sections:
            for close in get_close_matches(section, sections, n=1, cutoff=ALIKE):
                yield Origin(2, variable), f"unknown section {section!r}; did you mean {close!r}?"


def split_variables(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str | None]]:
    """Yield (variable, section, key) of all variables with our prefix, sorted by name."""
    for variable in sorted(environment):
        if variable.startswith(PREFIX) and variable != FILE_VARIABLE:
            section, _, key = variable.removeprefix(PREFIX).lower().partition("_")
            yield variable, section, key or None


def parse_value(text: str) -> Any:
    """Parse a TOML value; return anything else as text."""
    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if set(read) == {"value"} else text
