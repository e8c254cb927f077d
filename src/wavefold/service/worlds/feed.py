"""Changes of worlds as server-sent events: a reader that was away gets what it missed.

Nothing is queued for readers: each is woken when something changed, and reads what is new since the revision
it has. So a slow one costs nothing, and gets several changes at once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

from wavefold.service.problems import Problem
from wavefold.service.worlds.models import ChangeSummary

HEARTBEAT = 15.0  # seconds of silence, after which a comment keeps the connection open
RECONNECT = "retry: 1000\n\n"

ReadChanges = Callable[[int], Awaitable[list[ChangeSummary]]]  # after a revision


class ChangeFeed:
    """Wakes the readers of each world. `announce` may be called by any thread.

    stopping : set when the server is about to stop
    """

    def __init__(self, stopping: asyncio.Event) -> None:
        self._stopping = stopping
        self._readers: dict[str, set[asyncio.Event]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def announce(self, name: str) -> None:
        """A world changed, or was deleted."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake, name)

    def _wake(self, name: str) -> None:
        for event in self._readers.get(name, ()):
            event.set()

    async def follow(self, name: str, since: int, read: ReadChanges) -> AsyncIterator[str]:
        """Events for the changes after a revision, as they happen, until the world or the server ends."""
        self._loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        self._readers.setdefault(name, set()).add(changed)
        try:
            yield RECONNECT
            while not self._stopping.is_set():
                changed.clear()
                try:
                    changes = await read(since)
                except Problem as problem:  # deleted, or too far behind
                    yield encode_event("end", problem.to_dict())
                    return
                for change in changes:
                    yield encode_event("change", change.model_dump(), change.revision)
                    since = change.revision
                if not changes and not await wait_for_any(changed, self._stopping):
                    yield ": still there\n\n"
        finally:
            self._readers[name].discard(changed)
            if not self._readers[name]:
                del self._readers[name]


async def wait_for_any(*events: asyncio.Event) -> bool:
    """Whether something happened within the time of a heartbeat."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        done, _ = await asyncio.wait(waiting, timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for each in waiting:
            each.cancel()


def encode_event(kind: str, data: object, number: int | None = None) -> str:
    """One event."""
    name = "" if number is None else f"id: {number}\n"
    return f"event: {kind}\n{name}data: {json.dumps(data, ensure_ascii=False)}\n\n"
