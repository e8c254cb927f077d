"""The cells of a window of a world: read from its chunks, within a budget."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wavefold.errors import NotReady
from wavefold.solver import Budget
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.map_tiles.zoom import CELLS, CellWindow
from wavefold.worlds.plan import ChunkPosition, PatternGrid

if TYPE_CHECKING:
    from wavefold.worlds.world import World


MOST_GENERATED = 4  # chunks of 64 cells, or as many cells in smaller ones, at zooms below 0
MOST_SAMPLED = 64  # chunks that a tile is drawn from
MOST_SPREAD = 2  # chunks across a square that one chunk represents; beyond, repetition shows
UNKNOWN = -1


class TileCells(NamedTuple):
    """The patterns of a window, UNKNOWN in cells without one.

    apart : 1, or the distance between sampled chunks, each of which represents the chunks around it
    is_final : whether generating more chunks would not give more known cells
    """

    patterns: PatternGrid
    revision: int
    apart: int
    is_final: bool


def read_cells(
    world: World, window: CellWindow, z: int, revision: int | None = None, budget: float | None = None
) -> TileCells:
    """Read the cells of a window; if that needs too many chunks, use only existing ones.

    budget : milliseconds to wait for chunks; late chunks are provisional or UNKNOWN
    """
    generator, log, side = world.parts.generator, world.parts.log, world.plan.chunk
    window.check()
    log.revisions.since(log.revisions.current if revision is None else revision)  # raises before any work
    limit = None if z >= 0 else MOST_GENERATED * max(1, CELLS**2 // side**2)
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
) -> tuple[dict[ChunkPosition, PatternGrid], int, bool]:
    """Find the chunks of a window without edits; if there are more than `limit`, only existing ones.

    If there are more than MOST_SAMPLED chunks, one chunk represents each square of chunks. If squares would
    be too large, no chunk is used. Also returns the chunks across a square, and whether the result is final.
    """
    side = generator.plan.chunk
    needed = window.count_chunks(side)
    if limit is None or needed <= limit:
        return {each: generator.chunk(*each) for each in window.chunks(side)}, 1, True
    if needed > MOST_SAMPLED * MOST_SPREAD**2:
        return {}, MOST_SPREAD, True
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
    world: World, positions: list[ChunkPosition], budget: float
) -> tuple[dict[ChunkPosition, PatternGrid], int, bool]:
    """Find these chunks as far as available within a budget in milliseconds; returns as `find_chunks`."""
    found: dict[ChunkPosition, PatternGrid] = {}
    is_final, started = True, perf_counter()
    for position in positions:
        left = max(0.0, budget - (perf_counter() - started) * 1e3)
        try:
            chunk = world.chunk(*position, budget=Budget(ms=left))
        except NotReady:
            is_final = False
            continue
        is_final = is_final and not chunk.provisional
        found[position] = np.asarray(chunk) if chunk.provisional else world.parts.generator.chunk(*position)
    return found, 1, is_final


def gather(
    window: CellWindow, side: int, chunks: dict[ChunkPosition, PatternGrid], apart: int = 1
) -> PatternGrid:
    """Gather the patterns of a window from chunks, each of which represents apart x apart chunks."""
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
