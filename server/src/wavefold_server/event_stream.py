"""Server-sent events: what the streams of jobs and of worlds share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing

from starlette.requests import Request
from starlette.responses import StreamingResponse

HEARTBEAT = 15.0  # seconds of silence, after which a comment keeps the connection open
RECONNECT, STILL_THERE = "retry: 1000\n\n", ": still there\n\n"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def answer_events(request: Request, events: AsyncGenerator[str]) -> StreamingResponse:
    """An answer that goes on until the events end, or the key of the request is revoked."""
    allowed = while_allowed(events, request.scope["wavefold.still_allowed"])
    return StreamingResponse(allowed, headers=HEADERS, media_type="text/event-stream")


async def while_allowed(events: AsyncGenerator[str], still_allowed: Callable[[], bool]) -> AsyncIterator[str]:
    """Events until one may no longer be sent. A reader that connects again is told why."""
    async with aclosing(events):
        async for event in events:
            if not still_allowed():
                return
            yield event


async def wait_for_any(seconds: float, *events: asyncio.Event) -> bool:
    """Whether something happened within this time."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        done, _ = await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for each in waiting:
            each.cancel()


def encode_event(kind: str, data: object, number: int | str | None = None) -> str:
    """One event; its number is the id from which a reader goes on."""
    name = "" if number is None else f"id: {number}\n"
    return f"event: {kind}\n{name}data: {json.dumps(data, ensure_ascii=False)}\n\n"
