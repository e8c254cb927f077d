"""Errors of a server, as errors of Python: the library's own where it has a name for them."""

from __future__ import annotations

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
    document : the whole problem document (RFC 9457)
    """

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


class ConnectionFailed(ServiceError):
    """There was no answer: no server, no network, or not in time."""


def build_error(
    document: dict[str, Any], status: int | None = None, request_id: str | None = None
) -> WavefoldError:
    """The error for a problem document."""
    detail = str(document.get("detail") or document.get("title") or f"the server answered {status}")
    kind = LIBRARY.get(str(document.get("error")))
    if kind is not None:
        error: WavefoldError = kind(detail)
    else:
        error = ServiceError(detail, status=status, document=document, request_id=request_id)
        error.add_note(error.advice)
    if request_id:
        error.add_note(f"request id: {request_id}")
    return error
