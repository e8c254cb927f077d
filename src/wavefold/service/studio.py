"""The studio's pages over HTTP. They come from this server alone, and may talk to this server alone."""

from __future__ import annotations

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from wavefold.studio import PAGES

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class StudioPages(StaticFiles):
    """Files that a browser asks about at each visit: after an upgrade nobody runs old scripts."""

    def __init__(self) -> None:
        super().__init__(directory=PAGES, html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Content-Security-Policy"] = POLICY
        return response
