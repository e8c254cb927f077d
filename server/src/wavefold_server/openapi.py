"""The description of the API (OpenAPI 3.1): what all operations share is added here, once.

Every operation may be refused with a problem document, and needs an API key if the server has any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from inspect import getdoc
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIWebSocketRoute
from starlette.routing import BaseRoute

from wavefold_server.gate import PREFIX, PUBLIC, SAFE_METHODS, SESSION
from wavefold_server.problems import MEDIA_TYPE, TITLES

KEY = "API key"  # the name of the security scheme
UNUSED = ("HTTPValidationError", "ValidationError")  # how FastAPI itself would answer

PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "description": "Why a request was refused or failed (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "detail", "error"],
    "properties": {
        "type": {"type": "string", "description": "`urn:wavefold:problem:` and the error"},
        "title": {"type": "string", "description": "the kind of problem, in words"},
        "status": {"type": "integer", "description": "the status of the answer"},
        "detail": {"type": "string", "description": "what is wrong, and where"},
        "error": {"type": "string", "description": "the name of the error, for programs"},
        "advice": {"type": "string", "description": "what to do about it"},
        "limit": {"type": "string", "description": "the limit that was exceeded"},
        "maximum": {"type": "number", "description": "the value of that limit on this server"},
        "errors": {
            "type": "array",
            "description": "the invalid values",
            "items": {
                "type": "object",
                "properties": {
                    "in": {"type": "string", "description": "`body`, `path` or `query`"},
                    "pointer": {"type": "string", "description": "a JSON pointer to the value"},
                    "detail": {"type": "string", "description": "what is wrong with it"},
                },
            },
        },
    },
}

# Answers that are not JSON, for the `responses` of routes.
BINARY = {"schema": {"type": "string", "format": "binary"}}
PNG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/png": BINARY}},
    304: {"description": "The browser has it already."},
}
DOWNLOAD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": BINARY}, "description": "The file; its type depends on the ending."}
}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "The events as they happen."}
}


def describe_api(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an application, as JSON data."""
    document = get_openapi(
        title=app.title,
        version=app.version,
        description=app.description,
        routes=app.routes,
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in UNUSED:
        schemas.pop(name, None)
    schemas["Problem"] = PROBLEM
    components["securitySchemes"] = {
        KEY: {
            "type": "http",
            "scheme": "bearer",
            "description": "Needed if the server has keys: `wavefold keys create` makes one.",
        }
    }
    for path, method, operation in operations(document):
        is_public = path == SESSION or (path in PUBLIC and method.upper() in SAFE_METHODS)
        operation["security"] = [] if is_public else [{KEY: []}, {}]
        complete_answers(path, method, operation)
    document["x-websockets"] = list(describe_websockets(app.routes))
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(path, method, operation) of all operations, in order."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def complete_answers(path: str, method: str, operation: dict[str, Any]) -> None:
    """Add the problem documents that any route may return to those that it declares.

    There is no default response, so that tests find statuses that are not declared.
    """
    answers = operation["responses"]
    statuses = [400, 401, 403, 409, 422, 503]  # 409: stored data may be damaged; 422: work may take too long
    if "{" in path:
        statuses += [404, 410, 412]
    if "requestBody" in operation:
        statuses += [404, 408, 413, 415]
    if method != "get" or "{" in path:  # something is stored, or may be
        statuses += [507]
    if is_default_refusal(answers.get("422", {})):
        del answers["422"]
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status in statuses:
        answers.setdefault(str(status), {"description": TITLES[status], "content": content})
    operation["responses"] = dict(sorted(answers.items()))


def is_default_refusal(answer: dict[str, Any]) -> bool:
    """Whether this is the answer that FastAPI declares for requests that are not valid."""
    return "HTTPValidationError" in str(answer.get("content", {}))


def describe_websockets(routes: Iterable[BaseRoute]) -> Iterator[dict[str, Any]]:
    """What OpenAPI has no words for: path and description of each WebSocket."""
    for route in routes:
        if isinstance(route, APIWebSocketRoute):
            path = route.path if route.path.startswith(PREFIX) else PREFIX + route.path
            yield {"path": path, "description": getdoc(route.endpoint) or ""}
        inner = getattr(route, "original_router", None)  # newer versions of FastAPI keep routers apart
        if inner is not None:
            yield from describe_websockets(inner.routes)
