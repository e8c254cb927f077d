"""Requests as arguments of `wf.World` and `world.edit`."""

from __future__ import annotations

from typing import Any, Protocol

from wavefold.config import Config, Effective, TerrainSection, find_problems
from wavefold.constraints import build_constraint, to_tuples
from wavefold.errors import WavefoldError, WorldError
from wavefold.fields import Fields, preset
from wavefold.solver import Shares
from wavefold.tiles import Rules, TileSet
from wavefold.worlds import World, build_network, check_tiles
from wavefold_server.bodies import FieldsBody
from wavefold_server.problems import invalid, limit_problem
from wavefold_server.settings import Limits
from wavefold_server.solves.build import check_operations, count_operations
from wavefold_server.worlds.models import WorldRequest

LEAST_CELLS = 4_096  # for which the cost of fields is counted: describing them takes long, too


def build_world_arguments(request: WorldRequest, tiles: TileSet, limits: Limits) -> dict[str, Any]:
    """Keyword arguments of `wf.World`."""
    try:
        check_tiles(tiles)
    except WorldError as error:
        raise invalid("/tileset", str(error)) from error
    if request.chunk**2 > limits.cells:
        detail = f"a chunk would have {request.chunk**2:,} cells"
        raise limit_problem("cells", limits.cells, detail)
    if isinstance(request.refine, int) and request.refine > limits.sweeps:
        detail = f"this world would be refined by {request.refine:,} sweeps"
        raise limit_problem("sweeps", limits.sweeps, detail)
    arguments = {
        "seed": request.seed,
        "chunk": request.chunk,
        "refine": request.refine,
        "radius": request.radius,
        "half_width": request.half_width,
        "fields": build_fields(request, tiles, request.chunk**2, limits),
        "constraints": tuple(map(build_constraint, request.constraints)),
        "pins": build_cells(request.pins, tiles.rules, "/pins") or None,
        "shares": Shares(request.shares) if request.shares else None,
        "network": build_network(request.network) if request.network else None,
    }
    return {name: value for name, value in arguments.items() if value is not None}


class DrivenRequest(Protocol):
    """A request for a world or a patchwork: what says how it is driven."""

    seed: int
    preset: str | None
    fields: FieldsBody
    terrain: TerrainSection
    weights: dict[str, float]


def build_fields(request: DrivenRequest, tiles: TileSet, cells: int, limits: Limits) -> Fields | None:
    """The fields that drive a world or a patchwork; None without any.

    cells : of a chunk or a grid, which are sampled at once
    """
    config = Config(fields=request.fields, terrain=request.terrain, weights=request.weights)
    for path, message in find_problems(config):
        raise invalid("".join(f"/{part}" for part in path), message)
    operations = count_operations(request.fields, request.terrain)
    check_operations(operations * max(cells, LEAST_CELLS), limits)
    try:
        sources = None if request.preset is None else preset(request.preset, request.seed)
    except WavefoldError as error:
        raise invalid("/preset", str(error)) from error
    try:
        return Effective(config, {}).driving(tiles, sources)
    except RecursionError:
        raise invalid("/fields", "expressions are nested too deep in each other") from None


def build_edit(rows: list[list[Any]], world: World) -> dict[tuple[int, int], Any]:
    """The cells of an edit; null is the pattern that was generated there. Empty if all have it already."""
    names = {(x, y): find_generated(world, x, y) for x, y, tile in rows if tile is None}
    if len(names) == len(rows) and all(world.tile_at(*cell) == name for cell, name in names.items()):
        return {}
    exact = {cell: name if "@" in name else f"{name}@0" for cell, name in names.items()}
    cells = [[x, y, exact[x, y] if tile is None else tile] for x, y, tile in rows]
    return build_cells(cells, world.rules, "/cells")


def find_generated(world: World, x: int, y: int) -> str:
    """The name of the pattern that a cell had before all edits."""
    side = world.plan.chunk
    world.plan.check_chunk(x // side, y // side)
    chunk = world.parts.generator.chunk(x // side, y // side)
    return world.rules.names[int(chunk[y % side, x % side])]


def build_cells(rows: list[list[Any]], rules: Rules, pointer: str) -> dict[tuple[int, int], Any]:
    """{(x, y): tile} from rows. A row that cannot be is named by its pointer."""
    cells: dict[tuple[int, int], Any] = {}
    for index, (x, y, given) in enumerate(rows):
        tile = to_tuples(given)
        try:
            for each in tile if isinstance(tile, list) else [tile]:
                rules.patterns(each)
        except WavefoldError as error:
            raise invalid(f"{pointer}/{index}", str(error)) from error
        if (x, y) in cells:
            raise invalid(f"{pointer}/{index}", f"cell ({x}, {y}) is there twice")
        cells[x, y] = tile
    return cells
