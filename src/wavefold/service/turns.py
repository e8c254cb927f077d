"""Requests that must be done one after another wait for their turn without taking a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import Request

from wavefold.service.pool import while_connected
from wavefold.service.problems import busy_problem

MOST_WAITING = 64  # requests for one resource


class WaitingLine:
    """Who waits for one resource, and who has it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()  # fair: first come, first served
        self.length = 0


class Turns:
    """A line for each resource; for the event loop."""

    def __init__(self) -> None:
        self._lines: dict[str, WaitingLine] = {}

    @asynccontextmanager
    async def take(self, name: str, request: Request) -> AsyncIterator[None]:
        """Wait until all who came before are done. Raises `ClientLeft` if the client leaves meanwhile."""
        line = self._lines.setdefault(name, WaitingLine())
        if line.length >= MOST_WAITING:
            raise busy_problem(f"{line.length} requests wait for {name!r} already", 2)
        line.length += 1
        try:
            await while_connected(request, line.lock.acquire())
            try:
                yield
            finally:
                line.lock.release()
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[name]
