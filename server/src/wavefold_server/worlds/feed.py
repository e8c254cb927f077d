"""Changes of worlds as server-sent events: a reader that was away gets what it missed.

Nothing is queued for readers: each is woken when something changed, and reads what is new since the revision
it has. So a slow one costs nothing, and gets several changes at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from wavefold_server.event_stream import HEARTBEAT, RECONNECT, STILL_THERE, encode_event, wait_for_any
from wavefold_server.problems import Problem
from wavefold_server.worlds.models import ChangeSummary

ReadChanges = Callable[[int], Awaitable[list[ChangeSummary]]]  # after a revision


class ChangeFeed:
    """Wakes the readers of each world. `announce` may be called by any thread.

    stopping : set when the server is about to stop
    """

    def __init__(self, stopping: asyncio.Event) -> None:
        self._stopping = stopping
        self._readers: dict[str, set[asyncio.Event]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def has_readers(self, name: str) -> bool:
        """Whether somebody follows a world. Any thread may ask."""
        return name in self._readers

    def announce(self, name: str) -> None:
        """A world changed, or was deleted."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake, name)

    def _wake(self, name: str) -> None:
        for event in self._readers.get(name, ()):
            event.set()

    async def follow(self, name: str, since: int, read: ReadChanges) -> AsyncGenerator[str]:
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
                if not changes and not await wait_for_any(HEARTBEAT, changed, self._stopping):
                    yield STILL_THERE
        finally:
            self._readers[name].discard(changed)
            if not self._readers[name]:
                del self._readers[name]
