"""A store: one SQLite file that keeps a world through power cuts, with many readers and a writer at a time.

It knows bytes and their checksums; what they mean is told in `parts`. Whatever is written is written whole
or not at all. Chunks are kept only to save time: one that is damaged is made anew.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wavefold.errors import WorldError
from wavefold.world.store.chunks import ChunkWriter, StoreReport
from wavefold.world.store.files import check_folder, file_identity, publish, remove_draft, translate_errors
from wavefold.world.store.schema import (
    APPLICATION,
    FORMAT,
    SCHEMA,
    Content,
    Place,
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

    What is read is only looked at. Once somebody `follow`s it, edits and chunks are written on top of it,
    and of nothing else.
    """

    def __init__(self, path: Path, readonly: bool = False, patience: float = PATIENCE) -> None:
        self.path, self.readonly, self.patience = path, readonly, patience
        self.is_open = False
        self._lock = threading.Lock()
        self._revision = 0
        self._salt = b""  # the world it is open for, as it is told in the file
        self._chunks = ChunkWriter(path, lambda: self._salt)
        self._connection, self._file = self._connected()
        self.is_open = True

    # --- all of it ------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, content: Content, chunks: Iterable[tuple[Place, bytes]] = ()) -> bool:
        """A new file with this in it, whole or not at all. False if there is one already."""
        check_folder(path)
        with translate_errors(path):
            if path.exists():
                return False
        draft = path.with_name(f".{path.name[:64]}.{os.getpid()}-{threading.get_ident()}.part")
        with translate_errors(path), remove_draft(draft):
            Path(f"{path}-wal").unlink(missing_ok=True)  # of a store that was deleted: not for this one
            connection = sqlite3.connect(draft, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = FULL")
                connection.executescript(f"BEGIN; {SCHEMA}")
                fill(connection, content, chunks, 1)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
                connection.execute("COMMIT")
                connection.execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()
            return publish(draft, path)

    def content(self, spare: Iterable[str] = ()) -> Content:
        """All that is kept, as of one moment.

        Raises for a damaged part, unless it is one to `spare`; edits are told as far as they go.
        """
        with self._using("DEFERRED") as connection:
            return read_content(connection, self.path, frozenset(spare))

    def follow(self, content: Content) -> None:
        """From now on, write on top of this, which was read here and found to be the right world."""
        with self._lock:
            self._revision, self._salt = content.revision, content.parts["world"]

    def replace(
        self, content: Content, chunks: Iterable[tuple[Place, bytes]] = (), read: Content | None = None
    ) -> Content:
        """Put this in place of everything; if it was made of what was `read` here, only if that still is."""
        with self._writing() as connection:
            if read is not None:
                self._check_unchanged(connection, read.revision, read.parts["world"])
            revision = read_log(connection, self.path)["revision"] + 1
            for table in ("parts", "edits", "chunks"):
                connection.execute(f"DELETE FROM {table}")
            fill(connection, content, chunks, revision)
        return content._replace(revision=revision)

    def write_log(self, edits: list[bytes], unchanged: int, total: int, standing: int) -> None:
        """Keep a log whose first `unchanged` edits are there already and the others are `edits`."""
        with self._writing() as connection:
            self._check_unchanged(connection, self._revision, self._salt)
            connection.execute("DELETE FROM edits WHERE number >= ?", (unchanged,))
            insert_edits(connection, edits, unchanged)
            insert_log(connection, total, standing, self._revision + 1)
        self._revision += 1

    # --- chunks ---------------------------------------------------------------------------------

    @property
    def room(self) -> int:
        """How many chunks it may keep; 0: writes none."""
        return self._chunks.room

    @room.setter
    def room(self, chunks: int) -> None:
        self._chunks.room = chunks

    @property
    def report(self) -> StoreReport:
        """What happened to chunks so far."""
        return self._chunks.report

    def chunk(self, x: int, y: int) -> bytes | None:
        """What is kept of a chunk, if it is there and whole. Never raises: chunks can be made anew."""
        waiting = self._chunks.waiting((x, y))
        if waiting is not None:
            return waiting
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

    def keep(self, x: int, y: int, content: bytes) -> None:
        """Write a chunk when there is time; let it go if there are too many."""
        if self.room and not self.readonly:
            self._chunks.keep((x, y), content)

    def put(self, chunks: Iterable[tuple[Place, bytes]]) -> None:
        """Write chunks now, however many it keeps otherwise."""
        with self._writing() as connection:
            self._check_world(connection, self._salt)
            write_chunks(connection, [chunk_row(place, plain, self._salt) for place, plain in chunks])

    def flush(self) -> None:
        """Wait until the chunks that wait are written."""
        self._chunks.flush()

    # --- SQLite ---------------------------------------------------------------------------------

    def reopen(self) -> None:
        """Use the file that has the name now."""
        with self._lock:
            self._connection.close()
            self._connection, self._file = self._connected()

    @property
    def is_there(self) -> bool:
        """Whether the file that is open still has its name; if not, nobody would find what is written."""
        return file_identity(self.path) == self._file

    def close(self) -> None:
        """Write what waits, and let the file go."""
        self._chunks.close()
        with self._lock:
            self._connection.close()
            self.is_open = False

    def __del__(self) -> None:
        if "_connection" in self.__dict__:
            self._connection.close()

    def _connected(self) -> tuple[sqlite3.Connection, tuple[int, int] | None]:
        with translate_errors(self.path):
            if not self.path.is_file():
                raise WorldError(f"there is no store {str(self.path)!r}; world.save(path) makes one")
            file = file_identity(self.path)
            try:
                mode = "ro" if self.readonly else "rw"
                return check_schema(connect(self.path, mode, self.patience), self.path), file
            except sqlite3.OperationalError:
                # SQLite wants to write beside the file even to read it, unless told that nobody writes.
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
            if not self.is_there:
                raise WorldError(
                    f"{self.path} was deleted or replaced by another file while it was open, so nothing can "
                    "be kept there; world.save(path) keeps the world as it is here"
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
            raise WorldError(f"{self.path} holds another world by now; World.open opens that one")
