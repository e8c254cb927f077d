"""The data folder: one SQLite database (WAL) that any thread may use, and a lock against a second server."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wavefold.errors import ConfigError

APPLICATION = int.from_bytes(b"wfsv", "big")  # in the header of the file
SCHEMA_VERSION = 1
PATIENCE = 5.0  # seconds to wait for another writer, such as `wavefold keys`


class Database:
    """What a server stores, except for worlds, which are files of their own beside it.

    A write is on the disk when `writing` ends: what was acknowledged survives a crash and a power cut.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.RLock()
        with explaining_folder_errors(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection = connect(folder / "wavefold.db")

    def create(self, tables: str) -> None:
        """Create the tables of a part of the service, unless they exist; `IF NOT EXISTS` is up to the SQL."""
        try:
            with self._lock:
                self._connection.executescript(tables)
        except sqlite3.Error as error:
            raise ConfigError(
                f"the data folder {str(self.folder)!r} is damaged or of another version of wavefold: {error}"
            ) from error

    def read(self, question: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows that answer a question."""
        with self._lock:
            return self._connection.execute(question, values).fetchall()

    def read_one(self, question: str, values: Sequence[Any] = ()) -> sqlite3.Row | None:
        """The first row that answers a question."""
        rows = self.read(question, values)
        return rows[0] if rows else None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is stored when this ends, or nothing if anything is raised."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                    self._connection.execute("ROLLBACK")
                raise

    def write(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run one statement in a transaction of its own; the number of rows it changed."""
        with self.writing() as connection:
            return connection.execute(statement, values).rowcount

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


def connect(path: Path) -> sqlite3.Connection:
    """A connection for any thread, one at a time; transactions begin only explicitly."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION and tables:
            raise ConfigError(f"{path} is not a database of wavefold's: choose another data folder")
        if version > SCHEMA_VERSION:
            raise ConfigError(f"{path} was written by a newer wavefold: use that version")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # a committed write is on the disk
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def explaining_folder_errors(folder: Path) -> Iterator[None]:
    """Raise a `ConfigError` that says what to do if the data folder cannot be used."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise ConfigError(describe_folder_error(folder, error)) from error


def describe_folder_error(folder: Path, error: OSError | sqlite3.Error) -> str:
    """What is wrong with a data folder, and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says more than is needed here
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return (
            f"a database in the data folder {str(folder)!r} is damaged ({error}): restore the folder from a "
            "backup, or choose another one with --data"
        )
    reason = getattr(error, "strerror", None) or str(error)
    return f"cannot use the data folder {str(folder)!r}: {reason.lower()}; choose another one with --data"


class FolderLock:
    """Held while a server runs on a data folder; the system releases it even after kill -9.

    An exclusive transaction of SQLite, since file locks differ between systems.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "server.lock"
        try:
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            self.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise ConfigError(
                f"another wavefold server is using the data folder {str(folder)!r}; stop it, or give "
                "this one a folder of its own with --data"
            ) from error

    def close(self) -> None:
        """Let another server use the folder."""
        with suppress(AttributeError, sqlite3.Error):
            self._connection.close()
