"""A store: one SQLite file with a world, safe from power cuts; many readers, one writer at a time.

It holds bytes with checksums; their meaning is in `worlds.codec`. Every write is atomic. Chunks are stored
only to save time: a damaged chunk is generated again.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from wavefold.errors import WorldError
from wavefold.storage.archive import HEADER
from wavefold.storage.sqlite import transaction
from wavefold.worlds.store.database import (
    CHUNKS,
    EDITS,
    TABLES,
    Content,
    Position,
    compress_chunks,
    connect_store,
    create_database,
    decompress,
    fill,
    insert_changes,
    insert_log,
    read_content,
    read_header,
    read_log,
    translate_errors,
    trim_chunks,
)

PENDING = 256  # chunks in the queue; more are dropped
PATIENCE = 5.0  # seconds to wait for another writer


class StoreReport(NamedTuple):
    """Chunks read from and written to a store since it was opened."""

    read: int
    written: int
    dropped: int  # not written: the queue was full, or the store busy
    damaged: int  # generated again


class ChunkWriter:
    """Writes chunks of one world to a store, over its own connection so that nothing waits for it.

    salt : returns the header of the world of the open store
    """

    def __init__(self, path: Path, salt: Callable[[], bytes]) -> None:
        self.path, self._salt = path, salt
        self.capacity = 0  # chunks the store may hold; 0: none is written
        self._lock = threading.Lock()
        self._counts = dict.fromkeys(StoreReport._fields, 0)
        self._pending: dict[Position, bytes] = {}
        self._thread: ThreadPoolExecutor | None = None

    def queue_chunk(self, position: Position, content: bytes) -> None:
        """Write a chunk in the background; drop it if the queue is full."""
        with self._lock:
            if len(self._pending) >= PENDING:
                self._counts["dropped"] += 1
                return
            self._pending[position] = content
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "wavefold-store")
            self._thread.submit(self._write_pending)

    def find_queued(self, position: Position) -> bytes | None:
        """A chunk that is still in the queue."""
        with self._lock:
            return self._pending.get(position)

    def count(self, what: str) -> None:
        """Add 1 to a count of the report."""
        with self._lock:
            self._counts[what] += 1

    @property
    def report(self) -> StoreReport:
        """Counts since the store was opened."""
        with self._lock:
            return StoreReport(**self._counts)

    def flush(self) -> None:
        """Wait until the queue is written."""
        with self._lock:
            written = None if self._thread is None else self._thread.submit(self._write_pending)
        if written is not None:
            written.result()

    def close(self) -> None:
        """Write the queue and end the thread."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.shutdown()

    def _write_pending(self) -> None:
        """Write the queue in one transaction; if the store is busy or full, only the queue is lost."""
        with self._lock:
            batch = dict(self._pending)
        if not batch:
            return
        salt = self._salt()
        rows = [*compress_chunks(batch.items())]
        written = 0
        with (
            suppress(sqlite3.Error, WorldError, UnicodeError),
            closing(connect_store(self.path, "rw", 0.0)) as connection,
        ):
            with transaction(connection, "IMMEDIATE"):
                if read_header(connection) != salt:
                    raise WorldError(f"{self.path} now contains a different world")
                CHUNKS.insert(connection, rows, salt)
                trim_chunks(connection, self.capacity)
            written = len(rows)
        with self._lock:
            self._counts["written"] += written
            self._counts["dropped"] += len(rows) - written
            for position in batch:
                del self._pending[position]


