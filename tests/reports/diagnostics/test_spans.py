"""Solves as OpenTelemetry spans."""

import sys

import pytest

import wavefold as wf
from support import CHESS, PIPES
from wavefold.reports.diagnostics import Spans
from wavefold.testing import DiagnosticContract

trace = pytest.importorskip("opentelemetry.trace", reason="install opentelemetry-sdk to test spans")
sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="install opentelemetry-sdk to test spans")


@pytest.fixture
def exporter(monkeypatch):
    """What the process would send, with a provider that the program around wavefold configured."""
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


@pytest.mark.usefixtures("exporter")
class TestSpans(DiagnosticContract):
    @pytest.fixture
    def make(self):
        return Spans


def test_a_map_is_a_span_with_its_attempts_and_refining_inside(exporter):
    tracer = trace.get_tracer_provider().get_tracer("program")
    with tracer.start_as_current_span("request"):
        solution = wf.generate(PIPES, wf.SquareGrid(5, 4), 7, diagnostics=["otel"], refine=2)
    attempt, refine, whole, request = exporter.get_finished_spans()
    names = [each.name for each in (attempt, refine, whole)]
    assert names == ["wavefold.attempt", "wavefold.refine", "wavefold.generate"]
    assert attempt.parent.span_id == refine.parent.span_id == whole.context.span_id
    assert whole.parent.span_id == request.context.span_id
    assert whole.attributes["wavefold.seed"] == 7
    assert whole.attributes["wavefold.cells"] == 20
    assert whole.attributes["wavefold.decisions"] == solution.stats.decisions
    assert attempt.attributes["wavefold.events.chosen"] == solution.stats.decisions
    assert refine.attributes["wavefold.sweeps"] == 2
    assert whole.start_time <= attempt.start_time <= attempt.end_time == refine.start_time
    assert refine.start_time <= refine.end_time <= whole.end_time
    assert whole.status.is_ok
    assert whole.instrumentation_scope.name == "wavefold"


def test_restarts_begin_a_new_span_and_repairs_are_events(exporter):
    few = {"repairs": 2, "repairs_per_cell": 0, "jumps": 0, "patience": 1, "restarts": 2}
    castle, search = wf.TileSet.load("castle"), wf.Ladder(**few, exact=False, witness=-1)
    with pytest.raises(wf.OutOfBudget):
        wf.generate(castle, wf.SquareGrid(16, 16), 1, order="random", search=search, diagnostics=["otel"])
    *attempts, whole = exporter.get_finished_spans()
    restarts = whole.attributes["wavefold.restarts"]
    assert [each.attributes["wavefold.attempt"] for each in attempts] == list(range(1, restarts + 2))
    assert sum(len(each.events) for each in attempts) == whole.attributes["wavefold.repairs"] > 0


def test_failures_are_errors_with_their_reason(exporter):
    pins = {(0, 0): "white", (1, 0): "white"}
    with pytest.raises(wf.Contradiction):
        wf.generate(CHESS, wf.SquareGrid(3, 3), pins=pins, diagnostics=["otel"])
    whole = exporter.get_finished_spans()[-1]
    assert not whole.status.is_ok
    assert "white" in whole.status.description
    assert whole.events[-1].name == "exception"


def test_the_console_shows_spans_without_a_provider(capsys):
    wf.generate(PIPES, wf.SquareGrid(3, 3), diagnostics=["otel=console"])
    assert '"name": "wavefold.generate"' in capsys.readouterr().err


def test_without_a_provider_there_is_a_warning():
    with pytest.warns(wf.PluginWarning, match="no tracer provider is configured"):
        wf.generate(PIPES, wf.SquareGrid(3, 3), diagnostics=["otel"])


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(wf.PluginError, match=r"needs opentelemetry.exporter.*: install wavefold\[otel\]"):
        Spans("http://localhost:4318/v1/traces")
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(wf.PluginError, match=r"needs OpenTelemetry: install wavefold\[otel\]"):
        Spans()
