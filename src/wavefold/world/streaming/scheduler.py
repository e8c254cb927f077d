"""Who makes which window when: a line of wanted chunks, and threads that work it off in the background."""

from __future__ import annotations

import os
import threading
from bisect import insort
from collections.abc import Callable, Iterable
from itertools import groupby
from time import perf_counter

from wavefold.world.generator import ChunkGenerator
from wavefold.world.plan import INTERIOR, STAGE_NAMES, Window
from wavefold.world.streaming.budget import BudgetManager
from wavefold.world.streaming.job import SOON, STALE, URGENT, Job, Key

FRESH = 32  # chunks that are urgent at a time, those asked for last
MOST_JOBS = 256  # chunks in line; beyond, the last ones are dropped
MOST_THREADS = 4
LINGER = 5.0  # seconds an idle thread waits for work before it ends


class Scheduler:
    """The line of wanted chunks of one world.

    Threads start when there is work and end when there has been none for a while. Only the windows of the
    first chunks in line are being made at any time, so a chunk that is dropped costs at most the windows
    already begun, and those are short. One more thread than the others is kept for the borders of what is
    urgent, so that they never wait for an interior to be finished.
    """

    def __init__(self, generator: ChunkGenerator, manager: BudgetManager, threads: int | None = None) -> None:
        self.generator, self.manager = generator, manager
        self.threads = default_threads() if threads is None else threads
        self.clock: Callable[[], float] = perf_counter  # seconds
        self.changed = threading.Condition()  # and the lock of everything below
        self.begun: dict[Key, float] = {}  # windows being made, and when that began
        self._line: list[Job] = []  # sorted by rank
        self._jobs: dict[tuple[int, int], Job] = {}
        self._crew: set[threading.Thread] = set()
        self._reserve: set[threading.Thread] = set()  # for urgent borders only
        self._asked = 0
        self._is_closing = False

    def want_now(self, i: int, j: int) -> Job:
        """Put a chunk at the head of the line: what was asked for last comes first.

        It falls behind when `FRESH` others were asked for since, unless somebody still waits for it.
        """
        self._fetch(i, j)
        with self.changed:
            self._asked += 1
            job = self._enlist(i, j, (URGENT, -self._asked))
            self._call_for_hands()
            return job

    def want_soon(self, places: Iterable[tuple[int, int]]) -> list[Job]:
        """Put chunks in line behind everything urgent, in this order."""
        with self.changed:
            jobs = [self._enlist(i, j, (SOON, number)) for number, (i, j) in enumerate(places)]
            self._call_for_hands()
            return jobs

    def drop(self, jobs: Iterable[Job]) -> None:
        """Take these out of the line, unless somebody asked for them of late."""
        with self.changed:
            for job in jobs:
                if job.rank[0] != URGENT:
                    self._strike(job)
            self.changed.notify_all()

    def drop_all_but(self, places: Iterable[tuple[int, int]]) -> None:
        """Take everything else out of the line, but what somebody waits for at this moment."""
        kept = set(places)
        with self.changed:
            for job in list(self._line):
                if job.place not in kept and not job.waiting:
                    self._strike(job)
            self.changed.notify_all()

    def take(self, job: Job, ms: float) -> Window | None:
        """A window of this job for the calling thread to `make`, if one is free that surely fits in `ms`."""
        with self.changed:
            return self._free_window(
                job, lambda window: self.manager.surely_fits(STAGE_NAMES[window.stage], ms)
            )

    def make(self, window: Window) -> None:
        """Make a window that was taken, on this thread."""
        error: BaseException | None = None
        started = self.clock()
        try:
            self.generator.window(window)
            self.manager.note(STAGE_NAMES[window.stage], (self.clock() - started) * 1e3)
        except BaseException as found:
            error = found
        with self.changed:
            self.begun.pop(window.key, None)
            for job in list(self._line):
                if window.key in job.left:
                    if error is None:
                        self._done(job, window.key)
                    else:
                        job.error = error
                        self._strike(job)
            self.changed.notify_all()

    def close(self) -> None:
        """Drop everything and wait for the threads to finish the windows they are at."""
        with self.changed:
            for job in list(self._line):
                self._strike(job)
            self._is_closing = True
            threads = [*self._crew, *self._reserve]
            self.changed.notify_all()
        for thread in threads:
            thread.join()
        with self.changed:
            self._is_closing = False

    def __len__(self) -> int:
        return len(self._line)

    def _fetch(self, i: int, j: int) -> None:
        """Load a chunk from the store into the cache, if it is there: it needs no borders then."""
        store, name = self.generator.chunk_store, self.generator.plan.interior(i, j).key
        if store is not None and self.generator.cache.peek(name) is None:
            found = store.get(i, j)
            if found is not None:
                self.generator.cache.get(name, lambda: found)

    def _enlist(self, i: int, j: int, rank: tuple[int, int]) -> Job:
        job = self._jobs.get((i, j))
        if job is None:
            if self.generator.cache.peek((INTERIOR, i, j)) is not None:
                return Job(self.generator.plan, i, j, rank, is_made=True)
            job = self._jobs[i, j] = Job(self.generator.plan, i, j, rank)
            insort(self._line, job, key=rank_of)
        elif rank[0] == URGENT or job.rank[0] != URGENT:
            self._move(job, rank)
        self._look_for_made(job)
        self._let_age()
        while len(self._line) > MOST_JOBS:
            self._strike(self._line[-1])
        return job

    def _move(self, job: Job, rank: tuple[int, int]) -> None:
        self._line.remove(job)
        job.rank = rank
        insort(self._line, job, key=rank_of)

    def _let_age(self) -> None:
        """Have the urgent ones that were asked for longest ago fall behind."""
        for job in self._line[FRESH:]:
            urgency, asked = job.rank
            if urgency == URGENT and not job.waiting:
                self._move(job, (STALE, asked))

    def _look_for_made(self, job: Job) -> None:
        """Remove windows from the job that are in the cache already."""
        is_made = self.generator.cache.peek(job.interior.key) is not None
        for name in list(job.left):
            if is_made or self.generator.cache.peek(name) is not None:
                self._done(job, name)

    def _strike(self, job: Job) -> None:
        if self._jobs.get(job.place) is job:
            del self._jobs[job.place]
            self._line.remove(job)
            job.is_dropped = bool(job.left)

    def _done(self, job: Job, name: Key) -> None:
        job.left.pop(name, None)
        if not job.left:
            self._strike(job)

    def _free_window(self, job: Job, suits: Callable[[Window], bool]) -> Window | None:
        for window in job.ready():
            if window.key in self.begun:
                continue
            if self.generator.cache.peek(window.key) is not None:  # somebody else made it
                self._done(job, window.key)
                return self._free_window(job, suits)
            if suits(window):
                self.begun[window.key] = self.clock()
                return window
        return None

    def _call_for_hands(self) -> None:
        """Have as many threads as there are chunks to work on, up to the limit."""
        self.changed.notify_all()
        while len(self._crew) < min(self.threads, len(self._line)):
            self._start(self._crew)
        if self.threads and not self._reserve and self._line and self._line[0].rank[0] == URGENT:
            self._start(self._reserve)

    def _start(self, hands: set[threading.Thread]) -> None:
        thread = threading.Thread(target=self._work, args=(hands,), name="wavefold world", daemon=True)
        hands.add(thread)
        thread.start()

    def _work(self, hands: set[threading.Thread]) -> None:
        while (window := self._next(hands)) is not None:
            self.make(window)

    def _next(self, hands: set[threading.Thread]) -> Window | None:
        """The next window in line for one of these; waits for one, but not for ever."""
        next_window = self._next_border if hands is self._reserve else self._next_of_all
        was_called = True
        with self.changed:
            while not self._is_closing:
                window = next_window()
                if window is not None:
                    return window
                if not was_called:  # and work that came just now was looked for
                    break
                was_called = self.changed.wait(LINGER)
            hands.discard(threading.current_thread())
            return None

    def _next_of_all(self) -> Window | None:
        """Borders before interiors: a chunk without its inside can be shown, one without borders cannot."""
        for job in [job for job in self._line if job.waiting]:
            window = self._free_window(job, lambda _: True)
            if window is not None:
                return window
        kinds = (is_border, is_interior) if self._may_begin_interior() else (is_border,)
        for _, group in groupby(list(self._line), key=lambda job: job.rank[0]):
            jobs = list(group)
            for kind in kinds:
                for job in jobs:
                    window = self._free_window(job, kind)
                    if window is not None:
                        return window
        return None

    def _may_begin_interior(self) -> bool:
        """Not with the last hand while somebody waits for borders: there will be more of these to make."""
        if not any(job.waiting and not job.has_borders for job in self._line):
            return True
        return sum(stage == INTERIOR for stage, _, _ in self.begun) < self.threads - 1

    def _next_border(self) -> Window | None:
        for job in list(self._line):
            if job.rank[0] != URGENT:
                return None
            window = self._free_window(job, is_border)
            if window is not None:
                return window
        return None


def is_interior(window: Window) -> bool:
    """Whether it is the inside of a chunk."""
    return window.stage == INTERIOR


def is_border(window: Window) -> bool:
    """Whether it is a corner, an edge or a joint."""
    return window.stage != INTERIOR


def rank_of(job: Job) -> tuple[int, int]:
    """Its place in line, lowest first."""
    return job.rank


def default_threads() -> int:
    """One processor is left to whoever asks."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(MOST_THREADS, count - 1))
