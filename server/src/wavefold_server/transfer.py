"""The body of a request on its way in: how long and slow it may be, and how many values its JSON may have."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from time import monotonic
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavefold_server.json_meter import JsonMeter
from wavefold_server.problems import Problem, busy_problem, limit_problem
from wavefold_server.settings import Limits

SLOWEST = 16_384  # bytes a second: a longer body may take longer
SMALL = 4_096  # bytes of a body for which there is always room
VALUE_BYTES = 32  # of memory for a value of JSON, beside its text; empty lists take twice as much
MOST_AT_ONCE = 3  # uploads of JSON of the largest size in memory; more of other ones
BUSY_SECONDS = 5


class BodyLimits(NamedTuple):
    """What a body may have, and the names of these limits."""

    bytes_name: str
    bytes: int
    values_name: str
    values: int


class BodyRoom:
    """Room in memory for the bodies of all requests together. One API key can take up to half of it."""

    def __init__(self, limits: Limits) -> None:
        self._largest = limits.upload_bytes + VALUE_BYTES * limits.upload_values
        self._taken: Counter[str | None] = Counter()  # by the name of the key; None: no key was needed

    def take(self, key: str | None, amount: int) -> None:
        """Take so many bytes. Raises a `Problem` if there is no room for them."""
        room = MOST_AT_ONCE * self._largest
        own = room if key is None else room // 2
        if self._taken.total() + amount > room or self._taken[key] + amount > own:
            raise busy_problem("too many large bodies are being received or worked on", BUSY_SECONDS)
        self._taken[key] += amount

    def give_back(self, key: str | None, amount: int) -> None:
        """These bytes are no longer needed."""
        self._taken[key] -= amount
        if not self._taken[key]:
            del self._taken[key]


class Transfer:
    """`receive` and `send` of one request, with limits.

    A body that is too large or too slow is answered with a problem document, whatever the route makes of the
    error: frameworks turn errors of `receive` into answers of their own.

    seconds : the longest pause
    is_json : whether values are counted
    key : the name of the API key
    """

    def __init__(
        self, receive: Receive, send: Send, limits: BodyLimits, seconds: float, is_json: bool,
        room: BodyRoom, key: str | None,
    ) -> None:  # fmt: skip
        self._receive, self._send, self._limits, self._seconds = receive, send, limits, seconds
        self._meter = JsonMeter() if is_json else None
        self._room, self._key, self._taken = room, key, 0
        self._began, self._received = monotonic(), 0
        self._is_complete = self._is_answered = False
        self._refusal: Problem | None = None

    async def run(self, app: ASGIApp, scope: Scope) -> None:
        """Let the application answer; raises what it raises."""
        try:
            await app(scope, self.receive, self.send)
        except Exception:
            if self._refusal is None:
                raise
        finally:
            self._room.give_back(self._key, self._taken)
        refusal, self._refusal = self._refusal, None
        if refusal is not None and not self._is_answered:
            try:
                raise refusal
            finally:
                del refusal  # its traceback has this variable: they would keep each other

    async def receive(self) -> Message:
        """The next message. Raises a `Problem` if the body is too large or too slow."""
        try:
            return await self._receive_next()
        except Problem as problem:
            self._refusal = problem
            raise

    async def send(self, message: Message) -> None:
        """Pass on a part of the answer, unless the body was refused: then the answer is that."""
        if self._refusal is not None and not self._is_answered:
            raise self._refusal
        self._is_answered = True
        await self._send(message)

    async def _receive_next(self) -> Message:
        message = await self._receive_in_time()
        if message["type"] == "http.request" and (part := message.get("body", b"")):
            try:
                self._check_content(part)
            except Problem:
                await self._receive_rest()
                raise
        return message

    async def _receive_in_time(self) -> Message:
        if self._is_complete:
            return await self._receive()
        allowed = self._began + self._seconds + self._received / SLOWEST
        try:
            async with asyncio.timeout(allowed - monotonic()):
                message = await self._receive()
        except TimeoutError:
            detail = "the body of the request arrives too slowly"
            raise limit_problem("body_seconds", self._seconds, detail, 408) from None
        if message["type"] == "http.request":
            self._received += len(message.get("body", b""))
            self._is_complete = not message.get("more_body", False)
            if self._received > self._limits.bytes:
                detail = f"the body has more than {self._limits.bytes:,} bytes"
                raise limit_problem(self._limits.bytes_name, self._limits.bytes, detail, 413)
        return message

    async def _receive_rest(self) -> None:
        """Drop the rest of a body that is refused: a client that is still sending may not read the answer."""
        while not self._is_complete and (await self._receive_in_time())["type"] == "http.request":
            pass

    def _check_content(self, part: bytes) -> None:
        """Count the values of the next part, and take room for it."""
        values = 0
        if self._meter is not None:
            self._meter.add(part)
            check_values(self._meter, self._limits.values_name, self._limits.values)
            values = self._meter.values
        if self._received > SMALL:
            amount = self._received + VALUE_BYTES * values - self._taken
            self._room.take(self._key, amount)
            self._taken += amount


def check_values(meter: JsonMeter, name: str, most: int) -> None:
    """Raise a `Problem` if JSON has too many values. Parsers themselves refuse deep nesting."""
    if meter.values > most:
        raise limit_problem(name, most, f"the JSON of the body has more than {most:,} values", 413)


def is_json(headers: Mapping[str, str]) -> bool:
    """Whether a body is announced as JSON."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
