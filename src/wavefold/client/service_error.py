"""Errors of a server as Python exceptions: the library's own where one fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wavefold import errors
from wavefold.errors import WavefoldError

# Errors in problem documents for which the library has an exception.
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
    """A server refused or failed, and no other exception of the library fits.

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
        """The name of the error, in one word."""
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
    """One of the requirements that cannot hold together.

    cell : its coordinate, if it concerns one cell
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
    """The error for a problem document; errors of the library get its `document` and `advice`."""
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
    """An error of the library, with the attributes that the document contains."""
    if kind is errors.Contradiction and (found := document.get("explanation") or {}).get("requirements"):
        explanation = read_explanation(found, detail)
        return errors.Contradiction(detail, why=lambda: explanation)  # type: ignore[arg-type,return-value] # with coordinates
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
        tuple(row["remedy"] for row in rows),
        tuple(tuple(cell) for cell in found["cells"]),
        found["proved"],
        sentence,
    )
