"""Parts of worlds over HTTP: map tiles, chunks and regions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from wavefold.service.service import RunningService
from wavefold.service.worlds.models import Revision
from wavefold.service.worlds.routes import WorldId
from wavefold.service.worlds.tiles import EncodedTile
from wavefold.world.map_tiles.draw import EXACT
from wavefold.world.map_tiles.zoom import TileAddress

router = APIRouter(prefix="/worlds", tags=["worlds"])
A_YEAR = 31_536_000  # seconds
OptionalRevision = Annotated[Revision | None, Query(description="as the world was then, instead of now")]


@router.get("/{id}/tiles/{z}/{x}/{y}.png", summary="Get a map tile", response_class=Response)
async def read_tile(
    id: WorldId,
    z: int,
    x: int,
    y: int,
    request: Request,
    service: RunningService,
    revision: OptionalRevision = None,
) -> Response:
    """256 x 256 pixels of the map at zoom z, from -16 to 6.

    At zoom 0 a tile is 64 x 64 cells of 4 pixels; each zoom more doubles that. `X-Wavefold-Tile` says how it
    was drawn: `exact`; `sampled` from chunks that were there, if more than four would have been needed; or
    in `mean` colours. With `revision`, an exact tile never changes.
    """
    tile, worlds = TileAddress.parse(z, x, y), service.worlds
    worlds.check(id)
    found = worlds.tiles.peek(id, tile, revision)
    if found is None:
        found = await worlds.draw_tile(id, tile, revision, request)
    return answer_tile(request, service, found, revision is not None)


def answer_tile(request: Request, service: RunningService, tile: EncodedTile, is_fixed: bool) -> Response:
    """A tile, or 304 if the client has it already."""
    lasting = "no-cache"
    if is_fixed and tile.how == EXACT:
        whose = "private" if service.key_check.required else "public"
        lasting = f"{whose}, max-age={A_YEAR}, immutable"
    headers = {"ETag": tile.etag, "Cache-Control": lasting, "X-Wavefold-Tile": tile.how}
    if tile.how != EXACT:
        headers["X-Wavefold-Share"] = f"{tile.share:.4f}"
    known = request.headers.get("if-none-match", "")
    if known and (tile.etag in known or known.strip() == "*"):
        return Response(status_code=304, headers=headers)
    return Response(tile.png, headers=headers, media_type="image/png")
