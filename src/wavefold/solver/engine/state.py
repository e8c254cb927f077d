"""What the arrays of a search say: named, and read only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants, priority, regions
from wavefold.kernels.structs import CellQueue, RuleTable, Wave
from wavefold.solver.problem import Problem


class SearchState:
    """A search as it stands. `Engine` adds everything that changes it."""

    problem: Problem
    table: RuleTable
    wave: Wave
    queue: CellQueue
    state: NDArray[np.int64]  # of the wave: see `kernels.constants`. Read only, outside of this package

    @property
    def domains(self) -> NDArray[np.uint64]:
        """[cell, word] a view of the domains as they are."""
        width = self.problem.rules.words
        return self.wave.words[: self.problem.cell_count * width].reshape(-1, width)

    @property
    def depth(self) -> int:
        """How many decisions are in force."""
        return int(self.state[constants.DEPTH])

    @property
    def decision_count(self) -> int:
        """How many decisions were made, undone ones included."""
        return int(self.state[constants.DECISIONS])

    @property
    def backtracks(self) -> int:
        """How many decisions were undone and refuted."""
        return int(self.state[constants.BACKTRACKS])

    @property
    def contradictions(self) -> int:
        """How often a cell was emptied."""
        return int(self.state[constants.CONTRADICTIONS])

    @property
    def empty_cell(self) -> int:
        """The cell that was emptied last, or -1."""
        return int(self.state[constants.EMPTY_CELL])

    @property
    def last_cell(self) -> int:
        """The cell of the last decision, by which the search steers."""
        return max(0, int(self.state[constants.LAST_CELL]))

    @property
    def in_conflict(self) -> bool:
        """A cell is empty; the next step goes back."""
        return bool(self.state[constants.PHASE] == constants.CONFLICT)

    @property
    def is_choosing(self) -> bool:
        """All consequences are propagated; the next step is a decision."""
        return bool(self.state[constants.PHASE] == constants.CHOOSING)

    def decisions(self) -> list[tuple[int, int]]:
        """The decisions in force, oldest first: cell and pattern."""
        cells, patterns = self.wave.decision_cell[: self.depth], self.wave.decision_pattern[: self.depth]
        return list(zip(cells.tolist(), patterns.tolist(), strict=True))

    def entropies(self) -> NDArray[np.int64]:
        """[cell] in nats / 2**20."""
        result = np.empty(self.problem.cell_count, np.int64)
        priority.compute_entropies(self.wave, self.queue, self.table, result)
        return result

    def are_decided(self, cells: NDArray[np.int32]) -> bool:
        """Whether each of these cells is down to one pattern."""
        return bool((np.bitwise_count(self.domains[cells]).sum(axis=1) == 1).all())

    def read_patterns(self) -> NDArray[np.int32]:
        """[cell] the lowest pattern of each cell."""
        patterns = np.empty(self.wave.collapsed.size, np.int32)
        regions.read_patterns(self.wave, self.table, patterns)
        return patterns
