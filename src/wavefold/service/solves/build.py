"""A request as arguments of the library, checked against the limits before anything large is made."""

from __future__ import annotations

from math import prod
from typing import Any

from wavefold.config import Config, Effective
from wavefold.config.models import GenerateSection
from wavefold.errors import ConfigError
from wavefold.service.problems import limit_problem
from wavefold.service.settings import Limits
from wavefold.service.solves.models import SolveRequest, TopologyBody
from wavefold.tiles import TileSet
from wavefold.topology import Topology, lattice_class

DEFAULT_SIZE = (64, 64)


def build_topology(body: TopologyBody, tiles: TileSet, limits: Limits) -> Topology:
    """The grid of a request."""
    if body.kind not in (None, tiles.topology):
        raise ConfigError(
            f"topology.kind is {body.kind!r}, but this tile set is for {tiles.topology!r} cells"
        )
    grid = lattice_class(tiles.topology)
    if body.radius is not None:
        check_cells(3 * body.radius * (body.radius + 1) + 1, limits)
        return grid.of_radius(body.radius, wraps=body.wraps)
    recommended = (*(tiles.size or DEFAULT_SIZE), 1, 1)
    given = (body.width, body.height, body.depth)
    size = [each or usual for each, usual in zip(given, recommended, strict=False)][: len(grid.axes)]
    check_cells(prod(size), limits)
    return grid.of_size(*size, wraps=body.wraps)


def check_cells(cells: int, limits: Limits) -> None:
    """Refuse maps that are too large."""
    if cells > limits.cells:
        raise limit_problem("cells", limits.cells, f"this map would have {cells:,} cells")


def build_arguments(request: SolveRequest, tiles: TileSet, topology: Topology) -> dict[str, Any]:
    """Keyword arguments of `wf.generate`."""
    generate = GenerateSection(
        seed=request.seed,
        refine="off" if request.refine is False else request.refine,
        constraints=tuple(request.constraints),
        own_constraints=request.own_constraints,
        propagation=request.propagation,
    )
    config = Config(
        generate=generate,
        weights=request.weights,
        heuristics=request.heuristics,
        search=request.search,
        budget=request.budget,
        fields=request.fields,
        terrain=request.terrain,
    )
    parts = Effective(config, {}).parts(tiles, topology)
    return parts | ({"pins": build_pins(request.pins)} if request.pins else {})


def build_pins(pins: list[list[int | str]]) -> dict[Any, Any]:
    """{cell: tile} from rows of coordinates and a tile."""
    return {tuple(row[:-1]): row[-1] for row in pins}
