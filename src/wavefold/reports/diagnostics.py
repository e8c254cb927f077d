"""Diagnostics log or trace the events of a solve, and never change a map.

They receive the batches of `solver.engine.events`. `JsonLines` and `Spans` are built in; other packages add
diagnostics by entry points. `generate(diagnostics=…)`, configurations and the command line accept a name,
"NAME" or "NAME=TARGET", such as "jsonl=log.jsonl".
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import time_ns
from typing import IO, Any

import numpy as np

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.errors import (
    ConfigError,
    Contradiction,
    OutOfBudget,
    PluginError,
    PluginWarning,
    WavefoldError,
    describe_error,
)
from wavefold.options.values import check_type
from wavefold.plugins.registry import find
from wavefold.solver import Solution, Solver, Statistics
from wavefold.solver.engine.events import (
    CELL,
    DECISION,
    EVENT_KINDS,
    KIND,
    NOTHING,
    PATTERN,
    REPAIRED,
    RESTARTED,
    Batch,
)
from wavefold.storage.files import cannot_write, check_writable

INSTALL = "install wavefold[otel]"
NO_PROVIDER = (
    "no tracer provider is configured, so spans are lost; configure one, run the program with "
    "opentelemetry-instrument, or use otel=console or otel=http://HOST:4318/v1/traces"
)


class Diagnostic:
    """The base class of diagnostics. Subclasses override the methods that they need.

    For each map, `start` is called, then `receive` with each batch of events, then `finish`; after the last
    map, `close`. If a method raises an error, a `PluginWarning` is issued and the diagnostic gets no further
    events; only a `WavefoldError` from `start` is raised.

    target : the text after its name, such as "log.jsonl" in "jsonl=log.jsonl"; may be empty
    paths : the files it writes, so that no other output uses the same names
    """

    paths: tuple[Path, ...] = ()

    def __init__(self, target: str = "") -> None:
        check_type("target", target, str, "a str")
        self.target = target

    def start(self, solver: Solver) -> None:
        """Called before a map is solved; `solver` has its `problem` and `seed`."""

    def receive(self, batch: Batch) -> None:
        """Called with each batch of events, as in `Solver.listen`."""

    def receive_sweep(self, batch: Batch) -> None:
        """Called after each sweep of refining, with the replaced cells; the sweep is the decision."""
        self.receive(batch)

    def finish(self, result: Solution | BaseException) -> None:
        """Called with the finished map, or with the error of a failed one."""

    def close(self) -> None:
        """Called after the last map."""


class DiagnosticGroup:
    """Several diagnostics. If one fails, it is removed with a warning, and the solve continues."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)

    @property
    def paths(self) -> list[Path]:
        """The files of all diagnostics."""
        return [path for each in self.diagnostics for path in each.paths]

    def run(self, solver: Solver, make: Callable[[Callable[[Batch], None] | None], Solution]) -> Solution:
        """Call `make` with a listener for refining, or None, and return its map."""
        if not self.diagnostics:
            return make(None)
        self._call("start", solver)
        stop = solver.listen(self._receive, batches=True)
        try:
            solution = make(self._receive_sweep)
        except BaseException as error:
            self._call("finish", error)
            raise
        finally:
            stop()
        self._call("finish", solution)
        return solution

    def _receive(self, batch: Batch) -> None:
        self._call("receive", batch)

    def _receive_sweep(self, batch: Batch) -> None:
        self._call("receive_sweep", batch)

    def _call(self, method: str, argument: Any) -> None:
        for each in tuple(self.diagnostics):
            try:
                getattr(each, method)(argument)
            except Exception as error:
                if method == "start" and isinstance(error, WavefoldError):
                    raise
                self.diagnostics.remove(each)
                warn_failed(each, error)


@contextmanager
def open_diagnostics(diagnostics: Iterable[str | Diagnostic]) -> Iterator[DiagnosticGroup]:
    """Open diagnostics given by name or as objects; those given by name are closed at the end."""
    if isinstance(diagnostics, str) or not isinstance(diagnostics, Iterable):
        raise ConfigError(f'diagnostics must be a list, such as ["jsonl=log.jsonl"], not {diagnostics!r}')
    opened = [(parse_diagnostic(each), isinstance(each, str)) for each in diagnostics]
    group = DiagnosticGroup(each for each, _ in opened)
    for path in group.paths:
        if group.paths.count(path) > 1:
            raise ConfigError(f"two diagnostics write {str(path)!r}; choose another name for one of them")
    try:
        yield group
    finally:
        for each, is_named in opened:
            if is_named:
                try:
                    each.close()
                except Exception as error:
                    warn_failed(each, error)


