"""Schedule the windows of requested chunks on background threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from functools import partial
from itertools import groupby, takewhile
from time import perf_counter

from wavefold.kernels.host.checkpoint import LimitReached, Stopped, limiting
from wavefold.kernels.host.threads import count_processors, single_thread
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.plan import INTERIOR, STAGE_NAMES, Window
from wavefold.worlds.streaming.budget import BudgetManager
from wavefold.worlds.streaming.jobs import SOON, URGENT, Job, JobQueue, WindowKey

MOST_THREADS = 4
LINGER_SECONDS = 5.0  # how long an idle thread waits for work before it ends

Candidate = tuple[Job, Callable[[Window], bool]]  # a job, and a filter of its windows


class Scheduler:
    """Generates the requested chunks of one world.

    Threads start when there is work, and end after some time without work. Only windows of the first chunks
    in the queue are generated at any time, so dropping a chunk wastes at most the windows that were started,
    which are short. One additional thread is reserved for the borders of urgent chunks, so that they never
    wait for an interior.

    threads : the number of background threads; 0: none, not even the reserved one
    clock : returns seconds
    linger : seconds that an idle thread waits for work
    """

    def __init__(
        self,
        generator: ChunkGenerator,
        manager: BudgetManager,
        threads: int | None = None,
        clock: Callable[[], float] = perf_counter,
        linger: float = LINGER_SECONDS,
    ) -> None:
        self.generator, self.manager = generator, manager
        self.threads = count_background_threads() if threads is None else threads
        self.clock, self.linger = clock, linger
        self.changed = threading.Condition()  # its lock protects all attributes below
        self.in_progress: dict[WindowKey, float] = {}  # windows being generated, and when they started
        self._queue = JobQueue(generator)
        self._workers: set[threading.Thread] = set()
        self._border_workers: set[threading.Thread] = set()
        self._requests = 0
        self._context = copy_context()  # of the latest request, so that its memory limit holds in threads
        self._is_closing = False

    # --- requests -------------------------------------------------------------------------------

    def request_now(self, cx: int, cy: int) -> Job:
        """Put a chunk at the head of the queue.

        It becomes stale after `MOST_URGENT` later requests, unless a call still waits for it.
        """
        self._load_from_store(cx, cy)
        with self.changed:
            self._requests += 1
            self._context = copy_context()
            job = self._queue.add(cx, cy, (URGENT, -self._requests))
            self._start_workers()
            return job

    def request_soon(self, positions: Iterable[tuple[int, int]]) -> list[Job]:
        """Add chunks to the queue in this order, after all urgent ones."""
        with self.changed:
            self._context = copy_context()
            jobs = [self._queue.add(cx, cy, (SOON, number)) for number, (cx, cy) in enumerate(positions)]
            self._start_workers()
            return jobs

    def drop(self, jobs: Iterable[Job]) -> None:
        """Remove these jobs from the queue, except urgent ones."""
        with self.changed:
            for job in jobs:
                if not job.is_urgent:
                    self._queue.remove(job)
            self.changed.notify_all()

    def drop_all_but(self, positions: Iterable[tuple[int, int]]) -> None:
        """Remove all other chunks from the queue, except those that a call waits for."""
        wanted = set(positions)
        with self.changed:
            for job in self._queue:
                if job.position not in wanted and not job.waiting:
                    self._queue.remove(job)
            self.changed.notify_all()

    def close(self) -> None:
        """Empty the queue and wait until the threads have finished their windows."""
        with self.changed:
            for job in self._queue:
                self._queue.remove(job)
            self._is_closing = True
            threads = [*self._workers, *self._border_workers]
            self.changed.notify_all()
        for thread in threads:
            thread.join()
        with self.changed:
            self._is_closing = False

    def __len__(self) -> int:
        return len(self._queue)

    @property
    def positions(self) -> list[tuple[int, int]]:
        """The positions of the chunks in the queue, first to last."""
        with self.changed:
            return [job.position for job in self._queue]

    @property
    def workers(self) -> list[threading.Thread]:
        """The running threads, the reserved one last."""
        with self.changed:
            return [*self._workers, *self._border_workers]

    # --- windows --------------------------------------------------------------------------------

    def take_fitting(self, job: Job, ms: float) -> Window | None:
        """Take a window of this job that surely fits in `ms`, for the calling thread to `run`; or None."""
        with self.changed:
            return self._take(job, lambda window: self.manager.surely_fits(STAGE_NAMES[window.stage], ms))

    def take_next(self) -> Window | None:
        """Take the next window for a background thread to `run`; None if there is none.

        Borders come before interiors, because a chunk with only borders can be delivered as provisional.
        """
        with self.changed:
            return self._take_first(self._candidates())

    def take_urgent_border(self) -> Window | None:
        """Take the next border of an urgent chunk, for the reserved thread to `run`; or None."""
        with self.changed:
            urgent = takewhile(lambda job: job.is_urgent, self._queue)
            return self._take_first((job, is_border) for job in urgent)

    def run(self, window: Window, end: float | None = None) -> None:
        """Generate a window that was taken; errors are stored in the jobs that need it.

        end : when to stop, by the clock; the window can then be taken again
        """
        error: BaseException | None = None
        stop: BaseException | None = None
        started = self.clock()
        try:
            with limiting(partial(self._check_time, end)):
                self.generator.window(window)
        except (Stopped, KeyboardInterrupt) as found:  # this call ends; others still need the window
            stop = found
        except BaseException as found:
            error = found
        if error is None:  # for a stopped window, a lower limit
            self.manager.note(STAGE_NAMES[window.stage], (self.clock() - started) * 1e3)
        with self.changed:
            self.in_progress.pop(window.key, None)
            for job in self._queue:
                if window.key in job.missing and stop is None:
                    if error is None:
                        self._queue.finish_window(job, window.key)
                    else:
                        job.error = error
                        self._queue.remove(job)
            self.changed.notify_all()
        if stop is not None and not isinstance(stop, LimitReached):
            raise stop

    def _is_over(self, end: float | None) -> bool:
        return end is not None and self.clock() >= end

    def _check_time(self, end: float | None) -> None:
        if self._is_over(end):
            raise Stopped("the time for a chunk is up")

    def _take(self, job: Job, suits: Callable[[Window], bool]) -> Window | None:
        for window in job.ready_windows():
            if window.key in self.in_progress:
                continue
            if self.generator.cache.peek(window.key) is not None:  # generated by another call
                self._queue.finish_window(job, window.key)
                return self._take(job, suits)
            if suits(window):
                self.in_progress[window.key] = self.clock()
                return window
        return None

    def _take_first(self, candidates: Iterable[Candidate]) -> Window | None:
        taken = (self._take(job, suits) for job, suits in candidates)
        return next((window for window in taken if window is not None), None)

    def _candidates(self) -> Iterator[Candidate]:
        """Yield jobs and filters of their windows for a background thread; awaited chunks come first."""
        for job in self._queue:
            if job.waiting:
                yield job, lambda _: True
        kinds = (is_border, is_interior) if self._may_begin_interior() else (is_border,)
        for _, group in groupby(self._queue, key=lambda job: job.priority[0]):
            jobs = list(group)
            yield from ((job, kind) for kind in kinds for job in jobs)

    def _may_begin_interior(self) -> bool:
        """Return False for the last free thread while a call waits for borders, which come first."""
        if not any(job.waiting and not job.has_borders for job in self._queue):
            return True
        return sum(stage == INTERIOR for stage, _, _ in self.in_progress) < self.threads - 1

    def _load_from_store(self, cx: int, cy: int) -> None:
        """Load a stored chunk into the cache, so that its borders are not generated."""
        store, key = self.generator.chunk_store, self.generator.plan.interior(cx, cy).key
        if store is not None and self.generator.cache.peek(key) is None:
            found = store.get(cx, cy)
            if found is not None:
                self.generator.cache.get(key, lambda: found)

    # --- threads --------------------------------------------------------------------------------

    def _start_workers(self) -> None:
        """Start as many threads as there are chunks in the queue, up to the limit."""
        self.changed.notify_all()
        while len(self._workers) < min(self.threads, len(self._queue)):
            self._start(self._workers)
        is_urgent = any(job.is_urgent for job in self._queue)
        if self.threads and not self._border_workers and is_urgent:
            self._start(self._border_workers)

    def _start(self, group: set[threading.Thread]) -> None:
        thread = threading.Thread(target=self._work, args=(group,), name="wavefold world", daemon=True)
        group.add(thread)
        thread.start()

    def _run_single(self, window: Window) -> None:
        """Run a window in a background thread without further threads."""
        with single_thread():
            self.run(window)

    def _work(self, group: set[threading.Thread]) -> None:
        take = self.take_urgent_border if group is self._border_workers else self.take_next
        while True:
            with self.changed:  # until the thread leaves its group, so that a request can start another
                window = self.wait_for_window(take)
                if window is None:
                    group.discard(threading.current_thread())
                    return
                context = self._context.copy()  # a context can be entered only once at a time
            context.run(self._run_single, window)

    def wait_for_window(self, take: Callable[[], Window | None]) -> Window | None:
        """Wait until `take` returns a window; returns None after `linger` seconds without work."""
        was_notified = True
        with self.changed:
            while not self._is_closing:
                window = take()
                if window is not None:
                    return window
                if not was_notified:  # the time was up, and the last check found no work
                    break
                was_notified = self.changed.wait(self.linger)
            return None


def is_interior(window: Window) -> bool:
    """Return whether a window is the interior of a chunk."""
    return window.stage == INTERIOR


def is_border(window: Window) -> bool:
    """Return whether a window is a corner, an edge or a joint."""
    return window.stage != INTERIOR


def count_background_threads() -> int:
    """Return the default number of background threads, which leaves one processor to the caller."""
    return max(1, min(MOST_THREADS, count_processors() - 1))
