"""Errors of a server as Python exceptions: exceptions of the library where possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wavefold import errors
from wavefold.errors import WavefoldError

# {name in problem documents: exception of the library}
LIBRARY_ERRORS: dict[str, type[WavefoldError]] = {
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
    """An error response of a server without a corresponding exception of the library.

    status : the HTTP status; None without a response
    name : "NotFound", "LimitExceeded", "Busy", …
    advice : the remedy
    limit, maximum : the limit of the server that was exceeded, and its value
    request_id : the id of this request in the server's log
    retry_after : seconds to wait before retrying, if the server was busy or is restarting
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
        """The name of the error, such as "NotFound"."""
        return str(self.document.get("error", ""))

    @property
    def advice(self) -> str:
        """The remedy."""
        return str(self.document.get("advice", ""))

    @property
    def limit(self) -> str | None:
        """The name of the exceeded limit."""
        return self.document.get("limit")

    @property
    def maximum(self) -> float | None:
        """The value of that limit."""
        return self.document.get("maximum")


@dataclass(frozen=True)
class RemoteRequirement:
    """One of the requirements that contradict each other.

    cell : the coordinate of the cell, if it concerns one cell
    """

    kind: str
    text: str
    cell: tuple[int, ...] | None


@dataclass(frozen=True)
class RemoteExplanation:
    """`Contradiction.explanation` from a server, with coordinates for cells."""

    requirements: tuple[RemoteRequirement, ...]
    remedies: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    proved: bool
    sentence: str

    def __str__(self) -> str:
        return self.sentence


class ConnectionFailed(ServiceError):
    """No response: no server, no network, or a timeout."""


def build_error(
    document: dict[str, Any], status: int | None = None, request_id: str | None = None
) -> WavefoldError:
    """The error for a problem document. Errors of the library get the attributes `document` and `advice`."""
    detail = str(document.get("detail") or document.get("title") or f"the server sent status {status}")
    kind = LIBRARY_ERRORS.get(str(document.get("error")))
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
    """An error of the library, with the attributes in the document."""
    if kind is errors.Contradiction and (found := document.get("explanation") or {}).get("requirements"):
        explanation = read_explanation(found, detail)
        return errors.Contradiction(detail, why=lambda: explanation)  # type: ignore[arg-type,return-value] # with coordinates
    if kind is errors.OutOfBudget:
        return errors.OutOfBudget(detail, stats=document.get("stats"), phase=str(document.get("phase", "")))
    return kind(detail)


def read_explanation(found: dict[str, Any], sentence: str) -> RemoteExplanation:
    """The explanation in a problem document."""
    rows = found["requirements"]
    requirements = [
        RemoteRequirement(row["kind"], row["text"], tuple(row["cell"]) if "cell" in row else None)
        for row in rows
    ]
    return RemoteExplanation(
        tuple(requirements),
        tuple(row["remedy"] for row in rows),
        tuple(tuple(cell) for cell in found["cells"]),
        found["proved"],
        sentence,
    )