def parse_diagnostic(diagnostic: object) -> Diagnostic:
    """Create the diagnostic for "NAME" or "NAME=TARGET"; an object is returned unchanged."""
    if isinstance(diagnostic, Diagnostic):
        return diagnostic
    if not isinstance(diagnostic, str):
        raise ConfigError(
            f"a diagnostic must be a name, such as 'jsonl=log.jsonl', or a Diagnostic, not {diagnostic!r}"
        )
    name, _, target = diagnostic.partition("=")
    made: Diagnostic = find("diagnostic", name)(target)
    return made


def read_stats(solver: Solver | None, result: object) -> Statistics | None:
    """Return the statistics of a solve; None if there are none."""
    if isinstance(result, Contradiction) and solver is not None:
        return solver.stats
    stats = getattr(result, "stats", None)
    return stats if isinstance(stats, Statistics) else None


def warn_failed(diagnostic: Diagnostic, error: Exception) -> None:
    """Warn that a diagnostic raised an error."""
    message = f"the diagnostic {type(diagnostic).__name__} failed and is ignored: {describe_error(error)}"
    warnings.warn(message, PluginWarning, stacklevel=3)


class JsonLines(Diagnostic):
    """Writes each batch of events as a line of JSON, "jsonl=FILE".

    The "type" of a line is "start" (seed, cells, names of patterns), "batch" (the number of decisions, and
    events [kind, cell, patterns]), "sweep" (the same for a sweep of refining) or "finish" (the result and
    statistics). All but the seconds in the last line are the same on every machine. Each line is written
    immediately, so that a killed solve leaves a log.
    """

    def __init__(self, target: str = "") -> None:
        super().__init__(target)
        if not target:
            raise ConfigError("the diagnostic 'jsonl' needs a file: jsonl=log.jsonl")
        check_writable(target)
        self.paths = (Path(target),)
        self._file: IO[str] | None = None
        self._solver: Solver | None = None
        self._sweeps = 0  # of this map

    def start(self, solver: Solver) -> None:
        """Write the seed, the number of cells and the names of patterns."""
        if self._file is None:
            try:
                self._file = open(self.target, "w", 1, "utf-8", newline="\n")  # noqa: SIM115 until `close`
            except OSError as error:
                raise cannot_write(Path(self.target), error) from error
        problem, self._solver, self._sweeps = solver.problem, solver, 0
        self._write(
            type="start",
            seed=solver.seed,
            content_version=CONTENT_VERSION,
            topology=repr(problem.topology),
            cells=problem.cell_count,
            patterns=list(problem.rules.names),
        )

    def receive(self, batch: Batch) -> None:
        """Write a batch."""
        self._write(type="batch", decision=int(batch[0, DECISION]), events=list_events(batch))

    def receive_sweep(self, batch: Batch) -> None:
        """Write the cells that a sweep replaced."""
        self._sweeps += 1
        self._write(type="sweep", sweep=self._sweeps, events=list_events(batch))

    def finish(self, result: Solution | BaseException) -> None:
        """Write the result."""
        stats = read_stats(self._solver, result)
        entry = {"type": "finish", "result": name_result(result), "stats": stats and stats.to_dict()}
        self._write(**entry if isinstance(result, Solution) else entry | {"error": str(result)})
        self._solver = None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, **entry: Any) -> None:
        if self._file is not None:
            self._file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")


def list_events(batch: Batch) -> list[list[Any]]:
    """List the events of a batch as [kind, cell, patterns]; rows that differ only in the pattern are one."""
    return [
        [EVENT_KINDS[kind], cell, [row[PATTERN] for row in rows if row[PATTERN] != NOTHING]]
        for (kind, cell), rows in groupby(batch.tolist(), key=itemgetter(KIND, CELL))
    ]


def name_result(result: object) -> str:
    """Return the result of a solve in a word or two."""
    names = {Solution: "solved", Contradiction: "impossible", OutOfBudget: "out of budget"}
    return names.get(type(result), "failed")


class Spans(Diagnostic):
    """Creates OpenTelemetry spans, "otel", "otel=console" or "otel=URL" of an OTLP collector.

    Each map has a span "wavefold.generate". It contains a span "wavefold.attempt" for each restart, with an
    event for each local repair and the number of events of each kind, and a span "wavefold.refine". Without a
    target, spans are sent to the tracer provider of the process.
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
            warnings.warn(NO_PROVIDER, PluginWarning, stacklevel=2)
        self._tracer = trace.get_tracer("wavefold", __version__, self._provider)
        self._span: Any = None
        self._solver: Solver | None = None
        self._part: Any = None  # the span of an attempt or of refining
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
        """Count events, and record repairs and restarts."""
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
        """Count replaced cells, in a separate span."""
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
        """Begin a span inside that of the map, at a time in nanoseconds since 1970, by default now."""
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
                f"the target of 'otel' must be console or the URL of a collector, not {target!r}"
            )
    except ImportError as error:
        raise PluginError(f"the diagnostic 'otel={target}' needs {error.name}: {INSTALL}") from None
    return provider
