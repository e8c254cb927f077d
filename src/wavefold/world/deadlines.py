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
from wavefold.world.making import Maker
from wavefold.world.manager import DRAFT, FINAL, NOT_READY, PROVISIONAL, WAKING, BudgetManager
from wavefold.world.plan import INTERIOR, STAGE_NAMES, Window
from wavefold.world.schedule import Job, Schedule

__all__ = ["ChunkArray", "Deadlines", "milliseconds"]

Patterns = NDArray[np.int32]  # [row, column]


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


class Deadlines:
    """Hands out the chunks of one world in time.

    A call never waits past its budget but for two things: a thread that sleeps may be woken a little late,
    and a window that was begun on the calling thread, because nineteen in twenty are done in the time that
    was left, may be the twentieth.
    """

    def __init__(self, maker: Maker, threads: int | None = None) -> None:
        self.maker = maker
        self.manager = BudgetManager()
        self.schedule = Schedule(maker, self.manager, threads)
        self._drafts: dict[tuple[int, int], Patterns] = {}  # interiors half made
        maker.on_draft = self._keep_draft

    def chunk(self, i: int, j: int, ms: float) -> ChunkArray:
        """Chunk (i, j) as good as can be had within `ms`, or NotReady."""
        started = self.schedule.clock()
        job = self.schedule.want(i, j)
        self._work_and_wait(job, started + (ms - self.manager.reserve(ms)) / 1e3)
        if job.error is not None:
            raise job.error
        kind = FINAL if not job.left else PROVISIONAL if job.has_borders else NOT_READY
        chunk = self._handed_out(job, kind)
        spent = (self.schedule.clock() - started) * 1e3
        self.manager.answer(kind, spent, ms)
        if chunk is None:
            raise NotReady(
                f"chunk ({i}, {j}) was not ready after {spent:.0f} ms (the budget was {ms:g} ms): its "
                "borders are still being made; ask again, nothing done is lost"
            )
        return chunk

    def _work_and_wait(self, job: Job, end: float) -> None:
        """Until the chunk is there, or its time is up, or there is no point in waiting."""
        schedule = self.schedule
        while not job.is_over:
            left = (end - schedule.clock()) * 1e3
            if left <= 0:
                self.manager.note(WAKING, -left)
                return
            with schedule.changed:
                window = schedule.take(job, left)
                if window is None and not job.is_over:
                    if job.has_borders and not self._is_worth_waiting(job, left):
                        return
                    schedule.changed.wait(left / 1e3)
            if window is not None:
                schedule.make(window)

    def _is_worth_waiting(self, job: Job, left: float) -> bool:
        """Whether the interior, made by another thread, may be there in time."""
        begun = self.schedule.begun.get(job.interior.key)
        ahead = 0.0 if begun is None else (self.schedule.clock() - begun) * 1e3
        return self.manager.may_fit(STAGE_NAMES[INTERIOR], left + ahead)

    def _handed_out(self, job: Job, kind: str) -> ChunkArray | None:
        if kind == FINAL:
            self._drafts.pop(job.place, None)
            return ChunkArray.of(self.maker.chunk(*job.place), provisional=False)
        if kind == NOT_READY:
            return None
        started = self.schedule.clock()
        draft = self._drafts.get(job.place)
        if draft is None:
            draft = self.maker.surroundings(job.interior)
        self.manager.note(DRAFT, (self.schedule.clock() - started) * 1e3)
        return ChunkArray.of(np.ascontiguousarray(draft[:-1, :-1]), provisional=True)

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
