"""Solve and refine windows: the inside of a rectangle is solved again, with its rim fixed.

All windows of a world have the same weights, so that chunks are pure functions of their position.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.fields.targets import Targets
from wavefold.kernels.host.seeding import mix
from wavefold.kernels.host.threads import count_threads
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.refine.region_refiner import Proposals, RefinePass, RegionRefiner
from wavefold.solver.search.auto_order import find_auto_order
from wavefold.solver.search.ladder import Ladder
from wavefold.solver.search.region import CellSequence, Region, RegionSolver, SoftMasks, SolverPool
from wavefold.solver.shares import Shares
from wavefold.tiles import Rules
from wavefold.topology.lattice import get_lattice_class, make_box
from wavefold.worlds.plan import CellMask, PatternGrid, WordGrid, dilate, with_rim

SOLVED, SOLVED_IN_BLOCKS, UNCHANGED = "solved", "solved_in_blocks", "unchanged"
REFINED = "refined"  # without being solved before
ATTEMPTS = 3  # orders that are tried
# Each attempt drops soft masks within this distance of the rim, the last one all masks: a transition zone is
# needed, because cells outside the window may ignore fields.
DROPPED_MARGINS = (*range(9), 1 << 20)
REPAIRS = 20  # local repairs in each attempt
BLOCK_SIDE = 24  # of the small windows that a hard window is divided into; adjacent ones overlap by a third
BLOCK_REPAIRS = 6  # local repairs in each attempt at a small window
PATIENCE = 16  # conflicts without progress before a local repair
REPAIR_RADIUS = 6  # of the first local repair; smaller repairs cost as much but rarely help
SOLVER_BYTES, MOST_SOLVERS = 1 << 30, 256  # limits on the solvers that a thread keeps for one world
END_POINT_SPACING = 7  # cells across a window for two end points of orders
MOST_END_POINTS = 8  # of orders, across a window

PURPOSE = 0x5EED_0F_A_11D0  # mixed into seeds, because the solver uses the same seed for a window
REFINER_BYTES, MOST_REFINERS = 1 << 28, 64  # limits on the refiners that a thread keeps for one world
FREE_SWEEPS = 1  # before the other sweeps
MARGIN_CELLS = 4  # around the cells of the free sweep, which later sweeps also change

WindowOrder = Heuristics | CellSequence


class Outcome(NamedTuple):
    """How a window was solved."""

    how: str
    windows: int = 1  # 1, or the number of small windows
    kept: int = 0  # windows without a solution


class WindowSolver:
    """Solves windows again. Thread-safe; each thread has its own solvers by shape of the window.

    without : a pattern that must not occur in an endless plane
    group_of : int32 [pattern] -> the group of fields' factors on its weight; -1: none
    rim : the width of the rim, in rows and columns of a plane
    constraints : constraints on a window with its rim
    """

    def __init__(
        self,
        rules: Rules,
        without: int | None = None,
        group_of: NDArray[np.int32] | None = None,
        rim: int = 1,
        constraints: tuple[Any, ...] = (),
    ) -> None:
        self.rules, self.without, self.group_of = rules, without, group_of
        self.rim, self.constraints = rim, constraints
        self._pool: SolverPool[RegionSolver] = SolverPool(SOLVER_BYTES, MOST_SOLVERS)
        self._windows: dict[tuple[int, int], WindowShape] = {}

    def solve_again(
        self,
        plane: PatternGrid,
        seed: int,
        targets: Targets | None = None,
        draft: Callable[[PatternGrid], None] | None = None,
        fixed: CellMask | None = None,
        required: WordGrid | None = None,
    ) -> Outcome:
        """Solve the inside of this valid array again in place; its rim stays.

        If a window is hard to solve, several orders are tried. Then it is divided into small windows, each of
        which keeps its patterns if it has no other solution.

        targets : soft masks and factors on weights; masks are applied from the middle outwards
        draft : called with the valid plane after each small window
        fixed : cells that keep their pattern, in addition to the rim
        required : the permitted patterns of each cell; the plane meets them
        """
        rim = self.rim
        fixed = None if fixed is None else with_rim(fixed, rim)
        if self._solve(plane, seed, REPAIRS, targets, fixed, required):
            return Outcome(SOLVED)
        height, width = (span - 2 * rim for span in plane.shape)
        side = min(BLOCK_SIDE, 2 * max(height, width) // 3)
        stride = max(1, 2 * side // 3)
        windows = kept = 0
        for top in range(0, height, stride):
            for left in range(0, width, stride):
                bottom, right = (min(start + side, end) for start, end in ((top, height), (left, width)))
                cut = np.s_[top : bottom + 2 * rim, left : right + 2 * rim]
                part = plane[cut]
                block = np.ascontiguousarray(part)
                windows += 1
                part_targets = None if targets is None else targets.cut(cut)
                part_fixed = None if fixed is None else with_rim(fixed[cut], rim)
                words = None if required is None else required[cut]
                if self._solve(block, mix(seed, left, top), BLOCK_REPAIRS, part_targets, part_fixed, words):
                    part[:] = block
                    if draft is not None:
                        draft(plane)
                else:
                    kept += 1
        return Outcome(UNCHANGED if kept == windows else SOLVED_IN_BLOCKS, windows, kept)

    def _solve(
        self,
        plane: PatternGrid,
        seed: int,
        repairs: int,
        targets: Targets | None,
        fixed: CellMask | None,
        required: WordGrid | None,
    ) -> bool:
        """Try several orders; the seed chooses their end points, so that no direction is visible."""
        window = self.shape(plane.shape)
        has_masks = targets is not None and targets.words is not None
        solver = self._pool.get(plane.shape, lambda: RegionSolver(window.problem, self.group_of))
        for attempt in range(len(DROPPED_MARGINS) if has_masks else ATTEMPTS):
            if attempt == 0 or has_masks:
                region = window.region(plane, targets, DROPPED_MARGINS[attempt], fixed, required)
            own_seed = mix(seed, attempt)
            order = self._order(window, attempt % ATTEMPTS, own_seed)
            tried = solver.solve(region, order, own_seed, ladder_with(repairs))
            if tried.patterns is not None:
                inside = np.s_[self.rim : -self.rim, self.rim : -self.rim]
                plane[inside] = tried.patterns.reshape(plane.shape)[inside]
                return True
            if tried.at_root:
                return False
        return False

    def _order(self, window: WindowShape, attempt: int, seed: int) -> WindowOrder:
        """Choose an order: from the rim inwards, which is fast and rarely fails, or the recommended order.

        Where fixed orders leave streaks, the first order is by fewest patterns: its maps are as varied as
        those by least entropy, which is slow to compute with many patterns.
        """
        rows_show = get_lattice_class(self.rules.topology).rows_show
        if rows_show and attempt == 0:
            return Heuristics.of("domain")
        if not rows_show and attempt == ATTEMPTS - 1 and find_auto_order(self.rules) == "entropy":
            return Heuristics.of("entropy")
        return window.inward_order(seed)

    def shape(self, shape: tuple[int, int]) -> WindowShape:
        """Return the common data of windows of this shape (rows, columns), including the rim."""
        if shape not in self._windows:
            self._windows[shape] = WindowShape(self.rules, shape, self.without, self.rim, self.constraints)
        return self._windows[shape]


class WindowShape:
    """The common data of windows of one shape (rows, columns), including the rim."""

    def __init__(
        self,
        rules: Rules,
        shape: tuple[int, int],
        without: int | None = None,
        rim: int = 1,
        constraints: tuple[Any, ...] = (),
    ) -> None:
        height, width = shape
        self.shape, self._rim_width = shape, rim
        grid = make_box(rules.topology, width, height)
        masks = None if without is None else np.arange(len(rules)) != without
        self.problem = Problem(rules, grid, masks=masks, constraints=constraints)
        self._lattice = get_lattice_class(rules.topology)
        self._rim = np.flatnonzero(with_rim(np.zeros(shape, bool), rim))
        self._end_points = prod(count_end_points(shape))
        self._orders: dict[int, CellSequence] = {}
        self._outwards: dict[int, NDArray[np.int64]] = {}  # {margin: cells, middle first}

    def region(
        self,
        plane: PatternGrid,
        targets: Targets | None = None,
        margin: int = 0,
        fixed: CellMask | None = None,
        required: WordGrid | None = None,
    ) -> Region:
        """Return the region of a window, with its rim or the cells in `fixed`.

        margin : the distance from the rim, in cells, within which soft masks are dropped
        """
        cells = self._rim if fixed is None else np.flatnonzero(fixed)
        region = Region(fixed=(cells, plane.reshape(-1)[cells].astype(np.int64)))
        if required is not None:
            words = required.reshape(plane.size, -1)
            region = region._replace(required=(np.arange(plane.size), words))
        if targets is not None and targets.words is not None:
            words = targets.words.reshape(-1, targets.words.shape[2])
            region = region._replace(preferred=SoftMasks(self._from_middle(margin), words))
        if targets is not None and targets.group_factors is not None:
            region = region._replace(
                group_factors=targets.group_factors.reshape(-1, targets.group_factors.shape[2])
            )
        return region

    def inward_order(self, seed: int) -> CellSequence:
        """Return the order from the rim inwards to an end point that the seed chooses."""
        end = seed % self._end_points
        if end not in self._orders:
            self._orders[end] = CellSequence(order_inwards(self.shape, end, self._lattice.squared_length))
        return self._orders[end]

    def _from_middle(self, margin: int) -> NDArray[np.int64]:
        """Return the cells more than `margin` from the rim, from the middle outwards."""
        if margin not in self._outwards:
            inner = np.zeros(self.shape, bool)
            out = self._rim_width + margin
            inner[out:-out, out:-out] = True
            spiral = self.problem.topology.spiral().astype(np.int64)
            self._outwards[margin] = spiral[inner.reshape(-1)[spiral]]
        return self._outwards[margin]


@cache
def ladder_with(repairs: int) -> Ladder:
    """Return a ladder of backtracking with this many local repairs."""
    return Ladder(PATIENCE, repairs=repairs, radius=REPAIR_RADIUS)


def count_end_points(shape: tuple[int, int]) -> tuple[int, int]:
    """Return the number of points, down and across, in which an order from the rim inwards can end.

    The last cells differ a little from the others. So there are many end points, and always an even number:
    none is the middle of a window, where chunks meet.
    """
    down, across = (min(MOST_END_POINTS, 2 * max(1, span // END_POINT_SPACING)) for span in shape)
    return down, across


def order_inwards(
    shape: tuple[int, int], end: int, squared_length: Callable[..., NDArray[np.int64]]
) -> NDArray[np.int32]:
    """Return the cells of a window, farthest first from one of its end points.

    The last cells are few and mostly adjacent. In contrast, a scanline ends in a whole row between its own
    cells and the rim, which often has no solution.

    squared_length : returns the squared length of an offset (x, y) on the lattice
    """
    (height, width), (down, across) = shape, count_end_points(shape)
    row, column = divmod(end, across)
    below = 2 * down * np.arange(height)[:, None] - (2 * row + 1) * (height - 1)
    beside = 2 * across * np.arange(width)[None, :] - (2 * column + 1) * (width - 1)
    below, beside = below * across, beside * down  # in the same units
    distance = squared_length(beside, below)
    return np.argsort(-distance.reshape(-1), kind="stable").astype(np.int32)


# --- refining --------------------------------------------------------------------------------------


class Refining(NamedTuple):
    """The settings for refining the windows of a world; part of the definition of the world."""

    sweeps: int  # of each window
    activities: NDArray[np.int64]  # [pattern], see `Activities`
    shares: Shares | None = None  # the target of the activities; None: the weights of the tiles
    solve: bool = False  # whether windows are solved before refining; always with soft masks


class WindowRefiner:
    """Refines windows. Thread-safe; each thread has its own refiners by shape of the window.

    group_of, rim : see `WindowSolver`
    """

    def __init__(self, refining: Refining, group_of: NDArray[np.int32] | None = None, rim: int = 1) -> None:
        self.refining, self.group_of, self.rim = refining, group_of, rim
        self._pool: SolverPool[RegionRefiner] = SolverPool(REFINER_BYTES, MOST_REFINERS)
        count_threads()  # raises if the setting is invalid

    def refine(
        self,
        window: WindowShape,
        plane: PatternGrid,
        seed: int,
        targets: Targets | None = None,
        fixed: CellMask | None = None,
        sweeps: int | None = None,
        required: WordGrid | None = None,
    ) -> Proposals:
        """Refine the inside of this valid array in place; its rim stays.

        window : the common data of windows of this shape
        targets : soft masks and factors on weights; masks that are met stay met, others are ignored
        fixed : cells that keep their pattern in the first sweep. Later sweeps change those near free cells,
            because structures would otherwise end at their border more often than elsewhere
        sweeps : the number of later sweeps; None: the usual number
        required : the permitted patterns of each cell; the plane meets them
        """
        free = with_margin = None
        if fixed is not None:
            inside = ~with_rim(np.zeros(plane.shape, bool), self.rim)
            free = inside & ~fixed
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
