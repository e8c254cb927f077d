"""Finding the file, and reading it with the line of every key."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavefold.config.origins import KeyPath, Origin
from wavefold.errors import ConfigError, FormatError

if TYPE_CHECKING:
    from wavefold.formats.toml.document import Document


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
        """What stands before the name of a section in this file."""
        return "".join(f"{part}." for part in self.table)

    def origin(self, path: KeyPath) -> Origin:
        """Where a key stands: its line, or that of the table or value around it."""
        whole = (*self.table, *path)
        found = (self.document.lines.get(whole[:length]) for length in range(len(whole), 0, -1))
        return Origin(1, self.name, next((line for line in found if line), None))


def find_file(folder: Path) -> ConfigFile | None:
    """The nearest file: here, or in a folder above, up to the one with `.git` in it.

    In each folder `wavefold.toml` comes first; a `pyproject.toml` counts only if it has [tool.wavefold].
    """
    for place in folders_from(folder):
        if (place / OWN_NAME).is_file():
            return read_file(place / OWN_NAME)
        shared = place / SHARED_NAME
        if shared.is_file() and speaks_of_us(shared):
            found = read_file(shared, optional=True)
            if found is not None:
                return found
    return None


def folders_from(folder: Path) -> Iterator[Path]:
    """A folder and those above it, as far as the project goes."""
    start = folder.absolute()
    for place in (start, *start.parents):
        yield place
        if (place / ".git").exists():
            return


def speaks_of_us(path: Path) -> bool:
    """Whether a file names wavefold at all: other people's mistakes are none of our business."""
    try:
        with open(path, "rb") as file:
            return b"wavefold" in file.read(MOST_BYTES + 1)
    except OSError:
        return False


def read_file(path: Path, optional: bool = False) -> ConfigFile | None:
    """Read a file. With `optional`, None if it is a pyproject.toml without a word for wavefold."""
    from wavefold.formats.toml.document import Document

    name = name_of(path)
    check_size(path, name)
    try:
        document = Document(Path(name))
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


def name_of(path: Path) -> str:
    """A path as short as it can be said from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def check_size(path: Path, name: str) -> None:
    """Raise if this cannot be a configuration."""
    try:
        size = os.stat(path).st_size
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ConfigError(f"cannot read {name!r}: {reason}") from None
    if size > MOST_BYTES:
        raise ConfigError(f"{name} has {size:,} bytes; a configuration has at most {MOST_BYTES:,}")
