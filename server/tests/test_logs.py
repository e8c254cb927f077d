"""The log: one line for each event, whatever a client sends."""

import io
import json
import logging
import sys
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from running_server import run_client
from wavefold_server import ServiceSettings
from wavefold_server.logs import JsonFormatter, TextFormatter, log, logging_to_stderr, request_id


def record_of(message="request", error=None, **fields):
    exc_info = (type(error), error, None) if error else None
    record = logging.LogRecord("wavefold_server", logging.INFO, "f.py", 1, message, (), exc_info)
    record.fields = fields
    return record


@given(st.text(), st.text())
def test_a_line_stays_a_line(path, message):
    record = record_of(message, path=path, method="GET", status=200, ms=1.0)
    line = JsonFormatter().format(record)
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["path"] == path
    assert TextFormatter().format(record).isprintable()


def test_json_has_everything_that_is_known():
    request_id.set("abc")
    fields = {"method": "GET", "path": "/x", "status": 200, "ms": 1.5, "key": "game"}
    line = json.loads(JsonFormatter().format(record_of(**fields)))
    assert line.pop("time").endswith("Z")
    assert line == {"level": "info", "message": "request", "request_id": "abc", **fields}
    request_id.set("-")


def test_text_is_readable_and_only_a_traceback_has_further_lines():
    text = TextFormatter().format(record_of(method="GET", path="/a\nb", status=200, ms=1.25))
    assert text.split(maxsplit=1)[1] == "INFO     GET  /a\\nb  200  1.2 ms"
    lines = TextFormatter().format(record_of("failed", ValueError("a\nb"))).split("\n")
    assert all(line.startswith("    ") for line in lines[1:])
    assert len(lines) > 1


@pytest.fixture
def lines(capsys):
    """A function that returns the lines that were logged as JSON since the last call."""
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_requests_are_logged_without_their_query_and_body(tmp_path, lines):
    settings = ServiceSettings(data=tmp_path, workers=1, log_format="json")
    with logging_to_stderr("json"), run_client(settings) as client:
        client.get("/api/v1/nowhere%0aforged?secret=1", headers={"X-Request-ID": "me"})
        client.get("/healthz")
    logged = lines()
    (line,) = [each for each in logged if each["message"] == "request"]
    assert line["path"] == "/api/v1/nowhere\nforged"
    assert (line["status"], line["method"], line["request_id"]) == (404, "GET", "me")
    assert "secret" not in str(logged)


def test_warnings_and_the_web_server_write_the_same_lines(lines):
    before = (log.handlers[:], log.propagate, warnings.showwarning)
    with logging_to_stderr("json"):
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("old", stacklevel=1)
        logging.getLogger("uvicorn.error").warning("Invalid %s", "request")
        logging.getLogger("uvicorn.error").info("too detailed")
    assert [(each["level"], each["message"]) for each in lines()] == [
        ("warning", "old"),
        ("warning", "Invalid request"),
    ]
    assert (log.handlers, log.propagate, warnings.showwarning) == before


def test_a_log_that_nobody_reads_delays_nobody(monkeypatch):
    from wavefold_server import logs

    class Stuck(io.StringIO):
        def write(self, text):
            gate.wait(300)
            return super().write(text)

    import threading

    gate = threading.Event()
    monkeypatch.setattr(sys, "stderr", Stuck())
    monkeypatch.setattr(logs, "MOST_LINES", 5)
    with logging_to_stderr("text"):
        for _ in range(50):
            log.info("event")
        gate.set()
    assert 1 <= sys.stderr.getvalue().count("event") <= 10
