"""`/openapi.json` and `/docs`: what the API offers, for programs and for readers."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from wavefold_server.api_page import ApiPage, content_security_policy
from wavefold_server.openapi import describe_api
from wavefold_server.service import RunningService

router = APIRouter(include_in_schema=False)
_lock = Lock()


@router.get("/openapi.json")
def read_openapi(request: Request) -> Response:
    """The OpenAPI document."""
    return Response(json.dumps(find_document(request.app)), media_type="application/json")


@router.get("/docs")
def read_docs(request: Request, service: RunningService) -> Response:
    """The same as a page."""
    address = f"{request.url.scheme}://{request.headers['host']}"
    html = ApiPage(find_document(request.app), address, service.key_check.required).render()
    return HTMLResponse(html, headers={"Content-Security-Policy": content_security_policy(html)})


def find_document(app: FastAPI) -> dict[str, Any]:
    """The document, made when it is first asked for."""
    with _lock:
        if app.openapi_schema is None:
            app.openapi_schema = describe_api(app)
        return app.openapi_schema
