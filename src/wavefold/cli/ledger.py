"""Which files a command has read, so that it does not overwrite them, and which it has written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_written: list[str] = []
_reading: list[list[Path]] = []  # one list for each `reading` in force
_state = {"kept": False, "watching": False}


# --- written --------------------------------------------------------------------------------------


def clear() -> None:
    """A new command begins."""
    _written.clear()
    _state["kept"] = False


def keep() -> None:
    """From now on this command notes whatever it writes."""
    _state["kept"] = True


def is_kept() -> bool:
    """Whether what was noted is all that was written."""
    return _state["kept"]


def note(*paths: Path) -> None:
    """These files have been written."""
    _written.extend(str(path) for path in paths if str(path) not in _written)


def written() -> list[str]:
    """All files written so far, in their order."""
    return list(_written)


# --- read -----------------------------------------------------------------------------------------


@contextmanager
def reading() -> Iterator[list[Path]]:
    """A list of the files that are opened for reading in here.

    A tile set may name sheets, and a configuration pictures: only whoever opens them knows them all.
    """
    if not _state["watching"]:  # once: an audit hook stays for good
        _state["watching"] = True
        sys.addaudithook(_heard)
    files: list[Path] = []
    _reading.append(files)
    try:
        yield files
    finally:
        _reading.remove(files)


def _heard(event: str, details: tuple[Any, ...]) -> None:
    if _reading and event == "open":
        path, mode, flags = details
        is_read = not set(mode) & set("wax+") if mode else not flags & (os.O_WRONLY | os.O_RDWR)
        if isinstance(path, str | os.PathLike) and is_read:
            for files in _reading:
                files.append(Path(path))


def same_file(path: Path) -> object:
    """Equal for two names of one file, whether it is there already or not."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return os.path.normcase(os.path.realpath(path))
    return found.st_dev, found.st_ino
