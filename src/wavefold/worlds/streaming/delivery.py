"""Deliver chunks within a time budget: final if time allows, or provisional if their borders exist.

Time never affects the content of a final chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from wavefold.errors import ConfigError, NotReady
from wavefold.kernels.host.checkpoint import POLL_SECONDS, checkpoint
from wavefold.solver import Budget
from wavefold.worlds.edits.overlay import Overlay, Patch
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.plan import INTERIOR, STAGE_NAMES, ChunkPosition, PatternGrid, Window
from wavefold.worlds.streaming.budget import (
    DRAFT,
    FAILED,
    FINAL,
    NOT_READY,
    PROVISIONAL,
    WAKING,
    BudgetManager,
)
from wavefold.worlds.streaming.jobs import MOST_URGENT, Job
from wavefold.worlds.streaming.scheduler import Scheduler


class ChunkArray(np.ndarray[tuple[int, int], np.dtype[np.int32]]):
    """A read-only array of patterns, int32 [row, column], and whether it is provisional.

    A provisional chunk is valid and fits its neighbours. Its seams are final, but its inside will change.
    Slices and results of computations are plain arrays.
    """

    provisional: bool = False

    @classmethod
    def of(cls, patterns: PatternGrid, provisional: bool) -> ChunkArray:
        """Return a read-only view of the patterns, marked as provisional or not."""
        marked = patterns.view(cls)
        marked.provisional = provisional
        marked.flags.writeable = False
        return marked

    def __array_finalize__(self, source: Any) -> None:
        self.provisional = getattr(source, "provisional", False)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)

    if not TYPE_CHECKING:  # type checkers see the results that NumPy declares

        def __getitem__(self, index):
            return np.asarray(self)[index]

    def __reduce__(self) -> Any:
        return ChunkArray.of, (np.array(self, subok=False), self.provisional)


class ChunkDelivery:
    """Delivers the chunks of one world in time.

    A call can exceed its budget only slightly: if the thread wakes up late, or until the next checkpoint of a
    window. The calling thread starts a window only if 95 % of such windows are done in the remaining time.

    overlay : the edits on top of the chunks
    threads, clock : see `Scheduler`
    """

    def __init__(
        self,
        generator: ChunkGenerator,
        overlay: Overlay,
        threads: int | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.generator, self.overlay = generator, overlay
        self.manager = BudgetManager()
        self.scheduler = Scheduler(generator, self.manager, threads, clock)
        self.clock = clock
        self._drafts: dict[ChunkPosition, PatternGrid] = {}  # partly solved interiors
        self._requested: dict[ChunkPosition, Job] = {}  # jobs of `request` that are queued or failed
        generator.on_draft = self.store_draft

    def final(self, cx: int, cy: int) -> ChunkArray:
        """Return chunk (cx, cy) with its edits, without a time limit."""
        return self._apply_edits(self.generator.chunk(cx, cy), (cx, cy))

    def chunk(self, cx: int, cy: int, ms: float) -> ChunkArray:
        """Return the best available version of chunk (cx, cy) within `ms`; raises NotReady without one."""
        started = self.clock()
        result, chunk = FAILED, None
        try:
            result, chunk = self._find_best((cx, cy), started, ms)
        finally:
            ended = self.clock()
            self.manager.calls.record((cx, cy), result, started, ended, ms)
        if chunk is None:
            raise self._not_ready((cx, cy), (ended - started) * 1e3, ms)
        return chunk

    def request(self, positions: Sequence[ChunkPosition]) -> None:
        """Generate chunks that are not final in the background, in this order.

        Raises the error of a chunk that failed since its last request; the next request tries again.
        """
        cache, plan = self.generator.cache, self.generator.plan
        waiting = [each for each in positions if cache.peek(plan.interior(*each).key) is None]
        with self.scheduler.changed:
            for position in waiting:
                job = self._requested.get(position)
                if job is not None and job.error is not None:
                    del self._requested[position]
                    raise job.error
        # In reverse, because the latest request comes first; without the lock, because it may read the store.
        jobs = {each: self.scheduler.request_now(*each) for each in reversed(waiting[:MOST_URGENT])}
        with self.scheduler.changed:
            jobs = self._requested | jobs
            self._requested = {
                each: job for each, job in jobs.items() if job.error is not None or not job.is_over
            }

    def peek(self, position: ChunkPosition, patches: tuple[Patch, ...]) -> ChunkArray | None:
        """Return the available version of a chunk without waiting; None if its borders are missing.

        patches : the edits to apply to a final chunk
        """
        interior, cache = self.generator.plan.interior(*position), self.generator.cache
        cached = cache.peek(interior.key)
        if cached is not None:
            recent = cache.get(interior.key, lambda: cached)  # marks the chunk as recently used
            return ChunkArray.of(self.overlay.over(recent, position, patches), provisional=False)
        has_borders = all(cache.peek(need.key) is not None for need in self.generator.plan.needs(interior))
        return self._make_provisional(position) if has_borders and not self._is_edited(position) else None

    def store_draft(self, window: Window, plane: PatternGrid | None) -> None:
        """Store a valid, partly solved interior; None removes it."""
        if plane is None:
            self._drafts.pop((window.i, window.j), None)
        else:
            self._drafts[window.i, window.j] = plane.copy()

    @property
    def drafts(self) -> list[ChunkPosition]:
        """The positions of chunks with a draft."""
        return list(self._drafts)

    def _find_best(self, position: ChunkPosition, started: float, ms: float) -> tuple[str, ChunkArray | None]:
        """Wait until the chunk is final or the time is up; returns the result of the call and the chunk."""
        interior = self.generator.plan.interior(*position).key
        cached = self.generator.cache.peek(interior)
        if cached is not None:
            return FINAL, self._apply_edits(self.generator.cache.get(interior, lambda: cached), position)
        with self.scheduler.changed:
            job = self.scheduler.request_now(*position)
            job.waiting += 1
        try:
            self._work_and_wait(job, started + (ms - self.manager.reserve(ms)) / 1e3)
        finally:
            with self.scheduler.changed:
                job.waiting -= 1
        if job.error is not None:
            raise job.error
        if not job.missing:
            self._drafts.pop(position, None)
            return FINAL, self.final(*position)
        if job.has_borders and not self._is_edited(position):
            return PROVISIONAL, self._make_provisional(position)
        return NOT_READY, None

    def _work_and_wait(self, job: Job, end: float) -> None:
        """Work and wait until the chunk is final, the time is up, or waiting is useless."""
        scheduler = self.scheduler
        while not job.is_over:
            checkpoint()  # here, because a window that was taken must be run
            left = (end - self.clock()) * 1e3
            if left <= 0:
                self.manager.note(WAKING, -left)
                return
            with scheduler.changed:
                window = scheduler.take_fitting(job, left)
                if window is None and not job.is_over:
                    if not self._is_worth_waiting(job, left):
                        return
                    scheduler.changed.wait(min(left / 1e3, POLL_SECONDS))
            if window is not None:
                scheduler.run(window, end)

    def _is_worth_waiting(self, job: Job, left: float) -> bool:
        """Return whether another thread may finish a better version in time."""
        if not job.has_borders or self._is_edited(job.position):
            return True
        begun = self.scheduler.in_progress.get(job.interior.key)
        ahead = 0.0 if begun is None else (self.clock() - begun) * 1e3
        return self.manager.may_fit(STAGE_NAMES[INTERIOR], left + ahead)

    def _is_edited(self, position: ChunkPosition) -> bool:
        """Return whether edits are near; they fit final chunks, but perhaps not provisional ones."""
        cx, cy = position
        near = [(cx + right, cy + down) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        return any(self.overlay.on(near))

    def _apply_edits(self, generated: PatternGrid, position: ChunkPosition) -> ChunkArray:
        patches = self.overlay.on([position])[0]
        return ChunkArray.of(self.overlay.over(generated, position, patches), provisional=False)

    def _make_provisional(self, position: ChunkPosition) -> ChunkArray:
        started = self.clock()
        plan, draft = self.generator.plan, self._drafts.get(position)
        interior = plan.interior(*position)
        if draft is None:
            draft = self.generator.surroundings(interior)
        self.manager.note(DRAFT, (self.clock() - started) * 1e3)
        return ChunkArray.of(np.ascontiguousarray(plan.content(interior, draft)), provisional=True)

    def _not_ready(self, position: ChunkPosition, spent: float, ms: float) -> NotReady:
        reason = (
            "chunks with edits in or beside them have no provisional version"
            if self._is_edited(position)
            else "its borders are still being generated"
        )
        return NotReady(
            f"chunk ({position[0]}, {position[1]}) was not ready after {spent:.0f} ms (the budget was {ms:g} "
            f"ms): {reason}; call again to continue"
        )


def parse_milliseconds(budget: Any) -> float | None:
    """Return the time limit of a budget for a chunk, in ms; None for no limit."""
    if not isinstance(budget, Budget):
        raise ConfigError(f"the budget of a chunk must be a time, such as wf.Budget(ms=50), not {budget!r}")
    if budget.decisions is not None or budget.backtracks is not None:
        raise ConfigError(
            "the budget of a chunk can only limit time, such as wf.Budget(ms=50): "
            "a limit on decisions would change its content"
        )
    return None if budget.ms is None else float(budget.ms)
