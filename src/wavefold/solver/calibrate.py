"""Calibrate a tile set: find activities with which refined maps match the target share of each tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.host.seeding import mix
from wavefold.options.groups import MOST_SWEEPS
from wavefold.options.values import check_function, parse_in_range
from wavefold.solver.problem import Problem
from wavefold.solver.refine.activities import FRACTION, RESTARTED, Activities, join_pools
from wavefold.solver.refine.chain import Chain
from wavefold.solver.refine.refine import TRIAL_SWEEPS, choose_activities, recommend_sweeps
from wavefold.solver.solver import Solver
from wavefold.tiles import Calibration, LearnedTileSet, TileSet
from wavefold.tiles.calibration import digest_calibrated
from wavefold.tiles.tileset_arguments import check_size
from wavefold.tiles.turning import find_turned_tiles
from wavefold.topology import get_lattice_class

DEFAULT_SIZES = {2: (64, 64), 3: (16, 16, 8)}  # axes -> default size of maps
MOST_ROUNDS, MOST_SEEDS = 1000, 1000
DECIMALS = 5  # of stored activities; all tiles of a pool store the same value


def calibrate(
    tiles: TileSet,
    *,
    sweeps: int | None = None,
    rounds: int = 24,
    seeds: int = 6,
    size: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> TileSet:
    """Return a copy of a tile set with stored activities, so that maps need not be calibrated one by one.

    Each round refines several maps with fixed activities. Then the activities of tiles that are too rare in
    all maps together are raised, and those of other tiles lowered. Refining a single map for longer is not
    enough, because maps of tiles that form large areas keep drifting.

    Parameters
    ----------
    sweeps : the number of sweeps in each round, which the copy then recommends; by default the number that
        the set recommends
    rounds, seeds, size : the number of rounds, the number of maps, and the size of a map
    progress : called with the number of refined maps and the number of all maps
    """
    if not isinstance(tiles, TileSet) or isinstance(tiles, LearnedTileSet):
        raise TileSetError(f"only drawn tile sets can be calibrated, not {tiles!r}")
    chosen = recommend_sweeps(tiles) if sweeps is None else sweeps
    chosen = parse_in_range("sweeps", chosen, 1, MOST_SWEEPS)
    rounds = parse_in_range("rounds", rounds, 1, MOST_ROUNDS)
    seeds = parse_in_range("seeds", seeds, 1, MOST_SEEDS)
    check_function("progress", progress)
    lattice = get_lattice_class(tiles.topology)
    cells = check_size(DEFAULT_SIZES[len(lattice.axes)] if size is None else size, tiles.topology)
    problem = Problem(tiles, lattice.of_size(*cells), own_constraints=False)
    unrefined = [Solver(problem, seed).run().patterns for seed in range(seeds)]
    run = CalibrationRun(tiles, problem, unrefined, chosen, progress, (rounds + 1) * seeds)
    activities = run.find_activities(rounds)
    return store_calibration(
        tiles, activities, run.count_tiles(rounds, activities.values), chosen, (seeds, rounds, cells)
    )


class CalibrationRun:
    """Maps that are refined repeatedly from the same start with different activities."""

    def __init__(
        self,
        tiles: TileSet,
        problem: Problem,
        unrefined: list[NDArray[np.int64]],
        sweeps: int,
        progress: Callable[[int, int], None] | None,
        total: int,
    ) -> None:
        self.tiles, self.problem, self.unrefined, self.sweeps = tiles, problem, unrefined, sweeps
        self._progress, self._total, self._done = progress, total, 0

    def find_activities(self, rounds: int) -> Activities:
        """Find the activities of each tile."""
        rules = self.problem.rules
        chain = Chain(self.problem, self.unrefined[0], 0)
        found = choose_activities(chain, self.problem, None)
        pool_of = join_pools(found.pool_of, find_turned_tiles(self.tiles))
        found = Activities(rules.tile_of, found.asked * len(self.unrefined), pool_of, RESTARTED)
        values = found.calibrate(rounds, lambda number: self.count_tiles(number, found.values))
        cells = found.asked // FRACTION + 1
        found.values = values - int(cells @ values) // int(cells.sum())  # only differences matter
        return found

    def count_tiles(self, number: int, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Count the cells of each tile in all maps, after refining them with these activities [tile]."""
        rules = self.problem.rules
        seen = np.zeros(len(rules.tiles), np.int64)
        for seed, patterns in enumerate(self.unrefined):
            chain = Chain(self.problem, patterns, mix(seed, number))
            chain.set_activities(values[rules.tile_of])
            for sweep in range(self.sweeps):
                chain.sweep()
                if sweep + 1 in (TRIAL_SWEEPS, self.sweeps // 2):
                    chain.drop_useless_sizes()
            seen += np.bincount(rules.tile_of[chain.map.pattern], minlength=seen.size)
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)
        return seen


def store_calibration(
    tiles: TileSet,
    found: Activities,
    seen: NDArray[np.int64],
    sweeps: int,
    how: tuple[int, int, tuple[int, ...]],
) -> TileSet:
    """Return a copy of the tile set that recommends these sweeps and activities."""
    seeds, rounds, size = how
    names, cells = tiles.rules.tiles, int(seen.sum())
    values = (found.values / (1 << LOG_BITS)).round(DECIMALS).tolist()
    asked = (found.asked / (cells * FRACTION)).round(4).tolist()
    calibrated = copy(tiles)
    calibrated.sweeps = sweeps
    calibrated.calibration = Calibration(
        activities=dict(zip(names, values, strict=True)),
        digest=digest_calibrated(tiles),
        seeds=seeds,
        rounds=rounds,
        size=size,
        reached=dict(zip(names, zip(asked, (seen / cells).round(4).tolist(), strict=True), strict=True)),
    )
    return calibrated
