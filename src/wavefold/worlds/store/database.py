"""The SQLite side of a store: files, connections, tables, and errors as sentences."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from wavefold.errors import ConfigError, WorldError
from wavefold.storage.archive import (
    ENTRIES,
    FIELDS,
    FORMAT_VERSION,
    HEADER,
    TILES,
    Archive,
    ArchiveKind,
    Section,
)
from wavefold.storage.files import check_writable, hidden_path
from wavefold.storage.parsing import parse_limited_json
from wavefold.storage.sqlite import (
    DatabaseFormat,
    SealedTable,
    closing_on_error,
    connect_sqlite,
    list_tables,
    read_error_code,
)

FORMAT = DatabaseFormat(int.from_bytes(b"wfld", "big"), FORMAT_VERSION)
WORLD = ArchiveKind("wavefold world", (TILES, FIELDS, Section("edits", ("log",))), WorldError)
ENTRY_TABLE = SealedTable(ENTRIES, "name TEXT")
EDITS = SealedTable("edits", "number INTEGER")
CHANGES = SealedTable("changes", "revision INTEGER")
CHUNKS = SealedTable("chunks", "x INTEGER, y INTEGER")
TABLES = (ENTRY_TABLE, EDITS, CHANGES, CHUNKS)
LARGEST = 1 << 26  # bytes of a chunk
Position = tuple[int, int]  # (cx, cy) of a chunk


class Content(NamedTuple):
    """Everything in a store, except chunks."""

    archive: Archive
    edits: list[bytes]
    applied: int  # how many edits; the rest are undone
    damaged: int | None = None  # the first damaged edit; it and all later ones are excluded
    revision: int = 1  # how often the store was written
    changes: tuple[bytes, ...] = ()  # the latest, oldest first; the last one led to this revision


# --- files --------------------------------------------------------------------------------------


def create_database(path: Path, content: Content, chunks: Iterable[tuple[Position, bytes]]) -> bool:
    """Create a file with this content, atomically. False if the file exists."""
    check_writable(path)
    if path.exists():
        return False
    with remove_temporary_files(hidden_path(path, "part")) as temporary_path:
        Path(f"{path}-wal").unlink(missing_ok=True)  # left by a store that was deleted
        with closing(sqlite3.connect(temporary_path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN")
            for table in TABLES:
                table.create(connection)
            fill(connection, content, chunks)
            FORMAT.write(connection)
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
        return publish(temporary_path, path)


@contextmanager
def remove_temporary_files(temporary_path: Path) -> Iterator[Path]:
    """Remove an unfinished file, and the files SQLite makes beside it, in any case."""
    try:
        yield temporary_path
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{temporary_path}{ending}").unlink(missing_ok=True)


def publish(temporary_path: Path, path: Path) -> bool:
    """Give a finished file its final name. False if another file has taken it meanwhile."""
    try:
        os.link(temporary_path, path)
    except FileExistsError:
        return False
    except OSError:  # the file system has no links
        os.replace(temporary_path, path)
    with suppress(OSError):  # not every system can open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return True


def connect_store(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    """Connect to a store. Raises WorldError if this version cannot read the file."""
    connection = connect_sqlite(path, mode, patience)
    with closing_on_error(connection):
        check_schema(connection, path)
    return connection


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise WorldError if the file is not a store that this version can read."""
    application, version = DatabaseFormat.read(connection)
    has_tables = version != FORMAT.version or list_tables(connection) >= {table.name for table in TABLES}
    WORLD.check_format(path, application == FORMAT.application and has_tables, version)


# --- reading ------------------------------------------------------------------------------------


def read_content(connection: sqlite3.Connection, path: Path, expendable: Collection[str]) -> Content:
    """Read everything except chunks. Raises WorldError for a damaged entry that is not expendable."""
    archive = WORLD.read(ENTRY_TABLE.read(connection), path, expendable)
    log = read_log(connection, path)
    edits = take_intact(EDITS.read(connection, "ORDER BY number"), count())
    applied, revision = min(log["standing"], len(edits)), log["revision"]
    if len(edits) < log["edits"]:
        return Content(archive, edits, applied, len(edits), revision)
    latest = CHANGES.read(connection, "WHERE revision <= ? ORDER BY revision DESC", (revision,))
    changes = tuple(reversed(take_intact(latest, count(revision, -1))))
    return Content(archive, edits, applied, None, revision, changes)


