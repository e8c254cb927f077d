"""Chunks by a deadline: the final one if there is time, a provisional one if there is a border for it.

Time decides which of the two is handed out and which thread does the work. It never decides what the final
chunk looks like.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, NotReady
from wavefold.solver import Budget
from wavefold.world.edits.overlay import Overlay
from wavefold.world.generator import ChunkGenerator
from wavefold.world.plan import INTERIOR, STAGE_NAMES, Window
from wavefold.world.streaming.budget import DRAFT, WAKING, BudgetManager
from wavefold.world.streaming.job import Job
from wavefold.world.streaming.scheduler import Scheduler
from wavefold.world.streaming.stats import FAILED, FINAL, NOT_READY, PROVISIONAL, Answer

Patterns = NDArray[np.int32]  # [row, column]
Place = tuple[int, int]  # of a chunk


class ChunkArray(np.ndarray[Any, Any]):
    """int32 [row, column] of patterns, read-only, and whether it is provisional.

    A provisional chunk is valid, also against all its neighbours, and its seams are final; its inside will
    be another one. Parts of it and what is computed from it are plain arrays.
    """

    provisional: bool = False

    @classmethod
    def of(cls, patterns: Patterns, provisional: bool) -> ChunkArray:
        """The same cells, marked."""
        marked = patterns.view(cls)
        marked.provisional = provisional
        marked.flags.writeable = False
        return marked

    def __array_finalize__(self, source: Any) -> None:
        self.provisional = getattr(source, "provisional", False)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)

    def __getitem__(self, place: Any) -> Any:
        return np.asarray(self)[place]

    def __reduce__(self) -> Any:
        return ChunkArray.of, (np.array(self, subok=False), self.provisional)


class ChunkDelivery:
    """Hands out the chunks of one world in time.

    A call never waits past its budget but for two things: a thread that sleeps may be woken a little late,
    and a window that was begun on the calling thread, because nineteen in twenty are done in the time that
    was left, may be the twentieth.
    """

    def __init__(self, generator: ChunkGenerator, overlay: Overlay, threads: int | None = None) -> None:
        self.generator, self.overlay = generator, overlay
        self.manager = BudgetManager()
        self.scheduler = Scheduler(generator, self.manager, threads)
        self._drafts: dict[Place, Patterns] = {}  # interiors half made
        generator.on_draft = self._keep_draft

    def final(self, i: int, j: int) -> ChunkArray:
        """Chunk (i, j) as it is for good, with its edits, however long that takes."""
        return self._final(self.generator.chunk(i, j), (i, j))

    def chunk(self, i: int, j: int, ms: float) -> ChunkArray:
        """Chunk (i, j) as good as can be had within `ms`, or NotReady."""
        started = self.scheduler.clock()
        kind, chunk = FAILED, None
        try:
            kind, chunk = self._best((i, j), started, ms)
        finally:
            ended = self.scheduler.clock()
            self.manager.answers.note(Answer((i, j), kind, started, ended, ms))
        if chunk is None:
            raise self._not_ready((i, j), (ended - started) * 1e3, ms)
        return chunk

    def _best(self, place: Place, started: float, ms: float) -> tuple[str, ChunkArray | None]:
        """What there is to hand out when the time is up, and of which kind."""
        interior = self.generator.plan.interior(*place).key
        known = self.generator.cache.peek(interior)
        if known is not None:
            return FINAL, self._final(self.generator.cache.get(interior, lambda: known), place)
        with self.scheduler.changed:
            job = self.scheduler.want_now(*place)
            job.waiting += 1
        try:
            self._work_and_wait(job, started + (ms - self.manager.reserve(ms)) / 1e3)
        finally:
            with self.scheduler.changed:
                job.waiting -= 1
        if job.error is not None:
            raise job.error
        if not job.left:
            self._drafts.pop(place, None)
            return FINAL, self.final(*place)
        if job.has_borders and not self._is_edited(place):
            return PROVISIONAL, self._provisional(job)
        return NOT_READY, None

    def _work_and_wait(self, job: Job, end: float) -> None:
        """Until the chunk is there, or its time is up, or there is no point in waiting."""
        scheduler = self.scheduler
        while not job.is_over:
            left = (end - scheduler.clock()) * 1e3
            if left <= 0:
                self.manager.note(WAKING, -left)
                return
            with scheduler.changed:
                window = scheduler.take(job, left)
                if window is None and not job.is_over:
                    if not self._is_worth_waiting(job, left):
                        return
                    scheduler.changed.wait(left / 1e3)
            if window is not None:
                scheduler.make(window)

    def _is_worth_waiting(self, job: Job, left: float) -> bool:
        """Whether there may be something better in time, made by another thread."""
        if not job.has_borders or self._is_edited(job.place):
            return True
        begun = self.scheduler.begun.get(job.interior.key)
        ahead = 0.0 if begun is None else (self.scheduler.clock() - begun) * 1e3
        return self.manager.may_fit(STAGE_NAMES[INTERIOR], left + ahead)

    def _is_edited(self, place: Place) -> bool:
        """Whether there is nothing provisional: edits were settled against final chunks, and may not fit."""
        i, j = place
        near = [(i + right, j + down) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        return any(self.overlay.on(near))

    def _final(self, made: Patterns, place: Place) -> ChunkArray:
        patches = self.overlay.on([place])[0]
        return ChunkArray.of(self.overlay.over(made, place, patches), provisional=False)

    def _provisional(self, job: Job) -> ChunkArray:
        started = self.scheduler.clock()
        draft = self._drafts.get(job.place)
        if draft is None:
            draft = self.generator.surroundings(job.interior)
        self.manager.note(DRAFT, (self.scheduler.clock() - started) * 1e3)
        return ChunkArray.of(np.ascontiguousarray(draft[:-1, :-1]), provisional=True)

    def _not_ready(self, place: Place, spent: float, ms: float) -> NotReady:
        reason = (
            "with edits in it or beside it there is no provisional one"
            if self._is_edited(place)
            else "its borders are still being made"
        )
        return NotReady(
            f"chunk ({place[0]}, {place[1]}) was not ready after {spent:.0f} ms (the budget was {ms:g} ms): "
            f"{reason}; ask again, nothing done is lost"
        )

    def _keep_draft(self, window: Window, plane: Patterns | None) -> None:
        """An interior is valid after each small window; once it is made, its draft goes."""
        if plane is None:
            self._drafts.pop((window.i, window.j), None)
        else:
            self._drafts[window.i, window.j] = plane.copy()


def milliseconds(budget: Any) -> float | None:
    """The time a budget for a chunk allows; None for no limit."""
    if not isinstance(budget, Budget):
        raise ConfigError(f"the budget of a chunk is a time, as in budget=wf.Budget(ms=50), not {budget!r}")
    if budget.decisions is not None or budget.backtracks is not None:
        raise ConfigError(
            "the budget of a chunk may only limit time, as in wf.Budget(ms=50): "
            "a limit on decisions would change content"
        )
    return None if budget.ms is None else float(budget.ms)
