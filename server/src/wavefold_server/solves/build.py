"""A request as arguments of the library, checked against the limits before anything large is made."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.config import (
    Config,
    Effective,
    FieldsSection,
    FieldTable,
    GenerateSection,
    TerrainSection,
    fields_in_order,
    find_problems,
    parse_expression,
)
from wavefold.constraints import build_constraint, to_tuples
from wavefold.errors import ConfigError, WavefoldError
from wavefold.fields import preset
from wavefold.formats import decode_mask
from wavefold.solver import Shares, each_checked, estimate_map_memory, recommend_sweeps
from wavefold.tiles import TileSet, get_rules
from wavefold.topology import Topology, get_lattice_class
from wavefold_server.problems import invalid, limit_problem
from wavefold_server.settings import Limits
from wavefold_server.solves.models import SolveRequest, TopologyBody

DEFAULT_SIZE = (64, 64)
QUICK_WORK = 64  # a map that is answered at once may take as much work as so many plain ones of `quick_cells`
COMMANDS_PER_SWEEP = 10  # of a log that take about as long as refining the map once
NOISE_OPERATIONS = 16  # of one octave


# --- grids ------------------------------------------------------------------------------------------


def build_topology(body: TopologyBody, tiles: TileSet, limits: Limits) -> Topology:
    """The grid of a request."""
    if body.kind not in (None, tiles.topology):
        raise invalid(
            "/topology/kind", f"this tile set is for {tiles.topology!r} cells, not for {body.kind!r:.80}"
        )
    try:
        return build_grid(body, tiles, limits)
    except WavefoldError as error:
        raise invalid("/topology", str(error)) from error


def build_grid(body: TopologyBody, tiles: TileSet, limits: Limits) -> Topology:
    """The grid of a request for tiles of the same kind. Raises a `WavefoldError` for one that cannot be."""
    grid = get_lattice_class(tiles.topology)
    if body.radius is not None:
        check_cells(3 * body.radius * (body.radius + 1) + 1, limits)
    if body.depth is not None and len(grid.axes) < 3:
        raise ConfigError(f"{tiles.topology} cells have no layers: leave out depth")
    mask = None if body.mask is None else decode_mask(body.mask)
    sizes = find_sizes(body, tiles, len(grid.axes), mask)
    if body.radius is None:
        check_cells(prod(sizes), limits)
    if tiles.topology == "hex":
        return build_hex_grid(body, sizes, mask)
    if body.form is not None or body.layout != "pointy":
        raise ConfigError(f"form and layout are for hexagons, not for {tiles.topology} cells: leave them out")
    if body.radius is not None:
        return grid.of_radius(body.radius, wraps=body.wraps)  # raises
    if mask is None:
        return grid.of_size(*sizes, wraps=body.wraps)
    return grid.box(*sizes, wraps=body.wraps, mask=mask)


def find_sizes(body: TopologyBody, tiles: TileSet, axes: int, mask: NDArray[np.bool_] | None) -> list[int]:
    """Cells along each axis: as given, else as the mask has, else as the tile set recommends."""
    usual = (*(tiles.size or DEFAULT_SIZE), 1, 1)
    if mask is not None and mask.ndim == axes and tiles.topology != "hex":
        usual = mask.shape[::-1]
    given = (body.width, body.height, body.depth)
    return [each or other for each, other in zip(given, usual, strict=False)][:axes]


def build_hex_grid(body: TopologyBody, sizes: list[int], mask: Any) -> Topology:
    """A disk, a rectangle or a rhombus."""
    grid: Any = get_lattice_class("hex")
    wraps = body.wraps
    if body.radius is not None:
        return grid(body.radius, body.layout, mask, wraps=wraps)  # type: ignore[no-any-return]
    does_wrap = any(wraps) if isinstance(wraps, tuple) else wraps
    form, (width, height) = body.form or ("rhombus" if does_wrap else "rectangle"), sizes
    return grid(None, body.layout, mask, form=form, width=width, height=height, wraps=wraps)  # type: ignore[no-any-return]


def check_cells(cells: int, limits: Limits) -> None:
    """Refuse maps that are too large."""
    if cells > limits.cells:
        raise limit_problem("cells", limits.cells, f"this map would have {cells:,} cells")


# --- arguments --------------------------------------------------------------------------------------


def build_arguments(request: SolveRequest, tiles: TileSet, topology: Topology) -> dict[str, Any]:
    """Keyword arguments of `wf.generate`. Call `check_limits` before."""
    config = build_config(request)
    for path, message in find_problems(config):
        raise invalid("".join(f"/{part}" for part in path), message)
    check_tiles(request, tiles)
    try:
        parts = Effective(config, {}).parts(tiles, topology)
    except RecursionError:
        raise invalid("/fields", "expressions are nested too deep in each other") from None
    constraints = tuple(map(build_constraint, request.constraints))
    if request.shares:
        constraints += (Shares(request.shares, request.share_tolerance),)
    more = {"constraints": constraints, "pins": build_pins(request.pins, tiles, topology)}
    return parts | {name: value for name, value in more.items() if value}


def build_config(request: SolveRequest) -> Config:
    """The options of a request as a configuration; constraints are left out, they were checked before."""
    names = {"seed", "refine", "own_constraints", "propagation", "undo"}
    generate = GenerateSection.model_validate({name: getattr(request, name) for name in names})
    return Config(
        generate=generate,
        weights=request.weights,
        heuristics=request.heuristics,
        search=request.search,
        budget=request.budget,
        fields=request.fields,
        terrain=request.terrain,
    )


def check_tiles(request: SolveRequest, tiles: TileSet) -> None:
    """Refuse unknown tiles where tiles are keys."""
    terrain = request.terrain
    named: dict[str, Iterable[str]] = {"/weights": request.weights, "/shares": request.shares}
    named |= {"/terrain/weights": terrain.weights, "/terrain/limits": terrain.limits}
    for pointer, names in named.items():
        for name in names:
            try:
                get_rules(tiles).patterns(name)
            except WavefoldError as error:
                raise invalid(f"{pointer}/{name}", str(error)) from error


def build_pins(rows: list[list[Any]], tiles: TileSet, topology: Topology) -> dict[Any, Any]:
    """{cell: tile} from rows of coordinates and a tile. A row that cannot be is named by its pointer."""
    pins: dict[Any, Any] = {}
    first: dict[int, int] = {}  # cell -> row
    for index, row in enumerate(each_checked(rows, 1_000)):
        tile = to_tuples(row[-1])
        try:
            cell = topology.cell_at(tuple(row[:-1]))
            for each in tile if isinstance(tile, list) else [tile]:
                get_rules(tiles).patterns(each)
        except WavefoldError as error:
            raise invalid(f"/pins/{index}", str(error)) from error
        if cell in first:
            raise invalid(f"/pins/{index}", f"this cell has a pin already, in row {first[cell]}")
        first[cell], pins[tuple(row[:-1])] = index, tile
    return pins


# --- limits -----------------------------------------------------------------------------------------


def check_limits(request: SolveRequest, tiles: TileSet, topology: Topology, limits: Limits) -> None:
    """Refuse what would take too much memory or time before it can be stopped."""
    sweeps, cells = count_sweeps(request, tiles), topology.cell_count
    if sweeps > limits.sweeps:
        raise limit_problem("sweeps", limits.sweeps, f"this map would be refined by {sweeps:,} sweeps")
    needed = estimate_memory(request, tiles, cells)
    if needed > limits.memory_bytes:
        detail = f"this map would need about {needed:,} bytes of memory"
        raise limit_problem("memory_bytes", limits.memory_bytes, detail)
    if request.search.ladder == "sat" and cells > limits.quick_cells:
        detail = f"this map has {cells:,} cells, too many for the SAT solver"
        raise limit_problem("quick_cells", limits.quick_cells, detail)
    if not list(find_problems(build_config(request))):  # else `build_arguments` says what is wrong
        operations = count_operations(request.fields, request.terrain, request.heuristics.influence)
        check_operations(operations * cells, limits)


def check_operations(operations: int, limits: Limits) -> None:
    """Refuse expressions of expressions that would take minutes."""
    if operations > limits.field_operations:
        detail = f"the fields of this map take {operations:,} operations"
        raise limit_problem("field_operations", limits.field_operations, detail)


def count_sweeps(request: SolveRequest, tiles: TileSet) -> int:
    """Sweeps of refining, at most."""
    return recommend_sweeps(tiles) if request.refine == "auto" else int(request.refine)


def estimate_memory(request: SolveRequest, tiles: TileSet, cells: int) -> int:
    """Bytes of a map while it is solved, about; weights and masks by cell are the largest."""
    rules = get_rules(tiles)
    terrain, has_fields = request.terrain, bool(request.fields.tables or request.fields.preset)
    by_pattern = 16 * bool(terrain.weights) + 2 * (bool(terrain.limits) or has_fields)
    return estimate_map_memory(rules, cells, by_pattern * len(rules))


def is_quick(request: SolveRequest, tiles: TileSet, topology: Topology, limits: Limits) -> bool:
    """Whether a map is so small that its client can wait for it: by cells, patterns and sweeps."""
    cells = topology.cell_count
    changes = len(request.commands) // COMMANDS_PER_SWEEP
    work = cells * get_rules(tiles).words * (1 + changes + count_sweeps(request, tiles))
    return cells <= limits.quick_cells and work <= limits.quick_cells * QUICK_WORK


def count_operations(section: FieldsSection, terrain: TerrainSection, influence: str | None = None) -> int:
    """How often numbers are combined at each cell: expressions use others, which may use others again."""
    costs: dict[str, int] = {}
    if section.preset is not None:
        costs = dict.fromkeys(preset(section.preset.name), 8 * NOISE_OPERATIONS)
    for name in fields_in_order(section):
        costs[name] = count_table_operations(section.tables[name], costs)
    weights = [str(each) for each in terrain.weights.values()]
    more = weights if influence is None else [*weights, influence]
    return sum(costs.values()) + sum(count_expression_operations(each, costs) for each in more)


def count_table_operations(table: FieldTable, costs: Mapping[str, int]) -> int:
    """Operations of one field."""
    if table.noise is not None:
        return table.noise.octaves * NOISE_OPERATIONS
    return 1 if table.expression is None else count_expression_operations(table.expression, costs)


def count_expression_operations(text: str, costs: Mapping[str, int]) -> int:
    """Operations of an expression of fields with these costs."""
    nodes = list(ast.walk(parse_expression(text).body))
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    return len(nodes) + sum(costs.get(name, 0) for name in names)
