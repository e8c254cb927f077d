"""How far a map is, as server-sent events.

An event is the state at that moment: a reader that is slow, or was away, gets the latest one. `Last-Event-ID`
says which state a reader has seen; if it was the last one, there is nothing more to say (204).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from time import monotonic

from wavefold_server.event_stream import HEARTBEAT, RECONNECT, STILL_THERE, encode_event, wait_for_any
from wavefold_server.solves.models import SolveAnswer
from wavefold_server.solves.solves import Solves, show_progress

EVERY = 0.25  # seconds between two looks at a job


async def stream_events(solves: Solves, name: str, seen: str, stopping: asyncio.Event) -> AsyncGenerator[str]:
    """The states of a job until it is finished or the server ends.

    seen : the id of the last event that the reader has
    """
    yield RECONNECT
    spoke = monotonic()
    while (job := solves.jobs.get(name)) is not None and not stopping.is_set():
        answer = show_progress(job)
        if (this := identify(answer)) != seen:
            yield encode_state(answer)
            seen, spoke = this, monotonic()
        elif monotonic() - spoke >= HEARTBEAT:
            yield STILL_THERE
            spoke = monotonic()
        await wait_for_any(EVERY, job.finished, stopping)
    answer = await asyncio.to_thread(solves.find, name, False)
    if identify(answer) != seen:
        yield encode_state(answer)


def identify(answer: SolveAnswer) -> str:
    """The id of an event: equal states have equal ones."""
    progress = answer.progress
    return answer.status if progress is None else f"running-{progress.done}-{progress.decisions}"


def encode_state(answer: SolveAnswer) -> str:
    """One event; maps are left out, they may be large."""
    return encode_event(answer.status, answer.model_dump(mode="json", exclude_none=True), identify(answer))
