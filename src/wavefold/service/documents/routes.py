"""Documents over HTTP. They may be large, so they are parsed and encoded in threads."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from wavefold.service.bodies import JSON, describe_body, parse_body, require_json
from wavefold.service.documents.links import open_document, pack_document
from wavefold.service.documents.models import OpenedDocument, PackedDocument, PackRequest
from wavefold.service.service import RunningService

router = APIRouter(prefix="/documents", tags=["documents"], dependencies=[Depends(require_json)])
ANY = {"requestBody": {"required": True, "content": {JSON: {"schema": {"type": "object"}}}}}


@router.post(
    "",
    summary="Pack a document of the studio",
    response_model=PackedDocument,
    openapi_extra=describe_body(PackRequest),
)
async def pack(request: Request, service: RunningService) -> Response:
    """With the versions and the tile set it was made with, as a file and, if it is short, as a link."""

    def work(data: bytes) -> bytes:
        return pack_document(service, parse_body(PackRequest, data)).model_dump_json().encode()

    return Response(await service.uploads.run_with_body(request, work), media_type=JSON)


@router.post(
    "/open", summary="Open a document of the studio", response_model=OpenedDocument, openapi_extra=ANY
)
async def open_packed(request: Request, service: RunningService) -> Response:
    """The body is a saved file, or `{"link": "…"}`. A tile set in it is stored, with the same id."""

    def work(data: bytes) -> bytes:
        return open_document(service, data).model_dump_json().encode()

    return Response(await service.uploads.run_with_body(request, work), media_type=JSON)
