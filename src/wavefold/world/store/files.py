"""Files of stores: written under a temporary name and then published; errors as sentences."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wavefold.errors import ConfigError, WorldError


def parse_path(path: Any) -> Path:
    """The path of a store, from what the user gave."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(name, str):
        raise ConfigError(f"the path of a world must be a str or a Path, not {path!r:.80}")
    return Path(name)


def file_identity(path: Path) -> tuple[int, int] | None:
    """(device, inode) of the file at a path; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def check_folder(path: Path) -> None:
    """Raise WorldError now if a file could not be created there."""
    if "\0" in str(path) or not path.name:
        raise WorldError(f"cannot save a world in {str(path)!r}: not a file name")
    try:
        if path.is_dir():
            raise WorldError(f"cannot save a world in {str(path)!r}: it is a folder; give a file name")
        if not path.parent.is_dir():
            raise WorldError(f"cannot save a world in {str(path)!r}: there is no folder {str(path.parent)!r}")
    except OSError as error:  # such as a name that is too long
        raise WorldError(f"cannot save a world in {str(path)!r}: {error.strerror}") from error


@contextmanager
def remove_draft(draft: Path) -> Iterator[None]:
    """Remove a draft and the files SQLite makes beside it, whatever happens."""
    try:
        yield
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{draft}{ending}").unlink(missing_ok=True)


def publish(draft: Path, path: Path) -> bool:
    """Give a finished draft its final name. False if another file has taken it meanwhile."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError:  # the file system has no links
        os.replace(draft, path)
    with suppress(OSError):  # not every system can open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return True


@contextmanager
def translate_errors(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Raise errors of SQLite and the operating system as WorldError, in sentences."""
    try:
        yield
    except sqlite3.Error as error:
        raise WorldError(format_error(path, error, patience)) from error
    except UnicodeError as error:  # SQLite returns names as they are in the file
        raise WorldError(f"{path} is damaged: names in it cannot be decoded; use a backup") from error
    except OSError as error:
        raise WorldError(f"cannot use {path}: {(error.strerror or str(error)).lower()}") from error


def format_error(path: Path, error: sqlite3.Error, patience: float) -> str:
    """What is wrong with the file, and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another program is writing to {path}; waited {patience:g} s: try again, nothing was changed"
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return f"{path} could not be written ({error}): make room on the disk; what was in it is unharmed"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path} may not be written here ({error}); open it with readonly=True, or choose another path"
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a store of a wavefold world: it is not an SQLite file"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"{path} is damaged ({error}); use a backup"
    if code == sqlite3.SQLITE_CANTOPEN:
        return f"cannot use {path} ({error}): it, or its folder, may not be read or written"
    return f"cannot use {path}: {error}"
