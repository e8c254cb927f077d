"""Weights that differ from cell to cell, made for one window after another in the same arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.soft_masks import set_cell_weights
from wavefold.kernels.structs import RuleTable
from wavefold.solver.engine.rule_table import WEIGHT_BITS
from wavefold.tiles import Rules


class Scales:
    """The weights of the patterns in each cell: those of the rules, times the share of their group there.

    group_of : [pattern] -> group, or -1 for those that weigh the same everywhere
    """

    def __init__(self, rules: Rules, table: RuleTable, cells: int, group_of: NDArray[np.int32]) -> None:
        self.weights, self.group_of = rules.weights, group_of
        groups = range(int(group_of.max(initial=-1)) + 1)
        self._heaviest = np.array([self.weights[group_of == group].max() for group in groups])
        self._heaviest_alone = float(self.weights[group_of < 0].max(initial=0.0))
        self._exponent: int | None = None  # of the weights that are written
        none = np.zeros((0, 0), np.int64)
        self.table = table.with_changes(
            weight=np.ones((cells, len(rules)), np.int64),
            weight_log=np.zeros((cells, len(rules)), np.int64),
            byte_weight=none,
            byte_weight_log=none,
        )

    def weigh(self, shares: NDArray[np.float64]) -> None:
        """Write the weights for these shares [row, column, group]; the heaviest of all has 24 bits."""
        each = np.ascontiguousarray(shares.reshape(-1, shares.shape[2]))
        heaviest = max(self._heaviest_alone, float((each.max(axis=0) * self._heaviest).max()))
        exponent = WEIGHT_BITS - int(np.frexp(heaviest)[1])
        everything = exponent != self._exponent
        self._exponent = exponent
        set_cell_weights(
            self.table, self.weights, self.group_of, each, float(np.ldexp(1.0, exponent)), everything
        )
