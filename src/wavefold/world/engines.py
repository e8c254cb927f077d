"""Engines for windows: the same shape again and again, so everything that can be kept is kept."""

from __future__ import annotations

from copy import copy
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants, propagation, regions
from wavefold.kernels.constants import EMPTY, FULL
from wavefold.kernels.soft_masks import apply_soft_masks
from wavefold.kernels.structs import CellQueue
from wavefold.solver.engine.arrays import grow_buffers
from wavefold.solver.engine.engine import Engine, Root
from wavefold.solver.problem import Problem
from wavefold.solver.search.heuristics import Heuristics
from wavefold.solver.search.ladder import Ladder, LadderRun
from wavefold.tiles import Rules
from wavefold.topology import HexGrid, SquareGrid
from wavefold.world.scales import Scales
from wavefold.world.wishes import Wished

INWARDS = "inwards"  # an order of cells, beside those of `Heuristics`
APART = 7  # cells across a window for every two points in which such an order can end,
MOST_POINTS = 8  # up to so many

PATIENCE = 16  # conflicts without progress before a repair
RADIUS = 6  # of the first ball that is opened: one that is too small to help costs as much

Patterns = NDArray[np.int32]  # [row, column]


def window_problem(rules: Rules, shape: tuple[int, int], without: int | None = None) -> Problem:
    """A window with its rim, [row, column] cells, and nothing known about it."""
    height, width = shape
    grid = HexGrid.rhombus(width, height) if rules.topology == "hex" else SquareGrid(width, height)
    masks = None if without is None else np.arange(len(rules)) != without
    return Problem(rules, grid, masks=masks)


