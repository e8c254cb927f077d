"""Documents over HTTP. They may be large, so they are parsed and encoded in threads."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from wavefold_server.bodies import JSON
from wavefold_server.body_route import BodyRoute, require_json
from wavefold_server.documents.links import open_document, pack_document
from wavefold_server.documents.models import OpenedDocument, PackedDocument, PackRequest
from wavefold_server.service import RunningService

router = APIRouter(prefix="/documents", tags=["documents"], route_class=BodyRoute)
ANY = {"requestBody": {"required": True, "content": {JSON: {"schema": {"type": "object"}}}}}


@router.post("", summary="Pack a document of the studio", response_model=PackedDocument)
async def pack(body: PackRequest, request: Request, service: RunningService) -> Response:
    """With the versions and the tile set it was made with, as a file and, if it is short, as a link."""

    def work() -> bytes:
        return pack_document(service, body).model_dump_json().encode()

    return Response(await service.quick.run_for(request, work), media_type=JSON)


@router.post(
    "/open",
    summary="Open a document of the studio",
    response_model=OpenedDocument,
    dependencies=[Depends(require_json)],
    openapi_extra=ANY,
)
async def open_packed(request: Request, service: RunningService) -> Response:
    """The body is a saved file, or `{"link": "…"}`. A tile set in it is stored, with the same id."""

    def work(data: bytes) -> bytes:
        return open_document(service, data).model_dump_json().encode()

    return Response(await service.uploads.run_with_body(request, work), media_type=JSON)
