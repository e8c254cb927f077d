"""Chunks within a budget: the final one if time allows, a provisional one if its borders exist.

Time decides which of the two is returned and which thread does the work, never the content of the final
chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, NotReady
from wavefold.kernels.host.checkpoint import POLL_SECONDS, checkpoint
from wavefold.solver import Budget
from wavefold.worlds.edits.overlay import Overlay, Patch
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.plan import INTERIOR, STAGE_NAMES, Window
from wavefold.worlds.streaming.budget import (
    DRAFT,
    FAILED,
    FINAL,
    NOT_READY,
    PROVISIONAL,
    WAKING,
    BudgetManager,
)
from wavefold.worlds.streaming.jobs import FRESH, Job
from wavefold.worlds.streaming.scheduler import Scheduler

Patterns = NDArray[np.int32]  # [row, column]
Position = tuple[int, int]  # (cx, cy) of a chunk


class ChunkArray(np.ndarray[tuple[int, int], np.dtype[np.int32]]):
    """int32 [row, column] of patterns, read-only, and whether it is provisional.

    A provisional chunk is valid, also against all its neighbours, and its seams are final; its inside will
    change. Parts of it and what is computed from it are plain arrays.
    """

    provisional: bool = False

    @classmethod
    def of(cls, patterns: Patterns, provisional: bool) -> ChunkArray:
        """A read-only view of the patterns, marked."""
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
    """Returns the chunks of one world in time.

    A call exceeds its budget for two reasons only: a sleeping thread may be woken a little late, and a window
    is stopped only at the next checkpoint. Such a window was begun on the calling thread because 19 in 20 are
    done in the time that was left, and was the twentieth.

    overlay : the edits that lie over the chunks
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
        self._drafts: dict[Position, Patterns] = {}  # interiors that are partly solved
        self._requested: dict[Position, Job] = {}  # by `request`: in the queue, or failed
        generator.on_draft = self.store_draft

    def final(self, cx: int, cy: int) -> ChunkArray:
        """Chunk (cx, cy) with its edits, without a time limit."""
        return self._apply_edits(self.generator.chunk(cx, cy), (cx, cy))

    def chunk(self, cx: int, cy: int, ms: float) -> ChunkArray:
        """The best available version of chunk (cx, cy) within `ms`; raises NotReady if there is none."""
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

    def request(self, positions: Sequence[Position]) -> None:
        """Generate chunks that are not final in the background, in this order, without waiting.

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
        # The latest request comes first. Outside the lock: it may read the store.
        jobs = {each: self.scheduler.request_now(*each) for each in reversed(waiting[:FRESH])}
        with self.scheduler.changed:
            jobs = self._requested | jobs
            self._requested = {
                each: job for each, job in jobs.items() if job.error is not None or not job.is_over
            }

    def peek(self, position: Position, patches: tuple[Patch, ...]) -> ChunkArray | None:
        """The available version of a chunk, with these patches if final; None if its borders are missing."""
        interior, cache = self.generator.plan.interior(*position), self.generator.cache
        cached = cache.peek(interior.key)
        if cached is not None:
            recent = cache.get(interior.key, lambda: cached)  # used chunks stay in the cache
            return ChunkArray.of(self.overlay.over(recent, position, patches), provisional=False)
        has_borders = all(cache.peek(need.key) is not None for need in self.generator.plan.needs(interior))
        return self._make_provisional(position) if has_borders and not self._is_edited(position) else None

    def store_draft(self, window: Window, plane: Patterns | None) -> None:
        """Store a partly solved, valid interior; None when it is finished."""
        if plane is None:
            self._drafts.pop((window.i, window.j), None)
        else:
            self._drafts[window.i, window.j] = plane.copy()

    @property
    def drafts(self) -> list[Position]:
        """The chunks that have a draft."""
        return list(self._drafts)

    def _find_best(self, position: Position, started: float, ms: float) -> tuple[str, ChunkArray | None]:
        """The result of a call and its chunk, when the chunk is final or the time is up."""
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
        """Return when the chunk is final, the time is up, or waiting cannot help."""
        scheduler = self.scheduler
        while not job.is_over:
            checkpoint()  # not later: a window that was taken must be run
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
        """Whether another thread may finish a better version in time."""
        if not job.has_borders or self._is_edited(job.position):
            return True
        begun = self.scheduler.in_progress.get(job.interior.key)
        ahead = 0.0 if begun is None else (self.clock() - begun) * 1e3
        return self.manager.may_fit(STAGE_NAMES[INTERIOR], left + ahead)

    def _is_edited(self, position: Position) -> bool:
        """Whether edits are near: solved against final chunks, they may not fit a provisional one."""
        cx, cy = position
        near = [(cx + right, cy + down) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        return any(self.overlay.on(near))

    def _apply_edits(self, generated: Patterns, position: Position) -> ChunkArray:
        patches = self.overlay.on([position])[0]
        return ChunkArray.of(self.overlay.over(generated, position, patches), provisional=False)

    def _make_provisional(self, position: Position) -> ChunkArray:
        started = self.clock()
        plan, draft = self.generator.plan, self._drafts.get(position)
        interior = plan.interior(*position)
        if draft is None:
            draft = self.generator.surroundings(interior)
        self.manager.note(DRAFT, (self.clock() - started) * 1e3)
        return ChunkArray.of(np.ascontiguousarray(plan.content(interior, draft)), provisional=True)

    def _not_ready(self, position: Position, spent: float, ms: float) -> NotReady:
        reason = (
            "with edits in it or beside it there is no provisional one"
            if self._is_edited(position)
            else "its borders are still being generated"
        )
        return NotReady(
            f"chunk ({position[0]}, {position[1]}) was not ready after {spent:.0f} ms (the budget was {ms:g} "
            f"ms): {reason}; ask again, nothing done is lost"
        )


def parse_milliseconds(budget: Any) -> float | None:
    """The time that a budget for a chunk allows, in ms; None for no limit."""
    if not isinstance(budget, Budget):
        raise ConfigError(f"the budget of a chunk is a time, as in budget=wf.Budget(ms=50), not {budget!r}")
    if budget.decisions is not None or budget.backtracks is not None:
        raise ConfigError(
            "the budget of a chunk may only limit time, as in wf.Budget(ms=50): "
            "a limit on decisions would change content"
        )
    return None if budget.ms is None else float(budget.ms)
