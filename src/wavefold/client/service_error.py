"""Errors of a server, as errors of Python: the library's own where it has a name for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wavefold import errors
from wavefold.errors import WavefoldError

# What a server names in a problem document, and the library raises for the same reason.
LIBRARY: dict[str, type[WavefoldError]] = {
    kind.__name__: kind
    for kind in (
        errors.TileSetError,
        errors.Contradiction,
        errors.OutOfBudget,
        errors.FormatError,
        errors.WorldError,
        errors.NotReady,
        errors.ConfigError,
        errors.PluginError,
    )
}


class ServiceError(WavefoldError):
    """A server refused or failed, for a reason that the library has no error for.

    status : of the answer; None if there was none
    name : "NotFound", "LimitExceeded", "Busy", …
    advice : what to do about it
    limit, maximum : the limit of the server that was exceeded, and its value
    request_id : what the server's log calls this request
    retry_after : seconds after which the server may be asked again, if it was busy or is starting again
    document : the whole problem document (RFC 9457)
    """

    retry_after: float | None = None

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        document: dict[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.request_id = status, request_id
        self.document = document or {}

    @property
    def name(self) -> str:
        """What went wrong, in one word."""
        return str(self.document.get("error", ""))

    @property
    def advice(self) -> str:
        """What to do about it."""
        return str(self.document.get("advice", ""))

    @property
    def limit(self) -> str | None:
        """The name of the server's limit that was exceeded."""
        return self.document.get("limit")

    @property
    def maximum(self) -> float | None:
        """The value of that limit."""
        return self.document.get("maximum")


@dataclass(frozen=True)
class RemoteRequirement:
    """One of the requirements that cannot hold together.

    cell : its coordinate, if it is about one
    """

    kind: str
    text: str
    cell: tuple[int, ...] | None


@dataclass(frozen=True)
class RemoteExplanation:
    """`Contradiction.explanation` as a server tells it: that of the library, with coordinates for cells."""

    requirements: tuple[RemoteRequirement, ...]
    remedies: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    proved: bool
    sentence: str

    def __str__(self) -> str:
        return self.sentence


class ConnectionFailed(ServiceError):
    """There was no answer: no server, no network, or not in time."""


def build_error(
    document: dict[str, Any], status: int | None = None, request_id: str | None = None
) -> WavefoldError:
    """The error for a problem document. The library's own have what it says as `document` and `advice`."""
    detail = str(document.get("detail") or document.get("title") or f"the server answered {status}")
    kind = LIBRARY.get(str(document.get("error")))
    if kind is not None:
        error: WavefoldError = build_library_error(kind, detail, document)
        more = {"status": status, "request_id": request_id, "document": document}
        vars(error).update(more, advice=str(document.get("advice", "")))
    else:
        error = ServiceError(detail, status=status, document=document, request_id=request_id)
        error.add_note(error.advice)
    if request_id:
        error.add_note(f"request id: {request_id}")
    return error


def build_library_error(kind: type[WavefoldError], detail: str, document: dict[str, Any]) -> WavefoldError:
    """An error of the library, with what it would know there and the document tells."""
    if kind is errors.Contradiction and (found := document.get("explanation") or {}).get("requirements"):
        explanation = read_explanation(found, detail)
        return errors.Contradiction(detail, why=lambda: explanation)
    if kind is errors.OutOfBudget:
        return errors.OutOfBudget(detail, stats=document.get("stats"), phase=str(document.get("phase", "")))
    return kind(detail)


def read_explanation(found: dict[str, Any], sentence: str) -> RemoteExplanation:
    """From a problem document."""
    rows = found["requirements"]
    requirements = [
        RemoteRequirement(row["kind"], row["text"], tuple(row["cell"]) if "cell" in row else None)
        for row in rows
    ]
    return RemoteExplanation(
        tuple(requirements),
        tuple(row["without"] for row in rows),
        tuple(tuple(cell) for cell in found["cells"]),
        found["proved"],
        sentence,
    )
