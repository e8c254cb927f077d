"""Refining regions: some cells of a valid map are fixed, the rest is refined.

The counterpart of `RegionSolver` for maps that are solved. Windows of worlds and grids of patchworks describe
their surroundings as a `Region` and pass it to a `RegionRefiner`.
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
from wavefold.solver.search.region import Cells, Region, Words

SIZES = (3, 5, 8)  # of proposals, in cells; never adapted, or a region would depend on its position
FACTOR_BITS = 20  # factors of fields are in 1 / 2**20; smaller ones count as this


class Proposals(NamedTuple):
    """How many proposals were made in a region, and how many of them were accepted."""

    made: int = 0
    accepted: int = 0


class RefinePass(NamedTuple):
    """Some sweeps over a region.

    free : bool [cell] cells that may change, of those that the region leaves free; None: all of these
    always : accept every proposal that fits: the map loses its old content, but keeps its weights
    """

    seed: int
    sweeps: int
    free: NDArray[np.bool_] | None = None
    always: bool = False


class RegionRefiner:
    """Refines regions of one problem, one after another. Belongs to one thread.

    group_of : int32 [pattern] -> the group whose factor multiplies its weight (`Region.group_factors`), or -1
    by_cell : whether regions have weights or group factors
    """

    def __init__(
        self, problem: Problem, group_of: NDArray[np.int32] | None = None, by_cell: bool = False
    ) -> None:
        self.problem, self.group_of = problem, group_of
        nothing = np.zeros(problem.cell_count, np.int32)
        tests = problem.propagators
        self._chain = Chain(problem, nothing, 0, propagators=tests, sizes=SIZES, by_cell=by_cell)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, without those of the rules."""
        return self._chain.nbytes

    def refine(
        self,
        region: Region,
        patterns: NDArray[Any],
        activities: NDArray[np.int64],
        passes: Sequence[RefinePass],
    ) -> tuple[NDArray[np.int32], Proposals]:
        """The refined map, and the counts of proposals.

        Fixed cells stay; required patterns and soft masks that are met stay met; weights and group factors
        count. `previous` is ignored.

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
        """[cell, pattern] ln of the region's factors on the weights; None if it has none."""
        rules = self.problem.rules
        if region.group_factors is not None and self.group_of is not None:
            return compute_cell_logs(region.group_factors, self.group_of)
        if region.weights is None:
            return None
        return compute_cell_logs(region.weights / rules.weights, np.arange(len(rules), dtype=np.int32))


def list_met_masks(region: Region, patterns: NDArray[np.int32]) -> tuple[Cells, Words] | None:
    """Cells, and the patterns each must be one of: the required patterns and soft masks that are met."""
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
    """[cell, pattern] ln of the factors [cell, group] of its group, less the largest in the cell.

    A factor common to all patterns of a cell makes no difference.
    """
    even = np.ones((len(factors), 1))  # for group -1
    whole = np.maximum(np.rint(np.ldexp(np.hstack([factors, even]), FACTOR_BITS)), 1).astype(np.int64)
    table = take_logs(whole.reshape(-1)).reshape(whole.shape).astype(np.int32)
    table -= table.max(axis=1, keepdims=True)
    return np.ascontiguousarray(table[:, group_of])
