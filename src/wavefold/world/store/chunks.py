"""Chunks on their way into a store: written in the background, and let go rather than waited for."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wavefold.errors import WorldError
from wavefold.world.store.schema import (
    Place,
    chunk_row,
    connect,
    transaction,
    trim_chunks,
    world_of,
    write_chunks,
)

PENDING = 256  # chunks that wait to be written; more are let go


class StoreReport(NamedTuple):
    """Chunks in and out of a store since it was opened."""

    read: int
    written: int
    let_go: int  # could not be written, or not in time
    damaged: int  # made anew


class ChunkWriter:
    """Writes chunks of one world into a store, over a connection of its own so that nobody waits for it."""

    def __init__(self, path: Path, salt: Callable[[], bytes]) -> None:
        self.path = path
        self.room = 0  # chunks the store may keep; 0: none is written
        self._salt = salt  # asks which world the store is open for
        self._lock = threading.Lock()
        self._one_flush = threading.Lock()
        self._counts = dict.fromkeys(StoreReport._fields, 0)
        self._pending: dict[Place, bytes] = {}
        self._thread: ThreadPoolExecutor | None = None
        self._flushing: Future[None] | None = None

    def keep(self, place: Place, content: bytes) -> None:
        """Write a chunk when there is time; let it go if there are too many."""
        with self._lock:
            if len(self._pending) >= PENDING:
                self._counts["let_go"] += 1
                return
            self._pending[place] = content
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "wavefold-store")
            if self._flushing is None or self._flushing.done():
                self._flushing = self._thread.submit(self._flush)

    def waiting(self, place: Place) -> bytes | None:
        """A chunk that is not written yet."""
        with self._lock:
            return self._pending.get(place)

    def count(self, what: str, chunks: int = 1) -> None:
        """Something happened to chunks."""
        with self._lock:
            self._counts[what] += chunks

    @property
    def report(self) -> StoreReport:
        """What happened to chunks so far."""
        with self._lock:
            return StoreReport(**self._counts)

    def flush(self) -> None:
        """Wait until the chunks that wait are written."""
        with self._lock:
            flushing = self._flushing
        if flushing is not None:
            flushing.result()
        self._flush()

    def close(self) -> None:
        """Write what waits, and end the thread."""
        self.flush()
        with self._lock:
            if self._thread is not None:
                self._thread.shutdown()
                self._thread = None

    def _flush(self) -> None:
        with self._one_flush:
            while batch := self._batch():
                self._write(batch)

    def _batch(self) -> dict[Place, bytes]:
        with self._lock:
            return dict(self._pending)

    def _write(self, batch: dict[Place, bytes]) -> None:
        """Write chunks at once. A store that is busy or full loses chunks, nothing else."""
        salt = self._salt()
        rows = [chunk_row(place, content, salt) for place, content in batch.items()]
        written = 0
        with suppress(sqlite3.Error, WorldError, UnicodeError):
            connection = connect(self.path, "rw", 0.0)
            try:
                with transaction(connection, "IMMEDIATE"):
                    if world_of(connection) != salt:
                        raise WorldError(f"{self.path} holds another world by now")
                    write_chunks(connection, rows)
                    trim_chunks(connection, self.room)
                written = len(rows)
            finally:
                connection.close()
        with self._lock:
            self._counts["written"] += written
            self._counts["let_go"] += len(rows) - written
            for place in batch:
                del self._pending[place]
