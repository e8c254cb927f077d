"""Spans of requests and of the work inside them; nothing of OpenTelemetry without them."""

import sys

import httpx
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import wavefold as wf
from running_server import run_client
from wavefold_server import ServiceSettings, create_app, tracing

SMALL = {"tileset": "pipes", "topology": {"width": 6, "height": 4}, "refine": False}
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def exporter(monkeypatch):
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(exporter, "shutdown", lambda: None)  # spans can be read afterwards
    monkeypatch.setattr(tracing, "make_exporter", lambda: exporter)
    return exporter


def test_a_request_has_a_span_and_its_work_one_inside_it(tmp_path, exporter):
    settings = ServiceSettings(data=tmp_path, workers=1, otel=True)
    with run_client(settings) as client:
        headers = {"traceparent": CALLER, "X-Request-ID": "me"}
        assert client.post("/api/v1/solves", json=SMALL, headers=headers).status_code == 200
        assert client.get("/api/v1/solves/nothing").status_code == 404
    spans = exporter.get_finished_spans()
    request = next(each for each in spans if each.name == "POST /api/v1/solves")
    assert request.attributes["http.route"] == "/api/v1/solves"
    assert request.attributes["http.response.status_code"] == 200
    assert request.attributes["wavefold.request_id"] == "me"
    assert f"{request.parent.span_id:x}" == CALLER.split("-")[2]
    work = [each for each in spans if each.name == "work"]
    assert work
    assert {each.parent.span_id for each in work} == {request.context.span_id}
    assert all(each.attributes["wavefold.wait_ms"] >= 0 for each in work)
    assert all(each.attributes["wavefold.pool"] == "quick" for each in work)
    missing = next(each for each in spans if each.name == "GET /api/v1/solves/{id}")
    assert missing.attributes["http.response.status_code"] == 404
    assert missing.status.is_ok or missing.status.is_unset


def test_an_error_of_our_own_marks_the_span(tmp_path, exporter):
    app = create_app(ServiceSettings(data=tmp_path, workers=1, otel=True))

    @app.get("/broken")
    async def fail():
        """Raise."""
        raise RuntimeError("inside")

    async def ask():
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.get("/broken")

    import asyncio

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert "inside" not in answer.text
    (span,) = exporter.get_finished_spans()
    assert span.attributes["http.response.status_code"] == 500
    assert not span.status.is_ok


def test_a_missing_exporter_is_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(wf.ConfigError, match=r"pip install 'wavefold\[otel\]'"):
        create_app(ServiceSettings(data=tmp_path, otel=True))


def test_nothing_is_imported_without_it():
    import subprocess

    code = "import sys, wavefold_server.serving; print('opentelemetry.sdk' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
