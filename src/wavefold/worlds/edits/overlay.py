"""The overlay: edits as patches over generated chunks, and regions with edits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.storage.cache import BoundedCache, array_bytes
from wavefold.worlds.edits.edit import Cell, Edit, Wanted
from wavefold.worlds.generator import ChunkGenerator, paste
from wavefold.worlds.plan import ChunkPosition, PatternGrid, check_distance

CHUNK_BYTES = 32 << 20  # of cached chunks with their patches

Value = TypeVar("Value")


class Patch(NamedTuple):
    """The changes and requests of one edit in one chunk."""

    serial: int  # the number of the edit, unique among the patches of a chunk
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    patterns: NDArray[np.int32]
    wanted: Wanted

    def apply(self, chunk: PatternGrid) -> None:
        """Write the cells into a chunk."""
        chunk[self.rows, self.columns] = self.patterns


class Overlay:
    """Patches over chunks, latest last. Many threads may read it while one changes it."""

    def __init__(self, side: int) -> None:
        self.side = side
        self._patches: dict[ChunkPosition, tuple[Patch, ...]] = {}
        self._serial = 0
        self._chunks: BoundedCache[PatternGrid] = BoundedCache(CHUNK_BYTES, array_bytes)
        self._lock = threading.Lock()

    def push(self, edit: Edit) -> None:
        """Add an edit on top of the others."""
        patches = self._make_patches(edit)
        with self._lock:
            add_patches(self._patches, patches)

    def pop(self, edit: Edit) -> None:
        """Remove the last edit, which is this one."""
        with self._lock:
            for position in self._by_chunk(edit.settled) | self._by_chunk(edit.wanted):
                left = self._patches.pop(position)[:-1]
                if left:
                    self._patches[position] = left

    def replace(self, edits: Iterable[Edit]) -> None:
        """Replace all edits atomically."""
        fresh: dict[ChunkPosition, tuple[Patch, ...]] = {}
        for edit in edits:
            add_patches(fresh, self._make_patches(edit))
        with self._lock:
            self._patches = fresh

    def on(self, positions: Sequence[ChunkPosition]) -> list[tuple[Patch, ...]]:
        """Return the patches on these chunks, read at once."""
        with self._lock:
            return [self._patches.get(position, ()) for position in positions]

    def over(self, chunk: PatternGrid, position: ChunkPosition, patches: tuple[Patch, ...]) -> PatternGrid:
        """Return a chunk with its patches; read-only and cached."""
        if not patches:
            return chunk
        # The topmost patch identifies all patches, because those below it never change.
        return self._chunks.get((position, patches[-1].serial), lambda: self._apply(chunk, position, patches))

    def find_wanted(self, x: int, y: int, width: int, height: int) -> Wanted:
        """Find the tiles requested by edits in a rectangle of cells; the latest request for a cell counts."""
        patches = self.on(list_chunks(self.side, x, y, width, height))
        return {
            cell: name
            for of_chunk in patches
            for patch in of_chunk
            for cell, name in patch.wanted.items()
            if x <= cell[0] < x + width and y <= cell[1] < y + height
        }

    def read_below(self, generator: ChunkGenerator, edit: Edit, is_applied: bool) -> dict[Cell, int]:
        """Read the cells of an edit without it; returns {cell: pattern}.

        is_applied : whether the edit is applied; then it must be the last one
        """
        found: dict[Cell, int] = {}
        for position, cells in self._by_chunk(edit.settled).items():
            patches = self.on([position])[0]
            chunk = self.over(generator.chunk(*position), position, patches[:-1] if is_applied else patches)
            found |= {(x, y): int(chunk[y % self.side, x % self.side]) for x, y in cells}
        return found

    def _apply(self, chunk: PatternGrid, position: ChunkPosition, patches: tuple[Patch, ...]) -> PatternGrid:
        below = self._chunks.peek((position, patches[-2].serial)) if len(patches) > 1 else None
        copy = (chunk if below is None else below).copy()
        for patch in patches if below is None else patches[-1:]:
            patch.apply(copy)
        copy.flags.writeable = False
        return copy

    def _make_patches(self, edit: Edit) -> dict[ChunkPosition, Patch]:
        """Create the patches {(cx, cy): patch} of an edit."""
        self._serial += 1
        changed, wanted = self._by_chunk(edit.settled), self._by_chunk(edit.wanted)
        patches = {}
        for position in changed | wanted:
            cells = [
                (y % self.side, x % self.side, pattern)
                for (x, y), pattern in changed.get(position, {}).items()
            ]
            rows, columns, patterns = np.array(cells, np.intp).reshape(-1, 3).T
            patches[position] = Patch(
                self._serial, rows, columns, patterns.astype(np.int32), wanted.get(position, {})
            )
        return patches

    def _by_chunk(self, cells: Mapping[Cell, Value]) -> dict[ChunkPosition, dict[Cell, Value]]:
        found: dict[ChunkPosition, dict[Cell, Value]] = {}
        for (x, y), value in cells.items():
            found.setdefault((x // self.side, y // self.side), {})[x, y] = value
        return found


def add_patches(
    all_patches: dict[ChunkPosition, tuple[Patch, ...]], patches: dict[ChunkPosition, Patch]
) -> None:
    """Add the patches of an edit on top of the existing ones."""
    for position, patch in patches.items():
        all_patches[position] = (*all_patches.get(position, ()), patch)


def list_chunks(side: int, x: int, y: int, width: int, height: int) -> list[ChunkPosition]:
    """List the chunks, `side` cells across, that overlap a rectangle of cells, row by row."""
    rows = range(y // side, (y + height - 1) // side + 1)
    columns = range(x // side, (x + width - 1) // side + 1)
    return [(cx, cy) for cy in rows for cx in columns]


def read_region(
    generator: ChunkGenerator,
    overlay: Overlay,
    x0: int,
    y0: int,
    width: int,
    height: int,
    progress: Callable[[int, int], None] | None = None,
) -> PatternGrid:
    """Read a region with edits, int32 [row, column]; chunks that are not cached are generated.

    progress : called before each chunk with the number of finished chunks and of all chunks
    """
    region = generate_region(generator, x0, y0, width, height, progress)
    # Read all patches at once, so that an edit is read completely or not at all.
    patches = overlay.on(list_chunks(overlay.side, x0, y0, width, height))
    patch_region(region, generator, overlay, x0, y0, patches)
    return region


def generate_region(
    generator: ChunkGenerator,
    x0: int,
    y0: int,
    width: int,
    height: int,
    progress: Callable[[int, int], None] | None = None,
) -> PatternGrid:
    """Generate a region without edits; see `read_region`."""
    check_distance(x0, y0)
    check_distance(x0 + width, y0 + height)
    region = np.empty((height, width), np.int32)
    side = generator.plan.chunk
    needed = list_chunks(side, x0, y0, width, height)
    for done, (cx, cy) in enumerate(needed):
        if progress is not None:
            progress(done, len(needed))
        checkpoint()
        paste(region, x0, y0, generator.chunk(cx, cy), cx * side, cy * side)
    return region


def patch_region(
    region: PatternGrid,
    generator: ChunkGenerator,
    overlay: Overlay,
    x0: int,
    y0: int,
    patches: Sequence[tuple[Patch, ...]],
) -> None:
    """Apply the patches of each chunk to a generated region."""
    side = overlay.side
    needed = list_chunks(side, x0, y0, region.shape[1], region.shape[0])
    for (cx, cy), over in zip(needed, patches, strict=True):
        if over:
            chunk = overlay.over(generator.chunk(cx, cy), (cx, cy), over)
            paste(region, x0, y0, chunk, cx * side, cy * side)
