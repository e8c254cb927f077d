"""Solves as OpenTelemetry spans (extra `wavefold[otel]`), within those of the program."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from time import time_ns
from typing import Any

import numpy as np

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.errors import ConfigError, PluginError, PluginWarning
from wavefold.reports.diagnostics.diagnostic import Diagnostic, read_stats
from wavefold.solver import Solution, Solver
from wavefold.solver.engine.events import CELL, EVENT_KINDS, KIND, REPAIRED, RESTARTED, Batch

INSTALL = "install wavefold[otel]"
NOWHERE = (
    "no tracer provider is configured, so spans go nowhere: configure one, run the program with "
    "opentelemetry-instrument, or write otel=console or otel=http://HOST:4318/v1/traces"
)


class Spans(Diagnostic):
    """Makes OpenTelemetry spans, "otel", "otel=console" or "otel=URL" of an OTLP collector.

    A span "wavefold.generate" for each map, and in it a span "wavefold.attempt" from one restart to the next,
    with an event for each local repair and the number of events of each kind, and a span "wavefold.refine".
    Without a target, spans go to the tracer provider of the process.
    """

    def __init__(self, target: str = "") -> None:
        super().__init__(target)
        try:
            from opentelemetry import trace
        except ImportError:
            raise PluginError(f"the diagnostic 'otel' needs OpenTelemetry: {INSTALL}") from None
        self._trace = trace
        self._provider: Any = make_provider(target) if target else None
        if self._provider is None and isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
            warnings.warn(NOWHERE, PluginWarning, stacklevel=2)
        self._tracer = trace.get_tracer("wavefold", __version__, self._provider)
        self._span: Any = None
        self._solver: Solver | None = None
        self._part: Any = None  # of an attempt, or of refining
        self._attempts = self._sweeps = self._seen_at = 0
        self._counts: Counter[int] = Counter()

    def start(self, solver: Solver) -> None:
        """Begin the span of a map."""
        problem, self._solver = solver.problem, solver
        attributes = {
            "wavefold.seed": solver.seed,
            "wavefold.cells": problem.cell_count,
            "wavefold.patterns": len(problem.rules),
            "wavefold.topology": problem.topology.kind,
            "wavefold.content_version": CONTENT_VERSION,
        }
        self._span = self._tracer.start_span("wavefold.generate", attributes=attributes)
        self._attempts, self._sweeps = 1, 0
        self._begin_part("wavefold.attempt", {"wavefold.attempt": 1})

    def receive(self, batch: Batch) -> None:
        """Count events, and note repairs and restarts."""
        self._count(batch)
        for row in batch[np.isin(batch[:, KIND], (REPAIRED, RESTARTED))].tolist():
            if row[KIND] == REPAIRED:
                self._part.add_event("repaired", {"wavefold.cell": row[CELL]})
            else:
                self._end_part()
                self._attempts += 1
                self._begin_part("wavefold.attempt", {"wavefold.attempt": self._attempts})
        self._seen_at = time_ns()

    def receive_sweep(self, batch: Batch) -> None:
        """Count replaced cells, in their own span."""
        if not self._sweeps:
            self._end_part(self._seen_at)
            self._begin_part("wavefold.refine", {}, self._seen_at)
        self._sweeps += 1
        self._count(batch)
        self._part.set_attribute("wavefold.sweeps", self._sweeps)

    def finish(self, result: Solution | BaseException) -> None:
        """End the spans of a map, with its statistics or its error."""
        if self._span is None:
            return
        self._end_part()
        stats = read_stats(self._solver, result)
        for name, value in ({} if stats is None else stats.to_dict()).items():
            if isinstance(value, int | str):
                self._span.set_attribute(f"wavefold.{name}", value)
        if not isinstance(result, Solution):
            self._span.record_exception(result)
            self._span.set_status(self._trace.Status(self._trace.StatusCode.ERROR, str(result)))
        self._span.end()
        self._span = self._solver = None

    def close(self) -> None:
        """Send pending spans."""
        if self._provider is not None:
            self._provider.shutdown()

    def _count(self, batch: Batch) -> None:
        for kind, count in zip(*np.unique(batch[:, KIND], return_counts=True), strict=True):
            self._counts[int(kind)] += int(count)

    def _begin_part(self, name: str, attributes: dict[str, int], at: int | None = None) -> None:
        """Begin a span inside that of the map; at : nanoseconds since 1970, else now."""
        self._counts.clear()
        context = self._trace.set_span_in_context(self._span)
        self._part = self._tracer.start_span(name, context, attributes=attributes, start_time=at)
        self._seen_at = time_ns()

    def _end_part(self, at: int | None = None) -> None:
        for kind, count in sorted(self._counts.items()):
            self._part.set_attribute(f"wavefold.events.{EVENT_KINDS[kind]}", count)
        self._part.end(at)


def make_provider(target: str) -> Any:
    """Create a tracer provider: "console" prints spans to stderr, a URL is an OTLP collector."""
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import (
            BatchSpanProcessor,
            ConsoleSpanExporter,
            SimpleSpanProcessor,
        )

        provider = TracerProvider(resource=Resource.create({"service.name": "wavefold"}))
        if target == "console":
            provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=sys.stderr)))
        elif target.startswith(("http://", "https://")):
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=target)))
        else:
            raise ConfigError(
                f"the diagnostic 'otel' takes console or the URL of a collector, not {target!r}"
            )
    except ImportError as error:
        raise PluginError(f"the diagnostic 'otel={target}' needs {error.name}: {INSTALL}") from None
    return provider
