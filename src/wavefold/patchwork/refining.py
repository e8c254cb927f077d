"""Refine grids after they are joined, with everything around them fixed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.host.seeding import mix
from wavefold.patchwork.join import Join, JoinContext, JoinResult
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.region import build_problem, lay_out, number_region
from wavefold.solver.refine.region_refiner import RefinePass, RegionRefiner
from wavefold.solver.search.region import SolverPool
from wavefold.tiles import TileSet
from wavefold.worlds.refined_base import count_window_sweeps

PURPOSE = 0x5EED_0F_9A7C  # mixed into seeds
REFINER_BYTES, MOST_REFINERS = 1 << 27, 64  # limits on the refiners that a thread keeps for all maps
REFINERS: SolverPool[RegionRefiner] = SolverPool(REFINER_BYTES, MOST_REFINERS)


class GridRefining(NamedTuple):
    """The settings for refining the grids of a patchwork; part of the definition of the map."""

    sweeps: int
    activities: NDArray[np.int64]  # [pattern], see `Activities`


def resolve_grid_refining(tiles: TileSet, refine: object, join: Join) -> GridRefining | None:
    """Return the settings for refining of `Patchwork(refine=…)`; None for no refining.

    "auto" refines only with activities stored in the tile set, because finding them takes longer than a map.
    The world of a witness finds its own activities.
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


def refine_grids(context: JoinContext, refining: GridRefining, result: JoinResult) -> None:
    """Refine the cells of new grids and other cells that the join changed; all others stay.

    Groups of touching grids are refined separately, because they may be far apart.
    """
    plan, before, kept = context.plan, context.patterns, {*result.dropped, *context.dropped}
    free: dict[Key, list[Cell]] = {}
    for cell, new in result.patterns.items():
        if cell not in kept and before.get(cell) != new:
            free.setdefault(plan.owner(cell), []).append(cell)
    for island in plan.islands(free):
        cells = [cell for key in island for cell in free[key]]
        first = next((key for key in island if plan.centre(key) not in before), island[0])
        result.patterns.update(refine_cells(context, refining, result, cells, first))


def refine_cells(
    context: JoinContext, refining: GridRefining, result: JoinResult, free: list[Cell], key: Key
) -> dict[Cell, int]:
    """Refine these cells of a result, with everything around them fixed; returns {cell: pattern}.

    Dropped cells may not fit, so they are excluded. Cells beside them stay, so that no other sides break.

    key : the key of a grid, for the seed
    """
    patterns_of = result.patterns
    fixed = [cell for cell in context.around(free) if cell not in result.dropped]
    beside_dropped = {other for cell in result.dropped for other in context.plan.touching(cell)}
    region = context.region(free, fixed, patterns_of)
    cells = [*region.free, *region.fixed]
    layout = lay_out(cells)
    without = getattr(context.tiles, "ground_pattern", None)
    by_cell = bool(region.weights)
    shape = (context.rules.digest, without, by_cell, *layout.key)

    def make_refiner() -> RegionRefiner:
        return RegionRefiner(build_problem(context.rules, layout.exists, without), by_cell=by_cell)

    refiner, numbers = REFINERS.get(shape, make_refiner), layout.numbers
    numbered = number_region(region, dict(zip(cells, numbers.tolist(), strict=True)), refiner.problem)
    patterns = np.zeros(numbers.size, np.int32)
    patterns[numbers] = [*(patterns_of[cell] for cell in free), *region.fixed.values()]
    may_change = np.zeros(numbers.size, bool)
    may_change[numbers[: len(free)]] = [cell not in beside_dropped for cell in free]
    sweeps = RefinePass(mix(PURPOSE, context.seed, *key), refining.sweeps, may_change)
    found, _ = refiner.refine(numbered, patterns, refining.activities, (sweeps,))
    return dict(zip(free, found[numbers[: len(free)]].tolist(), strict=True))
