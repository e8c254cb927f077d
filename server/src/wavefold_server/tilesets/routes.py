"""Tile sets over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from wavefold_server.bodies import JSON, Seed
from wavefold_server.body_route import BodyRoute
from wavefold_server.etags import answer_picture
from wavefold_server.openapi import BINARY, PNG
from wavefold_server.service import RunningService
from wavefold_server.tilesets.describe import link
from wavefold_server.tilesets.models import (
    AuditRequest,
    TablesAnswer,
    TileSetAnswer,
    TileSetList,
    UploadAnswer,
    UploadOptions,
)
from wavefold_server.tilesets.upload import ARCHIVES, PICTURES, TABLES, TEXTS, check_media_type

router = APIRouter(prefix="/tilesets", tags=["tile sets"], route_class=BodyRoute)
# JSON is encoded in threads: large documents would block the event loop.

Id = Annotated[str, Path(max_length=200, description="of the tile set", examples=["pipes"])]
Size = Annotated[int | None, Query(ge=1, le=512, description="pixels across a cell")]
QUICK = AuditRequest()
KNOWN: dict[int | str, dict[str, Any]] = {
    200: {"model": UploadAnswer, "description": "The same tile set was there already."}
}
ZIP: dict[int | str, dict[str, Any]] = {200: {"content": {ARCHIVES[0]: BINARY}}}
FILES = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in (ARCHIVES[0], TEXTS[0], *TABLES, *PICTURES, "application/octet-stream")
        },
    }
}


@router.get("", summary="List the tile sets", response_model=TileSetList)
async def list_tilesets(request: Request, service: RunningService) -> Response:
    """Tile sets that come with wavefold, then those that were uploaded."""
    found = await service.quick.run_for(request, service.tile_views.describe_all, "tile sets")
    return Response(found, media_type=JSON)


@router.post(
    "",
    status_code=201,
    summary="Upload a tile set, or a picture to learn from",
    responses=KNOWN,
    openapi_extra=FILES,
)
async def upload_tileset(
    request: Request, response: Response, service: RunningService, options: Annotated[UploadOptions, Query()]
) -> UploadAnswer:
    """The body is the file itself.

    A zip archive with one description (TOML, mxgmn's .xml, Tiled's .tsx, .tsj, .tmx or .tmj) and its
    pictures; a TOML file without pictures; a JSON file with tables and pictures, as GET `tables` answers; or
    a sample (PNG, JPEG or BMP), from which patterns are learned.
    The same tile set twice has the same id, and is stored once: the status is then 200.
    """
    check_media_type(request.headers.get("content-type"))
    answer, is_new = await service.uploads.receive(request, options)
    response.status_code = 201 if is_new else 200
    response.headers["Location"] = link(answer.id)
    return answer


@router.get("/{id}", summary="Get a tile set", response_model=TileSetAnswer)
async def read_tileset(id: Id, request: Request, service: RunningService) -> Response:
    """Its tiles and patterns, what is recommended, and where its pictures are."""
    work = partial(service.tile_views.describe, id)
    return Response(await service.quick.run_for(request, work, ("tile set", id)), media_type=JSON)


@router.get("/{id}/tables", summary="Get a tile set as tables, to be changed", response_model=TablesAnswer)
async def read_tables(id: Id, request: Request, service: RunningService) -> Response:
    """What its TOML file says, as JSON, and its pictures: changed, it can be uploaded again."""
    work = partial(service.tile_views.tabulate, id)
    return Response(await service.quick.run_for(request, work, ("tables", id)), media_type=JSON)


@router.get("/{id}/tiles.zip", summary="Download a tile set", response_class=Response, responses=ZIP)
async def download_tileset(id: Id, request: Request, service: RunningService) -> Response:
    """Its TOML file and pictures in an archive, as it can be uploaded, or loaded once it is unpacked."""
    work = partial(service.tile_views.archive, id)
    return Response(await service.quick.run_for(request, work, ("zip", id)), media_type=ARCHIVES[0])


@router.delete("/{id}", status_code=204, summary="Delete an uploaded tile set")
def delete_tileset(id: Id, service: RunningService) -> None:
    """Refused with 409 while a world, a patchwork, a job or a finished map needs it."""
    service.tilesets.delete(id)


@router.post(
    "/{id}/audit", summary="Find out what a tile set can and cannot do", response_model=dict[str, Any]
)
async def audit_tileset(
    id: Id, request: Request, service: RunningService, body: AuditRequest = QUICK
) -> Response:
    """Dead ends, corners that nothing fits, a map that repeats, trials, advice."""
    work = partial(service.tile_views.audit, id, body)
    report = await service.audits.run_for(request, work, ("audit", id, body), service.jobs.limit)
    return Response(report, media_type=JSON)


@router.get("/{id}/atlas.png", summary="All patterns in one picture", response_class=Response, responses=PNG)
async def draw_atlas(id: Id, request: Request, service: RunningService, size: Size = None) -> Response:
    """Pattern n is in column n % columns, row n // columns; `columns` is in the answer to GET."""
    work = partial(service.tile_views.draw_atlas, id, size)
    return answer_picture(request, await service.quick.run_for(request, work, ("atlas", id, size)))


@router.get(
    "/{id}/voxels.png",
    summary="The models of all patterns of cubes in one picture",
    response_class=Response,
    responses=PNG,
)
async def draw_voxels(id: Id, request: Request, service: RunningService) -> Response:
    """A pixel is a voxel: `voxels` in the answer to GET says where. Refused for squares and hexagons."""
    work = partial(service.tile_views.draw_voxels, id)
    return answer_picture(request, await service.quick.run_for(request, work, ("voxels", id)))


@router.get("/{id}/sample.png", summary="A small map", response_class=Response, responses=PNG)
async def draw_sample(
    id: Id, request: Request, service: RunningService, seed: Seed | None = None
) -> Response:
    """A map that shows what the tiles look like: with this seed, or the one of several that shows most."""
    work = partial(service.tile_views.draw_sample, id, seed)
    return answer_picture(request, await service.quick.run_for(request, work, ("sample", id, seed)))


@router.get(
    "/{id}/tiles/{tile:path}.png", summary="A tile or pattern", response_class=Response, responses=PNG
)
async def draw_tile(
    id: Id, tile: str, request: Request, service: RunningService, size: Size = None
) -> Response:
    """A tile as it is drawn, or a pattern by its full name, as `road@90`."""
    work = partial(service.tile_views.draw_tile, id, tile, size)
    return answer_picture(request, await service.quick.run_for(request, work, ("tile", id, tile, size)))
