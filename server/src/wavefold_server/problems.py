"""Errors as problem documents (RFC 9457): what went wrong, in which words, and what to do about it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from errno import EDQUOT, ENOSPC
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from wavefold.errors import (
    ConfigError,
    Contradiction,
    FormatError,
    NotReady,
    OutOfBudget,
    PluginError,
    TileSetError,
    WavefoldError,
    WorldError,
    suggest,
)
from wavefold.solver import Stopped
from wavefold.storage import is_damage, read_error_code
from wavefold_server.logs import LONGEST_PATH, log
from wavefold_server.validation_messages import describe_part, find_models

LONGEST_CHAIN = 16  # of causes of an error: one that is its own cause must not stop the server
MEDIA_TYPE = "application/problem+json"

# The status and the title of each of the library's errors, and advice that always holds.
KNOWN: dict[type[WavefoldError], tuple[int, str, str]] = {
    TileSetError: (422, "The tile set cannot be used", "Change the tile or side that the detail names."),
    Contradiction: (409, "Proved impossible", "Remove or change one of the pins or constraints named."),
    OutOfBudget: (422, "Out of budget", "Raise the budget, or try another seed, order or search."),
    FormatError: (422, "The file is not valid", "Correct the file and upload it again."),
    WorldError: (409, "The world cannot do that", "The detail names the cause, and what is not affected."),
    NotReady: (503, "Not ready yet", "Retry: the work done so far is kept."),
    ConfigError: (422, "A value cannot be used", "Correct the value that the detail names."),
    PluginError: (422, "A named part is unknown or not installed", "The detail says what to use or install."),
}
TITLES = {
    400: "The request is not valid HTTP or JSON",
    401: "An API key is required",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    406: "Not available in this format",
    408: "Too slow",
    409: "Conflict",
    410: "No longer available",
    412: "The precondition does not hold",
    413: "Too large",
    415: "Unsupported media type",
    422: "The request cannot be processed",
    428: "A precondition is required",
    500: "Internal error",
    503: "Busy",
    507: "The disk is full",
}


class Problem(Exception):
    """An answer that is a problem document; `more` are further members of it."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        error: str = "",
        title: str = "",
        advice: str = "",
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.advice, self.more = status, detail, advice, more
        self.error = error or "HttpError"
        self.title = title or TITLES.get(status, "The request failed")
        self.headers = dict(headers or {})

    def to_dict(self) -> dict[str, Any]:
        """The document."""
        document = {
            "type": f"urn:wavefold:problem:{self.error}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "error": self.error,
        }
        return document | ({"advice": self.advice} if self.advice else {}) | self.more

    def response(self) -> Response:
        """The document as an answer."""
        text = json.dumps(self.to_dict(), ensure_ascii=False)
        body = text.encode(errors="backslashreplace")  # halves of characters, which JSON may have
        return Response(body, self.status, self.headers, MEDIA_TYPE)


def limit_problem(name: str, limit: float, detail: str, status: int = 422) -> Problem:
    """The answer to a request that exceeds one of the `Limits`, which it names."""
    advice = f"This server allows {name} = {limit:,}; its operator can raise this limit."
    return Problem(status, detail, error="LimitExceeded", advice=advice, limit=name, maximum=limit)


def invalid(pointer: str, detail: str) -> Problem:
    """The answer to a request whose body is wrong at this JSON pointer."""
    where = pointer.strip("/").replace("/", ".")
    return Problem(
        422,
        f"{where}: {detail}" if where else detail,
        error="InvalidRequest",
        advice="Correct the part of the body that the pointer names; the API is described at /docs.",
        errors=[{"in": "body", "pointer": pointer, "detail": detail}],
    )


def unknown(what: str, name: str, known: Iterable[str] = ()) -> Problem:
    """The answer to a request for something that does not exist."""
    names = list(known)
    advice = suggest(name, names).capitalize() if names else f"List the {what}s to see which there are."
    return Problem(404, f"there is no {what} {name!r:.80}", error="NotFound", advice=advice)


def busy_problem(what: str, seconds: int) -> Problem:
    """The answer to a request that would have to wait too long."""
    return Problem(
        503,
        f"{what}; try again in {seconds} s",
        error="Busy",
        advice="Retry after the time in the Retry-After header.",
        headers={"Retry-After": str(seconds)},
    )


