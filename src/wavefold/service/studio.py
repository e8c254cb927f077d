"""The studio's pages over HTTP. They come from this server alone, and may talk to this server alone."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from wavefold.service.gate import wants_page
from wavefold.studio import PAGES

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
BUNDLE = "three.bundle.js"

router = APIRouter(include_in_schema=False)


@router.get("/")
async def lead_to_studio(request: Request) -> Response:
    """Whoever types the address of the server into a browser wants the studio; programs are refused."""
    if not wants_page(request.headers):
        raise HTTPException(404)
    return RedirectResponse("studio/")  # relative: right behind a proxy with a prefix, too


class StudioPages(StaticFiles):
    """Files that a browser asks about at each visit: after an upgrade nobody runs old scripts."""

    def __init__(self) -> None:
        super().__init__(directory=PAGES, html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path == BUNDLE and not (PAGES / BUNDLE).exists():  # `make studio` was not run: the view says so
            return Response("export {};\n", media_type="text/javascript", headers=HEADERS)
        response = await super().get_response(path, scope)
        response.headers.update(HEADERS)
        return response
