"""Refine regions: some cells of a valid map are fixed, and the others are refined.

The counterpart of `RegionSolver` for solved maps, used for windows of worlds and grids of patchworks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import has_bit
from wavefold.kernels.logarithms import take_logs
from wavefold.kernels.refine import structs as refine_structs
from wavefold.solver.problem import Problem
from wavefold.solver.refine.chain import Chain
from wavefold.solver.search.region import CellList, Region, WordRows

WINDOW_SIZES = (3, 5, 8)  # always the same, so that results do not depend on earlier regions
FACTOR_BITS = 20  # factors of fields are in 1 / 2**20, which is also the smallest


class Proposals(NamedTuple):
    """The number of proposals in a region, and how many of them were accepted."""

    made: int = 0
    accepted: int = 0


class RefinePass(NamedTuple):
    """Some sweeps over a region.

    free : bool [cell] which of the region's free cells may change; None: all
    always : whether to accept every proposal that fits, so that the map loses its old content
    """

    seed: int
    sweeps: int
    free: NDArray[np.bool_] | None = None
    always: bool = False


class RegionRefiner:
    """Refines regions of one problem, one after another. Not thread-safe.

    group_of : int32 [pattern] -> the group whose factor multiplies its weight (`Region.group_factors`), or -1
    by_cell : whether regions have weights or group factors
    """

    def __init__(
        self, problem: Problem, group_of: NDArray[np.int32] | None = None, by_cell: bool = False
    ) -> None:
        self.problem, self.group_of = problem, group_of
        nothing = np.zeros(problem.cell_count, np.int32)
        tests = problem.propagators
        self._chain = Chain(problem, nothing, 0, propagators=tests, sizes=WINDOW_SIZES, by_cell=by_cell)

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, without those of the rules."""
        return self._chain.nbytes

    def refine(
        self,
        region: Region,
        patterns: NDArray[Any],
        activities: NDArray[np.int64],
        passes: Sequence[RefinePass],
    ) -> tuple[NDArray[np.int32], Proposals]:
        """Refine a valid map; returns the refined map and the counts of proposals.

        Fixed cells stay. Required patterns and soft masks that the map meets stay met. `previous` is ignored.

        patterns : int [cell] a valid map
        activities : int64 [pattern], see `Activities`
        """
        chain, found = self._chain, patterns.astype(np.int32)
        may_change = np.ones(found.size, bool)
        may_change[region.fixed[0]] = False
        masks, cell_log = list_met_masks(region, found), self._compute_cell_logs(region)
        chain.set_activities(activities)
        made = accepted = 0
        for each in passes:
            free = may_change if each.free is None else may_change & each.free
            chain.load(found, each.seed, free, masks, cell_log)
            for _ in range(each.sweeps if chain.free_cells else 0):
                chain.sweep(each.always)
            found = chain.map.pattern.copy()
            made += int(chain.state[refine_structs.WINDOWS])
            accepted += int(chain.state[refine_structs.ACCEPTED])
        return found, Proposals(made, accepted)

    def _compute_cell_logs(self, region: Region) -> NDArray[np.int32] | None:
        """Compute the ln [cell, pattern] of the region's factors on weights; None without factors."""
        rules = self.problem.rules
        if region.group_factors is not None and self.group_of is not None:
            return compute_cell_logs(region.group_factors, self.group_of)
        if region.weights is None:
            return None
        return compute_cell_logs(region.weights / rules.weights, np.arange(len(rules), dtype=np.int32))


def list_met_masks(region: Region, patterns: NDArray[np.int32]) -> tuple[CellList, WordRows] | None:
    """List the cells whose required patterns or soft masks are met, and these patterns [n, word]."""
    masks = [] if region.required is None else [region.required]
    if region.preferred is not None:
        cells, words = region.preferred
        masks.append((cells, words[cells]))
    if not masks:
        return None
    words = np.full((patterns.size, masks[0][1].shape[1]), ~np.uint64(0))
    is_masked = np.zeros(patterns.size, bool)
    for cells, allowed in masks:
        met = has_bit(allowed, np.arange(cells.size), patterns[cells])
        words[cells[met]] &= allowed[met]
        is_masked[cells[met]] = True
    masked = np.flatnonzero(is_masked)
    return masked, words[masked]


def compute_cell_logs(factors: NDArray[np.float64], group_of: NDArray[np.int32]) -> NDArray[np.int32]:
    """Compute the ln [cell, pattern] of the group factors [cell, group], minus the largest in each cell.

    A factor common to all patterns of a cell has no effect.
    """
    even = np.ones((len(factors), 1))  # for group -1
    whole = np.maximum(np.rint(np.ldexp(np.hstack([factors, even]), FACTOR_BITS)), 1).astype(np.int64)
    table = take_logs(whole.reshape(-1)).reshape(whole.shape).astype(np.int32)
    table -= table.max(axis=1, keepdims=True)
    return np.ascontiguousarray(table[:, group_of])
