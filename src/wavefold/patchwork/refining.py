"""Grids are refined after they were joined, with everything around them fixed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import has_bit
from wavefold.common.seeding import mix
from wavefold.errors import ConfigError
from wavefold.kernels.constants import LOG_BITS
from wavefold.patchwork.cell_region import CellRegion, lay_out, problem_on
from wavefold.patchwork.join import Join, JoinContext, JoinResult
from wavefold.patchwork.plan import Cell, Key
from wavefold.solver.problem import Problem
from wavefold.solver.refining.chain import Chain
from wavefold.solver.search.region import SolverPool
from wavefold.tiles import TileSet
from wavefold.world.refined_base import count_window_sweeps
from wavefold.world.refining import SIZES, compute_cell_logs

PURPOSE = 0x5EED_0F_9A7C  # seeds of refining are mixed with it
ROOM, SHAPES = 1 << 27, 64  # bytes and number of chains that a thread keeps, of all maps
CHAINS: SolverPool[Chain] = SolverPool(ROOM, SHAPES)


class GridRefining(NamedTuple):
    """How the grids of a patchwork are refined: part of what the map is."""

    sweeps: int
    activities: NDArray[np.int64]  # [pattern], see `solver.refining.activities`


def resolve_grid_refining(tiles: TileSet, refine: object, join: Join) -> GridRefining | None:
    """How `Patchwork(refine=…)` refines grids; None if it does not.

    "auto" does so if activities are stored with the tile set: to find them takes longer than a map. A world
    that grids are cut from finds its own.
    """
    if isinstance(refine, GridRefining):
        return refine
    stored = tiles.activities
    if isinstance(refine, str) and refine == "auto" and not stored and not join.grows_from_seed:
        return None
    sweeps = count_window_sweeps(tiles, refine)
    if sweeps == 0:
        return None
    values = [round(stored.get(tile, 0.0) * (1 << LOG_BITS)) for tile in tiles.rules.tiles]
    return GridRefining(sweeps, np.array(values, np.int64)[tiles.rules.tile_of])


def refine_grid(context: JoinContext, refining: GridRefining, result: JoinResult, key: Key) -> None:
    """Refine all cells that a join solved: those of the new grid, and those it changed around it."""
    free = [cell for cell in result.patterns if cell not in result.dropped and cell not in context.dropped]
    if not free:
        return
    region = context.region(free, context.around(free))
    shape = lay_out([*region.free, *region.fixed])
    without = getattr(context.tiles, "ground_pattern", None)
    by_cell = bool(region.weights)
    name = (context.rules.digest, without, by_cell, *shape.key)

    def make_chain() -> Chain:
        problem = problem_on(context.rules, shape.exists, without)
        nothing = np.zeros(problem.cell_count, np.int32)
        return Chain(problem, nothing, 0, sizes=SIZES, by_cell=by_cell)

    chain = CHAINS.get(name, make_chain)
    patterns = np.zeros(chain.problem.cell_count, np.int32)
    patterns[shape.numbers] = [*(result.patterns[cell] for cell in free), *region.fixed.values()]
    may_change = np.zeros(patterns.size, bool)
    may_change[shape.numbers[: len(free)]] = True
    number_of = dict(zip(free, shape.numbers.tolist(), strict=False))
    cell_log = weigh_cells(region, number_of, chain.problem) if by_cell else None
    masks = list_masks(region, number_of, patterns)
    chain.set_activities(refining.activities)
    chain.load(patterns, mix(PURPOSE, context.seed, *key), may_change, masks, cell_log)
    for _ in range(refining.sweeps if chain.free_cells else 0):
        chain.sweep()
    result.patterns.update(zip(free, chain.map.pattern[shape.numbers[: len(free)]].tolist(), strict=True))


def list_masks(
    region: CellRegion, number_of: dict[Cell, int], patterns: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]] | None:
    """Cells, and the patterns each must be one of: pins, and the soft masks that are met."""
    asked = [*region.preferred.items(), *region.required.items()]
    if not asked:
        return None
    cells = np.array([number_of[cell] for cell, _ in asked], np.int64)
    words = np.stack([words for _, words in asked])
    met = has_bit(words, np.arange(cells.size), patterns[cells])
    found: dict[int, NDArray[np.uint64]] = {}
    for cell, each in zip(cells[met].tolist(), words[met], strict=True):  # a cell may have both
        found[cell] = found[cell] & each if cell in found else each
    allowed = np.array(list(found.values()), np.uint64).reshape(-1, words.shape[1])
    return np.array(list(found), np.int64), allowed


def weigh_cells(region: CellRegion, number_of: dict[Cell, int], problem: Problem) -> NDArray[np.int32]:
    """[cell, pattern] ln of what fields make of the weights of the free cells."""
    factors = np.ones((problem.cell_count, len(problem.rules)))
    for cell, weights in region.weights.items():
        factors[number_of[cell]] = weights / problem.rules.weights
    return compute_cell_logs(factors, np.arange(len(problem.rules), dtype=np.int32))


def encode_grid_refining(refining: GridRefining | None) -> dict[str, object]:
    """As entries of a patchwork file; nothing for a map that is not refined."""
    if refining is None:
        return {}
    return {"refine": refining.sweeps, "activities": refining.activities.tolist()}


def decode_grid_refining(data: dict[str, object], patterns: int) -> GridRefining | None:
    """Inverse of `encode_grid_refining`. Raises for what is not valid."""
    if "refine" not in data:
        return None
    activities = np.array(data["activities"], np.int64)
    sweeps = data["refine"]
    if not isinstance(sweeps, int) or sweeps < 1 or activities.shape != (patterns,):
        raise ConfigError(f"refining with {sweeps!r} sweeps and {activities.size} activities is not valid")
    return GridRefining(sweeps, activities)
