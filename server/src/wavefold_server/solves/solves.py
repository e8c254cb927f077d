"""The maps of a server: made at once or as jobs, stored, found, cancelled."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from sqlite3 import Row
from typing import TYPE_CHECKING

from starlette.requests import Request

from wavefold.solver import Problem, Solution
from wavefold_server.pool import ClientLeft, wait_until_closed
from wavefold_server.problems import Problem as ProblemDocument
from wavefold_server.solves.jobs import SolveJob, SolveQueue
from wavefold_server.solves.models import (
    FINISHED,
    Progress,
    SolveAnswer,
    SolvePage,
    SolveRequest,
    SolveSummary,
)
from wavefold_server.solves.results import remove_scratch
from wavefold_server.solves.run import plan_solve, run_plan
from wavefold_server.solves.store import SolveStore, decode_patterns

if TYPE_CHECKING:
    from wavefold_server.service import Service

MOMENT = 5.0  # seconds for running jobs when the server ends
RECENT = 16  # small problems that are kept, for maps of the same tiles and size with other seeds


class Solves:
    """The part of the service that makes maps."""

    def __init__(self, service: Service) -> None:
        self._service = service
        limits = service.limits
        self.store = SolveStore(service.database, limits.stored_solves, limits.stored_bytes)
        self.jobs = SolveQueue(service, self.store)
        self._recent: deque[Problem] = deque(maxlen=RECENT)

    async def start(self) -> None:
        """Go on with the jobs of a previous server."""
        await asyncio.to_thread(remove_scratch, self._service.settings.data)
        await self.jobs.start()

    async def stop(self) -> None:
        """Let running jobs finish, for a moment."""
        await self.jobs.stop(min(self._service.limits.grace_seconds, MOMENT))

    async def create(self, request: Request, body: SolveRequest, wait: float | None) -> SolveAnswer:
        """Make a map: small ones at once, others as a job.

        wait : make it a job in any case, and wait for so many seconds
        """
        content = await request.body()
        quick = self._service.quick
        if wait is None:
            key = ("solve", content)
            solution = await quick.run_for(request, lambda: self._solve_if_quick(body), key)
            if solution is not None:
                return await asyncio.to_thread(self._store_solved, content, body, solution)
        else:
            self.jobs.check_room()
            await quick.run_for(request, lambda: plan_solve(self._service, body), ("plan", content))
        job = await self.jobs.add(await asyncio.to_thread(normalize, content), body)
        if wait:
            await self._wait(request, job, wait)
        return await asyncio.to_thread(self._answer_for_job, job)

    def _solve_if_quick(self, body: SolveRequest) -> Solution | None:
        plan = plan_solve(self._service, body)
        if not plan.is_quick:
            return None
        self._recent.append(plan.problem)
        return run_plan(plan, self._service.metrics)

    def _store_solved(self, content: bytes, body: SolveRequest, solution: Solution) -> SolveAnswer:
        name = self.store.add(normalize(content), body, solution)
        return self.find(name)

    async def _wait(self, request: Request, job: SolveJob, seconds: float) -> None:
        """Until the job is finished, or the time is up. If the client leaves, nobody knows its id."""
        finishing = asyncio.ensure_future(job.finished.wait())
        leaving = asyncio.ensure_future(wait_until_closed(request))
        try:
            await asyncio.wait({finishing, leaving}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if leaving.done() and not finishing.done():
                await self.jobs.cancel(job.id)
                raise ClientLeft
        finally:
            finishing.cancel()
            leaving.cancel()

    def _answer_for_job(self, job: SolveJob) -> SolveAnswer:
        """Raises the problem of a job that failed while its client waited."""
        answer = self.find(job.id)
        if answer.error is None:
            return answer
        raise read_problem(answer.error, job.id)

    async def cancel(self, name: str) -> SolveAnswer:
        """Cancel a job. A finished one is not changed."""
        await asyncio.to_thread(self.store.find, name, False)
        await self.jobs.cancel(name)
        return await asyncio.to_thread(self.find, name)

    async def delete(self, name: str) -> None:
        """End a job, if it is one, and forget it."""
        await asyncio.to_thread(self.store.check, name)
        await self.jobs.cancel(name)
        await asyncio.to_thread(self.store.delete, name)

    def find(self, name: str, with_patterns: bool = True) -> SolveAnswer:
        """A map, or how far it is."""
        row = self.store.find(name, with_patterns)
        if row["status"] == "solved":
            return answer_solved(row)
        answer = SolveAnswer(id=row["id"], status=row["status"])
        if row["error"] is not None:
            return answer.model_copy(update={"error": json.loads(row["error"])})
        job = self.jobs.get(name)
        return answer if job is None else show_progress(job)

    def list(self, limit: int, before: int | None) -> SolvePage:
        """A page of maps, newest first."""
        rows = self.store.list(limit + 1, before)
        summaries = [self._summarize(row) for row in rows[:limit]]
        return SolvePage(solves=summaries, next=str(rows[limit - 1]["number"]) if rows[limit:] else None)

    def _summarize(self, row: Row) -> SolveSummary:
        job = None if row["status"] in FINISHED else self.jobs.get(row["id"])
        status = row["status"] if job is None else show_progress(job).status
        return SolveSummary(
            id=row["id"], status=status, created=row["created"], tileset=row["tileset"], seed=int(row["seed"])
        )


def normalize(content: bytes) -> str:
    """A JSON text without spaces; keys stay in their order, which may matter."""
    return json.dumps(json.loads(content), separators=(",", ":"))


def show_progress(job: SolveJob) -> SolveAnswer:
    """The answer about a job that is not finished."""
    if not job.progress.is_running:
        return SolveAnswer(id=job.id, status="queued")
    done, everything, decisions = job.progress.state
    progress = Progress(done=done, all=everything, decisions=decisions)
    return SolveAnswer(id=job.id, status="running", progress=progress)


def answer_solved(row: Row) -> SolveAnswer:
    """The answer about a finished map."""
    stats = json.loads(row["stats"])
    return SolveAnswer(
        id=row["id"],
        status="solved",
        patterns=decode_patterns(row["patterns"]).tolist() if "patterns" in row.keys() else None,  # noqa: SIM118
        provisional=bool(row["provisional"]),
        seconds=stats.pop("seconds"),
        stats=stats,
    )


def read_problem(document: dict[str, object], name: str) -> ProblemDocument:
    """Inverse of `problems.Problem.to_dict`; the id of the job is added."""
    known = {key: document.pop(key) for key in ("status", "detail", "error", "title", "advice", "type")
             if key in document}  # fmt: skip
    known.pop("type")
    return ProblemDocument(**known, **document, id=name)  # type: ignore[arg-type]
