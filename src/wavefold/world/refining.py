"""Windows are refined after they were solved, with everything around them fixed.

Weights are the same in all windows of a world, so that chunks stay pure functions of their position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import has_bit
from wavefold.common.seeding import mix
from wavefold.common.threads import count_threads
from wavefold.fields.targets import Targets
from wavefold.kernels import refine_structs
from wavefold.kernels.logarithms import take_logs
from wavefold.solver.problem import Problem
from wavefold.solver.refining.chain import Chain
from wavefold.solver.search.region import SolverPool
from wavefold.solver.shares import Shares
from wavefold.world.plan import dilate, with_rim
from wavefold.world.window_solver import Flags, Patterns, Words

PURPOSE = 0x5EED_0F_A_11D0  # seeds of refining are mixed with it: the solver draws others for the same window
SIZES = (3, 5, 8)  # of proposals, in cells; never adapted, or what a window is would depend on where it lies
ROOM, SHAPES = 1 << 28, 64  # bytes and number of chains that a thread keeps for one world
FREE_SWEEPS = 1  # before the others
HEALED = 4  # cells around those that a free sweep changed, which the others change, too
FACTOR_BITS = 20  # factors of fields are in 1 / 2**20; smaller ones count as this


class Proposals(NamedTuple):
    """How many proposals were made while a window was refined, and how many of them were accepted."""

    made: int = 0
    accepted: int = 0


class Refining(NamedTuple):
    """How the windows of a world are refined: part of what the world is."""

    sweeps: int  # of each window
    activities: NDArray[np.int64]  # [pattern], see `Activities`
    shares: Shares | None = None  # that the activities are for; None: the weights of the tiles
    solve: bool = False  # whether windows are solved anew before; they are if fields ask something of them


class WindowRefiner:
    """Refines windows. One for all threads: each has chains of its own, by the shape of the window.

    group_of, rim : as of `WindowSolver`
    """

    def __init__(self, refining: Refining, group_of: NDArray[np.int32] | None = None, rim: int = 1) -> None:
        self.refining, self.group_of, self.rim = refining, group_of, rim
        self._pool: SolverPool[Chain] = SolverPool(ROOM, SHAPES)
        count_threads()  # an error of the setting is due now

    def refine(
        self,
        problem: Problem,
        plane: Patterns,
        seed: int,
        targets: Targets | None = None,
        stays: Flags | None = None,
        sweeps: int | None = None,
        required: Words | None = None,
    ) -> Proposals:
        """Refine the inside of this array, which is valid before and after; its rim stays.

        problem : of a window of this shape
        stays : cells that stay in the free sweep; in the others only those farther from all that do not. Or
            what crosses from these cells into the others would end there more often than elsewhere
        sweeps : instead of the usual number
        required : what each cell must be one of; what is there is
        targets : soft masks that are met stay met, the others are left alone; factors multiply weights
        """
        flat = plane.reshape(-1)
        inside = ~with_rim(np.zeros(plane.shape, bool), self.rim)
        free = inside if stays is None else inside & ~stays
        healed = free if stays is None else inside & dilate(free, HEALED)
        number = self.refining.sweeps if sweeps is None else sweeps
        chain = self._pool.get(plane.shape, lambda: self._make_chain(problem, flat))
        masks = cell_log = None
        if targets is not None and targets.words is not None:
            words = targets.words.reshape(flat.size, -1)
            met = np.flatnonzero(has_bit(words, np.arange(flat.size), flat))
            masks = met, words[met]
        if required is not None:
            words = required.reshape(flat.size, -1).copy()
            if masks is not None:
                words[masks[0]] &= masks[1]
            masks = np.arange(flat.size), words
        if targets is not None and targets.shares is not None:
            assert self.group_of is not None
            cell_log = compute_cell_logs(targets.shares.reshape(flat.size, -1), self.group_of)
        made = accepted = 0
        for part, (cells, count) in enumerate(((free, FREE_SWEEPS), (healed, number))):
            chain.load(flat, mix(PURPOSE, seed, part), cells.reshape(-1), masks, cell_log)
            for _ in range(count if chain.free_cells else 0):
                chain.sweep(always=part == 0)
            flat = chain.map.pattern.copy()
            made += int(chain.state[refine_structs.WINDOWS])
            accepted += int(chain.state[refine_structs.ACCEPTED])
        plane[:] = flat.reshape(plane.shape)
        return Proposals(made, accepted)

    def _make_chain(self, problem: Problem, patterns: NDArray[np.int32]) -> Chain:
        chain = Chain(
            problem,
            patterns,
            0,
            propagators=problem.propagators,
            sizes=SIZES,
            by_cell=self.group_of is not None,
        )
        chain.set_activities(self.refining.activities)
        return chain


def compute_cell_logs(factors: NDArray[np.float64], group_of: NDArray[np.int32]) -> NDArray[np.int32]:
    """[cell, pattern] ln of the factors [cell, group] of its group, less the largest in the cell.

    What is the same for all patterns of a cell makes no difference.
    """
    even = np.ones((len(factors), 1))  # for group -1
    whole = np.maximum(np.rint(np.ldexp(np.hstack([factors, even]), FACTOR_BITS)), 1).astype(np.int64)
    table = take_logs(whole.reshape(-1)).reshape(whole.shape).astype(np.int32)
    table -= table.max(axis=1, keepdims=True)
    return np.ascontiguousarray(table[:, group_of])
