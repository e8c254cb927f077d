"""The data folder: one SQLite database (WAL) that any thread may use, and a lock against a second server."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any

from wavefold.errors import ConfigError
from wavefold.storage import (
    DatabaseFormat,
    closing_on_error,
    connect_sqlite,
    is_damage,
    read_error_code,
    transaction,
)
from wavefold_server.problems import damage_problem, is_disk_full, unknown
from wavefold_server.row_digests import guard_tables

FORMAT = DatabaseFormat(int.from_bytes(b"wfsv", "big"), 2)
LEAST_ROOM = 1 << 17  # bytes that SQLite needs to begin
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
            self._connection = connect_database(folder / "wavefold.db")
        with suppress(sqlite3.Error):  # `create` says what is wrong
            guard_tables(self._connection)

    def create(self, tables: str) -> None:
        """Create the tables of a part of the service, unless they exist; `IF NOT EXISTS` is up to the SQL."""
        try:
            with self._lock:
                self._connection.executescript(tables)
                check_schema(self._connection, tables)
                guard_tables(self._connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if is_disk_full(error) or is_write_error(error):
                raise
            raise ConfigError(
                f"the data folder {str(self.folder)!r} is damaged, or was written by another version of "
                f"wavefold ({error}); restore it from a backup"
            ) from error

    def read(self, question: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows that answer a question."""
        with self._lock:
            return self._connection.execute(question, values).fetchall()

    def find(self, what: str, table: str, name: str, columns: str, key: str = "id") -> sqlite3.Row:
        """A row of a guarded table. Raises a `Problem` if there is none, or if it is damaged.

        what : the kind of object, for messages
        """
        try:
            row = self.read_one(f"SELECT {columns} FROM intact_{table} WHERE {key} = ?", (name,))
            if row is None and not self.read_one(f"SELECT 1 FROM {table} WHERE {key} = ?", (name,)):
                raise unknown(what, name)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            raise damage_problem(what, name) from error
        if row is None:
            raise damage_problem(what, name)
        return row

    def read_one(self, question: str, values: Sequence[Any] = ()) -> sqlite3.Row | None:
        """The first row that answers a question."""
        rows = self.read(question, values)
        return rows[0] if rows else None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is stored when this ends, or nothing if anything is raised."""
        with self._lock, transaction(self._connection):
            yield self._connection

    def write(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run one statement in a transaction of its own; the number of rows it changed."""
        with self.writing() as connection:
            return connection.execute(statement, values).rowcount

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


def connect_database(path: Path) -> sqlite3.Connection:
    """A connection to a server's database, created if there is none; raises for that of another program."""
    connection = connect_sqlite(path, "rwc", PATIENCE)
    with closing_on_error(connection):
        connection.row_factory = sqlite3.Row
        connection.text_factory = decode_text
        application, version = DatabaseFormat.read(connection)
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != FORMAT.application and tables:
            raise ConfigError(f"{path} is not a database of wavefold's: choose another data folder")
        if tables and version != FORMAT.version:
            age = "a newer" if version > FORMAT.version else "an older"
            raise ConfigError(f"{path} was written by {age} wavefold: use that version")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        FORMAT.write(connection)
    return connection


def check_schema(connection: sqlite3.Connection, tables: str) -> None:
    """Raise an error of SQLite's unless the tables are described as in this SQL."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(tables)
        expected = list_schema(fresh)
    found = dict(list_schema(connection))
    for name, sql in expected:
        if found.get(name) != sql:
            raise sqlite3.DatabaseError(f"{name} is not described as it was created")


def list_schema(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """(name, SQL) of all tables and indices."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    return [(str(name), str(sql)) for name, sql in found]


def decode_text(data: bytes) -> str:
    """Text of a database, which need not be UTF-8 if it is damaged."""
    return data.decode(errors="replace")


@contextmanager
def explaining_folder_errors(folder: Path) -> Iterator[None]:
    """Raise a `ConfigError` that says what to do if the data folder cannot be used."""
    try:
        yield
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:  # the last: of names in a damaged database
        raise ConfigError(describe_folder_error(folder, error)) from error


def describe_folder_error(folder: Path, error: Exception) -> str:
    """What is wrong with a data folder, and what to do."""
    if is_damage(error) or isinstance(error, UnicodeDecodeError):
        return (
            f"a database in the data folder {str(folder)!r} is damaged ({error}): restore the folder from a "
            "backup, or choose another one with --data"
        )
    if is_disk_full(error) or (is_write_error(error) and measure_room(folder) < LEAST_ROOM):
        return (
            f"there is no room on the disk of the data folder {str(folder)!r}: free some and start again; "
            "nothing that was stored is lost"
        )
    reason = getattr(error, "strerror", None) or str(error)
    return f"cannot use the data folder {str(folder)!r}: {reason.lower()}; choose another one with --data"


def is_write_error(error: Exception) -> bool:
    """Whether SQLite could not read or write a file, for a reason that it does not know."""
    return read_error_code(error) in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)


def measure_room(folder: Path) -> float:
    """Free bytes on the disk of a folder, as far as they are known."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return inf


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
