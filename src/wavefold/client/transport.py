"""Requests to one server: the API key, retries while the server is busy, and streams of events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

try:
    import httpx
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "wavefold.client needs httpx; install it with: pip install 'wavefold[client]'", name=error.name
    ) from error

from wavefold._version import __version__
from wavefold.client.service_error import ConnectionFailed, build_error
from wavefold.errors import WavefoldError

API_PATH = "/api/v1"
BUSY_STATUS = 503
MAX_PAUSE_SECONDS = 10.0  # seconds between retries, at most, even if Retry-After is longer
STREAM_ENDED_STATUS = 204
MAX_SILENCE_SECONDS = 60.0  # seconds; an idle server sends comments more often
RECONNECT_SECONDS = 2.0  # seconds between attempts to reconnect
NO_RETRIES = float("-inf")  # the end of retries for a request that must not be repeated
IDEMPOTENT_METHODS = ("GET", "HEAD", "DELETE")  # idempotent


@dataclass(frozen=True)
class ServerEvent:
    """A server-sent event.

    kind : the type of the event; "message" if the server sends none
    data : the decoded JSON
    id : the position in the stream, from which a broken connection resumes
    """

    kind: str
    data: Any
    id: str | None = None


def read_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """Yield the events in the lines of a stream (`text/event-stream`)."""
    fields: dict[str, list[str]] = {}
    last_id = None
    for line in lines:
        if line:
            name, _, value = line.partition(":")  # lines without a name only keep the connection open
            fields.setdefault(name, []).append(value.removeprefix(" "))
            continue
        last_id = fields.get("id", [last_id])[-1]
        if "data" in fields:
            kind = fields.get("event", ["message"])[-1]
            yield ServerEvent(kind, json.loads("\n".join(fields["data"])), last_id)
        fields = {}


class Transport:
    """The connection to one server. It is thread-safe.

    patience : seconds for which a request is retried while the server is busy (503 with Retry-After), or
    while
        a server that has responded before is unreachable. Requests that are not idempotent, such as edits,
        are not retried.
    """

    def __init__(
        self,
        address: str,
        key: str | None = None,
        timeout: float = 30.0,
        patience: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"User-Agent": f"wavefold/{__version__}"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        self.address, self.timeout, self.patience = address.rstrip("/"), timeout, patience
        self._has_answered = False
        self._http = httpx.Client(
            base_url=self.address, headers=headers, timeout=timeout, transport=transport
        )

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def send(
        self, method: str, path: str, *, repeatable: bool | None = None, **content: Any
    ) -> httpx.Response:
        """Send a request for a path below `/api/v1` and return the response, or raise its error.

        content : as in httpx
        repeatable : whether the request may be sent twice; by default, if its method is idempotent
        """
        is_repeatable = method in IDEMPOTENT_METHODS if repeatable is None else repeatable
        end = monotonic() + self.patience if is_repeatable else NO_RETRIES
        while True:
            try:
                with self._translate_errors():
                    return self._check(self._http.request(method, API_PATH + path, **content))
            except WavefoldError as error:
                if not wait_to_repeat(error, end):
                    raise

    def get_json(self, path: str, **parameters: Any) -> Any:
        """GET a path as JSON; parameters that are None are left out."""
        return self.send("GET", path, params=leave_out_none(parameters)).json()

    def get_bytes(self, path: str, **parameters: Any) -> bytes:
        """GET a path as bytes; parameters that are None are left out."""
        return self.send("GET", path, params=leave_out_none(parameters)).content

    def post_json(self, path: str, body: Any = None, *, repeatable: bool = False) -> Any:
        """POST a JSON body and return the JSON response."""
        answer = self.send("POST", path, json=body, repeatable=repeatable)
        return answer.json() if answer.content else None

    def list_pages(self, path: str, name: str) -> Iterator[dict[str, Any]]:
        """Iterate over all entries of a paged list."""
        before = None
        while True:
            page = self.get_json(path, before=before)
            yield from page[name]
            before = page.get("next")
            if before is None:
                return

    def follow(self, path: str, last_id: str | None = None) -> Iterator[ServerEvent]:
        """Yield server-sent events after the one with this id, until the server ends the stream.

        After an interruption, the connection is opened again and resumes after the last received event.
        """
        end: float | None = None  # when to give up on a server that does not respond
        while True:
            try:
                with self._stream(path, last_id) as answer:
                    end = None
                    if answer.status_code == STREAM_ENDED_STATUS:
                        return
                    for event in read_events(answer.iter_lines()):
                        last_id = event.id
                        yield event
                sleep(RECONNECT_SECONDS)
            except WavefoldError as error:
                end = monotonic() + self.patience if end is None else end
                if not wait_to_repeat(error, end):
                    raise

    @contextmanager
    def _stream(self, path: str, last_id: str | None) -> Iterator[httpx.Response]:
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        asked = self._http.stream(
            "GET",
            API_PATH + path,
            headers=headers,
            timeout=httpx.Timeout(self.timeout, read=max(self.timeout, MAX_SILENCE_SECONDS)),
        )
        with self._translate_errors(), asked as answer:
            if answer.is_error:
                answer.read()
            yield self._check(answer)

    def _check(self, answer: httpx.Response) -> httpx.Response:
        """Return the response, or raise its error."""
        self._has_answered = True
        if answer.is_error:
            raise read_error(answer)
        return answer

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise ConnectionFailed in place of errors of httpx."""
        try:
            yield
        except httpx.ConnectError as error:
            message = f"no server at {self.address} ({error}); start one with `wavefold serve`"
            raise self._lose_connection(message) from error
        except httpx.TimeoutException as error:
            seconds = error.request.extensions["timeout"]["read"]  # some requests may take longer
            message = (
                f"no response from {self.address} within {seconds:g} s; give the Client a longer timeout"
            )
            raise ConnectionFailed(message) from error
        except (httpx.TransportError, httpx.InvalidURL) as error:
            message = f"the connection to {self.address} failed: {error}"
            raise self._lose_connection(message) from error

    def _lose_connection(self, message: str) -> ConnectionFailed:
        """Return the error for a lost connection. Only a server that has responded before is retried."""
        error = ConnectionFailed(message)
        error.retry_after = RECONNECT_SECONDS if self._has_answered else None
        return error


def wait_to_repeat(error: WavefoldError, end: float) -> bool:
    """Wait as long as Retry-After requires. Return False immediately if a retry is useless or too late."""
    pause = getattr(error, "retry_after", None)
    if pause is None or monotonic() + pause > end:
        return False
    sleep(pause)
    return True


def find_pause(answer: httpx.Response) -> float | None:
    """The seconds in Retry-After of a busy server, or None."""
    after = answer.headers.get("Retry-After", "")
    if answer.status_code != BUSY_STATUS or not after.isdecimal():
        return None
    return min(float(after), MAX_PAUSE_SECONDS)


def read_error(answer: httpx.Response) -> WavefoldError:
    """The error of a response. The body may not be a problem document, for example from a proxy."""
    try:
        document = answer.json()
    except ValueError:
        document = {}
    if not isinstance(document, dict):
        document = {}
    document.setdefault("detail", f"the server sent status {answer.status_code} {answer.reason_phrase}")
    error = build_error(document, answer.status_code, answer.headers.get("X-Request-ID"))
    vars(error)["retry_after"] = find_pause(answer)
    return error


def leave_out_none(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters that are not None."""
    return {name: value for name, value in parameters.items() if value is not None}
