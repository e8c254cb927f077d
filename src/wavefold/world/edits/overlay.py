"""The overlay: cells that edits changed, as patches over the chunks of the generated world."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.cache import BoundedCache, array_bytes
from wavefold.world.edits.edit import Cell

MEMORY = 32 << 20  # bytes of cached chunks with their patches

Patterns = NDArray[np.int32]  # [row, column]
Position = tuple[int, int]  # (cx, cy) of a chunk


class Patch(NamedTuple):
    """The cells of one chunk that one edit changed."""

    serial: int  # of the edit: patches of one chunk have different ones
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    patterns: NDArray[np.int32]

    def onto(self, chunk: Patterns) -> None:
        """Write the cells into a chunk."""
        chunk[self.rows, self.columns] = self.patterns


class Overlay:
    """Patches over chunks, latest last. Many threads may read it; one at a time changes it."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.version = 0  # how often it changed
        self._patches: dict[Position, tuple[Patch, ...]] = {}
        self._serial = 0
        self._chunks: BoundedCache[Patterns] = BoundedCache(MEMORY, array_bytes)
        self._lock = threading.Lock()

    def push(self, changes: Mapping[Cell, int]) -> None:
        """Add the cells of an edit over everything before."""
        self._serial += 1
        patches = {
            position: make_patch(self._serial, cells) for position, cells in self._by_chunk(changes).items()
        }
        with self._lock:
            self.version += 1
            for position, patch in patches.items():
                self._patches[position] = (*self._patches.get(position, ()), patch)

    def pop(self, changes: Mapping[Cell, int]) -> None:
        """Remove the last edit, which changed these cells."""
        with self._lock:
            self.version += 1
            for position in self._by_chunk(changes):
                left = self._patches[position][:-1]
                if left:
                    self._patches[position] = left
                else:
                    del self._patches[position]

    def replace(self, edits: Iterable[Mapping[Cell, int]]) -> None:
        """Replace all edits by others at once."""
        fresh: dict[Position, list[Patch]] = {}
        for changes in edits:
            self._serial += 1
            for position, cells in self._by_chunk(changes).items():
                fresh.setdefault(position, []).append(make_patch(self._serial, cells))
        with self._lock:
            self.version += 1
            self._patches = {position: tuple(patches) for position, patches in fresh.items()}

    def on(self, positions: Sequence[Position]) -> list[tuple[Patch, ...]]:
        """The patches on these chunks, all as of one moment."""
        with self._lock:
            return [self._patches.get(position, ()) for position in positions]

    def over(self, chunk: Patterns, position: Position, patches: tuple[Patch, ...]) -> Patterns:
        """A chunk with its patches; read-only and cached."""
        if not patches:
            return chunk
        # The patches below one are always the same, so the topmost identifies them all.
        return self._chunks.get((position, patches[-1].serial), lambda: self._apply(chunk, position, patches))

    def _apply(self, chunk: Patterns, position: Position, patches: tuple[Patch, ...]) -> Patterns:
        below = self._chunks.peek((position, patches[-2].serial)) if len(patches) > 1 else None
        return apply_patches(chunk, patches) if below is None else apply_patches(below, patches[-1:])

    def _by_chunk(self, changes: Mapping[Cell, int]) -> dict[Position, list[tuple[int, int, int]]]:
        found: dict[Position, list[tuple[int, int, int]]] = {}
        for (x, y), pattern in changes.items():
            (i, column), (j, row) = divmod(x, self.side), divmod(y, self.side)
            found.setdefault((i, j), []).append((row, column, pattern))
        return found


def make_patch(serial: int, cells: list[tuple[int, int, int]]) -> Patch:
    """A patch of these cells (row, column, pattern) of a chunk."""
    rows, columns, patterns = np.array(cells, np.int64).T
    return Patch(serial, rows.astype(np.intp), columns.astype(np.intp), patterns.astype(np.int32))


def apply_patches(chunk: Patterns, patches: tuple[Patch, ...]) -> Patterns:
    """A read-only copy of the chunk with the patches on it."""
    copy = chunk.copy()
    for patch in patches:
        patch.onto(copy)
    copy.flags.writeable = False
    return copy
