"""The patterns of a tile's cells at one revision, from chunks that are made for it or were made before."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import NotReady
from wavefold.solver import Budget
from wavefold.world.generator import ChunkGenerator
from wavefold.world.map_tiles.zoom import CELLS, CellWindow

if TYPE_CHECKING:
    from wavefold.world.world import World

MOST_MADE = (
    4  # chunks of 64 cells, or as many cells in smaller ones, if a tile shows more cells than at zoom 0
)
MOST_SAMPLED = 64  # chunks that a tile is drawn from
FARTHEST_SPREAD = 2  # chunks across a square of them that one stands for: more, and repetition shows
UNKNOWN = -1

Patterns = NDArray[np.int32]  # [row, column]
Position = tuple[int, int]  # (cx, cy) of a chunk


class TileCells(NamedTuple):
    """The patterns of a window, UNKNOWN where nothing is known.

    apart : 1, or only every so many chunks across and down are shown, each for those around it, too
    is_final : False if more would be known after other chunks were made
    """

    patterns: Patterns
    revision: int
    apart: int
    is_final: bool


def read_cells(
    world: World, window: CellWindow, z: int, revision: int | None = None, budget: float | None = None
) -> TileCells:
    """The cells of a window. If that needs too many chunks, only those that are made already.

    budget : milliseconds to wait for chunks; provisional ones, and UNKNOWN, stand for those not in time
    """
    generator, log, side = world._generator, world._log, world.plan.chunk
    window.check()
    log.revisions.since(log.revisions.current if revision is None else revision)  # raises before any work
    limit = None if z >= 0 else MOST_MADE * max(1, CELLS**2 // side**2)
    if budget is None or (limit is not None and window.count_chunks(side) > limit):
        chunks, apart, is_final = find_chunks(generator, window, limit, world.fields is None)
    else:
        chunks, apart, is_final = find_in_time(world, window.chunks(side), budget)
    found = list(chunks)
    patches, revisions = log.snapshot(found)
    number = revisions.current if revision is None else revision
    later = revisions.since(number)[::-1]
    for (cx, cy), over in zip(found, patches, strict=True):
        chunk = log.overlay.over(chunks[cx, cy], (cx, cy), over)
        if any(change.touches(cx * side, cy * side, side, side) for change in later):
            chunk = chunk.copy()
            for change in later:
                change.put_back(chunk, cx * side, cy * side)
        chunks[cx, cy] = chunk
    return TileCells(gather(window, side, chunks, apart), number, apart, is_final)


def find_chunks(
    generator: ChunkGenerator, window: CellWindow, limit: int | None, may_spread: bool
) -> tuple[dict[Position, Patterns], int, bool]:
    """Chunks of a window without edits, generated if need be; if more than `limit`, those made before.

    Of more than MOST_SAMPLED, one in each square of chunks is looked for, and stands for all of these; if it
    may not, none is. Returns also how many chunks across these squares are, and whether the answer will
    always be the same.
    """
    side = generator.plan.chunk
    needed = window.count_chunks(side)
    if limit is None or needed <= limit:
        return {each: generator.chunk(*each) for each in window.chunks(side)}, 1, True
    if needed > MOST_SAMPLED * FARTHEST_SPREAD**2:
        return {}, FARTHEST_SPREAD, True
    apart, positions = 1, window.chunks(side)
    while len(positions) > MOST_SAMPLED:
        apart *= 2
        positions = list(dict.fromkeys((cx // 2, cy // 2) for cx, cy in positions))
    if apart > 1 and not may_spread:
        return {}, apart, True
    sampled = [(i * apart, j * apart) for i, j in positions]
    looked_up = ((each, generator.find_chunk(*each)) for each in sampled)
    found = {position: chunk for position, chunk in looked_up if chunk is not None}
    return found, apart, len(found) == len(sampled)


def find_in_time(
    world: World, positions: list[Position], budget: float
) -> tuple[dict[Position, Patterns], int, bool]:
    """As `find_chunks`: what there is of these chunks within a budget of milliseconds for all."""
    found: dict[Position, Patterns] = {}
    is_final, started = True, perf_counter()
    for position in positions:
        left = max(0.0, budget - (perf_counter() - started) * 1e3)
        try:
            chunk = world.chunk(*position, budget=Budget(ms=left))
        except NotReady:
            is_final = False
            continue
        is_final = is_final and not chunk.provisional
        found[position] = np.asarray(chunk) if chunk.provisional else world._generator.chunk(*position)
    return found, 1, is_final


def gather(window: CellWindow, side: int, chunks: dict[Position, Patterns], apart: int = 1) -> Patterns:
    """The patterns of a window out of chunks, each of which stands for apart x apart."""
    patterns = np.full((len(window.rows), window.columns), UNKNOWN, np.int32)
    if not chunks:
        return patterns
    shifts = window.shifts
    length = (window.columns - 1) * window.stride + 1
    for cy, at, columns in window.by_chunk_row(side):
        local = window.rows[at] - cy * side
        nothing = np.full((len(local), side), UNKNOWN, np.int32)
        found = [chunks.get((cx // apart * apart, cy // apart * apart)) for cx in columns]
        strip = np.concatenate([nothing if each is None else each[local] for each in found], axis=1)
        begins = (window.column - shifts[at] - columns[0] * side).tolist()
        for row, begin in enumerate(begins):
            patterns[at.start + row] = strip[row, begin : begin + length : window.stride]
    return patterns
