"""The SQLite side of a store: files, connections, tables, rows with checksums, and errors as sentences."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from wavefold.errors import ConfigError, WorldError
from wavefold.storage.files import check_writable, hidden_path
from wavefold.storage.sections import FORMAT_VERSION, checksum, parse_limited_json
from wavefold.storage.sqlite import (
    DatabaseFormat,
    closing_on_error,
    connect_sqlite,
    list_tables,
    read_error_code,
)

FORMAT = DatabaseFormat(int.from_bytes(b"wfld", "big"), FORMAT_VERSION)
LARGEST = 1 << 26  # bytes of a chunk
SCHEMA = """
CREATE TABLE parts (name TEXT PRIMARY KEY, content BLOB NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE edits (number INTEGER PRIMARY KEY, content BLOB NOT NULL, checksum BLOB NOT NULL);
CREATE TABLE chunks (x INTEGER, y INTEGER, content BLOB NOT NULL, checksum BLOB NOT NULL, PRIMARY KEY (x, y));
CREATE TABLE changes (revision INTEGER PRIMARY KEY, content BLOB NOT NULL, checksum BLOB NOT NULL);
"""
TABLES = {"parts", "edits", "chunks", "changes"}
Position = tuple[int, int]  # (cx, cy) of a chunk


class Content(NamedTuple):
    """Everything in a store, except chunks."""

    parts: dict[str, bytes]
    edits: list[bytes]
    applied: int  # how many edits; the rest are undone
    damaged: int | None = None  # the first damaged edit; it and all later ones are excluded
    lost: tuple[str, ...] = ()  # expendable parts that are damaged and excluded
    revision: int = 1  # how often the store was written
    changes: tuple[bytes, ...] = ()  # the latest, oldest first; the last one led to this revision


# --- files --------------------------------------------------------------------------------------


def create_database(path: Path, content: Content, chunks: Iterable[tuple[Position, bytes]]) -> bool:
    """Create a file with this content, atomically. False if the file exists."""
    check_writable(path)
    if path.exists():
        return False
    with remove_draft(hidden_path(path, "part")) as draft:
        Path(f"{path}-wal").unlink(missing_ok=True)  # left by a store that was deleted
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.executescript(f"BEGIN; {SCHEMA}")
            fill(connection, content, chunks)
            FORMAT.write(connection)
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
        return publish(draft, path)


@contextmanager
def remove_draft(draft: Path) -> Iterator[Path]:
    """Remove a draft and the files SQLite makes beside it in any case."""
    try:
        yield draft
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


def connect_store(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    """Connect to a store. Raises WorldError if this version cannot read the file."""
    connection = connect_sqlite(path, mode, patience)
    with closing_on_error(connection):
        check_schema(connection, path)
    return connection


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise WorldError if the file is not a store that this version can read."""
    application, version = DatabaseFormat.read(connection)
    has_tables = version != FORMAT.version or list_tables(connection) >= TABLES
    if application != FORMAT.application or not has_tables:
        raise WorldError(f"{path} is not a store of a wavefold world: another program made it")
    if version != FORMAT.version:
        age = "newer" if version > FORMAT.version else "older"
        raise WorldError(
            f"{path} has format {version}, and this wavefold reads format {FORMAT.version}; "
            f"open it with the version that wrote it, which is {age}"
        )


# --- reading ------------------------------------------------------------------------------------


def read_content(connection: sqlite3.Connection, path: Path, expendable: frozenset[str]) -> Content:
    """Read everything except chunks. Raises WorldError for a damaged part that is not expendable."""
    log = read_log(connection, path)
    parts, lost = {}, []
    for name, content, found in connection.execute("SELECT name, content, checksum FROM parts"):
        if checksum("part", name, content) == found:
            parts[name] = content
        elif name in expendable:
            lost.append(name)
        else:
            raise WorldError(f"{path} is damaged: its {name!r} is not what was written; use a backup")
    if "world" not in parts:
        raise WorldError(f"{path} is damaged: its header is missing")
    del parts["log"]
    edits = read_intact_edits(connection)
    damaged = len(edits) if len(edits) < log["edits"] else None
    revision = log["revision"]
    changes = () if damaged is not None else read_changes(connection, revision)
    return Content(parts, edits, min(log["standing"], len(edits)), damaged, tuple(lost), revision, changes)


def read_log(connection: sqlite3.Connection, path: Path) -> dict[str, int]:
    """{"edits": how many there are, "standing": how many are applied, "revision": number of writes}."""
    row = connection.execute("SELECT content, checksum FROM parts WHERE name = 'log'").fetchone()
    if row is None or checksum("part", "log", row[0]) != row[1]:
        raise WorldError(f"{path} is damaged: its 'log' is not what was written; use a backup")
    log: dict[str, int] = parse_limited_json(row[0])
    return log


def read_intact_edits(connection: sqlite3.Connection) -> list[bytes]:
    """The edits up to the first damaged one."""
    edits: list[bytes] = []
    for number, content, found in connection.execute(
        "SELECT number, content, checksum FROM edits ORDER BY number"
    ):
        if number != len(edits) or checksum("edit", number, content) != found:
            break
        edits.append(content)
    return edits


def read_changes(connection: sqlite3.Connection, revision: int) -> tuple[bytes, ...]:
    """The changes that led to a revision, oldest first, after the last missing or damaged one."""
    found: list[bytes] = []
    question = "SELECT revision, content, checksum FROM changes WHERE revision <= ? ORDER BY revision DESC"
    for number, content, sealed in connection.execute(question, (revision,)):
        if number != revision - len(found) or checksum("change", number, content) != sealed:
            break
        found.append(content)
    return tuple(reversed(found))


def world_of(connection: sqlite3.Connection) -> bytes | None:
    """The header of the world in the file; None if there is none."""
    row = connection.execute("SELECT content FROM parts WHERE name = 'world'").fetchone()
    return None if row is None else row[0]


# --- writing ------------------------------------------------------------------------------------


def fill(connection: sqlite3.Connection, content: Content, chunks: Iterable[tuple[Position, bytes]]) -> None:
    """Write everything into empty tables."""
    for name, part in content.parts.items():
        insert_part(connection, name, part)
    insert_edits(connection, content.edits, 0)
    insert_log(connection, len(content.edits), content.applied, content.revision)
    insert_changes(connection, content.changes, content.revision)
    salt = content.parts["world"]
    write_chunks(connection, (chunk_row(position, plain, salt) for position, plain in chunks))


def chunk_row(position: Position, plain: bytes, salt: bytes) -> tuple[int, int, bytes, bytes]:
    """A stored chunk: compressed, with a checksum valid only for this position and world."""
    x, y = position
    packed = zlib.compress(plain, 1)
    return x, y, packed, checksum("chunk", x, y, salt, packed)


def write_chunks(connection: sqlite3.Connection, rows: Iterable[tuple[int, int, bytes, bytes]]) -> None:
    """Write rows of `chunk_row`."""
    connection.executemany("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?)", rows)


def trim_chunks(connection: sqlite3.Connection, capacity: int) -> None:
    """Delete the chunks that were written first, until no more than `capacity` are left."""
    (count,) = connection.execute("SELECT COUNT(*) FROM chunks").fetchone()
    oldest = "SELECT rowid FROM chunks ORDER BY rowid LIMIT ?"
    connection.execute(f"DELETE FROM chunks WHERE rowid IN ({oldest})", (max(0, count - capacity),))


def insert_part(connection: sqlite3.Connection, name: str, content: bytes) -> None:
    row = (name, content, checksum("part", name, content))
    connection.execute("INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", row)


def insert_log(connection: sqlite3.Connection, edits: int, applied: int, revision: int) -> None:
    log = {"edits": edits, "standing": applied, "revision": revision}
    insert_part(connection, "log", json.dumps(log).encode())


def insert_edits(connection: sqlite3.Connection, edits: Iterable[bytes], first: int) -> None:
    rows = ((number, each, checksum("edit", number, each)) for number, each in enumerate(edits, first))
    connection.executemany("INSERT INTO edits VALUES (?, ?, ?)", rows)


def insert_changes(connection: sqlite3.Connection, changes: Sequence[bytes], revision: int) -> None:
    """Append changes, the last of which led to this revision of the store."""
    rows = (
        (number, each, checksum("change", number, each))
        for number, each in enumerate(changes, revision - len(changes) + 1)
    )
    connection.executemany("INSERT OR REPLACE INTO changes VALUES (?, ?, ?)", rows)


def decompress(packed: bytes) -> bytes | None:
    """Inverse of the compression in `chunk_row`, at most LARGEST bytes; None if it is damaged."""
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
        raise WorldError(f"{path} is damaged: names in it cannot be decoded; use a backup") from error
    except ConfigError as error:  # the path cannot be written
        raise WorldError(str(error)) from error
    except OSError as error:
        raise WorldError(f"cannot use {path}: {(error.strerror or str(error)).lower()}") from error


def format_error(path: Path, error: sqlite3.Error, patience: float) -> str:
    """A message that says what is wrong with the file, and what to do."""
    code = read_error_code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another program is writing to {path}; waited {patience:g} s: try again, nothing was changed"
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return f"{path} could not be written ({error}): make room on the disk; what was in it is unharmed"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path} is read-only here ({error}); World.open(path, readonly=True) opens it for reading"
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a store of a wavefold world: it is not an SQLite file"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"{path} is damaged ({error}); use a backup"
    if code == sqlite3.SQLITE_CANTOPEN:
        return f"cannot use {path} ({error}): it, or its folder, may not be read or written"
    return f"cannot use {path}: {error}"
