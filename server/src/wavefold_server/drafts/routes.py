"""Drafts over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from wavefold_server.bodies import JSON
from wavefold_server.body_route import BodyRoute
from wavefold_server.drafts.models import (
    BaseAnswer,
    DraftBody,
    DraftMapAnswer,
    DraftMapRequest,
    DraftRulesAnswer,
    DraftTileSetRequest,
    PicturesRequest,
)
from wavefold_server.service import RunningService
from wavefold_server.tilesets.models import UploadAnswer

router = APIRouter(prefix="/drafts", tags=["drafts"], route_class=BodyRoute)
# What is large is encoded in threads: it would block the event loop.


@router.post(
    "",
    summary="Make a map of tiles that are being made",
    response_model=DraftMapAnswer,
)
async def create_draft_map(body: DraftMapRequest, request: Request, service: RunningService) -> Response:
    """The tile set and the size of the map in one request, while somebody moves a slider: nothing is stored.

    Whoever sends the next one closes the connection of this one, and it is ended.
    """

    def work() -> bytes:
        return service.drafts.make_map(body).model_dump_json().encode()

    return Response(await service.quick.run_for(request, work), media_type=JSON)


@router.post(
    "/rules",
    summary="Say what sockets and neighbour rules mean",
    response_model=DraftRulesAnswer,
)
async def read_draft_rules(body: DraftBody, request: Request, service: RunningService) -> Response:
    """Patterns, which of them may be adjacent, and probable mistakes."""
    work = partial(service.drafts.describe_rules, body)
    found = await service.receiving.run_for(request, work, limit=service.quick.limit)
    return Response(found, media_type=JSON)


@router.post(
    "/audit",
    summary="Find out what a draft can and cannot do",
    response_model=dict[str, Any],
)
async def audit_draft(body: DraftBody, request: Request, service: RunningService) -> Response:
    """As the audit of a tile set; it is ended when the client leaves."""
    work = partial(service.drafts.audit, body)
    report = await service.audits.run_for(request, work, limit=service.jobs.limit)
    return Response(report, media_type=JSON)


@router.get("/bases/{id}", summary="Get a tile set to begin with", response_model=BaseAnswer)
async def read_base(
    id: Annotated[str, Path(max_length=200, examples=["starter-square"])],
    request: Request,
    service: RunningService,
) -> Response:
    """A tile set of the server, or `starter-square` or `starter-hex-24`, as tables and pictures."""
    work = partial(service.drafts.describe_base, id)
    return Response(await service.quick.run_for(request, work, ("base", id)), media_type=JSON)


@router.post(
    "/pictures",
    summary="Make tiles of pictures",
    response_model=BaseAnswer,
)
async def create_picture_tiles(body: PicturesRequest, request: Request, service: RunningService) -> Response:
    """A tile for each picture, or for each cell of a sheet; sides that look alike have the same socket."""
    work = partial(service.drafts.cut_pictures, body)
    found = await service.receiving.run_for(request, work, limit=service.quick.limit)
    return Response(found, media_type=JSON)


@router.post("/tileset", status_code=201, summary="Store a draft as a tile set")
async def store_draft(body: DraftTileSetRequest, request: Request, service: RunningService) -> UploadAnswer:
    """With pictures that were drawn; others, and objects, are those of the tile set it began as."""
    work = partial(service.drafts.store, body)
    return await service.receiving.run_for(request, work, limit=service.quick.limit)
