"""Engines for windows: the same shape again and again, so everything that can be kept is kept."""

from __future__ import annotations

from copy import copy
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import layout, propagation
from wavefold.kernels.layout import EMPTY, FULL
from wavefold.kernels.records import Agenda
from wavefold.kernels.wishes import grant
from wavefold.solver.climb import Climber
from wavefold.solver.engine import Engine, Root
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.ladder import Ladder
from wavefold.solver.problem import Problem
from wavefold.solver.wave import grown
from wavefold.tiles import Rules
from wavefold.topology import HexGrid, SquareGrid
from wavefold.world.scales import Scales
from wavefold.world.wishes import Wished

__all__ = ["WindowEngine", "window_problem"]

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
        self._agendas: dict[Heuristics, Agenda] = {}
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
        wave, state, width = self.wave, self.wave.state, self.width
        rim = self._rim if stays is None else np.flatnonzero(stays)
        wave.words[:] = self._open
        patterns = plane.reshape(-1)[rim].astype(np.int64)
        at = rim * width + (patterns >> 6)
        held = wave.words[at] & (np.uint64(1) << (patterns & 63).astype(np.uint64))
        if not held.all():
            return False
        wave.words[: self.problem.cell_count * width].reshape(-1, width)[rim] = 0
        wave.words[at] = held
        wave.queue[: rim.size] = rim
        wave.queued[:] = layout.IDLE
        wave.queued[rim] = layout.MANY
        wave.trail_at[: rim.size] = rim * width
        wave.trail_removed[: rim.size] = 0
        state[layout.HEAD] = state[layout.PROPAGATED] = state[layout.APART] = 0
        state[layout.TAIL] = state[layout.TRAIL] = rim.size
        while (status := propagation.propagate(self.wave, self.table, self.graph)) == FULL:
            self.wave = grown(self.wave)
        if status == EMPTY:
            return False
        if wishes is not None and wishes.words is not None:
            self._grant(wishes.words, margin)
        if wishes is not None and wishes.shares is not None and self._scales is not None:
            self._scales.weigh(wishes.shares)
        self.root = Root(self.wave.words.copy(), -1)
        return True

    def solve(self, order: Heuristics, seed: int, repairs: int) -> bool:
        """Search from the root that is held; where that gets stuck, open a ball and go on, so many times."""
        self.heuristics = order
        # What an engine drew before must not show: random numbers count decisions.
        self.state[layout.DECISIONS] = self.state[layout.BACKTRACKS] = 0
        climber = Climber(self, ladder(repairs), seed)
        climber.start()
        while (answer := self.advance()) != layout.SOLVED:
            is_proof = answer == layout.IMPOSSIBLE and self.from_root
            if is_proof or climber.climb(max(0, int(self.state[layout.LAST_CELL]))) is None:
                return False
        return True

    def write(self, plane: Patterns) -> None:
        """Write the solution into the plane."""
        plane[1:-1, 1:-1] = decided(self.domains).reshape(self.shape)[1:-1, 1:-1]

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
            for name in (layout.TRAIL, layout.APART, layout.PROPAGATED):
                self.state[name] = 0
            if grant(self.wave, self.table, self.graph, self._inwards[margin], words, granted) != FULL:
                return
            self.wave = grown(self.wave)

    def _weighed(self, group_of: NDArray[np.int32]) -> Scales:
        """Have weights that differ from cell to cell."""
        scales = Scales(self.problem.rules, self.table, self.problem.cell_count, group_of)
        self.table = scales.table
        self.problem = copy(self.problem)
        self.problem._shared = {}
        # Only that there are rows for all cells is looked at; what they are is in the table.
        self.problem.weights = np.broadcast_to(self.problem.rules.weights, scales.table.weight.shape)
        return scales

    def _new_agenda(self, seed: int) -> Agenda:
        """A fixed order needs nothing but to start again."""
        order = self.heuristics
        if order.order != "scanline":
            return super()._new_agenda(seed)
        if order not in self._agendas:
            agenda = super()._new_agenda(seed)
            rank = np.empty(agenda.sequence.size, np.int32)  # for repairs to find their way back
            rank[agenda.sequence] = np.arange(rank.size, dtype=np.int32)
            self._agendas[order] = agenda.with_changes(rank=rank)
        self._agendas[order].size[:] = 0
        return self._agendas[order]


@cache
def ladder(repairs: int) -> Ladder:
    """Backtracking, and so many repairs where it gets stuck."""
    return Ladder(PATIENCE, repairs=repairs, radius=RADIUS)


def decided(domains: NDArray[np.uint64]) -> NDArray[np.int32]:
    """[cell] the one pattern of each cell."""
    if domains.shape[1] == 1:
        return np.asarray(np.bitwise_count(domains[:, 0] - np.uint64(1)), np.int32)
    word = (domains != 0).argmax(axis=1)
    bits = domains[np.arange(len(word)), word]
    return np.asarray(word * 64 + np.bitwise_count(bits - np.uint64(1)), np.int32)
