"""OpenTelemetry, when it is configured: a span for each request, and inside it one for the work of a thread.

Nothing of OpenTelemetry is imported unless `--otel` or `OTEL_EXPORTER_OTLP_ENDPOINT` asks for it. The usual
variables of OpenTelemetry apply: `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER` and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavefold import __version__
from wavefold.errors import ConfigError
from wavefold_server.access import find_route
from wavefold_server.logs import request_id
from wavefold_server.problems import problem_of

INSTALL = "pip install 'wavefold[otel]'"


class Tracing:
    """Makes spans and sends them.

    exporter : where they go; None: to the OTLP collector that the environment names
    """

    def __init__(self, exporter: Any = None) -> None:
        try:
            from opentelemetry import propagate, trace
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor

            exporter = make_exporter() if exporter is None else exporter
        except ImportError as error:
            raise ConfigError(f"OpenTelemetry needs {error.name}; install it with: {INSTALL}") from error
        resource = Resource.create({"service.name": "wavefold", "service.version": __version__})
        self._trace, self._propagate = trace, propagate
        self._provider = TracerProvider(resource=resource)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = trace.get_tracer("wavefold", __version__, self._provider)

    @contextmanager
    def request_span(self, scope: Scope) -> Iterator[Any]:
        """The span of a request, inside that of the caller if a `traceparent` header names one."""
        context = self._propagate.extract(dict(Headers(scope=scope)))
        method = scope.get("wavefold.method", "WEBSOCKET")
        with self._tracer.start_as_current_span(
            method, context, kind=self._trace.SpanKind.SERVER, record_exception=False
        ) as span:
            try:
                yield span
            finally:
                route = find_route(scope)
                span.update_name(f"{method} {route}")
                span.set_attributes({"http.request.method": method, "http.route": route,
                                     "wavefold.request_id": request_id.get()})  # fmt: skip

    @contextmanager
    def work_span(self, pool: str, waited: float) -> Iterator[None]:
        """The span of work in a thread: how long it ran; an attribute says how long it had waited, in ms."""
        attributes = {"wavefold.pool": pool, "wavefold.wait_ms": round(waited * 1e3, 3)}
        with self._tracer.start_as_current_span("work", attributes=attributes):
            yield

    def end_request(self, span: Any, status: int) -> None:
        """Note how a request was answered."""
        span.set_attribute("http.response.status_code", status)
        if status >= 500:
            span.set_status(self._trace.Status(self._trace.StatusCode.ERROR))

    def close(self) -> None:
        """Send what has not been sent."""
        self._provider.shutdown()


class TraceRequests:
    """Middleware: a span around each request."""

    def __init__(self, app: ASGIApp, tracing: Tracing) -> None:
        self.app, self.tracing = app, tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        with self.tracing.request_span(scope) as span:

            async def send_noted(message: Message) -> None:
                if message["type"].endswith("response.start"):
                    self.tracing.end_request(span, message["status"])
                await send(message)

            try:
                await self.app(scope, receive, send_noted)
            except Exception as error:
                self.tracing.end_request(span, problem_of(error).status)
                raise


def make_exporter() -> Any:
    """Sends spans to a collector, by default on this machine."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()
