"""The body of a request on its way in: how long and how slow it may be."""

from __future__ import annotations

import asyncio
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavefold.service.problems import Problem, limit_problem

SLOWEST = 16_384  # bytes a second: a longer body may take longer


class Transfer:
    """`receive` and `send` of one request, with limits.

    A body that is too long or too slow is answered with a problem document, whatever the route makes of the
    error: frameworks turn errors of `receive` into answers of their own.

    name, limit : of the limit on bytes
    seconds : the longest pause
    """

    def __init__(self, receive: Receive, send: Send, name: str, limit: int, seconds: float) -> None:
        self._receive, self._send = receive, send
        self._name, self._limit, self._seconds = name, limit, seconds
        self._began, self._received = monotonic(), 0
        self._is_complete = self._is_answered = False
        self._refusal: Problem | None = None

    async def run(self, app: ASGIApp, scope: Scope) -> None:
        """Let the application answer; raises what it raises."""
        try:
            await app(scope, self.receive, self.send)
        except Exception as error:
            if self._refusal is None or error is self._refusal:
                raise
            raise self._refusal from error

    async def receive(self) -> Message:
        """The next message. Raises a `Problem` if the body is too long or too slow."""
        if self._is_complete:
            return await self._receive()
        allowed = self._began + self._seconds + self._received / SLOWEST
        try:
            async with asyncio.timeout(allowed - monotonic()):
                message = await self._receive()
        except TimeoutError:
            detail = "the body of the request arrives too slowly"
            raise self._refuse(limit_problem("body_seconds", self._seconds, detail, 408)) from None
        if message["type"] == "http.request":
            self._received += len(message.get("body", b""))
            self._is_complete = not message.get("more_body", False)
            if self._received > self._limit:
                detail = f"the body has more than {self._limit:,} bytes"
                raise self._refuse(limit_problem(self._name, self._limit, detail, 413))
        return message

    async def send(self, message: Message) -> None:
        """Pass on a part of the answer, unless the body was refused: then the answer is that."""
        if self._refusal is not None and not self._is_answered:
            raise self._refusal
        self._is_answered = True
        await self._send(message)

    def _refuse(self, problem: Problem) -> Problem:
        self._refusal = problem
        return problem
