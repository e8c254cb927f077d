"""Documents over HTTP."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from starlette.requests import Request

from wavefold.service.bodies import require_json
from wavefold.service.documents.models import OpenedDocument, PackedDocument, PackRequest
from wavefold.service.documents.passing import open_document, pack_document
from wavefold.service.service import RunningService

router = APIRouter(prefix="/documents", tags=["documents"], dependencies=[Depends(require_json)])
SCHEMA = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}


@router.post("", summary="Pack a document of the studio")
async def pack(body: PackRequest, request: Request, service: RunningService) -> PackedDocument:
    """With the versions and the tile set it was made with, as a file and, if it is short, as a link."""
    work = lambda: pack_document(service, body.document, body.tileset)  # noqa: E731
    return await service.quick.run_for(request, work)


@router.post("/open", summary="Open a document of the studio", openapi_extra=SCHEMA)
async def open_packed(request: Request, service: RunningService) -> OpenedDocument:
    """The body is a saved file, or `{"link": "…"}`. A tile set in it is stored, with the same id."""
    content = await request.body()
    return await service.quick.run_for(request, lambda: open_document(service, content))
