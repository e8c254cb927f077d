"""Patchworks over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from wavefold_server.bodies import Body
from wavefold_server.body_route import BodyRoute
from wavefold_server.etags import answer_picture
from wavefold_server.openapi import DOWNLOAD, PNG
from wavefold_server.patchworks.models import (
    Coordinate,
    GridAnswer,
    PatchworkAnswer,
    PatchworkChange,
    PatchworkPage,
    PatchworkRequest,
    PopulateRequest,
    RebuildRequest,
)
from wavefold_server.service import RunningService
from wavefold_server.solves.results import ResultOptions

router = APIRouter(prefix="/patchworks", tags=["patchworks"], route_class=BodyRoute)
Id = Annotated[str, Path(max_length=64, description="the id of a patchwork")]
Draft = Annotated[bool, Query(description="whether it goes when newer drafts need its place")]


class PatchworkPictureQuery(Body):
    """How a patchwork is drawn."""

    model_config = Body.model_config | {"strict": False}  # all values in a query are text

    tile_size: int | None = Field(default=None, ge=1, le=256, description="width of a cell in pixels")
    outlines: bool = Field(default=False, description="whether lines are drawn between grids")
    marks: bool = Field(default=False, description="whether changed and dropped cells are marked")
    levels: bool = Field(default=True, description="whether high land is lighter")
    legend: bool = Field(default=False, description="whether marks are explained below the map")
    objects: bool = Field(default=True, description="whether objects of the tile set are drawn")


@router.post("", summary="Create a patchwork", status_code=201)
async def create_patchwork(
    body: PatchworkRequest, request: Request, response: Response, service: RunningService
) -> PatchworkAnswer:
    """Create a map without grids, and store it."""
    answer = await service.quick.run_for(request, lambda: service.patchworks.create(body))
    response.headers["Location"] = f"{request.url.path.rstrip('/')}/{answer.id}"
    return answer


@router.get("", summary="List patchworks")
def list_patchworks(
    service: RunningService,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    before: Annotated[int | None, Query(ge=0, lt=1 << 62, description="`next` of the page before")] = None,
) -> PatchworkPage:
    """Patchworks, newest first."""
    return service.patchworks.list_page(limit, before)


@router.get("/{id}", summary="Get a patchwork")
def read_patchwork(id: Id, service: RunningService) -> PatchworkAnswer:
    """Its grids, and those that can be made next."""
    return service.patchworks.find(id)


@router.delete("/{id}", summary="Delete a patchwork", status_code=204)
def delete_patchwork(id: Id, service: RunningService) -> None:
    """Delete a patchwork for good."""
    service.patchworks.delete(id)


@router.post("/{id}/copy", summary="Copy a patchwork", status_code=201)
async def copy_patchwork(
    id: Id, request: Request, response: Response, service: RunningService, draft: Draft = False
) -> PatchworkAnswer:
    """Store a second patchwork that is like this one now, and changes without it."""
    answer = await service.quick.run_for(request, lambda: service.patchworks.copy(id, draft))
    response.headers["Location"] = f"{request.url.path.rsplit('/', 2)[0]}/{answer.id}"
    return answer


@router.post("/{id}/populate", summary="Make grids")
async def populate_patchwork(
    id: Id, body: PopulateRequest, request: Request, service: RunningService
) -> PatchworkChange:
    """Make grids and join each to those before it: all of them are stored when this is answered, or none.

    Requests that change one patchwork are done one after another.
    """
    return await service.patchworks.populate(id, body, request)


@router.post("/{id}/rebuild", summary="Rebuild a disk")
async def rebuild_patchwork(
    id: Id, body: RebuildRequest, request: Request, service: RunningService
) -> PatchworkChange:
    """Solve a small disk again, differently, with everything around it fixed."""
    return await service.patchworks.rebuild(id, body, request)


@router.get("/{id}/report", summary="The effort of a patchwork")
def read_report(id: Id, service: RunningService) -> dict[str, Any]:
    """What joining its grids took, in all and for each: attempts, cells that changed or were dropped."""
    return service.patchworks.report(id)


@router.get("/{id}/grids/{gx}/{gz}", summary="The cells of a grid")
async def read_grid(
    id: Id, gx: Coordinate, gz: Coordinate, request: Request, service: RunningService
) -> GridAnswer:
    """The patterns of one grid, cell by cell."""
    work = partial(service.patchworks.read_grid, id, (gx, gz))
    return await service.patchworks.read(id, request, work, "grid", gx, gz)


@router.get("/{id}/picture.png", summary="A picture of a patchwork", response_class=Response, responses=PNG)
async def draw_patchwork(
    id: Id, request: Request, service: RunningService, options: Annotated[PatchworkPictureQuery, Query()]
) -> Response:
    """The map with its grids outlined; yellow dots mark cells that a join changed, red rings dropped ones."""
    given = options.model_dump()
    work = partial(service.patchworks.draw, id, given)
    png = await service.patchworks.read(id, request, work, "picture", options.model_dump_json())
    return answer_picture(request, png)


@router.get(
    "/{id}/map.{ending}", summary="Get a patchwork as a file", response_class=Response, responses=DOWNLOAD
)
async def export_patchwork(
    id: Id,
    ending: Annotated[str, Path(max_length=40, description="as `png`, `json`, `npz` or `tmx.zip`")],
    request: Request,
    service: RunningService,
    options: Annotated[ResultOptions, Query()],
) -> Response:
    """The map in any format that wavefold writes and that fits it.

    Some formats have files beside the map: add `.zip` to get all of them.
    """
    work = partial(service.patchworks.export, id, ending.lower(), options)
    found = await service.patchworks.read(id, request, work, "file", ending, options.model_dump_json())
    return Response(found.content, headers={"Cache-Control": "no-cache"}, media_type=found.media_type)
