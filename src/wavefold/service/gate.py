"""Who may come in: the Host header, the site a browser comes from, the API key, and the size of the body.

Plain ASGI around everything else, WebSockets included, so that no route can forget it.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavefold.service.keys import ApiKeys
from wavefold.service.problems import Problem, limit_problem
from wavefold.service.settings import ServiceSettings

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
PUBLIC = ("/healthz", "/readyz", "/docs", "/openapi.json")  # say nothing that a stranger may not see
UPLOADS = ("/api/v1/tilesets",)


class Gate:
    """Refuses requests before a route sees them."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings, keys: Callable[[], ApiKeys]) -> None:
        self.app, self.settings, self.keys = app, settings, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        try:
            self._check_host(headers)
            self._check_origin(scope, headers)
            self._check_key(scope, headers)
            limit = self._check_length(scope, headers)
        except Problem as problem:
            return await refuse(problem, scope, receive, send)
        await self.app(scope, count_bytes(receive, limit), send)

    def _check_host(self, headers: Headers) -> None:
        """A page that a browser loaded from elsewhere must not reach this server under that name."""
        name = headers.get("host", "").rpartition(":")
        host = name[0] if name[2].isdecimal() else headers.get("host", "")
        if host.lower() not in self.settings.hosts and "*" not in self.settings.hosts:
            raise Problem(403, f"this server does not answer to the name {host!r:.100}", error="UnknownHost",
                          advice="Start it with --allow-host NAME to allow another name.")  # fmt: skip

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Other web sites may not change anything here on behalf of whoever visits them."""
        origin = headers.get("origin")
        if origin is None or (scope["type"] == "http" and scope["method"] in SAFE_METHODS):
            return
        if urlsplit(origin).netloc != headers.get("host") and origin not in self.settings.origins:
            raise Problem(403, f"requests from {origin!r:.100} are not allowed", error="ForeignOrigin",
                          advice="Start the server with --allow-origin URL to allow a site.")  # fmt: skip

    def _check_key(self, scope: Scope, headers: Headers) -> None:
        """With keys, all but public pages need one; what changes something needs the scope `write`."""
        is_preflight = scope["type"] == "http" and scope["method"] == "OPTIONS"
        if scope["path"] in PUBLIC or is_preflight:
            return
        is_safe = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        self.keys().check(find_key(headers), "read" if is_safe else "write")

    def _check_length(self, scope: Scope, headers: Headers) -> int:
        """Refuse a body that is announced to be too long; return how long it may be."""
        limits = self.settings.limits
        is_upload = scope["path"].rstrip("/") in UPLOADS
        name, limit = (
            ("upload_bytes", limits.upload_bytes) if is_upload else ("body_bytes", limits.body_bytes)
        )
        announced = headers.get("content-length", "0")
        if announced.isdecimal() and int(announced) > limit:
            raise limit_problem(name, limit, f"the body has {int(announced):,} bytes", 413)
        return limit


def find_key(headers: Headers) -> str | None:
    """The key in a request: `Authorization: Bearer KEY`; browsers send it as a WebSocket's protocol."""
    kind, _, key = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and key.strip():
        return key.strip()
    for each in headers.get("sec-websocket-protocol", "").split(","):
        if each.strip().startswith("key."):
            return each.strip().removeprefix("key.")
    return None


def count_bytes(receive: Receive, limit: int) -> Receive:
    """A `receive` that raises when a body without an announced length gets too long."""
    received = 0

    async def receive_counted() -> Message:
        nonlocal received
        message = await receive()
        if message["type"] == "http.request":
            received += len(message.get("body", b""))
            if received > limit:
                raise limit_problem("body_bytes", limit, "the body is longer than allowed", 413)
        return message

    return receive_counted


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a problem; a WebSocket is closed before it is opened."""
    if scope["type"] == "http":
        await problem.response()(scope, receive, send)
    elif "websocket.http.response" in scope.get("extensions", {}):
        answer = problem.response()
        start = {"status": answer.status_code, "headers": answer.raw_headers}
        await send({"type": "websocket.http.response.start", **start})
        await send({"type": "websocket.http.response.body", "body": answer.body})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": problem.detail[:120]})