def problem_of(error: BaseException) -> Problem:
    """The problem document for any error; those that nobody expected say nothing about the inside."""
    if isinstance(error, Problem):
        return error
    if (cause := find_storage_error(error)) is not None:
        return storage_problem(cause)
    if isinstance(error, WavefoldError):
        kind = next((each for each in type(error).__mro__ if each in KNOWN), None)
        if kind is None:
            return Problem(422, str(error), error="WavefoldError")
        status, title, advice = KNOWN[kind]
        return Problem(status, str(error), error=kind.__name__, title=title, advice=advice)
    if isinstance(error, RequestValidationError):
        return validation_problem(error)
    if isinstance(error, HTTPException):
        return http_problem(error)
    if isinstance(error, MemoryError):
        return Problem(507, "not enough memory for this request", error="OutOfMemory", title="Out of memory",
                       advice="Ask for a smaller map, or for parts of it.")  # fmt: skip
    if isinstance(error, Stopped):
        return busy_problem("the server stopped this work before it was finished", 1)
    return Problem(500, "the server failed in a way that is its own fault, not yours", error="InternalError",
                   advice="Report it with the request id; the server's log has the details.")  # fmt: skip


def validation_problem(error: RequestValidationError, route: object = None) -> Problem:
    """Which parts of a request are wrong, each with a JSON pointer."""
    models = find_models(route)
    found = [describe_part(each, models) for each in error.errors()[:20]]
    first = found[0]
    is_syntax = error.errors()[0]["type"] == "json_invalid"
    where = first["pointer"].strip("/").replace("/", ".") or first["in"]
    return Problem(
        400 if is_syntax else 422,
        first["detail"] if is_syntax else f"{where}: {first['detail']}",
        error="InvalidRequest",
        advice="The API is described at /docs.",
        errors=found,
    )


def http_problem(error: HTTPException) -> Problem:
    """What the web framework refuses by itself: unknown paths, methods, and bodies that it cannot parse."""
    name, detail = {
        400: ("InvalidRequest", "the body cannot be parsed"),
        404: ("NotFound", "there is nothing at this path"),
        405: ("MethodNotAllowed", "this path does not have this method"),
    }.get(error.status_code, ("HttpError", str(error.detail)))
    advice = "The API is described at /docs."
    return Problem(error.status_code, detail, error=name, advice=advice, headers=error.headers)


# --- the disk ---------------------------------------------------------------------------------------


def find_storage_error(error: BaseException | None) -> sqlite3.Error | OSError | None:
    """What the system or the database said, if that is behind an error."""
    for _ in range(LONGEST_CHAIN):
        if isinstance(error, sqlite3.Error) or (isinstance(error, OSError) and error.errno):
            return error
        error = None if error is None else error.__cause__
    return None


def storage_problem(error: sqlite3.Error | OSError) -> Problem:
    """The answer if something could not be read or written; paths are for the log only."""
    if is_disk_full(error):
        return Problem(507, "the server's disk is full, so nothing was stored", error="DiskFull",
                       advice="Free space on the disk of the server's data folder.")  # fmt: skip
    if is_damage(error):
        return damage_problem()
    return Problem(500, "the server could not read or write its data", error="StorageFailed",
                   advice="The operator of the server finds the reason in its log.")  # fmt: skip


def damage_problem(what: str = "", name: str = "") -> Problem:
    """The answer if stored data is not what was written."""
    named = f"the {what} {name!r:.80}" if what else "a part of the server's database"
    return Problem(
        409,
        f"{named} is damaged: it is not what was stored",
        error="Damaged",
        title="Stored data is damaged",
        advice="Stop the server and restore its data folder from a backup, or delete this object. Other "
        "objects can still be read.",
    )


def is_disk_full(error: BaseException) -> bool:
    """Whether there is no space left, or a quota is used up."""
    is_full = read_error_code(error) == sqlite3.SQLITE_FULL
    return is_full or getattr(error, "errno", None) in (ENOSPC, EDQUOT) or "disk is full" in str(error)


async def answer_error(request: Request, error: Exception) -> Response:
    """The exception handler of the application."""
    if isinstance(error, RequestValidationError):
        return validation_problem(error, request.scope.get("route")).response()
    problem = problem_of(error)
    if problem.status == 405:
        problem.headers["Allow"] = ", ".join(list_methods(request))
    if problem.status == 500 and problem is not error:
        path = request.url.path[:LONGEST_PATH]
        log.error("request failed", exc_info=error, extra={"fields": {"path": path}})
    return problem.response()


def list_methods(request: Request) -> list[str]:
    """The methods of a path; the web framework lists only those of the first route that has it."""

    def is_known(method: str) -> bool:
        scope = {**request.scope, "method": "GET" if method == "HEAD" else method}
        return any(route.matches(scope)[0] == Match.FULL for route in request.app.routes)

    return [method for method in ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT") if is_known(method)]
