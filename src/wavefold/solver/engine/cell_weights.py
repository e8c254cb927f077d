"""Weights that differ from cell to cell, as rule tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.regions import set_cell_weights
from wavefold.kernels.structs import KernelGraph, RuleTable
from wavefold.solver.engine.rule_table import WEIGHT_BITS, build_rule_table
from wavefold.tiles import Rules


class GroupWeights:
    """The weights of the rules times a factor per cell and group of patterns, written into the same arrays.

    group_of : int32 [pattern] -> group, or -1 for patterns that weigh the same everywhere
    """

    def __init__(self, rules: Rules, table: RuleTable, cells: int, group_of: NDArray[np.int32]) -> None:
        self._weights, self._group_of = rules.weights, group_of
        groups = range(int(group_of.max(initial=-1)) + 1)
        self._heaviest = np.array([rules.weights[group_of == group].max() for group in groups])
        self._heaviest_alone = float(rules.weights[group_of < 0].max(initial=0.0))
        self._exponent: int | None = None  # of the weights that are written
        none = np.zeros((0, 0), np.int64)
        self.table = table.with_changes(
            weight=np.ones((cells, len(rules)), np.int64),
            weight_log=np.zeros((cells, len(rules)), np.int64),
            byte_weight=none,
            byte_weight_log=none,
        )

    @property
    def nbytes(self) -> int:
        """Memory of the weights."""
        return int(self.table.weight.nbytes + self.table.weight_log.nbytes)

    def write(self, factors: NDArray[np.float64]) -> None:
        """Write the weights for these factors [cell, group]; the heaviest of all has 24 bits."""
        factors = np.ascontiguousarray(factors)
        heaviest = max(self._heaviest_alone, float((factors.max(axis=0) * self._heaviest).max()))
        exponent = WEIGHT_BITS - int(np.frexp(heaviest)[1])
        everything = exponent != self._exponent
        self._exponent = exponent
        scale = float(np.ldexp(1.0, exponent))
        set_cell_weights(self.table, self._weights, self._group_of, factors, scale, everything)


class WeightTables:
    """Rule tables with weights of a region's own."""

    def __init__(self, rules: Rules, method: int, graph: KernelGraph, cells: int) -> None:
        self._rules, self._method, self._graph, self._cells = rules, method, graph, cells
        self._factor, self._both = 0.0, build_rule_table(rules, method, graph)

    def with_weights(self, weights: NDArray[np.float64]) -> RuleTable:
        """The table with these weights [cell, pattern]."""
        return build_rule_table(self._rules, self._method, self._graph, weights)

    def with_previous(
        self,
        weights: NDArray[np.float64] | None,
        cells: NDArray[np.int64],
        patterns: NDArray[np.int64],
        factor: float,
    ) -> RuleTable:
        """The table with these weights, or the rules' own, in which one pattern of some cells weighs more."""
        if weights is not None:
            weights = weights.copy()
            weights[cells, patterns] *= factor
            return self.with_weights(weights)
        both = self._plain_and_heavy(factor)
        weight = np.repeat(both.weight[:1], self._cells, axis=0)
        weight_log = np.repeat(both.weight_log[:1], self._cells, axis=0)
        weight[cells, patterns] = both.weight[1, patterns]
        weight_log[cells, patterns] = both.weight_log[1, patterns]
        return both.with_changes(weight=weight, weight_log=weight_log)

    def _plain_and_heavy(self, factor: float) -> RuleTable:
        """A table of two rows: the weights of the rules, and these times the factor. The last is kept."""
        if self._factor != factor:
            rows = np.stack([self._rules.weights, factor * self._rules.weights])
            self._factor, self._both = factor, self.with_weights(rows)
        return self._both
