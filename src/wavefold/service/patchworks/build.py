"""Requests as arguments of `wf.Patchwork`, checked against the limits before anything large is made."""

from __future__ import annotations

from collections.abc import Sequence

from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.plan import find_plan
from wavefold.service.patchworks.models import PatchworkRequest
from wavefold.service.problems import limit_problem
from wavefold.service.settings import Limits
from wavefold.service.worlds.build import build_cells, build_fields
from wavefold.tiles import TileSet


def build_patchwork(request: PatchworkRequest, tiles: TileSet, limits: Limits) -> Patchwork:
    """The patchwork that a request asks for, without any grid."""
    check_cells(request.radius, tiles.topology, 1, limits)
    if isinstance(request.refine, int) and request.refine > limits.sweeps:
        detail = f"each grid would be refined by {request.refine:,} sweeps"
        raise limit_problem("sweeps", limits.sweeps, detail)
    given = request.presets
    presets = given if isinstance(given, bool) else build_cells(given, tiles.rules, "/presets")
    return Patchwork(
        tiles,
        request.radius,
        request.seed,
        request.join,
        request.retries.model_dump(),
        build_fields(request, tiles),
        presets,
        grow=request.grow,
        refine=request.refine,
    )


def check_cells(radius: int, topology: str, grids: int, limits: Limits) -> None:
    """Refuse maps with too many grids or cells."""
    if grids > limits.patchwork_grids:
        detail = f"this patchwork would have {grids:,} grids"
        raise limit_problem("patchwork_grids", limits.patchwork_grids, detail)
    cells = grids * find_plan(topology).count_cells(radius)
    if cells > limits.cells:
        raise limit_problem("cells", limits.cells, f"this patchwork would have {cells:,} cells")


def as_pairs(keys: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Keys or cells as the library has them."""
    return [(x, y) for x, y in keys]
