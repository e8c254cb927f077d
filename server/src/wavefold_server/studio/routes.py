"""The studio's pages over HTTP. They come from this server alone, and may talk to this server alone.

The first page names all modules of each view, so that a browser asks for them at once: one imports another,
and each would wait for the one before. It names them under a digest of all files, where they may be kept for
good.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from anyio import to_thread
from fastapi import APIRouter
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from wavefold_server.gate import wants_page
from wavefold_server.studio import PAGES
from wavefold_server.studio.modules import list_modules

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
LASTING = {"Cache-Control": "public, max-age=31536000, immutable", "Content-Security-Policy": POLICY}
BUNDLE = "three.bundle.js"
FIRST = ("main.js", "views/start.js")  # what the first page needs
MARK = "  <!-- modules -->\n"  # where they are named
DIGITS = 12  # of a digest

router = APIRouter(include_in_schema=False)


@router.get("/")
async def lead_to_studio(request: Request) -> Response:
    """Whoever types the address of the server into a browser wants the studio; programs are refused."""
    if not wants_page(request.headers):
        raise HTTPException(404)
    return RedirectResponse("studio/")  # relative: right behind a proxy with a prefix, too


class StudioPages(StaticFiles):
    """Files that a browser asks about at each visit, but for those under the digest of what is here now."""

    def __init__(self) -> None:
        super().__init__(directory=PAGES, html=True)
        self.digest = find_digest()

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A page, under its own path or under the digest; an old digest gives what is here now."""
        if path in (".", "index.html") and scope["method"] in ("GET", "HEAD"):
            digest = self.digest = await to_thread.run_sync(find_digest)
            text = await to_thread.run_sync(write_index, digest)
            sent = Response(text, media_type="text/html", headers={"ETag": f'"{digest}"'})
            if self.is_not_modified(sent.headers, Headers(scope=scope)):
                sent = NotModifiedResponse(sent.headers)
            sent.headers.update(HEADERS)  # browsers take those of the last answer
            return sent
        first, _, rest = path.partition("/")
        is_lasting, path = first == self.digest, rest if is_digest(first) else path
        if path in ("", "index.html"):  # the first page names its modules: it has no other address
            raise HTTPException(404)
        if path == BUNDLE and not (PAGES / BUNDLE).exists():  # `make bundles` was not run: the view says so
            return Response("export {};\n", media_type="text/javascript", headers=HEADERS)
        response = await super().get_response(path, scope)
        response.headers.update(LASTING if is_lasting else HEADERS)
        return response


def is_digest(part: str) -> bool:
    """Whether a part of a path has the form of a digest."""
    return len(part) == DIGITS and not set(part) - set("0123456789abcdef")


def find_digest() -> str:
    """Another one whenever any file has changed."""
    stats = ((path, path.stat()) for path in sorted(PAGES.rglob("*")) if path.is_file())
    files = [(path.relative_to(PAGES).as_posix(), stat.st_mtime_ns, stat.st_size) for path, stat in stats]
    return hashlib.sha256(repr(files).encode()).hexdigest()[:DIGITS]


@lru_cache(maxsize=1)
def write_index(digest: str) -> str:
    """The first page: its scripts and styles under the digest, and which modules each view needs."""
    text = (PAGES / "index.html").read_text()
    for name in ("css/", "theme.js", "main.js"):
        text = text.replace(f'="{name}', f'="{digest}/{name}')
    first = dict.fromkeys(module for entry in FIRST for module in list_modules(entry))
    links = "".join(f'  <link rel="modulepreload" href="{digest}/{path}">\n' for path in first)
    more = {
        path.stem: [f"{digest}/{each}" for each in list_modules(f"views/{path.name}") if each not in first]
        for path in sorted((PAGES / "views").glob("*.js"))
    }
    return text.replace(
        MARK, f'{links}  <script type="application/json" id="modules">{json.dumps(more)}</script>\n'
    )