def read_log(connection: sqlite3.Connection, path: Path) -> dict[str, int]:
    """Return the number of edits, of applied edits ("standing") and of writes ("revision")."""
    for _, content in ENTRY_TABLE.read(connection, "WHERE name = 'log'"):
        if content is not None:
            log: dict[str, int] = parse_limited_json(content)
            return log
    raise WORLD.damage(path, "its 'log' is not what was written")


def take_intact(rows: Iterable[tuple[int, bytes | None]], numbers: Iterable[int]) -> list[bytes]:
    """Return the contents of rows with these numbers, up to the first missing or damaged row."""
    found = []
    for (number, content), expected in zip(rows, numbers, strict=False):
        if number != expected or content is None:
            break
        found.append(content)
    return found


def read_header(connection: sqlite3.Connection) -> bytes | None:
    """Return the header of the world in the file; None without one."""
    row = connection.execute(f"SELECT content FROM {ENTRIES} WHERE name = '{HEADER}'").fetchone()
    return None if row is None else row[0]


# --- writing ------------------------------------------------------------------------------------


def fill(connection: sqlite3.Connection, content: Content, chunks: Iterable[tuple[Position, bytes]]) -> None:
    """Write everything into empty tables."""
    entries = content.archive.entries
    ENTRY_TABLE.insert(connection, entries.items())
    EDITS.insert(connection, enumerate(content.edits))
    insert_log(connection, len(content.edits), content.applied, content.revision)
    insert_changes(connection, content.changes, content.revision)
    CHUNKS.insert(connection, compress_chunks(chunks), entries[HEADER])


def compress_chunks(chunks: Iterable[tuple[Position, bytes]]) -> Iterator[tuple[int, int, bytes]]:
    """Return rows for the table of chunks; their checksums are valid only with the header of their world."""
    return ((x, y, zlib.compress(plain, 1)) for (x, y), plain in chunks)


def trim_chunks(connection: sqlite3.Connection, capacity: int) -> None:
    """Delete the chunks that were written first, until no more than `capacity` are left."""
    (stored,) = connection.execute("SELECT COUNT(*) FROM chunks").fetchone()
    oldest = "SELECT rowid FROM chunks ORDER BY rowid LIMIT ?"
    connection.execute(f"DELETE FROM chunks WHERE rowid IN ({oldest})", (max(0, stored - capacity),))


def insert_log(connection: sqlite3.Connection, edits: int, applied: int, revision: int) -> None:
    log = {"edits": edits, "standing": applied, "revision": revision}
    ENTRY_TABLE.insert(connection, [("log", json.dumps(log).encode())])


def insert_changes(connection: sqlite3.Connection, changes: Sequence[bytes], revision: int) -> None:
    """Append changes, the last of which led to this revision of the store."""
    CHANGES.insert(connection, enumerate(changes, revision - len(changes) + 1))


def decompress(packed: bytes) -> bytes | None:
    """Decompress a chunk of `compress_chunks`, at most LARGEST bytes; None if it is damaged."""
    try:
        return zlib.decompressobj().decompress(packed, LARGEST)
    except zlib.error:
        return None


# --- errors ------------------------------------------------------------------------------------


@contextmanager
def translate_errors(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Raise errors of SQLite and the operating system as WorldError, in sentences."""
    try:
        yield
    except sqlite3.Error as error:
        raise WorldError(format_error(path, error, patience)) from error
    except UnicodeError as error:  # SQLite does not validate the encoding of names
        raise WORLD.damage(path, "names in it cannot be decoded") from error
    except ConfigError as error:  # the path cannot be written
        raise WorldError(str(error)) from error
    except OSError as error:
        raise WorldError(f"cannot use {path}: {(error.strerror or str(error)).lower()}") from error


def format_error(path: Path, error: sqlite3.Error, patience: float) -> str:
    """Return a message that says what is wrong with the file, and what to do."""
    code = read_error_code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another program is writing to {path}; waited {patience:g} s: try again, nothing was changed"
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return f"{path} could not be written ({error}): make room on the disk; what was in it is unharmed"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path} is read-only here ({error}); World.open(path, readonly=True) opens it for reading"
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a {WORLD.name}: it is not an SQLite file"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"{path} is damaged ({error}); use a backup"
    if code == sqlite3.SQLITE_CANTOPEN:
        return f"cannot use {path} ({error}): it, or its folder, may not be read or written"
    return f"cannot use {path}: {error}"
