"""Write chunks to a store in the background; a full queue drops chunks instead of waiting."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from wavefold.errors import WorldError
from wavefold.storage.sqlite import transaction
from wavefold.worlds.store.database import (
    Position,
    chunk_row,
    connect_store,
    trim_chunks,
    world_of,
    write_chunks,
)

PENDING = 256  # chunks in the queue; more are dropped


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
        rows = [chunk_row(position, content, salt) for position, content in batch.items()]
        written = 0
        with (
            suppress(sqlite3.Error, WorldError, UnicodeError),
            closing(connect_store(self.path, "rw", 0.0)) as connection,
        ):
            with transaction(connection, "IMMEDIATE"):
                if world_of(connection) != salt:
                    raise WorldError(f"{self.path} now contains a different world")
                write_chunks(connection, rows)
                trim_chunks(connection, self.capacity)
            written = len(rows)
        with self._lock:
            self._counts["written"] += written
            self._counts["dropped"] += len(rows) - written
            for position in batch:
                del self._pending[position]
