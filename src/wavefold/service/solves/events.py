"""How far a map is, as server-sent events.

An event is the state at that moment: a reader that is slow, or was away, gets the latest one. `Last-Event-ID`
says which state a reader has seen; if it was the last one, there is nothing more to say (204).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import TYPE_CHECKING

from wavefold.service.solves.models import SolveAnswer
from wavefold.service.solves.solves import Solves, show_progress

if TYPE_CHECKING:
    from wavefold.service.solves.jobs import Job

EVERY = 0.25  # seconds between two looks at a job
HEARTBEAT = 15.0  # seconds of silence, after which a comment keeps the connection open
RECONNECT = "retry: 1000\n\n"


async def stream_events(solves: Solves, name: str, seen: str, stopping: asyncio.Event) -> AsyncIterator[str]:
    """The states of a job until it is finished or the server ends.

    seen : the id of the last event that the reader has
    """
    yield RECONNECT
    spoke = monotonic()
    while (job := solves.jobs.get(name)) is not None and not stopping.is_set():
        answer = show_progress(job)
        if (this := identify(answer)) != seen:
            yield encode_event(answer)
            seen, spoke = this, monotonic()
        elif monotonic() - spoke >= HEARTBEAT:
            yield ": still there\n\n"
            spoke = monotonic()
        await wait_for_change(job, stopping)
    answer = await asyncio.to_thread(solves.find, name, False)
    if identify(answer) != seen:
        yield encode_event(answer)


async def wait_for_change(job: Job, stopping: asyncio.Event) -> None:
    """Until the job is finished, the server ends, or it is time to look again."""
    waiting = [asyncio.ensure_future(event.wait()) for event in (job.finished, stopping)]
    try:
        await asyncio.wait(waiting, timeout=EVERY, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waiting:
            each.cancel()


def identify(answer: SolveAnswer) -> str:
    """The id of an event: equal states have equal ones."""
    progress = answer.progress
    return answer.status if progress is None else f"running-{progress.done}-{progress.decisions}"


def encode_event(answer: SolveAnswer) -> str:
    """One event; maps are left out, they may be large."""
    data = answer.model_dump_json(exclude_none=True)
    return f"event: {answer.status}\nid: {identify(answer)}\ndata: {data}\n\n"
