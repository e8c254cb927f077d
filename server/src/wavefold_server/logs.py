"""The log: one line for each event, as JSON or as text, whatever a client sends.

Queries and bodies are never logged. The event loop only formats lines; a thread writes them, so that a slow
terminal or pipe delays nobody.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

log = logging.getLogger("wavefold_server")
request_id: ContextVar[str] = ContextVar("request_id", default="-")

REQUEST = "request"  # the message of the line about a request that was answered
LOGGERS = {"wavefold_server": logging.INFO, "uvicorn": logging.WARNING,
           "opentelemetry": logging.WARNING}  # fmt: skip
FIELDS = ("method", "path", "status", "ms", "key")  # of the line about a request, in this order
MOST_LINES = 10_000  # that wait to be written
EVERY = 0.05  # seconds between two looks at whether there are any
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
    """Collects lines for a thread that writes them; if that falls far behind, the oldest are dropped.

    The thread looks by itself every now and then: to wake it for each line would cost the event loop more
    than the line.
    """

    def __init__(self, stream: TextIO, formatter: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(formatter)
        self._stream = stream
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._write, name="wavefold-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Format the record here, where its context is known; never wait."""
        try:
            self._lines.append(self.format(record))
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Write what is left, unless nobody reads it."""
        self._ended.set()
        self._thread.join(LAST_SECONDS)
        super().close()

    def _write(self) -> None:
        is_last = False
        while not is_last:
            is_last = self._ended.wait(EVERY)
            lines = [self._lines.popleft() for _ in range(len(self._lines))]
            with suppress(OSError, ValueError):  # closed, or full
                self._stream.write("".join(f"{line}\n" for line in lines))
                self._stream.flush()


@contextmanager
def logging_to_stderr(style: str, requests: bool = True) -> Iterator[None]:
    """Write the log of the service, of its web server and of warnings to stderr, while this lasts.

    requests : whether each request has a line
    """
    handler = LineHandler(sys.stderr, FORMATTERS[style]())
    if not requests:
        handler.addFilter(lambda record: record.msg != REQUEST)
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
