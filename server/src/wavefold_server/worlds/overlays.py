"""What maps of worlds lay over their tiles: the states of chunks, and fields as pictures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field, model_validator
from starlette.requests import Request
from starlette.responses import Response

from wavefold.storage import FAST_PNG, drop_opaque, encode_png
from wavefold.worlds import TileAddress, World, read_states
from wavefold_server.bodies import Body
from wavefold_server.openapi import PNG
from wavefold_server.problems import unknown
from wavefold_server.service import RunningService
from wavefold_server.worlds.field_tiles import draw_field
from wavefold_server.worlds.models import ChunkStateAnswer, ChunkStates
from wavefold_server.worlds.routes import WorldId

router = APIRouter(prefix="/worlds", tags=["worlds"])
MOST_CHUNKS = 1_024  # whose states are listed at once
A_DAY = 86_400  # seconds


class ChunkBox(Body):
    """A rectangle of chunks."""

    model_config = Body.model_config | {"strict": False}  # all values in a query are text

    x0: int = Field(description="the first column of chunks")
    y0: int = Field(description="the first row of chunks")
    width: int = Field(ge=1, le=MOST_CHUNKS, description="chunks across")
    height: int = Field(ge=1, le=MOST_CHUNKS, description="chunks down")

    @model_validator(mode="after")
    def _check_count(self) -> ChunkBox:
        if self.width * self.height > MOST_CHUNKS:
            raise ValueError(f"at most {MOST_CHUNKS:,} chunks are listed at once")
        return self


@router.get("/{id}/chunks", summary="List the states of chunks")
async def list_chunks(
    id: WorldId, request: Request, service: RunningService, box: Annotated[ChunkBox, Query()]
) -> ChunkStates:
    """Which chunks of a rectangle are in memory, stored, or not made yet, and which are edited.

    At most 1,024 of them. Nothing is generated.
    """

    def read(world: World) -> ChunkStates:
        for x, y in ((box.x0, box.y0), (box.x0 + box.width - 1, box.y0 + box.height - 1)):
            world.plan.check_chunk(x, y)
        states = read_states(world, box.x0, box.y0, box.width, box.height)
        rows = [ChunkStateAnswer.model_validate(each._asdict()) for each in states]
        return ChunkStates(revision=world.revision, chunks=rows)

    return await service.worlds.run(id, request, read)


@router.get(
    "/{id}/fields/{field}/{z}/{x}/{y}.png",
    summary="Get a field as a map tile",
    response_class=Response,
    responses=PNG,
)
async def read_field_tile(
    id: WorldId,
    field: Annotated[str, Path(max_length=80, description="the name of a field of the world")],
    z: int,
    x: int,
    y: int,
    request: Request,
    service: RunningService,
) -> Response:
    """64 x 64 pixels for the place of a map tile: dark blue where the field is lowest, yellow where highest.

    The world says what its lowest and highest values are. Such a tile never changes.
    """
    tile = TileAddress.parse(z, x, y)

    def draw(world: World) -> bytes:
        fields = world.fields
        if fields is None or field not in fields.sources:
            raise unknown("field", field)
        return encode_png(drop_opaque(draw_field(fields, field, world.tiles.topology, tile)), FAST_PNG)

    png = await service.worlds.run(id, request, draw, ("field", id, field, tile))
    return Response(png, headers={"Cache-Control": f"private, max-age={A_DAY}"}, media_type="image/png")
