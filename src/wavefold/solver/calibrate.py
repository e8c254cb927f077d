"""Calibrating a tile set: find activities with which refined maps have as much of each tile as is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.common.values import check_function, parse_in_range
from wavefold.errors import TileSetError
from wavefold.kernels.constants import LOG_BITS
from wavefold.solver.problem import Problem
from wavefold.solver.refining.activities import FRACTION, REPEATED, Activities
from wavefold.solver.refining.chain import Chain
from wavefold.solver.refining.pools import join_pools
from wavefold.solver.refining.refine import TRIAL, choose_activities, recommend_sweeps
from wavefold.solver.solver import Solver
from wavefold.tiles import Calibration, LearnedTileSet, TileSet
from wavefold.tiles.calibration import digest_calibrated
from wavefold.tiles.tileset_arguments import MOST_SWEEPS, check_size
from wavefold.tiles.turning import find_turned_tiles
from wavefold.topology import lattice_class

SIZES = {2: (64, 64), 3: (16, 16, 8)}  # axes -> of maps, if the caller names no size
MOST_ROUNDS, MOST_SEEDS = 1000, 1000
DECIMALS = 5  # of stored activities; those of one pool are equal


def calibrate(
    tiles: TileSet,
    *,
    sweeps: int | None = None,
    rounds: int = 24,
    seeds: int = 6,
    size: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> TileSet:
    """A copy of a tile set with activities, so that maps need not be calibrated one by one.

    In each round several maps are refined with fixed activities, beginning with plain ones; then activities
    are raised for tiles that all maps together have too few of, and lowered for others. A single map that is
    refined for long would not do: where tiles form large areas, it drifts for ever.

    Parameters
    ----------
    sweeps : of refining, in each round; by default as many as the set recommends. The copy recommends them
    rounds, seeds, size : how often, on how many maps, of which size
    progress : called with the number of maps that were refined, and of all
    """
    if not isinstance(tiles, TileSet) or isinstance(tiles, LearnedTileSet):
        raise TileSetError(f"only tile sets that were drawn are calibrated, not {tiles!r}")
    chosen = recommend_sweeps(tiles) if sweeps is None else sweeps
    chosen = parse_in_range("sweeps", chosen, 1, MOST_SWEEPS)
    rounds = parse_in_range("rounds", rounds, 1, MOST_ROUNDS)
    seeds = parse_in_range("seeds", seeds, 1, MOST_SEEDS)
    check_function("progress", progress)
    lattice = lattice_class(tiles.topology)
    cells = check_size(SIZES[len(lattice.axes)] if size is None else size, tiles.topology)
    problem = Problem(tiles, lattice.of_size(*cells), own_constraints=False)
    plain = [Solver(problem, seed).run().patterns for seed in range(seeds)]
    run = CalibrationRun(tiles, problem, plain, chosen, progress, (rounds + 1) * seeds)
    activities = run.find_activities(rounds)
    return store(tiles, activities, run.count(rounds, activities.values), chosen, (seeds, rounds, cells))


class CalibrationRun:
    """Maps that are refined again and again from the same start, each time with other activities."""

    def __init__(
        self,
        tiles: TileSet,
        problem: Problem,
        plain: list[NDArray[np.int64]],
        sweeps: int,
        progress: Callable[[int, int], None] | None,
        total: int,
    ) -> None:
        self.tiles, self.problem, self.plain, self.sweeps = tiles, problem, plain, sweeps
        self._progress, self._total, self._done = progress, total, 0

    def find_activities(self, rounds: int) -> Activities:
        """The activities of each tile: the average of the later half of the rounds."""
        rules = self.problem.rules
        chain = Chain(self.problem, self.plain[0], 0)
        found, past = choose_activities(chain, self.problem, None), []
        pool_of = join_pools(found.pool_of, find_turned_tiles(self.tiles))
        found = Activities(rules.tile_of, found.asked * len(self.plain), pool_of, REPEATED)
        for number in range(rounds):
            found.correct(self.count(number, found.values))
            past.append(found.values)
        values = np.sum(past[rounds // 2 :], axis=0) // (rounds - rounds // 2)
        cells = found.asked // FRACTION + 1
        found.values = values - int(cells @ values) // int(cells.sum())  # only differences matter
        return found

    def count(self, number: int, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """[tile] how many cells of all maps have it, after refining with these activities [tile]."""
        rules = self.problem.rules
        seen = np.zeros(len(rules.tiles), np.int64)
        for seed, patterns in enumerate(self.plain):
            chain = Chain(self.problem, patterns, mix(seed, number))
            chain.set_activities(values[rules.tile_of])
            for sweep in range(self.sweeps):
                chain.sweep()
                if sweep + 1 in (TRIAL, self.sweeps // 2):
                    chain.drop_useless_sizes()
            seen += np.bincount(rules.tile_of[chain.map.pattern], minlength=seen.size)
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)
        return seen


def store(
    tiles: TileSet,
    found: Activities,
    seen: NDArray[np.int64],
    sweeps: int,
    how: tuple[int, int, tuple[int, ...]],
) -> TileSet:
    """A copy of the tiles that recommends these sweeps and activities."""
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
