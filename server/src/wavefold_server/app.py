"""The web application: routes, and what stands around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from wavefold import __version__
from wavefold.errors import WavefoldError
from wavefold_server import api_docs, health, sign_in
from wavefold_server.access import AccessLog
from wavefold_server.code import routes as code
from wavefold_server.database import explaining_folder_errors
from wavefold_server.documents import routes as documents
from wavefold_server.drafts import routes as drafts
from wavefold_server.gate import PREFIX, Gate
from wavefold_server.live import routes as live
from wavefold_server.patchworks import routes as patchworks
from wavefold_server.problems import Problem, answer_error
from wavefold_server.service import Service
from wavefold_server.settings import ServiceSettings
from wavefold_server.sketches import routes as sketches
from wavefold_server.solves import routes as solves
from wavefold_server.studio.routes import StudioPages
from wavefold_server.studio.routes import router as studio_router
from wavefold_server.tilesets import routes as tilesets
from wavefold_server.tracing import TraceRequests, Tracing
from wavefold_server.worlds import overlays as world_overlays
from wavefold_server.worlds import reading as world_parts
from wavefold_server.worlds import routes as worlds
from wavefold_server.worlds.known_tiles import KnownTiles

ROUTERS = (  # each request is compared with them in this order: first those that are asked while a hand moves
    drafts.router,
    sketches.router,
    tilesets.router,
    solves.router,
    worlds.router,
    world_parts.router,
    world_overlays.router,
    patchworks.router,
    live.router,
    documents.router,
    code.router,
)
DESCRIPTION = """Maps, endless worlds and patchworks from tile sets, over HTTP.

The same request gives the same bytes on every machine. Coordinates are (x, y): x is the column, y the row,
downwards; hexagons are (q, r), axial. Errors are problem documents (RFC 9457)."""


def create_app(settings: ServiceSettings) -> FastAPI:
    """The application for one data folder, which is opened when the server starts."""

    tracing = Tracing() if settings.otel else None

    @asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[None]:
        with explaining_folder_errors(settings.data):
            service = app.state.service = Service(settings)
        if tracing is not None:
            service.quick.watch = service.jobs.watch = tracing.work_span
        try:
            with explaining_folder_errors(settings.data):
                await service.start()
            yield
        finally:
            with explaining_folder_errors(settings.data):
                await service.stop()
            if tracing is not None:
                await asyncio.to_thread(tracing.close)

    app = FastAPI(
        title="wavefold",
        version=__version__,
        description=DESCRIPTION,
        lifespan=run,
        docs_url=None,  # the pages that FastAPI offers load scripts from elsewhere
        redoc_url=None,
        openapi_url=None,  # ours is in `api_docs`
        exception_handlers=dict.fromkeys(
            (Problem, WavefoldError, RequestValidationError, HTTPException), answer_error
        ),
    )
    app.router.routes.append(KnownTiles(f"{PREFIX}/worlds"))
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    app.include_router(health.router)
    app.include_router(sign_in.router)
    app.include_router(api_docs.router)
    app.include_router(studio_router)
    app.mount("/studio", GZipMiddleware(StudioPages()), name="studio")
    # The last one added sees a request first.
    app.add_middleware(Gate, settings=settings, service=lambda: app.state.service)
    if settings.origins:  # outside of the gate, so that pages of these sites can read refusals
        app.add_middleware(CORSMiddleware, allow_origins=settings.origins, allow_methods=["*"],
                           allow_headers=["*"], expose_headers=["*"])  # fmt: skip
    if tracing is not None:
        app.add_middleware(TraceRequests, tracing=tracing)
    app.add_middleware(AccessLog, service=lambda: app.state.service, cross_site=bool(settings.origins))
    return app
