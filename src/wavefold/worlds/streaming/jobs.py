"""Jobs: requested chunks with their missing windows, and the queue of jobs."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator

from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.plan import INTERIOR, Plan, Window

# Requested recently; prefetched; requested, but followed by many other requests.
URGENT, SOON, STALE = range(3)
MOST_URGENT = 32  # the chunks requested last
MOST_JOBS = 256  # in the queue; beyond, the last ones are dropped

WindowKey = tuple[int, int, int]  # see `Window.key`
Priority = tuple[int, int]  # (URGENT, SOON or STALE; rank within), lowest first


class Job:
    """A requested chunk, and its windows that are not generated yet."""

    def __init__(self, plan: Plan, cx: int, cy: int, priority: Priority, is_finished: bool = False) -> None:
        self.position = (cx, cy)
        self.priority = priority
        self.interior = plan.interior(cx, cy)
        windows = () if is_finished else plan.for_chunk(cx, cy)
        self.missing: dict[WindowKey, Window] = {window.key: window for window in windows}
        self.needs: dict[WindowKey, list[WindowKey]] = {
            window.key: [need.key for need in plan.needs(window)] for window in self.missing.values()
        }
        self.waiting = 0  # the number of calls that wait for it
        self.requested_by: object = None  # the last prefetch that includes it
        self.error: BaseException | None = None
        self.is_dropped = False

    @property
    def is_urgent(self) -> bool:
        """Whether it was requested recently."""
        return self.priority[0] == URGENT

    @property
    def is_over(self) -> bool:
        """Whether the job is finished, dropped, or failed."""
        return not self.missing or self.is_dropped or self.error is not None

    @property
    def has_borders(self) -> bool:
        """Whether at most the interior is missing."""
        return all(window.stage == INTERIOR for window in self.missing.values())

    def ready_windows(self) -> Iterator[Window]:
        """Yield the missing windows that do not depend on other missing windows."""
        for key, window in list(self.missing.items()):
            if not any(need in self.missing for need in self.needs[key]):
                yield window


class JobQueue:
    """The requested chunks of one world, by priority. Not thread-safe."""

    def __init__(self, generator: ChunkGenerator) -> None:
        self.generator = generator
        self._sorted: list[Job] = []  # by priority
        self._by_position: dict[tuple[int, int], Job] = {}

    def __len__(self) -> int:
        return len(self._sorted)

    def __iter__(self) -> Iterator[Job]:
        """Iterate over a copy, because jobs may be removed during the iteration."""
        return iter(list(self._sorted))

    def add(self, cx: int, cy: int, priority: Priority) -> Job:
        """Add a chunk to the queue, or change its priority; an urgent one stays urgent."""
        job = self._by_position.get((cx, cy))
        if job is None:
            if self.generator.cache.peek((INTERIOR, cx, cy)) is not None:
                return Job(self.generator.plan, cx, cy, priority, is_finished=True)
            job = self._by_position[cx, cy] = Job(self.generator.plan, cx, cy, priority)
            insort(self._sorted, job, key=get_priority)
        elif priority[0] == URGENT or not job.is_urgent:
            self._move(job, priority)
        self._skip_cached(job)
        self._age_requests()
        while len(self._sorted) > MOST_JOBS:
            self.remove(self._sorted[-1])
        return job

    def remove(self, job: Job) -> None:
        """Remove a job from the queue; it is dropped if windows are missing."""
        if self._by_position.get(job.position) is job:
            del self._by_position[job.position]
            self._sorted.remove(job)
            job.is_dropped = bool(job.missing)

    def finish_window(self, job: Job, key: WindowKey) -> None:
        """Record that a window of a job was generated; the job is removed after its last window."""
        job.missing.pop(key, None)
        if not job.missing:
            self.remove(job)

    def _move(self, job: Job, priority: Priority) -> None:
        self._sorted.remove(job)
        job.priority = priority
        insort(self._sorted, job, key=get_priority)

    def _age_requests(self) -> None:
        """Make the urgent chunks with the oldest requests stale."""
        for job in self._sorted[MOST_URGENT:]:
            if job.is_urgent and not job.waiting:
                self._move(job, (STALE, job.priority[1]))

    def _skip_cached(self, job: Job) -> None:
        """Remove windows that are already cached from a job."""
        is_finished = self.generator.cache.peek(job.interior.key) is not None
        for key in list(job.missing):
            if is_finished or self.generator.cache.peek(key) is not None:
                self.finish_window(job, key)


def get_priority(job: Job) -> Priority:
    """Return the sort key of a job."""
    return job.priority
