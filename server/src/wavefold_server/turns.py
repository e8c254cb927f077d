"""Requests that must be done one after another wait for their turn without taking a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.requests import Request

from wavefold_server.pool import while_connected
from wavefold_server.problems import busy_problem

MOST_WAITING = 64  # requests for one resource
RETRY_SECONDS = 0.25  # for a client to read what changed, and to try again

Client = tuple[Any, ...]  # what tells one from another


class WaitingLine:
    """The lock of one resource, and how many requests hold it or wait for it."""

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


class ConflictTurns:
    """After a conflict of revisions, the client that made the last change lets the other try again first.

    Else a client that needs longer between reading and changing would meet a new revision each time. For the
    event loop.
    """

    def __init__(self) -> None:
        self._last: dict[str, Client] = {}  # by resource
        self._retries: dict[str, asyncio.Event] = {}  # set when the retry that is waited for was made

    async def give_way(self, name: str, client: Client) -> None:
        """Wait for a retry of another client, for a short time."""
        retry = self._retries.get(name)
        if retry is None or self._last.get(name) != client:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(retry.wait(), RETRY_SECONDS)
        self._end(name, retry)

    def note_conflict(self, name: str, client: Client) -> None:
        """Record that a client was refused because another had made a change."""
        if self._last.get(name) not in (None, client):
            self._retries.setdefault(name, asyncio.Event())

    def note_change(self, name: str, client: Client) -> None:
        """Record that a client made a change."""
        retry = self._retries.get(name)
        if retry is not None and self._last.get(name) != client:
            self._end(name, retry)
        self._last[name] = client

    def forget(self, name: str) -> None:
        """The resource is deleted."""
        self._last.pop(name, None)
        self._retries.pop(name, None)

    def _end(self, name: str, retry: asyncio.Event) -> None:
        retry.set()
        if self._retries.get(name) is retry:
            del self._retries[name]


def identify_client(request: Request) -> Client:
    """What tells clients apart: their connections, and their keys."""
    return request.scope.get("wavefold.key"), request.client
