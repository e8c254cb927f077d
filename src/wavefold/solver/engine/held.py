"""An engine for one shape of cells, solved again and again with other cells held or narrowed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants, propagation, search
from wavefold.kernels.constants import EMPTY, FULL, PAUSED
from wavefold.kernels.soft_masks import apply_soft_masks
from wavefold.kernels.structs import CellQueue, RuleTable
from wavefold.solver.engine.arrays import create_cell_queue, fill_queue, grow_buffers
from wavefold.solver.engine.engine import UNLIMITED, Engine, Root
from wavefold.solver.engine.rule_table import build_rule_table
from wavefold.solver.problem import Problem
from wavefold.solver.search.heuristics import Heuristics
from wavefold.solver.search.ladder import Ladder, LadderRun

Cells = NDArray[np.int64]  # numbers of cells
Words = NDArray[np.uint64]  # [cell, word]
EVEN, FIRST = 1 << 16, 0  # what keys are multiplied with, in 1/65536


class HeldEngine(Engine):
    """Solves one problem many times, each time with some of its cells narrowed beforehand.

    `hold` goes to a root, `grant` narrows it as far as nothing is emptied, `weigh` gives cells weights of
    their own, `prefer` makes what cells had likelier, `solve` searches. What was done before never shows
    in what is found.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, Heuristics.of("entropy"))
        self.is_proof = False  # whether the last failure proved that nothing fits
        self.reopened = 0  # cells that local repairs opened again in the last search
        self._open = self.root  # nothing held, propagated: where every solve starts
        self._plain_table = self.table
        self._preferring: tuple[float, RuleTable] | None = None
        self._weights: NDArray[np.float64] | None = None  # [cell, pattern] if cells have their own
        self._had: tuple[Cells, Cells] | None = None  # cells, and the patterns they should rather keep

    @property
    def conflict(self) -> int:
        """The cell that was emptied last."""
        return int(self.state[constants.EMPTY_CELL])

    def forget(self) -> None:
        """Cells have no weights of their own and nothing to keep."""
        self.table, self._weights, self._had = self._plain_table, None, None

    def hold(self, cells: Cells, words: Words) -> bool:
        """Go to the root at which these cells are narrowed to these words; False if nothing fits there.

        Only these cells differ from the open root, so only their consequences are drawn.
        """
        self.forget()
        if self._open.empty_cell >= 0:
            return self._failed(self._open.empty_cell)
        wave, state = self.wave, self.wave.state
        wave.words[:] = self._open.words
        left = self.domains[cells] & words
        empty = np.flatnonzero(~left.any(axis=1))
        if empty.size:
            return self._failed(int(cells[empty[0]]))
        self.domains[cells] = left
        wave.changed[: cells.size] = cells
        wave.changed_by[:] = constants.IDLE
        wave.changed_by[cells] = constants.MANY
        wave.trail_at[: cells.size] = cells * self.width
        wave.trail_removed[: cells.size] = 0
        state[constants.HEAD] = state[constants.PROPAGATED] = state[constants.KINDS_CHECKED] = 0
        state[constants.TAIL] = state[constants.TRAIL] = cells.size
        while (status := propagation.propagate(self.wave, self.table, self.graph)) == FULL:
            self.wave = grow_buffers(self.wave)
        if status == EMPTY:
            return self._failed(self.conflict)
        self.root = Root(self.wave.words.copy(), -1)
        return True

    def grant(self, cells: Cells, wishes: Words) -> NDArray[np.bool_]:
        """[cell] which of `cells` could be narrowed to their wishes [cell, word], asked in this order."""
        granted = np.zeros(self.problem.cell_count, np.uint8)
        while True:
            for name in (constants.TRAIL, constants.KINDS_CHECKED, constants.PROPAGATED):
                self.state[name] = 0
            if apply_soft_masks(self.wave, self.table, self.graph, cells, wishes, granted) != FULL:
                break
            self.wave = grow_buffers(self.wave)
        self.root = Root(self.wave.words.copy(), -1)
        return granted.astype(bool)

    def weigh(self, weights: NDArray[np.float64]) -> None:
        """Until the next `hold`, patterns have these weights [cell, pattern]."""
        self.table = build_rule_table(self.problem.rules, self.method, self.graph, weights)
        self._weights = weights

    def prefer(self, cells: Cells, patterns: Cells, factor: float) -> None:
        """Until the next `hold`, these patterns weigh more in these cells.

        A cell that has lost its pattern is dirty: it is chosen before all others.
        """
        self._had = (cells, patterns)
        if self._weights is not None:
            weights = self._weights.copy()
            weights[cells, patterns] *= factor
            self.table = build_rule_table(self.problem.rules, self.method, self.graph, weights)
            return
        if self._preferring is None or self._preferring[0] != factor:
            weights = self.problem.rules.weights
            both = build_rule_table(
                self.problem.rules, self.method, self.graph, np.stack([weights, factor * weights])
            )
            self._preferring = (factor, both)
        both = self._preferring[1]
        weight = np.repeat(both.weight[:1], self.problem.cell_count, axis=0)
        weight_log = np.repeat(both.weight_log[:1], self.problem.cell_count, axis=0)
        weight[cells, patterns] = both.weight[1, patterns]
        weight_log[cells, patterns] = both.weight_log[1, patterns]
        self.table = both.with_changes(weight=weight, weight_log=weight_log)

    def solve(self, order: Heuristics, seed: int, ladder: Ladder) -> bool:
        """Search from the root that is held."""
        self.heuristics = order
        # What an engine drew before must not show: random numbers count decisions.
        self.state[constants.DECISIONS] = self.state[constants.BACKTRACKS] = 0
        self.is_proof, self.reopened = False, 0
        run = LadderRun(self, ladder, seed)
        run.start()
        while (answer := self._advance()) != constants.SOLVED:
            self.is_proof = answer == constants.IMPOSSIBLE and self.from_root
            if self.is_proof or run.take_next_rung(max(0, int(self.state[constants.LAST_CELL]))) is None:
                return False
        return True

    def reopen(self, cell: int, radius: int) -> NDArray[np.int32]:
        inside = super().reopen(cell, radius)
        self.reopened += inside.size
        return inside

    def _advance(self) -> int:
        """Search on; with patterns to keep, look after each decision which cells have become dirty.

        Once there were many more decisions than cells, the search has other worries.
        """
        while self._had is not None and self.state[constants.DECISIONS] < 2 * self.problem.cell_count:
            self._hurry()
            self.state[constants.LIMIT] = self.state[constants.DECISIONS] + 1
            answer = self.advance()
            if answer != PAUSED:
                return answer
        self.state[constants.LIMIT] = UNLIMITED
        return self.advance()

    def _hurry(self) -> None:
        """Put dirty cells first, and back those that are clean again."""
        biases = self._biases()
        if (biases != self.queue.bias).any() and self.state[constants.PHASE] == constants.CHOOSING:
            self.queue.bias[:] = biases
            depth = int(self.state[constants.DEPTH])
            # Keys are made anew for what the last decision touched: no other cell can have become dirty.
            self.state[constants.REFRESHED] = self.wave.decision_mark[depth - 1, 0] if depth else 0
            search.resume_choosing(self.wave, self.queue, self.table, self.graph)

    def _biases(self) -> NDArray[np.int64]:
        """[cell] dirty cells first."""
        assert self._had is not None
        cells, patterns = self._had
        has_it = self.domains[cells, patterns >> 6] >> (patterns & 63).astype(np.uint64) & np.uint64(1)
        biases = np.full(self.problem.cell_count, EVEN, np.int64)
        biases[cells[has_it == 0]] = FIRST
        return biases

    def _failed(self, cell: int) -> bool:
        self.state[constants.EMPTY_CELL] = cell
        self.state[constants.BACKTRACKS] = 0
        self.is_proof, self.reopened = True, 0
        return False

    def _new_queue(self, seed: int) -> CellQueue:
        queue = create_cell_queue(self.problem, self.heuristics, seed)
        if self._had is not None or self._weights is not None:
            queue.knobs[constants.PER_CELL], queue.knobs[constants.PLAIN] = 1, 0
        if self._had is not None:
            queue.knobs[constants.BIASED] = 1
            queue = queue.with_changes(bias=self._biases())
        fill_queue(queue, self.wave, self.table, self.graph)
        return queue


def decided(domains: Words) -> NDArray[np.int32]:
    """[cell] the one pattern of each cell."""
    word = (domains != 0).argmax(axis=1)
    bits = domains[np.arange(len(word)), word]
    return np.asarray(word * 64 + np.bitwise_count(bits - np.uint64(1)), np.int32)
