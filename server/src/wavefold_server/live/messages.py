"""What comes in over a WebSocket, held against the limits before it is parsed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import from_json
from starlette.websockets import WebSocket, WebSocketDisconnect

from wavefold_server.json_meter import JsonMeter
from wavefold_server.live.models import parse_command
from wavefold_server.problems import Problem
from wavefold_server.transfer import check_values

if TYPE_CHECKING:
    from wavefold_server.service import Service

PARSED_AT_ONCE = 1 << 14  # characters; longer messages are parsed in a thread
NORMAL, UNSUPPORTED, ABNORMAL, REFUSED = 1000, 1003, 1006, 1008  # codes of RFC 6455


class Closed(Exception):
    """The server closes the connection; the text says why to the client."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Fault(NamedTuple):
    """A message that is not a command, and the version it gives, if any."""

    problem: Problem
    version: int | None


class Message(NamedTuple):
    """A command or a `Fault`, and whether its text was long."""

    content: Any
    is_long: bool


class MessageReader:
    """Reads the commands of one client. A client that sends too many has to wait."""

    def __init__(self, service: Service, websocket: WebSocket) -> None:
        self._service, self._limits, self._websocket = service, service.limits, websocket
        self._allowed, self._counted = float(service.limits.live_messages), monotonic()

    async def read(self, is_busy: Callable[[], bool]) -> Message:
        """The next command, or `Fault`. Raises `Closed`, or WebSocketDisconnect if the client left."""
        text = await self._receive(is_busy)
        await self._wait_for_turn()
        is_long = len(text) > PARSED_AT_ONCE
        if not is_long:
            return Message(self._parse(text), is_long)
        try:
            return Message(await self._service.parsing.run(lambda: self._parse(text)), is_long)
        except Problem as problem:  # the pool is full
            return Message(Fault(problem, None), is_long)

    def _parse(self, text: str) -> Any:
        try:
            meter = JsonMeter()
            meter.add(text.encode())
            check_values(meter, "body_values", self._limits.body_values)
        except Problem as problem:
            return Fault(problem, None)
        try:
            return parse_command(text)
        except Problem as problem:
            return Fault(problem, read_version(text))

    async def _receive(self, is_busy: Callable[[], bool]) -> str:
        """The next message, which must be a text, and come before long. The web server bounds its length."""
        seconds = self._limits.live_idle_seconds
        while True:
            try:
                message = await asyncio.wait_for(self._websocket.receive(), seconds)
                break
            except TimeoutError:
                if not is_busy():
                    raise Closed(
                        NORMAL, f"no command for {seconds:g} s; open a new session with the log"
                    ) from None
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text: str | None = message.get("text")
        if text is None:
            raise Closed(UNSUPPORTED, "commands are JSON in text messages, not binary ones")
        return text

    async def _wait_for_turn(self) -> None:
        """Let at most `live_messages` a second through, or as many at once after a pause."""
        rate, now = self._limits.live_messages, monotonic()
        self._allowed = min(float(rate), self._allowed + (now - self._counted) * rate) - 1
        self._counted = now
        if self._allowed < 0:
            await asyncio.sleep(-self._allowed / rate)


def read_version(text: str) -> int | None:
    """The version of a message that is not a command, as far as it can be read."""
    try:
        version = from_json(text)["version"]  # unlike json.loads, bounded in depth
    except (ValueError, TypeError, KeyError):
        return None
    return version if isinstance(version, int) else None