class Store:
    """An open store. May be used from any thread.

    After `follow(content)`, edits and chunks are written only while that content is still in the file.
    """

    def __init__(self, path: Path, readonly: bool = False, patience: float = PATIENCE) -> None:
        self.path, self.readonly, self.patience = path, readonly, patience
        self.is_open = False
        self._lock = threading.Lock()
        self._revision = 0
        self._salt = b""  # the header of its world
        self.writer = ChunkWriter(path, lambda: self._salt)
        self._connection, self._file = self._connect()
        self.is_open = True

    # --- all of it ------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, content: Content, chunks: Iterable[tuple[Position, bytes]] = ()) -> bool:
        """Create a file with this content, atomically. False if the file exists."""
        with translate_errors(path):
            return create_database(path, content, chunks)

    def content(self, expendable: Collection[str] = ()) -> Content:
        """Everything stored except chunks, from one moment.

        Raises WorldError for a damaged entry, unless it is `expendable`. Edits end at the first damaged one.
        """
        with self._using("DEFERRED") as connection:
            return read_content(connection, self.path, expendable)

    def follow(self, content: Content) -> None:
        """Continue from this content, which was read from this store and belongs to the right world."""
        with self._lock:
            self._revision, self._salt = content.revision, content.archive.entries[HEADER]

    def replace(
        self, content: Content, chunks: Iterable[tuple[Position, bytes]] = (), read: Content | None = None
    ) -> Content:
        """Replace everything by this content; with `read`, only if that is still in the file."""
        with self._writing() as connection:
            if read is not None:
                self._check_unchanged(connection, read.revision, read.archive.entries[HEADER])
            # Higher than both: no revision of this file or of the world is reused.
            revision = max(read_log(connection, self.path)["revision"], content.revision) + 1
            for table in TABLES:
                connection.execute(f"DELETE FROM {table.name}")
            content = content._replace(revision=revision, changes=())
            fill(connection, content, chunks)
        return content

    def write_log(
        self, edits: list[bytes], unchanged: int, total: int, applied: int, change: bytes, kept: int
    ) -> None:
        """Write a log whose first `unchanged` edits are stored already and the others are `edits`.

        change : the change of this write; the latest `kept` changes stay
        """
        with self._writing() as connection:
            self._check_unchanged(connection, self._revision, self._salt)
            connection.execute("DELETE FROM edits WHERE number >= ?", (unchanged,))
            EDITS.insert(connection, enumerate(edits, unchanged))
            insert_log(connection, total, applied, self._revision + 1)
            insert_changes(connection, [change], self._revision + 1)
            connection.execute("DELETE FROM changes WHERE revision <= ?", (self._revision + 1 - kept,))
        self._revision += 1

    # --- chunks ---------------------------------------------------------------------------------

    def chunk(self, x: int, y: int) -> bytes | None:
        """A stored chunk; None if it is missing or damaged. Never raises: chunks can be generated again."""
        queued = self.writer.find_queued((x, y))
        if queued is not None:
            return queued
        with self._lock:
            try:
                rows = [*CHUNKS.read(self._connection, "WHERE x = ? AND y = ?", (x, y), self._salt)]
            except (sqlite3.Error, UnicodeError):
                self.writer.count("damaged")
                return None
        if not rows:
            return None
        *_, packed = rows[0]
        content = None if packed is None else decompress(packed)
        self.writer.count("damaged" if content is None else "read")
        return content

    def find_stored(self, x: int, y: int, width: int, height: int) -> set[Position]:
        """Which chunks of a rectangle, in chunks, are stored. Never raises, like `chunk`."""
        question = "SELECT x, y FROM chunks WHERE x >= ? AND x < ? AND y >= ? AND y < ?"
        with self._lock:
            try:
                return set(self._connection.execute(question, (x, x + width, y, y + height)))
            except (sqlite3.Error, UnicodeError):
                return set()

    def write_chunks(self, chunks: Iterable[tuple[Position, bytes]]) -> None:
        """Write chunks now, whatever the capacity."""
        with self._writing() as connection:
            self._check_world(connection, self._salt)
            CHUNKS.insert(connection, compress_chunks(chunks), self._salt)

    # --- SQLite ---------------------------------------------------------------------------------

    def reopen(self) -> None:
        """Open the file that is at the path now."""
        with self._lock:
            self._connection.close()
            self._connection, self._file = self._connect()

    @property
    def is_current(self) -> bool:
        """False if the file was deleted or replaced since it was opened: writes would be lost."""
        return identify_file(self.path) == self._file

    def close(self) -> None:
        """Write the queued chunks and close the file."""
        self.writer.close()
        with self._lock:
            self._connection.close()
            self.is_open = False

    def __del__(self) -> None:
        if "_connection" in self.__dict__:
            self._connection.close()

    def _connect(self) -> tuple[sqlite3.Connection, tuple[int, int] | None]:
        """A connection to the file at the path, and the identity of that file."""
        with translate_errors(self.path):
            if not self.path.is_file():
                what = "it is not a file" if self.path.exists() else "check the path"
                raise WorldError(
                    f"there is no store {str(self.path)!r}: {what}; world.save(path) creates one"
                )
            file = identify_file(self.path)
            try:
                return connect_store(self.path, "ro" if self.readonly else "rw", self.patience), file
            except sqlite3.OperationalError:
                # SQLite creates files beside the file even for reading, unless it is opened as immutable.
                waiting = Path(f"{self.path}-wal")
                if not self.readonly or (waiting.exists() and waiting.stat().st_size):
                    raise
                return connect_store(self.path, "ro&immutable=1", self.patience), file

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self.readonly:
            raise WorldError(f"{self.path} was opened for reading only; save the world to another file")
        with self._using("IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _using(self, kind: str) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if not self.is_open:
                raise WorldError(f"the world was closed, and {self.path} with it; World.open opens it again")
            if not self.is_current:
                raise WorldError(
                    f"{self.path} was deleted or replaced by another file while it was open, so nothing can "
                    "be saved there; world.save(path) saves the world of this process"
                )
            with (
                translate_errors(self.path, self.patience),
                transaction(self._connection, kind) as connection,
            ):
                yield connection

    def _check_unchanged(self, connection: sqlite3.Connection, revision: int, world: bytes) -> None:
        self._check_world(connection, world)
        if read_log(connection, self.path)["revision"] != revision:
            raise WorldError(
                f"another program has changed {self.path} since it was opened; world.refresh() reads its "
                "edits, then edit again"
            )

    def _check_world(self, connection: sqlite3.Connection, world: bytes) -> None:
        if read_header(connection) != world:
            raise WorldError(f"{self.path} now contains a different world; World.open opens that one")


def identify_file(path: Path) -> tuple[int, int] | None:
    """(device, inode) of the file at a path; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
