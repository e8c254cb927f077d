"""Code over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request

from wavefold.worlds import World
from wavefold_server.body_route import BodyRoute
from wavefold_server.code.map_code import write_map
from wavefold_server.code.models import CodeAnswer, DrawnPart, PatchworkCodeAnswer, PatchworkCodeRequest
from wavefold_server.code.sketch_code import write_sketch
from wavefold_server.code.world_code import write_patchwork, write_world
from wavefold_server.service import RunningService
from wavefold_server.sketches.models import SketchRequest
from wavefold_server.sketches.sketch import find_banned
from wavefold_server.solves.models import SolveRequest

router = APIRouter(tags=["code"], route_class=BodyRoute)


@router.post("/solves/code", summary="A map as code")
async def write_solve_code(body: SolveRequest, request: Request, service: RunningService) -> CodeAnswer:
    """A Python program and a command that make this map, with everything that its log does."""

    def write() -> CodeAnswer:
        tiles = service.tilesets.load(body.tileset)
        return write_map(body, tiles, body.tileset in service.tilesets.bundled, service.limits)

    return await service.quick.run_for(request, write, ("code", await request.body()))


@router.post("/patchworks/code", summary="A patchwork as code")
async def write_patchwork_code(
    body: PatchworkCodeRequest, request: Request, service: RunningService
) -> PatchworkCodeAnswer:
    """A Python program that does the same steps, and a command where its options suffice."""

    def write() -> PatchworkCodeAnswer:
        tiles = service.tilesets.load(body.tileset)
        return write_patchwork(body, tiles, body.tileset in service.tilesets.bundled, service.limits)

    return await service.quick.run_for(request, write)


@router.post("/sketches/code", summary="A map of a sample as code")
async def write_sketch_code(body: SketchRequest, request: Request, service: RunningService) -> CodeAnswer:
    """A Python program and a command that learn `sample.png`, and make the map."""

    def write() -> CodeAnswer:
        return write_sketch(body, find_banned(body, service.limits))

    return await service.quick.run_for(request, write)


@router.get("/worlds/{id}/code", summary="A part of a world as code")
async def write_world_code(
    id: Annotated[str, Path(max_length=64, description="the id of a world")],
    request: Request,
    service: RunningService,
    part: Annotated[DrawnPart, Query()],
) -> CodeAnswer:
    """A Python program that makes the world and its edits, and a command where its options suffice."""

    def write(world: World) -> CodeAnswer:
        made = service.worlds.find_request(id)
        return write_world(made, world, made.tileset in service.tilesets.bundled, part, service.limits)

    return await service.worlds.run(id, request, write)
