"""How many live sessions there are, and how many of them may compute at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wavefold_server.problems import busy_problem

if TYPE_CHECKING:
    from wavefold_server.service import Service

RETRY_SECONDS = 10


class LiveSessions:
    """The sessions of a server. Belongs to the event loop.

    slots : for work that takes a while: one thread of the pool is left for other requests
    """

    def __init__(self, service: Service) -> None:
        self._most, self.count = service.limits.live_sessions, 0
        self.slots = asyncio.Semaphore(max(1, service.settings.workers - 1))
        service.metrics.watch("wavefold_live_sessions", "Live sessions that are open", lambda: self.count)

    @contextmanager
    def taking_one(self) -> Iterator[None]:
        """Around a session. Refused if there are too many."""
        if self.count >= self._most:
            what = f"all {self._most} live sessions (limits.live_sessions) are in use"
            raise busy_problem(what, RETRY_SECONDS)
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1
