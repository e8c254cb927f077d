"""Code over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import Request

from wavefold.service.bodies import require_json
from wavefold.service.code.map_code import write_map
from wavefold.service.code.models import CodeAnswer, DrawnPart, PatchworkCodeAnswer, PatchworkCodeRequest
from wavefold.service.code.sketch_code import write_sketch
from wavefold.service.code.world_code import write_patchwork, write_world
from wavefold.service.service import RunningService
from wavefold.service.sketches.models import SketchRequest
from wavefold.service.sketches.sketch import find_banned
from wavefold.service.solves.models import SolveRequest
from wavefold.world import World

router = APIRouter(tags=["code"])
BODY = [Depends(require_json)]


@router.post("/solves/code", summary="A map as code", dependencies=BODY)
async def write_solve_code(body: SolveRequest, request: Request, service: RunningService) -> CodeAnswer:
    """A Python program and a command that make this map, with everything that its log does."""

    def write() -> CodeAnswer:
        tiles = service.tilesets.load(body.tileset)
        return write_map(body, tiles, body.tileset in service.tilesets.bundled, service.limits)

    return await service.quick.run_for(request, write, ("code", await request.body()))


@router.post("/patchworks/code", summary="A patchwork as code", dependencies=BODY)
async def write_patchwork_code(
    body: PatchworkCodeRequest, request: Request, service: RunningService
) -> PatchworkCodeAnswer:
    """A Python program that does the same steps, and a command where its options suffice."""

    def write() -> PatchworkCodeAnswer:
        tiles = service.tilesets.load(body.tileset)
        return write_patchwork(body, tiles, body.tileset in service.tilesets.bundled, service.limits)

    return await service.quick.run_for(request, write)


@router.post("/sketches/code", summary="A map of a sample as code", dependencies=BODY)
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
