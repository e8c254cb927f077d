"""Parts of worlds over HTTP: map tiles, chunks and regions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from wavefold.plugins import check_writing, list_endings
from wavefold.solver import Problem
from wavefold.topology import make_box
from wavefold.worlds import TileAddress, World, parse_rectangle
from wavefold_server.openapi import DOWNLOAD, PNG
from wavefold_server.problems import limit_problem
from wavefold_server.service import RunningService
from wavefold_server.solves.results import (
    ResultFile,
    ResultOptions,
    check_pixels,
    choose_options,
    find_offered,
    split_ending,
    write_files,
)
from wavefold_server.worlds.models import ChunkAnswer, Revision
from wavefold_server.worlds.routes import WorldId, answer_json
from wavefold_server.worlds.tiles import EncodedTile

router = APIRouter(prefix="/worlds", tags=["worlds"])
A_YEAR = 31_536_000  # seconds
Ending = Annotated[str, Path(max_length=40, description="as `png`, `json`, `npz` or `tmx.zip`")]
OptionalRevision = Annotated[Revision | None, Query(description="as the world was then, instead of now")]


@router.get("/{id}/tiles/{z}/{x}/{y}.png", summary="Get a map tile", response_class=Response, responses=PNG)
async def read_tile(
    id: WorldId,
    z: int,
    x: int,
    y: int,
    request: Request,
    service: RunningService,
    revision: OptionalRevision = None,
    budget: Annotated[
        float | None,
        Query(ge=0, le=60_000, description="milliseconds to wait for chunks; else provisional ones"),
    ] = None,
) -> Response:
    """256 x 256 pixels of the map at zoom z, from -16 to 6.

    At zoom 0 a tile is 64 x 64 cells of 4 pixels; each zoom more doubles that. `X-Wavefold-Tile` says how it
    was drawn: `exact`; `sampled` from chunks that were there, if more than four would have been needed; or
    in `mean` colours; with `budget` also `provisional`, if chunks were not in time: ask again for those that
    are final. With `revision`, a tile never changes, unless it was sampled, or would have been, and
    more chunks may be there later.
    """
    tile, worlds = TileAddress.parse(z, x, y), service.worlds
    worlds.check(id)
    found = worlds.tiles.peek(id, tile, revision)
    if found is None:
        found = await worlds.draw_tile(id, tile, revision, budget, request)
    return answer_tile(request.headers, service, found, revision is not None)


def answer_tile(asked: Headers, service: RunningService, tile: EncodedTile, is_fixed: bool) -> Response:
    """A tile, or 304 if the client has it already; `asked` are the headers of the request."""
    lasting = "no-cache"
    if is_fixed and tile.is_final:
        whose = "private" if service.key_check.required else "public"
        lasting = f"{whose}, max-age={A_YEAR}, immutable"
    headers = {"ETag": tile.etag, "Cache-Control": lasting, "X-Wavefold-Tile": tile.how}
    if tile.how != "exact":
        headers["X-Wavefold-Share"] = f"{tile.share:.4f}"
    known = asked.get("if-none-match", "")
    if known and (tile.etag in known or known.strip() == "*"):
        return Response(status_code=304, headers=headers)
    return Response(tile.png, headers=headers, media_type="image/png")


# --- files --------------------------------------------------------------------------------------


class RegionOptions(ResultOptions):
    """A rectangle of cells, and how it is drawn or written."""

    x0: int = Field(description="the first column")
    y0: int = Field(description="the first row")
    width: int = Field(ge=1, description="cells across")
    height: int = Field(ge=1, description="cells down")
    revision: Revision | None = Field(default=None, description="as the world was then, instead of now")


@router.get("/{id}/chunks/{x}/{y}.json", summary="Get a chunk", responses={200: {"model": ChunkAnswer}})
async def read_chunk(
    id: WorldId,
    x: int,
    y: int,
    request: Request,
    service: RunningService,
    revision: OptionalRevision = None,
) -> Response:
    """The patterns of a chunk; its first cell is (x * chunk, y * chunk)."""

    def read(world: World) -> ChunkAnswer:
        number = choose_revision(service, id, world, revision)
        side = world.plan.chunk
        world.plan.check_chunk(x, y)
        patterns = world.region(x * side, y * side, side, side, revision=number).tolist()
        return ChunkAnswer(x=x, y=y, chunk=side, revision=number, patterns=patterns)

    key = ("chunk", id, x, y, revision, service.worlds.revision_of(id))
    return await answer_json(service.worlds, id, request, read, key)


@router.get(
    "/{id}/chunks/{x}/{y}.{ending}",
    summary="Get a chunk as a file",
    response_class=Response,
    responses=DOWNLOAD,
)
async def write_chunk(
    id: WorldId,
    x: int,
    y: int,
    ending: Ending,
    request: Request,
    service: RunningService,
    options: Annotated[ResultOptions, Query()],
) -> Response:
    """A chunk as `npz`, `png`, `tmj` or in any other format that wavefold writes."""

    def write(world: World) -> ResultFile:
        side = world.plan.chunk
        world.plan.check_chunk(x, y)
        number = choose_revision(service, id, world, None)
        return write_region(service, world, (x * side, y * side, side, side), number, ending, options)

    key = ("chunk file", id, x, y, ending, options.model_dump_json(), service.worlds.revision_of(id))
    return answer_file(await service.worlds.run(id, request, write, key))


@router.get(
    "/{id}/region.{ending}", summary="Get a rectangle as a file", response_class=Response, responses=DOWNLOAD
)
async def export_region(
    id: WorldId,
    ending: Ending,
    request: Request,
    service: RunningService,
    options: Annotated[RegionOptions, Query()],
) -> Response:
    """A rectangle of cells in any format that wavefold writes; add `.zip` to get all files it needs."""
    cells = options.width * options.height
    if cells > service.limits.cells:
        raise limit_problem("cells", service.limits.cells, f"this region has {cells:,} cells")

    def write(world: World) -> ResultFile:
        number = choose_revision(service, id, world, options.revision)
        rectangle = (options.x0, options.y0, options.width, options.height)
        return write_region(service, world, rectangle, number, ending, options)

    key = ("region", id, ending, options.model_dump_json(), service.worlds.revision_of(id))
    return answer_file(await service.worlds.run(id, request, write, key))


def write_region(
    service: RunningService,
    world: World,
    rectangle: tuple[int, int, int, int],
    revision: int,
    ending: str,
    options: ResultOptions,
) -> ResultFile:
    """A rectangle (x0, y0, width, height) in a format, checked before anything is generated."""
    plain, _ = split_ending(ending.lower())
    file_format = find_offered(plain, list_endings("write"))
    chosen = choose_options(file_format, options)
    x0, y0, width, height = parse_rectangle(*rectangle)
    problem = Problem(world.tiles, make_box(world.tiles.topology, width, height), own_constraints=False)
    check_pixels(service, problem, plain, chosen)
    check_writing(problem, f"map{plain}", (x0, y0), **chosen)
    solution = world.solution(x0, y0, width, height, revision=revision)
    return write_files(service, ending.lower(), lambda path: solution.save(path, **chosen))


def choose_revision(service: RunningService, name: str, world: World, revision: int | None) -> int:
    """The revision that is asked for, or the current one; raises a `Problem` if it is not known."""
    changes = service.worlds.tiles.read_changes(name, world)
    if revision is None:
        return changes.revision
    changes.check(revision)
    return revision


def answer_file(file: ResultFile) -> Response:
    """A file that may change with the next edit."""
    return Response(file.content, headers={"Cache-Control": "no-cache"}, media_type=file.media_type)
