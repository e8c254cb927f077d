"""A store: one SQLite file with a world in it, safe from power cuts; many readers, one writer at a time.

It holds bytes with checksums; what they mean is in `world.codec`. Every write is atomic. Chunks are stored
only to save time: a damaged one is generated again.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wavefold.codec import FORMAT_VERSION
from wavefold.errors import WorldError
from wavefold.world.store.chunks import ChunkWriter, StoreReport
from wavefold.world.store.files import check_folder, file_identity, publish, remove_draft, translate_errors
from wavefold.world.store.schema import (
    APPLICATION,
    SCHEMA,
    Content,
    Position,
    check_schema,
    checksum,
    chunk_row,
    connect,
    decompress,
    fill,
    insert_edits,
    insert_log,
    read_content,
    read_log,
    transaction,
    world_of,
    write_chunks,
)

PATIENCE = 5.0  # seconds to wait for another writer


class Store:
    """An open store. May be used from any thread.

    After `follow(content)`, edits and chunks are written only while that content is still in the file.
    """

    def __init__(self, path: Path, readonly: bool = False, patience: float = PATIENCE) -> None:
        self.path, self.readonly, self.patience = path, readonly, patience
        self.is_open = False
        self._lock = threading.Lock()
        self._revision = 0
        self._salt = b""  # the header of the world it is open for
        self._chunks = ChunkWriter(path, lambda: self._salt)
        self._connection, self._file = self._connect()
        self.is_open = True

    # --- all of it ------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, content: Content, chunks: Iterable[tuple[Position, bytes]] = ()) -> bool:
        """Create a file with this content, atomically. False if there is a file already."""
        check_folder(path)
        with translate_errors(path):
            if path.exists():
                return False
        draft = path.with_name(f".{path.name[:64]}.{os.getpid()}-{threading.get_ident()}.part")
        with translate_errors(path), remove_draft(draft):
            Path(f"{path}-wal").unlink(missing_ok=True)  # left by a store that was deleted
            connection = sqlite3.connect(draft, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = FULL")
                connection.executescript(f"BEGIN; {SCHEMA}")
                fill(connection, content, chunks, 1)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
                connection.execute("COMMIT")
                connection.execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()
            return publish(draft, path)

    def content(self, expendable: Iterable[str] = ()) -> Content:
        """All that is stored except chunks, as of one moment.

        Raises WorldError for a damaged part, unless it is `expendable`. Edits end at the first damaged one.
        """
        with self._using("DEFERRED") as connection:
            return read_content(connection, self.path, frozenset(expendable))

    def follow(self, content: Content) -> None:
        """From now on, write on top of this content, which was read here and is the right world."""
        with self._lock:
            self._revision, self._salt = content.revision, content.parts["world"]

    def replace(
        self, content: Content, chunks: Iterable[tuple[Position, bytes]] = (), read: Content | None = None
    ) -> Content:
        """Replace everything by this content; if `read` is given, only if that is still in the file."""
        with self._writing() as connection:
            if read is not None:
                self._check_unchanged(connection, read.revision, read.parts["world"])
            revision = read_log(connection, self.path)["revision"] + 1
            for table in ("parts", "edits", "chunks"):
                connection.execute(f"DELETE FROM {table}")
            fill(connection, content, chunks, revision)
        return content._replace(revision=revision)

    def write_log(self, edits: list[bytes], unchanged: int, total: int, applied: int) -> None:
        """Write a log whose first `unchanged` edits are stored already and the others are `edits`."""
        with self._writing() as connection:
            self._check_unchanged(connection, self._revision, self._salt)
            connection.execute("DELETE FROM edits WHERE number >= ?", (unchanged,))
            insert_edits(connection, edits, unchanged)
            insert_log(connection, total, applied, self._revision + 1)
        self._revision += 1

    # --- chunks ---------------------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        """How many chunks it may hold; 0: none is written."""
        return self._chunks.capacity

    @capacity.setter
    def capacity(self, chunks: int) -> None:
        self._chunks.capacity = chunks

    @property
    def report(self) -> StoreReport:
        """Chunks read and written since it was opened."""
        return self._chunks.report

    def chunk(self, x: int, y: int) -> bytes | None:
        """A stored chunk; None if it is missing or damaged. Never raises: chunks can be generated again."""
        queued = self._chunks.find_queued((x, y))
        if queued is not None:
            return queued
        with self._lock:
            try:
                question = "SELECT content, checksum FROM chunks WHERE x = ? AND y = ?"
                row = self._connection.execute(question, (x, y)).fetchone()
            except (sqlite3.Error, UnicodeError):
                self._chunks.count("damaged")
                return None
            salt = self._salt
        if row is None:
            return None
        content = None if checksum("chunk", x, y, salt, row[0]) != row[1] else decompress(row[0])
        self._chunks.count("damaged" if content is None else "read")
        return content

    def queue_chunk(self, x: int, y: int, content: bytes) -> None:
        """Write a chunk in the background; drop it if the queue is full."""
        if self.capacity and not self.readonly:
            self._chunks.queue_chunk((x, y), content)

    def write_chunks(self, chunks: Iterable[tuple[Position, bytes]]) -> None:
        """Write chunks now, whatever the capacity."""
        with self._writing() as connection:
            self._check_world(connection, self._salt)
            write_chunks(connection, [chunk_row(position, plain, self._salt) for position, plain in chunks])

    def flush(self) -> None:
        """Wait until the queued chunks are written."""
        self._chunks.flush()

    # --- SQLite ---------------------------------------------------------------------------------

    def reopen(self) -> None:
        """Open the file that is at the path now."""
        with self._lock:
            self._connection.close()
            self._connection, self._file = self._connect()

    @property
    def is_current(self) -> bool:
        """False if the file was deleted or replaced since it was opened: writes would be lost."""
        return file_identity(self.path) == self._file

    def close(self) -> None:
        """Write the queued chunks and close the file."""
        self._chunks.close()
        with self._lock:
            self._connection.close()
            self.is_open = False

    def __del__(self) -> None:
        if "_connection" in self.__dict__:
            self._connection.close()

    def _connect(self) -> tuple[sqlite3.Connection, tuple[int, int] | None]:
        with translate_errors(self.path):
            if not self.path.is_file():
                raise WorldError(f"there is no store {str(self.path)!r}; world.save(path) creates one")
            file = file_identity(self.path)
            try:
                mode = "ro" if self.readonly else "rw"
                return check_schema(connect(self.path, mode, self.patience), self.path), file
            except sqlite3.OperationalError:
                # SQLite writes beside the file even to read it, unless it is opened as immutable.
                waiting = Path(f"{self.path}-wal")
                if not self.readonly or (waiting.exists() and waiting.stat().st_size):
                    raise
                return check_schema(connect(self.path, "ro&immutable=1", self.patience), self.path), file

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
                    "be saved there; world.save(path) saves the world as it is here"
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
        if world_of(connection) != world:
            raise WorldError(f"{self.path} now contains a different world; World.open opens that one")
