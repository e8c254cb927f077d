"""Every request has an id, a line in the log, a place in the metrics, and headers that protect its answer."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from wavefold_server.gate import PREFIX, PROBES, refuse
from wavefold_server.logs import LONGEST_PATH, REQUEST, log, request_id
from wavefold_server.pool import ClientLeft
from wavefold_server.problems import problem_of

if TYPE_CHECKING:
    from wavefold_server.service import Service

SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")  # others could forge lines of the log
CLIENT_LEFT = 499  # in the log: nobody received the answer
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WEBSOCKET")
# Unless a route says otherwise. An answer that a browser shows as a page can load and run nothing.
PROTECTION = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'none'; sandbox",
}


class AccessLog:
    """Gives each request an id, logs how it ended, and answers errors that nothing else caught.

    cross_site : whether pages of other sites may show pictures of this server
    """

    def __init__(self, app: ASGIApp, service: Callable[[], Service], cross_site: bool = False) -> None:
        self.app, self.service = app, service
        policy = "cross-origin" if cross_site else "same-origin"
        self.protection = PROTECTION | {"Cross-Origin-Resource-Policy": policy}
        self.prefix, self.numbers = secrets.token_hex(4), count(1)  # of ids: of this server, and in it

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if SANE_ID.fullmatch(given) else f"{self.prefix}{next(self.numbers):08x}"
        request_id.set(name)
        scope = without_head(scope)
        started, status = perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"].endswith("response.start"):
                status = message["status"]
                self._add_headers(MutableHeaders(scope=message), name, scope)
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        is_http = scope["type"] == "http"
        self.service().running += is_http
        try:
            await self.app(scope, receive, send_with_id)
        except (ClientLeft, ClientDisconnect, WebSocketDisconnect):
            status = status or CLIENT_LEFT
        except Exception as error:
            problem = problem_of(error)
            if problem.status == 500:
                log.exception("request failed", extra={"fields": {"path": scope["path"][:LONGEST_PATH]}})
            if not status:
                await refuse(problem, scope, receive, send_with_id)
            elif not is_http:
                with suppress(Exception):  # it may be closed already
                    await send({"type": "websocket.close", "code": 1011})
            # Else half an answer was sent: the web server closes the connection.
            del problem  # it may be the error, whose traceback has this variable
        finally:
            self.service().running -= is_http
            self._record(scope, status, perf_counter() - started)

    def _add_headers(self, headers: MutableHeaders, name: str, scope: Scope) -> None:
        headers["X-Request-ID"] = name
        for each, value in self.protection.items():
            headers.setdefault(each, value)
        if scope.get("wavefold.key") and "public" in headers.get("cache-control", ""):
            # What needs a key must not be given to others by a cache in between.
            headers["Cache-Control"] = headers["cache-control"].replace("public", "private")

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        # Neither the path itself nor any word of a client's: labels must be few.
        route = find_route(scope)
        method = scope.get("wavefold.method", "WEBSOCKET")
        label = method if method in METHODS else "other"
        metrics = self.service().metrics
        metrics.requests.labels(label, route, str(status)).inc()
        metrics.request_seconds.labels(label, route).observe(seconds)
        fields = {"method": method, "path": scope["path"][:LONGEST_PATH], "status": status,
                  "ms": round(seconds * 1e3, 2)}  # fmt: skip
        key = scope.get("wavefold.key")
        is_quiet = route in PROBES and status < 400
        level = logging.DEBUG if is_quiet else logging.INFO
        log.log(level, REQUEST, extra={"fields": fields | ({"key": key} if key else {})})


def find_route(scope: Scope) -> str:
    """The path of the route with its parameters in braces, or "other"."""
    path: str | None = getattr(scope.get("route"), "path", None)
    if path is None:
        return "other"
    # Depending on its version, FastAPI leaves out the prefix.
    is_inner = scope["path"].startswith(PREFIX) and not path.startswith(PREFIX)
    return PREFIX + path if is_inner else path


def without_head(scope: Scope) -> Scope:
    """A copy in which HEAD is GET: the web server leaves out the body by itself."""
    if scope["type"] != "http":
        return dict(scope)
    method = scope["method"]
    return {**scope, "wavefold.method": method, "method": "GET" if method == "HEAD" else method}
