"""Drafts over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request
from starlette.responses import Response

from wavefold.service.bodies import JSON, describe_body, parse_body, require_json
from wavefold.service.drafts.models import (
    BaseAnswer,
    DraftBody,
    DraftMapAnswer,
    DraftMapRequest,
    DraftRulesAnswer,
    DraftTileSetRequest,
    PicturesRequest,
)
from wavefold.service.service import RunningService
from wavefold.service.tilesets.models import UploadAnswer

router = APIRouter(prefix="/drafts", tags=["drafts"])
BODY = [Depends(require_json)]
# What is large is parsed and encoded in threads: it would block the event loop.


@router.post(
    "",
    summary="Make a map of tiles that are being made",
    response_model=DraftMapAnswer,
    dependencies=BODY,
    openapi_extra=describe_body(DraftMapRequest),
)
async def create_draft_map(request: Request, service: RunningService) -> Response:
    """The tile set and the size of the map in one request, while somebody moves a slider: nothing is stored.

    Whoever sends the next one closes the connection of this one, and it is ended.
    """

    def work(data: bytes) -> bytes:
        return service.drafts.make_map(parse_body(DraftMapRequest, data)).model_dump_json().encode()

    return Response(await service.uploads.run_with_body(request, work), media_type=JSON)


@router.post(
    "/rules",
    summary="Say what sockets and neighbour rules mean",
    response_model=DraftRulesAnswer,
    dependencies=BODY,
)
async def read_draft_rules(body: DraftBody, request: Request, service: RunningService) -> Response:
    """Patterns, which of them may stand beside which, and what looks like a mistake."""
    work = partial(service.drafts.describe_rules, body)
    return Response(await service.quick.run_for(request, work), media_type=JSON)


@router.post(
    "/audit",
    summary="Find out what a draft can and cannot do",
    response_model=dict[str, Any],
    dependencies=BODY,
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
    dependencies=BODY,
    openapi_extra=describe_body(PicturesRequest),
)
async def create_picture_tiles(request: Request, service: RunningService) -> Response:
    """A tile for each picture, or for each cell of a sheet; sides that look alike have the same socket."""

    def work(data: bytes) -> bytes:
        return service.drafts.cut_pictures(parse_body(PicturesRequest, data))

    return Response(await service.uploads.run_with_body(request, work), media_type=JSON)


@router.post(
    "/tileset",
    status_code=201,
    summary="Store a draft as a tile set",
    dependencies=BODY,
    openapi_extra=describe_body(DraftTileSetRequest),
)
async def store_draft(request: Request, service: RunningService) -> UploadAnswer:
    """With pictures that were drawn; others, and objects, are those of the tile set it began as."""

    def work(data: bytes) -> UploadAnswer:
        return service.drafts.store(parse_body(DraftTileSetRequest, data))

    return await service.uploads.run_with_body(request, work)
