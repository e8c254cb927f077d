"""Every request has an id, a line in the log, and a place in the metrics."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from time import perf_counter

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavefold.service.metrics import Metrics
from wavefold.service.pool import ClientLeft
from wavefold.service.problems import problem_of

log = logging.getLogger("wavefold.service")
request_id: ContextVar[str] = ContextVar("request_id", default="-")
SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")  # others could forge lines of the log
CLIENT_LEFT = 499  # in the log: nobody received the answer


class AccessLog:
    """Gives each request an id, logs how it ended, and answers errors that nothing else caught."""

    def __init__(self, app: ASGIApp, metrics: Callable[[], Metrics]) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if SANE_ID.fullmatch(given) else secrets.token_hex(8)
        request_id.set(name)
        started, status = perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"].endswith("response.start"):
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = name
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        except ClientLeft:
            status = status or CLIENT_LEFT
        except Exception as error:
            problem = problem_of(error)
            if problem.status == 500:
                log.exception("request failed", extra={"path": scope["path"]})
            if status or scope["type"] != "http":
                raise
            await problem.response()(scope, receive, send_with_id)
        finally:
            self._record(scope, status, perf_counter() - started)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")  # never the path itself: it has no bound
        method = scope.get("method", "WEBSOCKET")
        self.metrics().requests.labels(method, route, str(status)).inc()
        self.metrics().request_seconds.labels(method, route).observe(seconds)
        about = {"method": method, "path": scope["path"], "status": status, "ms": round(seconds * 1e3, 2)}
        log.info("request", extra=about)
