"""Who may come in: the Host header, the site a browser comes from, the API key, and the size of the body.

Plain ASGI around everything else, WebSockets included, so that no route can forget it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from wavefold_server.problems import Problem, busy_problem, limit_problem
from wavefold_server.settings import Limits, ServiceSettings
from wavefold_server.transfer import BodyLimits, Transfer, is_json

if TYPE_CHECKING:
    from wavefold_server.service import Service

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
PROBES = ("/healthz", "/readyz", "/metrics")  # answered while the server stops, and however full it is
PUBLIC = ("/healthz", "/readyz", "/docs", "/openapi.json")  # say nothing that a stranger may not see
PREFIX = "/api/v1"
SESSION = f"{PREFIX}/session"  # where a browser sends its key
PAGES = "/studio"  # scripts and styles, the same on every server
UPLOADS = tuple(
    f"{PREFIX}/{path}"
    for path in ("tilesets", "drafts/pictures", "drafts/tileset", "documents", "documents/open")
)
HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
MOST_DIGITS = 18  # of a Content-Length
KEY_PROTOCOL = "key."  # before the key in Sec-WebSocket-Protocol
KEY_COOKIE = "wavefold_key"


class Gate:
    """Refuses requests before a route sees them."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings, service: Callable[[], Service]) -> None:
        self.app, self.settings, self.service = app, settings, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        try:
            self._check_host(headers)
            self._check_origin(scope, headers)
            self._check_key(scope, headers)
            self._check_load(scope)
            limits = choose_limits(self.settings.limits, scope)
            check_length(headers, limits)
        except Problem as problem:
            return await refuse(problem, scope, receive, send)
        if scope["type"] == "websocket":
            return await self.app(scope, receive, send)
        seconds, key = self.settings.limits.body_seconds, scope.get("wavefold.key")
        transfer = Transfer(receive, send, limits, seconds, is_json(headers), self.service().body_room, key)
        await transfer.run(self.app, scope)

    def _check_host(self, headers: Headers) -> None:
        """A page that a browser loaded from elsewhere must not reach this server under that name."""
        given = headers.getlist("host")
        found = HOST.fullmatch(given[0]) if len(given) == 1 else None
        if found is None:
            raise Problem(400, "the request needs one Host header with a host name", error="UnknownHost",
                          advice="Send 'Host: NAME' or 'Host: NAME:PORT'.")  # fmt: skip
        name = found[1].lower().removesuffix(".")
        if name not in self.settings.hosts and "*" not in self.settings.hosts:
            raise Problem(403, f"this server does not answer to the name {name!r:.100}", error="UnknownHost",
                          advice="Start it with --allow-host NAME to allow another name.")  # fmt: skip

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Other web sites may not change anything here on behalf of whoever visits them."""
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return
        allowed = self.settings.origins
        for origin in headers.getlist("origin"):
            if "*" not in allowed and origin not in allowed and not is_own_origin(origin, headers):
                raise Problem(403, f"requests from {origin!r:.100} are not allowed", error="ForeignOrigin",
                              advice="Start the server with --allow-origin URL to allow a site.")  # fmt: skip

    def _check_key(self, scope: Scope, headers: Headers) -> None:
        """With keys, all but public pages need one; what changes something needs the scope `write`."""
        is_safe = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        if scope["path"] != SESSION and not (is_safe and is_public(scope["path"], headers)):
            keys, given = self.service().key_check, (find_key(headers), "read" if is_safe else "write")
            scope["wavefold.key"] = keys.check(*given)
            scope["wavefold.still_allowed"] = partial(keys.allows, *given)  # for what goes on for long

    def _check_load(self, scope: Scope) -> None:
        """No new work while the server stops, or on more connections than it may have."""
        if scope["path"] in PROBES:
            return
        service = self.service()
        if service.stopping.is_set():
            raise busy_problem("the server is shutting down", 5)
        if service.count_connections() > self.settings.limits.connections:
            raise busy_problem("too many connections are open", 2)


def is_own_origin(origin: str, headers: Headers) -> bool:
    """Whether a page of this server sends the request. The scheme may differ, behind a proxy."""
    try:
        return urlsplit(origin).netloc.lower() == headers["host"].lower()
    except ValueError:
        return False


def is_public(path: str, headers: Headers) -> bool:
    """Whether a page may be read without a key: the studio asks for one itself."""
    if path == "/":
        return wants_page(headers)
    return path in PUBLIC or path == PAGES or path.startswith(f"{PAGES}/")


def wants_page(headers: Headers) -> bool:
    """Whether a browser asks, at the address of the server: it is led to the studio."""
    return "text/html" in headers.get("accept", "")


def choose_limits(limits: Limits, scope: Scope) -> BodyLimits:
    """The limits of the body of a request. Where no key is checked, nothing large is expected."""
    if "wavefold.key" not in scope:
        return BodyLimits("anonymous_bytes", limits.anonymous_bytes, "body_values", limits.body_values)
    if scope["path"].rstrip("/") in UPLOADS:
        return BodyLimits("upload_bytes", limits.upload_bytes, "upload_values", limits.upload_values)
    return BodyLimits("body_bytes", limits.body_bytes, "body_values", limits.body_values)


def check_length(headers: Headers, limits: BodyLimits) -> None:
    """Refuse a body that is announced to be too long."""
    announced, most = headers.get("content-length", "0"), limits.bytes
    if announced.isdecimal() and (len(announced) > MOST_DIGITS or int(announced) > most):
        raise limit_problem(limits.bytes_name, most, f"the body has more than {most:,} bytes", 413)


def find_key(headers: Headers) -> str | None:
    """The key in a request: `Authorization: Bearer KEY`, a WebSocket's protocol, or a browser's cookie."""
    kind, _, key = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and key.strip():
        return key.strip()
    for each in headers.get("sec-websocket-protocol", "").split(","):
        if each.strip().startswith(KEY_PROTOCOL):
            return each.strip().removeprefix(KEY_PROTOCOL)
    return cookie_parser(headers.get("cookie", "")).get(cookie_name(headers))


def cookie_name(headers: Headers) -> str:
    """What the cookie with the key is called: cookies are shared by all ports of a host."""
    port = headers["host"].rpartition(":")[2]
    return f"{KEY_COOKIE}_{port}" if port.isdecimal() else KEY_COOKIE


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a problem document; a WebSocket is rejected before it is accepted."""
    if scope["type"] == "http":
        await problem.response()(scope, receive, send)
    elif "websocket.http.response" in scope.get("extensions", {}):
        answer = problem.response()
        start = {"status": answer.status_code, "headers": answer.raw_headers}
        await send({"type": "websocket.http.response.start", **start})
        await send({"type": "websocket.http.response.body", "body": answer.body})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": problem.detail[:120]})
