"""The overlay: what edits settled, chunk by chunk, over the world as it is made."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.cache import BoundedCache, array_bytes
from wavefold.world.edits.edit import Cell

MEMORY = 32 << 20  # bytes of chunks that were put together with their patches

Patterns = NDArray[np.int32]  # [row, column]
Place = tuple[int, int]  # of a chunk


class Patch(NamedTuple):
    """The cells of one chunk that one edit settled."""

    serial: int  # no two patches have the same
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    patterns: NDArray[np.int32]

    def onto(self, chunk: Patterns) -> None:
        """Write the cells into a chunk."""
        chunk[self.rows, self.columns] = self.patterns


class Overlay:
    """Patches over chunks, latest last. Read by many threads; changed by one at a time."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.version = 0  # how often it changed
        self._patches: dict[Place, tuple[Patch, ...]] = {}
        self._serial = 0
        self._chunks: BoundedCache[Patterns] = BoundedCache(MEMORY, array_bytes)
        self._lock = threading.Lock()

    def push(self, settled: Mapping[Cell, int]) -> None:
        """Lay the cells of an edit over everything before."""
        self._serial += 1
        patches = {place: make_patch(self._serial, cells) for place, cells in self._by_chunk(settled).items()}
        with self._lock:
            self.version += 1
            for place, patch in patches.items():
                self._patches[place] = (*self._patches.get(place, ()), patch)

    def pop(self, settled: Mapping[Cell, int]) -> None:
        """Take the last edit away, which settled these cells."""
        with self._lock:
            self.version += 1
            for place in self._by_chunk(settled):
                left = self._patches[place][:-1]
                if left:
                    self._patches[place] = left
                else:
                    del self._patches[place]

    def replace(self, edits: Iterable[Mapping[Cell, int]]) -> None:
        """Other edits than before, all at once."""
        fresh: dict[Place, list[Patch]] = {}
        for settled in edits:
            self._serial += 1
            for place, cells in self._by_chunk(settled).items():
                fresh.setdefault(place, []).append(make_patch(self._serial, cells))
        with self._lock:
            self.version += 1
            self._patches = {place: tuple(patches) for place, patches in fresh.items()}

    def on(self, places: Sequence[Place]) -> list[tuple[Patch, ...]]:
        """The patches on these chunks, all of one moment."""
        with self._lock:
            return [self._patches.get(place, ()) for place in places]

    def over(self, chunk: Patterns, place: Place, patches: tuple[Patch, ...]) -> Patterns:
        """A chunk with its patches; read-only, put together once."""
        if not patches:
            return chunk
        # The patches below one are always the same, so the topmost names them all.
        return self._chunks.get((place, patches[-1].serial), lambda: self._made(chunk, place, patches))

    def _made(self, chunk: Patterns, place: Place, patches: tuple[Patch, ...]) -> Patterns:
        below = self._chunks.peek((place, patches[-2].serial)) if len(patches) > 1 else None
        return apply_patches(chunk, patches) if below is None else apply_patches(below, patches[-1:])

    def _by_chunk(self, settled: Mapping[Cell, int]) -> dict[Place, list[tuple[int, int, int]]]:
        found: dict[Place, list[tuple[int, int, int]]] = {}
        for (x, y), pattern in settled.items():
            (i, column), (j, row) = divmod(x, self.side), divmod(y, self.side)
            found.setdefault((i, j), []).append((row, column, pattern))
        return found


def make_patch(serial: int, cells: list[tuple[int, int, int]]) -> Patch:
    """The cells (row, column, pattern) of a chunk."""
    rows, columns, patterns = np.array(cells, np.int64).T
    return Patch(serial, rows.astype(np.intp), columns.astype(np.intp), patterns.astype(np.int32))


def apply_patches(chunk: Patterns, patches: tuple[Patch, ...]) -> Patterns:
    """A copy with the patches on it."""
    copy = chunk.copy()
    for patch in patches:
        patch.onto(copy)
    copy.flags.writeable = False
    return copy
