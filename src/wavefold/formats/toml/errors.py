"""The tables of a tile set file, or one sentence with its place for each value that does not fit."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from wavefold.common.validation import describe_error
from wavefold.errors import suggest
from wavefold.formats.toml.document import Document, KeyPath
from wavefold.formats.toml.literals import FORMAT, MOST_PATTERNS
from wavefold.formats.toml.models import FileTable, model_at


def parse_tables(document: Document) -> FileTable:
    """The values of a file in their tables, or one sentence for each that does not fit."""
    version = document.data.get("format")
    if version is None:
        document.complain(f"not a tile set of wavefold: its first line would be format = {FORMAT}")
    if version != FORMAT or version is True:
        document.complain(f"format is {version!r}, and only format {FORMAT} can be read", "format")
    tiles = document.data.get("tiles")
    if isinstance(tiles, dict) and len(tiles) > MOST_PATTERNS:
        document.complain(f"there are {len(tiles):,} tiles; at most {MOST_PATTERNS:,} can be read")
    try:
        return FileTable.model_validate(document.data)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            document.problems.append(describe(each))
        document.check()
        raise


def describe(error: Any) -> tuple[KeyPath, str]:
    """Where it is, and what is wrong with it."""
    path: KeyPath = tuple(error["loc"])
    match error["type"]:
        case "extra_forbidden":
            known = model_at(path[:-1]).model_fields
            return path, f"unknown key {path[-1]!r}; {suggest(path[-1], known)}"
        case "missing":
            return path[:-1], f"needs a key {path[-1]!r}"
    return path, describe_error(error, name_of(path))


def name_of(path: KeyPath) -> str:
    """What to call a value: its key, and for a field of the limits both."""
    names = [str(part) for part in path if isinstance(part, str)]
    if len(path) == 4 and path[2] == "limits":
        return f"limits.{path[3]}"
    return names[-1] if names else "it"
