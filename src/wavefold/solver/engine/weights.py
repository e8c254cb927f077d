"""Weights of patterns as kernels read them: whole numbers, one row for all cells or a row for each cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import slices
from wavefold.kernels.logarithms import take_logs
from wavefold.kernels.regions import set_cell_weights
from wavefold.kernels.structs import GroupShares, RuleTable
from wavefold.tiles import Rules

WEIGHT_BITS = 24
WEIGHED_AT_ONCE = 1 << 20  # weights between two checkpoints
MOST_QUOTA = 1 << 44  # in 1/65536 cells: kernels shift it by 16 bits


def whole_weights(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Weights as whole numbers of at most 24 bits, the same on every platform.

    Scaling by a power of two and rounding are exact. What is far lighter than the rest, or 0 in a
    cell, becomes 1: used when nothing else fits.
    """
    _, exponent = np.frexp(weights.max())
    return np.maximum(np.rint(np.ldexp(weights, WEIGHT_BITS - int(exponent))), 1).astype(np.int64)


def with_weights(table: RuleTable, weights: NDArray[np.float64]) -> RuleTable:
    """The table with these weights: [cell, pattern], or one row for all cells."""
    weight = np.ascontiguousarray(whole_weights(weights))
    steps = np.unique(weight)  # few: sorting out which is where would take longer than to look each up
    logs = take_logs(steps)
    weight_log = np.empty_like(weight)
    for part in slices(len(weight), WEIGHED_AT_ONCE // weight.shape[1]):
        weight_log[part] = weight[part] * logs[np.searchsorted(steps, weight[part])]
    byte_sums = np.zeros((0, 0), np.int64)
    if len(weight) == 1:
        both = _byte_sums(weight[0]), _byte_sums(weight_log[0])
        byte_sums = np.stack(both, axis=-1).reshape(len(both[0]), -1)
    return table.with_changes(weight=weight, weight_log=weight_log, byte_sums=byte_sums)


def usage_quotas(rules: Rules, cells: int, used: list[int]) -> NDArray[np.int64]:
    """[tile, (quota, expected)] in 1/65536 cells, after maps that used each tile so often; see `CellQueue`.

    The next map is included so that a tile that is up to date never has nothing left: near the end of a map,
    small differences would otherwise count for much.
    """
    weights = np.bincount(rules.tile_of, whole_weights(rules.weights), len(rules.tiles))
    shares = [int(weight) << 16 for weight in weights]  # Python's whole numbers do not overflow
    total = sum(shares) >> 16
    horizon = sum(used) + 2 * cells
    rows = []
    for share, count in zip(shares, used, strict=True):
        quota = share * horizon // total - (count << 16)
        rows.append((max(-MOST_QUOTA, min(quota, MOST_QUOTA)), max(1, share * cells // total)))
    return np.array(rows, np.int64)


def _byte_sums(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """[byte, value] -> sum of the values whose bit is set in that byte."""
    padded = np.zeros(-(-values.size // 64) * 64, np.int64)
    padded[: values.size] = values
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1  # [value, bit]
    return np.ascontiguousarray(padded.reshape(-1, 8) @ bits.T)


class GroupWeights:
    """The weights of the rules times a factor per cell and group of patterns, written into the same arrays.

    group_of : int32 [pattern] -> group, or -1 for patterns that weigh the same everywhere
    """

    def __init__(self, rules: Rules, table: RuleTable, cells: int, group_of: NDArray[np.int32]) -> None:
        self._shares = GroupShares(rules.weights.copy(), group_of, np.zeros((0, 0)))
        groups = range(int(group_of.max(initial=-1)) + 1)
        self._heaviest = np.array([rules.weights[group_of == group].max() for group in groups])
        self._heaviest_alone = float(rules.weights[group_of < 0].max(initial=0.0))
        self._exponent: int | None = None  # of the weights that are written
        self.table = table.with_changes(
            weight=np.ones((cells, len(rules)), np.int64),
            weight_log=np.zeros((cells, len(rules)), np.int64),
            byte_sums=np.zeros((0, 0), np.int64),
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
        set_cell_weights(self.table, self._shares.with_changes(share=factors), scale, everything)


class PreviousWeights:
    """Rule tables in which the previous pattern of some cells weighs more."""

    def __init__(self, rules: Rules, table: RuleTable, cells: int) -> None:
        self._weights, self._table, self._cells = rules.weights, table, cells
        self._factor, self._both = 0.0, table

    def write(
        self,
        own: NDArray[np.float64] | None,
        cells: NDArray[np.int64],
        patterns: NDArray[np.int64],
        factor: float,
    ) -> RuleTable:
        """The table with weights [cell, pattern] (None: the rules' own), times `factor` for some."""
        if own is not None:
            own = own.copy()
            own[cells, patterns] *= factor
            return with_weights(self._table, own)
        if self._factor != factor:  # kept for the next region: a row of the rules' weights, and a heavy one
            rows = np.stack([self._weights, factor * self._weights])
            self._factor, self._both = factor, with_weights(self._table, rows)
        weight = np.repeat(self._both.weight[:1], self._cells, axis=0)
        weight_log = np.repeat(self._both.weight_log[:1], self._cells, axis=0)
        weight[cells, patterns] = self._both.weight[1, patterns]
        weight_log[cells, patterns] = self._both.weight_log[1, patterns]
        return self._both.with_changes(weight=weight, weight_log=weight_log)
