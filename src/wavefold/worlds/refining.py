"""Refine windows after they were solved, with everything around them fixed.

Weights are the same in all windows of a world, so that chunks stay pure functions of their position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.fields.targets import Targets
from wavefold.kernels.host.seeding import mix
from wavefold.kernels.host.threads import count_threads
from wavefold.solver.refine.region_refiner import Proposals, RefinePass, RegionRefiner
from wavefold.solver.search.region import SolverPool
from wavefold.solver.shares import Shares
from wavefold.worlds.plan import dilate, with_rim
from wavefold.worlds.window_solver import Flags, Patterns, WindowShape, Words

PURPOSE = 0x5EED_0F_A_11D0  # mixed into seeds, so that they differ from the solver's for the same window
ROOM, SHAPES = 1 << 28, 64  # bytes and number of refiners that a thread keeps for one world
FREE_SWEEPS = 1  # before the other sweeps
MARGIN_CELLS = 4  # cells around those that the free sweep changed, which later sweeps change, too


class Refining(NamedTuple):
    """How the windows of a world are refined: part of the definition of the world."""

    sweeps: int  # of each window
    activities: NDArray[np.int64]  # [pattern], see `Activities`
    shares: Shares | None = None  # that the activities are for; None: the weights of the tiles
    solve: bool = False  # whether windows are solved again before; always if fields have soft masks


class WindowRefiner:
    """Refines windows. Shared by all threads; each thread has its own refiners, by the shape of the window.

    group_of, rim : see `WindowSolver`
    """

    def __init__(self, refining: Refining, group_of: NDArray[np.int32] | None = None, rim: int = 1) -> None:
        self.refining, self.group_of, self.rim = refining, group_of, rim
        self._pool: SolverPool[RegionRefiner] = SolverPool(ROOM, SHAPES)
        count_threads()  # raise an error of the setting now

    def refine(
        self,
        window: WindowShape,
        plane: Patterns,
        seed: int,
        targets: Targets | None = None,
        stays: Flags | None = None,
        sweeps: int | None = None,
        required: Words | None = None,
    ) -> Proposals:
        """Refine the inside of this array, which is valid before and after; its rim stays.

        window : the common data of windows of this shape
        stays : cells that stay in the free sweep. Later sweeps change them near the others: structures that
            cross into them would otherwise end at their border more often than elsewhere
        sweeps : instead of the usual number
        required : the patterns each cell must be one of; the plane meets them
        targets : soft masks that are met stay met, the others are ignored; factors multiply weights
        """
        free = with_margin = None
        if stays is not None:
            inside = ~with_rim(np.zeros(plane.shape, bool), self.rim)
            free = inside & ~stays
            with_margin = dilate(free, MARGIN_CELLS).reshape(-1)
            free = free.reshape(-1)
        number = self.refining.sweeps if sweeps is None else sweeps
        passes = (
            RefinePass(mix(PURPOSE, seed, 0), FREE_SWEEPS, free, always=True),
            RefinePass(mix(PURPOSE, seed, 1), number, with_margin),
        )
        by_cell = self.group_of is not None
        refiner = self._pool.get(plane.shape, lambda: RegionRefiner(window.problem, self.group_of, by_cell))
        region = window.region(plane, targets, required=required)
        found, proposals = refiner.refine(region, plane.reshape(-1), self.refining.activities, passes)
        plane[:] = found.reshape(plane.shape)
        return proposals
