"""SQLite files: connections for any thread, transactions, id and version, rows with checksums."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from wavefold.storage.archive import checksum

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DatabaseFormat(NamedTuple):
    """The format in the header of a file: the program it belongs to, and the version of its tables."""

    application: int
    version: int

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> DatabaseFormat:
        """Return the format of a file; (0, 0) if it is new."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        return cls(application, version)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write this format into the header."""
        connection.execute(f"PRAGMA application_id = {self.application}")
        connection.execute(f"PRAGMA user_version = {self.version}")


def connect_sqlite(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    """Open a connection that any thread may use, one at a time; transactions begin only explicitly.

    mode : "ro", "rw" or "rwc", which creates the file
    patience : seconds to wait while another program writes
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    with closing_on_error(connection):
        connection.execute("PRAGMA synchronous = FULL")  # a committed write is on the disk
    return connection


@contextmanager
def closing_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Close a connection if anything is raised."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
    """Commit at the end, or roll back if anything is raised."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have rolled back already
            connection.execute("ROLLBACK")
        raise


class SealedTable(NamedTuple):
    """A table of bytes under keys. The checksum in a row is valid only for its table, key and content.

    key : its columns, such as "x INTEGER, y INTEGER"
    """

    name: str
    key: str

    @property
    def columns(self) -> list[str]:
        """The names of the columns of the key."""
        return [each.split()[0] for each in self.key.split(", ")]

    def create(self, connection: sqlite3.Connection) -> None:
        """Create the table."""
        columns = f"{self.key}, content BLOB NOT NULL, checksum BLOB NOT NULL"
        connection.execute(f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({', '.join(self.columns)}))")

    def insert(self, connection: sqlite3.Connection, rows: Iterable[tuple[Any, ...]], *salt: bytes) -> None:
        """Write rows (*key, content), in place of those with the same key; `salt` goes into checksums."""
        marks = ", ".join("?" * (len(self.columns) + 2))
        sealed = ((*key, content, checksum(self.name, *key, *salt, content)) for *key, content in rows)
        connection.executemany(f"INSERT OR REPLACE INTO {self.name} VALUES ({marks})", sealed)

    def read(
        self, connection: sqlite3.Connection, clause: str = "", values: tuple[Any, ...] = (), *salt: bytes
    ) -> Iterator[tuple[Any, ...]]:
        """Yield rows (*key, content), with None for content that was not written under this key."""
        question = f"SELECT {', '.join(self.columns)}, content, checksum FROM {self.name} {clause}"
        for *key, content, found in connection.execute(question, values):
            yield *key, content if checksum(self.name, *key, *salt, content) == found else None


def list_tables(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the tables."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in found}


def read_error_code(error: BaseException | None) -> int:
    """Return the primary code of an SQLite error; 0 for another error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_damage(error: BaseException | None) -> bool:
    """Return whether an SQLite error means that the file is damaged."""
    return isinstance(error, sqlite3.Error) and read_error_code(error) in DAMAGED