class WindowEngine(Engine):
    """Solves windows of one shape, each with the rim it is given, in any order of cells."""

    def __init__(
        self, problem: Problem, shape: tuple[int, int], group_of: NDArray[np.int32] | None = None
    ) -> None:
        super().__init__(problem, Heuristics.of("scanline"))
        self.shape = shape
        self._scales = None if group_of is None else self._weighed(group_of)
        outside = np.ones(shape, bool)
        outside[1:-1, 1:-1] = False
        self._rim = np.flatnonzero(outside)
        self._open = self.root.words  # with no rim, propagated: where every window starts
        self.root = Root(self._open.copy(), -1)
        self._patterns = np.empty(problem.cell_count, np.int32)
        self._last = -1  # the point in which the order of cells ends, if it has one
        self._queues: dict[int, CellQueue] = {}
        self._inwards: dict[int, NDArray[np.int64]] = {}  # {margin: cells, in the order of their wishes}

    def hold(
        self,
        plane: Patterns,
        wishes: Wished | None = None,
        margin: int = 0,
        stays: NDArray[np.bool_] | None = None,
    ) -> bool:
        """Go to the root of the window whose rim is that of the plane; False if nothing fits there.

        Only the rim differs from the open window, so only its consequences are drawn. Wishes within
        `margin` cells of the rim are passed over. With `stays`, the rim and more stay as they are.
        """
        cells = self._rim if stays is None else np.flatnonzero(stays)
        regions.load_words(self.wave, self._open)
        patterns = np.ascontiguousarray(plane, np.int32).reshape(-1)
        if not regions.fix_cells(self.wave, self.table, cells, patterns):
            return False
        while (status := propagation.propagate(self.wave, self.table, self.graph)) == FULL:
            self.wave = grow_buffers(self.wave)
        if status == EMPTY:
            return False
        if wishes is not None and wishes.words is not None:
            self._grant(wishes.words, margin)
        if wishes is not None and wishes.shares is not None and self._scales is not None:
            self._scales.weigh(wishes.shares)
        self.root.words[:] = self.wave.words
        return True

    def solve(self, order: str, seed: int, repairs: int) -> bool:
        """Search from the root that is held; where that gets stuck, open a ball and go on, so many times."""
        down, across = points(self.shape)
        self._last = seed % (down * across) if order == INWARDS else -1
        self.heuristics = Heuristics.of("scanline" if order == INWARDS else order)
        # What an engine drew before must not show: random numbers count decisions.
        self.state[constants.DECISIONS] = self.state[constants.BACKTRACKS] = 0
        run = LadderRun(self, ladder(repairs), seed)
        run.start()
        while (answer := self.advance()) != constants.SOLVED:
            is_proof = answer == constants.IMPOSSIBLE and self.from_root
            if is_proof or run.take_next_rung(max(0, int(self.state[constants.LAST_CELL]))) is None:
                return False
        return True

    def write(self, plane: Patterns) -> None:
        """Write the solution into the plane."""
        regions.read_patterns(self.wave, self.table, self._patterns)
        plane[1:-1, 1:-1] = self._patterns.reshape(self.shape)[1:-1, 1:-1]

    def _grant(self, wishes: NDArray[np.uint64], margin: int) -> None:
        """Grant as many wishes as can be, those in the middle first."""
        if margin not in self._inwards:
            inner = np.zeros(self.shape, bool)
            inner[1 + margin : -1 - margin, 1 + margin : -1 - margin] = True
            spiral = self.problem.topology.spiral().astype(np.int64)
            self._inwards[margin] = spiral[inner.reshape(-1)[spiral]]
        words = np.ascontiguousarray(wishes.reshape(-1, wishes.shape[2]))
        granted = np.zeros(self.problem.cell_count, np.uint8)
        while True:
            for name in (constants.TRAIL, constants.KINDS_CHECKED, constants.PROPAGATED):
                self.state[name] = 0
            if (
                apply_soft_masks(self.wave, self.table, self.graph, self._inwards[margin], words, granted)
                != FULL
            ):
                return
            self.wave = grow_buffers(self.wave)

    def _weighed(self, group_of: NDArray[np.int32]) -> Scales:
        """Have weights that differ from cell to cell."""
        scales = Scales(self.problem.rules, self.table, self.problem.cell_count, group_of)
        self.table = scales.table
        self.problem = copy(self.problem)
        self.problem._shared = {}
        # Only that there are rows for all cells is looked at; what they are is in the table.
        self.problem.weights = np.broadcast_to(self.problem.rules.weights, scales.table.weight.shape)
        return scales

    def _new_queue(self, seed: int) -> CellQueue:
        """A fixed order needs nothing but to start again."""
        if self._last < 0:
            return super()._new_queue(seed)
        if self._last not in self._queues:
            sequence = inwards(self.shape, self._last, self.problem.rules.topology == "hex")
            rank = np.empty(sequence.size, np.int32)  # for repairs to find their way back
            rank[sequence] = np.arange(rank.size, dtype=np.int32)
            # All else is shared: one of them is used at a time.
            some = next(iter(self._queues.values()), None) or super()._new_queue(seed)
            self._queues[self._last] = some.with_changes(sequence=sequence, rank=rank)
        self._queues[self._last].size[:] = 0
        return self._queues[self._last]


def points(shape: tuple[int, int]) -> tuple[int, int]:
    """How many points there are, down and across, in which an order inwards can end.

    What comes last differs a little from the rest. So there are many of them, and always an even number:
    none is the middle of a window, which is where chunks meet.
    """
    down, across = (min(MOST_POINTS, 2 * max(1, span // APART)) for span in shape)
    return down, across


def inwards(shape: tuple[int, int], last: int, is_hex: bool) -> NDArray[np.int32]:
    """The cells of a window, farthest first from one of its `points`.

    A scanline ends in a row between what it made and the rim, a window wide, where nothing may fit; here
    the last cells are few and have each other on most sides.
    """
    (height, width), (down, across) = shape, points(shape)
    row, column = divmod(last, across)
    below = 2 * down * np.arange(height)[:, None] - (2 * row + 1) * (height - 1)
    beside = 2 * across * np.arange(width)[None, :] - (2 * column + 1) * (width - 1)
    below, beside = below * across, beside * down  # in equal units
    distance = beside**2 + below**2 + (beside * below if is_hex else 0)  # squared
    return np.argsort(-distance.reshape(-1), kind="stable").astype(np.int32)


@cache
def ladder(repairs: int) -> Ladder:
    """Backtracking, and so many repairs where it gets stuck."""
    return Ladder(PATIENCE, repairs=repairs, radius=RADIUS)
