"""Requests as arguments of `wf.Patchwork`, checked against the limits before anything large is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wavefold.patchwork import Patchwork, find_plan
from wavefold.tiles import TileSet
from wavefold_server.patchworks.models import PatchworkRequest
from wavefold_server.problems import limit_problem
from wavefold_server.settings import Limits
from wavefold_server.worlds.build import build_cells, build_fields


def build_patchwork(request: PatchworkRequest, tiles: TileSet, limits: Limits) -> Patchwork:
    """The patchwork that a request asks for, without any grid."""
    return Patchwork(tiles, **build_patchwork_arguments(request, tiles, limits))


def build_patchwork_arguments(request: PatchworkRequest, tiles: TileSet, limits: Limits) -> dict[str, Any]:
    """Keyword arguments of `wf.Patchwork`."""
    cells = find_plan(tiles.topology).count_cells(request.radius)
    check_grids(1, cells, limits)
    if isinstance(request.refine, int) and request.refine > limits.sweeps:
        detail = f"each grid would be refined by {request.refine:,} sweeps"
        raise limit_problem("sweeps", limits.sweeps, detail)
    given = request.presets
    retries = request.retries.model_dump(exclude_defaults=True)
    return {
        "radius": request.radius,
        "seed": request.seed,
        "join": request.join,
        "retries": retries or None,
        "fields": build_fields(request, tiles, cells, limits),
        "presets": given if isinstance(given, bool) else build_cells(given, tiles.rules, "/presets"),
        "grow": request.grow,
        "refine": request.refine,
    }


def check_grids(grids: int, cells: int, limits: Limits) -> None:
    """Refuse maps with too many grids, of so many cells each."""
    if grids > limits.patchwork_grids:
        detail = f"this patchwork would have {grids:,} grids"
        raise limit_problem("patchwork_grids", limits.patchwork_grids, detail)
    if grids * cells > limits.cells:
        raise limit_problem("cells", limits.cells, f"this patchwork would have {grids * cells:,} cells")


def as_pairs(keys: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Keys or cells as the library has them."""
    return [(x, y) for x, y in keys]
