"""A store: one SQLite file that keeps a world through power cuts, with many readers and a writer at a time.

It knows bytes and their checksums; what they mean is told in `parts`. Whatever is written is written whole
or not at all. Chunks are kept only to save time: one that is damaged is made anew.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from wavefold.errors import WorldError
from wavefold.world.store_files import check_folder, named, swept, telling
from wavefold.world.store_tables import (
    APPLICATION,
    FORMAT,
    SCHEMA,
    Content,
    Place,
    checked,
    checksum,
    chunk_row,
    connected,
    fill,
    inflated,
    insert_edits,
    insert_log,
    transaction,
)

__all__ = ["Content", "Store", "StoreReport"]

PATIENCE = 5.0  # seconds to wait for another writer
PENDING = 256  # chunks that wait to be written; more are let go


class StoreReport(NamedTuple):
    """Chunks in and out of a store since it was opened."""

    read: int
    written: int
    let_go: int  # could not be written, or not in time
    damaged: int  # made anew


class Store:
    """An open store. May be used from any thread."""

    def __init__(self, path: Path, readonly: bool = False, patience: float = PATIENCE) -> None:
        self.path, self.readonly, self.patience = path, readonly, patience
        self.room = 0  # chunks it may keep; 0: writes none
        self._lock = threading.Lock()
        self._one_flush = threading.Lock()
        self._counts = dict.fromkeys(StoreReport._fields, 0)
        self._pending: dict[Place, bytes] = {}
        self._writer: ThreadPoolExecutor | None = None
        self._flushing: Future[None] | None = None
        self._revision = 0
        self._salt = b""
        self._connection = self._opened()

    # --- all of it ------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, content: Content, chunks: Iterable[tuple[Place, bytes]] = ()) -> bool:
        """A new file with this in it, whole or not at all. False if there is one already."""
        check_folder(path)
        if path.exists():
            return False
        draft = path.with_name(f".{path.name[:64]}.{os.getpid()}-{threading.get_ident()}.part")
        with telling(path), swept(draft):
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
            return named(draft, path)

    def replace(self, content: Content, chunks: Iterable[tuple[Place, bytes]] = ()) -> None:
        """Put this in place of everything."""
        with self._writing() as connection:
            revision = self._log(connection)["revision"] + 1
            for table in ("parts", "edits", "chunks"):
                connection.execute(f"DELETE FROM {table}")
            fill(connection, content, chunks, revision)
        self._revision, self._salt = revision, content.parts["world"]

    def content(self) -> Content:
        """All that is kept, as of one moment. Raises for a damaged part; edits are told as far as they go."""
        with (
            self._lock,
            telling(self.path, self.patience),
            transaction(self._connection, "DEFERRED") as connection,
        ):
            rows = connection.execute("SELECT name, content, checksum FROM parts").fetchall()
            log = self._log(connection)
            parts = {}
            for name, content, found in rows:
                if checksum("part", name, content) != found:
                    raise WorldError(
                        f"{self.path} is damaged: its {name!r} is not what was written; use a copy of it"
                    )
                parts[name] = content
            if "world" not in parts:
                raise WorldError(f"{self.path} is damaged: it does not say which world it holds")
            self._revision, self._salt = log["revision"], parts["world"]
            edits, damaged = [], None
            rows = connection.execute(
                "SELECT number, content, checksum FROM edits ORDER BY number"
            ).fetchall()
            for expected, (number, content, found) in enumerate(rows):
                if number != expected or checksum("edit", expected, content) != found:
                    damaged = expected
                    break
                edits.append(content)
        if damaged is None and len(edits) < log["edits"]:
            damaged = len(edits)
        parts.pop("log")
        return Content(parts, edits, min(log["standing"], len(edits)), damaged)

    def write_log(self, edits: list[bytes], unchanged: int, total: int, standing: int) -> None:
        """Keep a log whose first `unchanged` edits are there already and the others are `edits`."""
        with self._writing() as connection:
            revision = self._log(connection)["revision"]
            if revision != self._revision:
                raise WorldError(
                    f"another program has changed {self.path} since it was opened; world.refresh() reads its "
                    "edits, then edit again"
                )
            connection.execute("DELETE FROM edits WHERE number >= ?", (unchanged,))
            insert_edits(connection, edits, unchanged)
            insert_log(connection, total, standing, revision + 1)
        self._revision = revision + 1

    # --- chunks ---------------------------------------------------------------------------------

    def chunk(self, x: int, y: int) -> bytes | None:
        """What is kept of a chunk, if it is there and whole. Never raises: chunks can be made anew."""
        with self._lock:
            if (x, y) in self._pending:
                return self._pending[x, y]
            try:
                question = "SELECT content, checksum FROM chunks WHERE x = ? AND y = ?"
                row = self._connection.execute(question, (x, y)).fetchone()
            except sqlite3.Error:
                self._counts["damaged"] += 1
                return None
            if row is None:
                return None
            content = None if checksum("chunk", x, y, self._salt, row[0]) != row[1] else inflated(row[0])
            self._counts["damaged" if content is None else "read"] += 1
            return content

    def keep(self, x: int, y: int, content: bytes) -> None:
        """Write a chunk when there is time; let it go if there are too many."""
        if self.readonly or not self.room:
            return
        with self._lock:
            if len(self._pending) >= PENDING:
                self._counts["let_go"] += 1
                return
            self._pending[x, y] = content
            if self._writer is None:
                self._writer = ThreadPoolExecutor(1, "wavefold-store")
            if self._flushing is None or self._flushing.done():
                self._flushing = self._writer.submit(self._flush)

    def flush(self) -> None:
        """Wait until the chunks that wait are written."""
        with self._lock:
            flushing = self._flushing
        if flushing is not None:
            flushing.result()
        self._flush()

    @property
    def report(self) -> StoreReport:
        """What happened to chunks so far."""
        with self._lock:
            return StoreReport(**self._counts)

    def close(self) -> None:
        """Write what waits, and let the file go."""
        self.flush()
        with self._lock:
            if self._writer is not None:
                self._writer.shutdown()
                self._writer = None
            self._connection.close()

    def __del__(self) -> None:
        if "_connection" in self.__dict__:
            self._connection.close()

    def _flush(self) -> None:
        """Write all that waits."""
        with self._one_flush:
            while batch := self._waiting():
                self._write(batch)

    def _waiting(self) -> dict[Place, bytes]:
        with self._lock:
            return dict(self._pending)

    def _write(self, batch: dict[Place, bytes]) -> None:
        """Write chunks at once. A store that is busy or full loses chunks, nothing else."""
        rows = [chunk_row(place, content, self._salt) for place, content in batch.items()]
        written = 0
        # A connection of its own, so that reading does not wait for it.
        with suppress(sqlite3.Error, WorldError):
            connection = connected(self.path, "rw", 0.0)
            try:
                with transaction(connection, "IMMEDIATE"):
                    own = connection.execute("SELECT content FROM parts WHERE name = 'world'").fetchone()
                    if own is None or own[0] != self._salt:
                        raise WorldError(f"{self.path} holds another world by now")
                    connection.executemany("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?)", rows)
                    (count,) = connection.execute("SELECT COUNT(*) FROM chunks").fetchone()
                    oldest = "SELECT rowid FROM chunks ORDER BY rowid LIMIT ?"
                    excess = (max(0, count - self.room),)
                    connection.execute(f"DELETE FROM chunks WHERE rowid IN ({oldest})", excess)
                written = len(rows)
            finally:
                connection.close()
        with self._lock:
            self._counts["written"] += written
            self._counts["let_go"] += len(rows) - written
            for place in batch:
                del self._pending[place]

    # --- SQLite ---------------------------------------------------------------------------------

    def _opened(self) -> sqlite3.Connection:
        if not self.path.is_file():
            raise WorldError(f"there is no store {str(self.path)!r}; world.save(path) makes one")
        with telling(self.path):
            try:
                return checked(
                    connected(self.path, "ro" if self.readonly else "rw", self.patience), self.path
                )
            except sqlite3.OperationalError:
                # SQLite wants to write beside the file even to read it, unless told that nobody writes.
                waiting = Path(f"{self.path}-wal")
                if not self.readonly or (waiting.exists() and waiting.stat().st_size):
                    raise
                return checked(connected(self.path, "ro&immutable=1", self.patience), self.path)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self.readonly:
            raise WorldError(f"{self.path} was opened for reading only; save the world to another file")
        with self._lock, telling(self.path, self.patience), transaction(self._connection, "IMMEDIATE"):
            yield self._connection

    def _log(self, connection: sqlite3.Connection) -> dict[str, int]:
        row = connection.execute("SELECT content, checksum FROM parts WHERE name = 'log'").fetchone()
        if row is None or checksum("part", "log", row[0]) != row[1]:
            raise WorldError(f"{self.path} is damaged: its 'log' is not what was written; use a copy")
        log: dict[str, int] = json.loads(row[0])
        return log
