"""Views of a world: the state of each chunk, the available cells, and prefetching around a view."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.storage.cache import OVERHEAD
from wavefold.worlds.generator import ChunkGenerator, paste
from wavefold.worlds.plan import ChunkPosition, Plan
from wavefold.worlds.streaming.delivery import ChunkDelivery
from wavefold.worlds.streaming.jobs import MOST_JOBS, Job
from wavefold.worlds.streaming.scheduler import Scheduler

if TYPE_CHECKING:
    from wavefold.worlds.world import World


FINAL, STORED, PROVISIONAL, ABSENT = "final", "stored", "provisional", "absent"
NOTHING = -1  # the pattern of a missing cell


class ChunkState(NamedTuple):
    """The state of a chunk.

    state : "final" (in memory), "stored" (in the file), "provisional" (its borders exist, so that a
        provisional chunk can be assembled) or "absent"
    edits : the number of applied edits that affect it
    """

    x: int
    y: int
    state: str
    edits: int


def read_states(world: World, x0: int, y0: int, width: int, height: int) -> list[ChunkState]:
    """List the states of the chunks in a rectangle, row by row, without generating or reading chunks.

    x0, y0, width, height : the rectangle, in chunks
    """
    positions = [(x0 + i, y0 + j) for j in range(height) for i in range(width)]
    stored = set() if world.parts.file is None else world.parts.file.store.find_stored(x0, y0, width, height)
    patches = world.parts.log.overlay.on(positions)
    return [
        ChunkState(x, y, find_state(world, (x, y), stored), len(over))
        for (x, y), over in zip(positions, patches, strict=True)
    ]


def find_state(world: World, position: ChunkPosition, stored: set[ChunkPosition]) -> str:
    """Return the state of a chunk."""
    plan, cache = world.plan, world.parts.generator.cache
    interior = plan.interior(*position)
    if cache.peek(interior.key) is not None:
        return FINAL
    if position in stored:
        return STORED
    has_borders = all(cache.peek(need.key) is not None for need in plan.needs(interior))
    return PROVISIONAL if has_borders else ABSENT


class View(NamedTuple):
    """The available cells of a rectangle at one moment."""

    patterns: NDArray[np.int32]  # [row, column]; -1 for missing cells
    provisional: NDArray[np.bool_]  # [row, column]: cells of chunks whose inside will still change

    @property
    def missing(self) -> NDArray[np.bool_]:
        """[row, column]: cells that are not generated yet."""
        return np.equal(self.patterns, NOTHING)

    @property
    def is_final(self) -> bool:
        """Whether no cell is missing or provisional."""
        return not (self.provisional.any() or self.missing.any())


def read_view(delivery: ChunkDelivery, rectangle: Viewport) -> View:
    """Read the available cells of a rectangle, and request chunks that are not final, the middle first."""
    x0, y0, width, height, _ = rectangle
    view = View(np.full((height, width), NOTHING, np.int32), np.zeros((height, width), np.bool_))
    side = delivery.overlay.side
    positions, _ = rectangle.chunks(side, width * height)
    delivery.request(positions)
    # Read all patches at once, so that an edit is read completely or not at all.
    for (cx, cy), patches in zip(positions, delivery.overlay.on(positions), strict=True):
        chunk = delivery.peek((cx, cy), patches)
        if chunk is not None:
            paste(view.patterns, x0, y0, chunk, cx * side, cy * side)
            if chunk.provisional:
                paste(view.provisional, x0, y0, np.ones(chunk.shape, np.bool_), cx * side, cy * side)
    return view


class Viewport(NamedTuple):
    """A visible rectangle of cells, and how many chunks around it are included."""

    x0: int
    y0: int
    width: int
    height: int
    margin: int = 1  # chunks

    def validate(self) -> Viewport:
        """Return the viewport; raises ConfigError if it is empty."""
        if self.width < 1 or self.height < 1:
            raise ConfigError(f"a view of {self.width} x {self.height} cells is empty")
        if self.margin < 0:
            raise ConfigError(f"margin must be at least 0 chunks, not {self.margin}")
        return self

    def chunks(self, side: int, most: int) -> tuple[list[tuple[int, int]], int]:
        """List at most `most` chunks, nearest to the middle first; also returns the number of others."""
        left, right = self.x0 // side - self.margin, (self.x0 + self.width - 1) // side + self.margin
        top, bottom = self.y0 // side - self.margin, (self.y0 + self.height - 1) // side + self.margin
        # Doubled distances between middles, so that all numbers are integers.
        middle_x, middle_y = 2 * self.x0 + self.width, 2 * self.y0 + self.height

        def distance(position: tuple[int, int]) -> tuple[int, int, int]:
            cx, cy = position
            dx, dy = (2 * cx + 1) * side - middle_x, (2 * cy + 1) * side - middle_y
            return dx * dx + dy * dy, cy, cx

        def around(reach: int) -> list[tuple[int, int]]:
            cx0, cy0 = middle_x // 2 // side, middle_y // 2 // side
            columns = range(max(left, cx0 - reach), min(right, cx0 + reach) + 1)
            rows = range(max(top, cy0 - reach), min(bottom, cy0 + reach) + 1)
            return [(cx, cy) for cy in rows for cx in columns]

        total = (right - left + 1) * (bottom - top + 1)
        reach = 1  # limit the search, because a view may be huge
        while len(around(reach)) < min(most, total):
            reach *= 2
        # Enlarge the square: it contains all chunks as near as its sides, but not all as near as its corners.
        near = around(3 * reach // 2 + 2)
        chosen = sorted(near, key=distance)[:most]
        return chosen, total - len(chosen)


class Prefetch:
    """Chunks that are generated ahead. The next prefetch cancels chunks that it does not include.

    This also applies to chunks requested with a budget, unless a call waits for them.
    """

    def __init__(self, scheduler: Scheduler, jobs: list[Job], skipped: int) -> None:
        self.total = len(jobs)
        self.skipped = skipped  # distant chunks that do not fit in memory
        self._scheduler = scheduler
        self._jobs = jobs
        for job in jobs:
            job.requested_by = self

    def __repr__(self) -> str:
        failed = f", {len(self.errors)} failed" if self.errors else ""
        return f"Prefetch({self.total - self.remaining} of {self.total} chunks{failed})"

    @property
    def positions(self) -> list[tuple[int, int]]:
        """The positions of the chunks, nearest first."""
        return [job.position for job in self._jobs]

    @property
    def remaining(self) -> int:
        """The number of chunks that are not generated yet."""
        return sum(not job.is_over for job in self._jobs)

    @property
    def done(self) -> bool:
        """Whether all chunks are generated, cancelled, or failed."""
        return self.remaining == 0

    @property
    def errors(self) -> dict[tuple[int, int], BaseException]:
        """The errors of chunks that failed, by position; a new request tries again."""
        return {job.position: job.error for job in self._jobs if job.error is not None}

    def cancel(self) -> None:
        """Cancel all work that has not started. Finished chunks and windows stay in the cache."""
        with self._scheduler.changed:
            self._scheduler.drop(job for job in self._jobs if job.requested_by is self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait at most `timeout` seconds until all chunks are done or failed; returns `done`."""
        with self._scheduler.changed:
            return self._scheduler.changed.wait_for(lambda: self.done, timeout)


def prefetch(scheduler: Scheduler, view: Viewport) -> Prefetch:
    """Request the chunks of a view, and drop all others unless a call waits for them."""
    generator = scheduler.generator
    chosen, skipped = view.chunks(generator.plan.chunk, count_prefetchable(generator))
    with scheduler.changed:
        scheduler.drop_all_but(chosen)
        return Prefetch(scheduler, scheduler.request_soon(chosen), skipped)


def count_prefetchable(generator: ChunkGenerator) -> int:
    """Return how many chunks fit in the queue and, with their borders, in the cache."""
    return max(1, min(MOST_JOBS, generator.cache.room // count_chunk_bytes(generator.plan)))


def count_chunk_bytes(plan: Plan) -> int:
    """Return the memory of a chunk with its share of corners, edges and joints."""
    edges = (plan.east_edge(0, 0), plan.south_edge(0, 0))
    joints = tuple(joint for edge in edges for joint in plan.joints(edge))
    windows = (plan.corner(0, 0), *edges, *joints)
    cells = plan.chunk**2 + sum(window.width * window.height for window in windows)
    return 4 * cells + (1 + len(windows)) * OVERHEAD
