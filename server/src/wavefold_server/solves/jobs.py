"""Maps in the background: a queue that outlives the server.

A job is in the database before its client hears of it, and stays there until it is finished. Its work is a
pure function of its request, so a server that ends in the middle leaves nothing but the request behind, and
the next one makes the same map.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wavefold.solver import Cancelled, Solution, Stopped
from wavefold_server.logs import log
from wavefold_server.problems import Problem, busy_problem, problem_of
from wavefold_server.solves.models import SolveRequest
from wavefold_server.solves.run import SolveProgress, plan_solve, run_plan
from wavefold_server.solves.store import SolveStore

if TYPE_CHECKING:
    from wavefold_server.service import Service

RETRY = 5  # seconds after which a client may find room in the queue
PAUSE = 0.5  # seconds until the pool is asked again, if others have filled it


@dataclass(eq=False)
class SolveJob:
    """A map that is waited for. `progress` is shared by all jobs with the same request."""

    id: str
    text: str  # the request
    progress: SolveProgress
    finished: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class SolveQueue:
    """The unfinished jobs of a server. All methods belong to the event loop."""

    def __init__(self, service: Service, store: SolveStore) -> None:
        self._service, self._store = service, store
        self._jobs: dict[str, SolveJob] = {}
        self._arriving = 0
        self._is_stopping = False

    def __len__(self) -> int:
        return len(self._jobs) + self._arriving

    def get(self, name: str) -> SolveJob | None:
        """The job with this id, if it is not finished."""
        return self._jobs.get(name)

    async def start(self) -> None:
        """Queue again what a previous server left."""
        for name, text in await asyncio.to_thread(self._store.resume):
            self._begin(name, text)

    async def stop(self, grace: float) -> None:
        """Give running jobs this many seconds to finish; the others are for the next server."""
        self._is_stopping = True
        jobs = list(self._jobs.values())
        self._end(job for job in jobs if not job.progress.is_running)
        if running := [job.task for job in jobs if job.progress.is_running and job.task]:
            await asyncio.wait(running, timeout=grace)
        self._end(self._jobs.values())
        await asyncio.gather(*(job.task for job in jobs if job.task), return_exceptions=True)
        await asyncio.to_thread(self._store.requeue)

    def _end(self, jobs: Iterable[SolveJob]) -> None:
        for job in jobs:
            if job.task is not None:
                job.task.cancel()

    def check_room(self) -> None:
        """Raise a `Problem` if there are too many jobs."""
        limit = self._service.limits.jobs
        if len(self) >= limit:
            raise busy_problem(f"{limit:,} jobs are waiting, and no more are accepted", RETRY)

    async def add(self, text: str, request: SolveRequest) -> SolveJob:
        """Store a job and begin it as soon as a thread is free."""
        self.check_room()
        self._arriving += 1
        try:
            name = await asyncio.to_thread(self._store.add, text, request)
        finally:
            self._arriving -= 1
        return self._begin(name, text)

    async def cancel(self, name: str) -> None:
        """End a job, whether it waits or runs. One that is finished stays as it is."""
        job = self._jobs.get(name)
        if job is not None and job.task is not None:
            job.task.cancel()
            await asyncio.gather(job.task, return_exceptions=True)
        if await asyncio.to_thread(self._store.cancel, name):
            self._service.metrics.solves.labels("cancelled").inc()

    def _begin(self, name: str, text: str) -> SolveJob:
        equal = next((job for job in self._jobs.values() if job.text == text), None)
        job = SolveJob(name, text, SolveProgress() if equal is None else equal.progress)
        self._jobs[name] = job
        job.task = asyncio.get_running_loop().create_task(self._run(job))
        return job

    async def _run(self, job: SolveJob) -> None:
        try:
            outcome = await self._compute(job)
            while outcome is not None and not await self._finish(job, outcome):
                await asyncio.sleep(RETRY)
        finally:
            del self._jobs[job.id]
            job.finished.set()

    async def _finish(self, job: SolveJob, outcome: Solution | Problem) -> bool:
        """Whether it could be stored: the disk may be full, for a while."""
        try:
            await asyncio.to_thread(self._store.finish, job.id, outcome)
        except Exception:
            log.exception("a finished map could not be stored", extra={"fields": {"solve": job.id}})
            return self._is_stopping  # the next server makes it again
        return True

    async def _compute(self, job: SolveJob) -> Solution | Problem | None:
        """What came of a job; None if the next server is to do it."""
        while not self._is_stopping:
            try:
                return await self._service.jobs.run(lambda: self._work(job), ("job", job.text))
            except Stopped:  # the server is ending
                return None
            except Problem as problem:
                if problem.error != "Busy":
                    return problem
                await asyncio.sleep(PAUSE)
            except Exception as error:
                log.exception("a job failed", extra={"fields": {"solve": job.id}})
                return problem_of(error)
        return None

    def _work(self, job: SolveJob) -> Solution:
        """In a thread: make the map, for all jobs with the same request."""
        if self._is_stopping:
            raise Cancelled("the server is shutting down")
        self._store.start([each.id for each in list(self._jobs.values()) if each.text == job.text])
        plan = plan_solve(self._service, SolveRequest.model_validate(json.loads(job.text)))
        return run_plan(plan, self._service.metrics, job.progress)
