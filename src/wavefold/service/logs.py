"""The log: one line for each event, as JSON or as text, whatever a client sends.

Queries and bodies are never logged. The event loop only formats lines; a thread writes them, so that a slow
terminal or pipe delays nobody.
"""

from __future__ import annotations

import json
import logging
import queue
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

log = logging.getLogger("wavefold.service")
request_id: ContextVar[str] = ContextVar("request_id", default="-")

LOGGERS = {"wavefold.service": logging.INFO, "uvicorn": logging.WARNING,
           "opentelemetry": logging.WARNING}  # fmt: skip
FIELDS = ("method", "path", "status", "ms", "key")  # of the line about a request, in this order
MOST_LINES = 10_000  # that wait to be written; further ones are dropped
LONGEST_PATH = 500  # characters
LAST_SECONDS = 2.0  # for the last lines to be written


def about(record: logging.LogRecord) -> dict[str, Any]:
    """What a record says beside its message: the id of the request, and `extra={"fields": {…}}`."""
    name = request_id.get()
    return ({} if name == "-" else {"request_id": name}) | getattr(record, "fields", {})


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Time in UTC, level and message, then everything else that is known."""
        line: dict[str, Any] = {
            "time": time_of(record).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **about(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)  # ASCII: no line separator of Unicode survives


class TextFormatter(logging.Formatter):
    """A line for people. Only a traceback has further lines, which are indented."""

    def format(self, record: logging.LogRecord) -> str:
        """Local time and level, then what happened."""
        fields = about(record)
        shown = [str(fields.pop(name)) for name in ("method", "path", "status") if name in fields]
        took = [f"{fields.pop('ms'):.1f} ms"] if "ms" in fields else []
        rest = [f"{name}={value}" for name, value in fields.items()]
        message = [] if shown else [record.getMessage()]
        clock = time_of(record).astimezone().strftime("%H:%M:%S.%f")[:-3]
        line = escape_controls("  ".join([clock, f"{record.levelname:<7}", *message, *shown, *took, *rest]))
        if record.exc_info:
            line += "\n    " + self.formatException(record.exc_info).replace("\n", "\n    ")
        return line


FORMATTERS = {"json": JsonFormatter, "text": TextFormatter}


def time_of(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def escape_controls(text: str) -> str:
    """Text that stays on its line and cannot command a terminal."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


class LineHandler(logging.Handler):
    """Passes lines to a thread that writes them; if that thread falls far behind, lines are dropped."""

    def __init__(self, stream: TextIO, formatter: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(formatter)
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._thread = threading.Thread(target=self._write, name="wavefold-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Format the record here, where its context is known; never wait."""
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            return
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Write what is left, unless nobody reads it."""
        with suppress(queue.Full):
            self._lines.put(None, timeout=LAST_SECONDS)
        self._thread.join(LAST_SECONDS)
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            with suppress(OSError, ValueError):  # closed, or full
                self._stream.write(line + "\n")
                self._stream.flush()


@contextmanager
def logging_to_stderr(style: str) -> Iterator[None]:
    """Write the log of the service, of its web server and of warnings to stderr, while this lasts."""
    handler = LineHandler(sys.stderr, FORMATTERS[style]())
    loggers = {name: logging.getLogger(name) for name in LOGGERS}
    before = {name: (each.level, each.propagate) for name, each in loggers.items()}
    for name, each in loggers.items():
        each.setLevel(LOGGERS[name])
        each.propagate = False
        each.addHandler(handler)
    usual, warnings.showwarning = warnings.showwarning, log_warning
    try:
        yield
    finally:
        warnings.showwarning = usual
        for name, each in loggers.items():
            each.removeHandler(handler)
            each.setLevel(before[name][0])
            each.propagate = before[name][1]
        handler.close()


def log_warning(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    """Instead of `warnings.showwarning`."""
    log.warning("%s", message, extra={"fields": {"category": category.__name__}})
