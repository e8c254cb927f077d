"""The keys of cells: integers that are pure functions of the wave. The lowest key comes first."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import BYTE, ONE, call4, count_patterns, has_one, lowest_bit
from wavefold.kernels.logarithms import log_of
from wavefold.kernels.structs import CellNumbers, CellQueue, KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel, kernel_part


def compute_entropy(wave: Wave, rules: RuleTable, cell: int, row: int) -> int:
    """Return the Shannon entropy of a domain, in nats / 2**LOG_BITS: ln(sum w) - sum(w ln w) / sum w.

    row : the row of weights; -1: all cells have the same weights, whose sums are looked up byte by byte
    """
    width = rules.rows.shape[2]
    total = np.int64(0)
    total_log = np.int64(0)
    for word in range(width):
        rest = wave.words[cell * width + word]
        if row < 0:
            byte = word * 8
            while rest != 0:
                value = np.int64(rest & BYTE) * 2
                total += rules.byte_sums[byte, value]
                total_log += rules.byte_sums[byte, value + 1]
                rest >>= np.uint64(8)
                byte += 1
        else:
            while rest != 0:
                pattern = word * 64 + lowest_bit(rest)
                total += rules.weight[row, pattern]
                total_log += rules.weight_log[row, pattern]
                rest &= rest - ONE
    if total == 0:
        return 0
    entropy = log_of(total, rules.logarithm) - np.int64(np.uint64(total_log) // np.uint64(total))
    return entropy if entropy > 0 else 0


def count_undecided(wave: Wave, rules: RuleTable, graph: KernelGraph, cell: int) -> int:
    """Return the number of undecided neighbours."""
    width = rules.rows.shape[2]
    undecided = 0
    for direction in range(graph.neighbour.shape[1]):
        other = np.int64(graph.neighbour[cell, direction])
        if other != c.NOWHERE and not has_one(wave.words, other * width, width):
            undecided += 1
    return undecided


@kernel_part
def compute_key(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int, second: bool
) -> int:
    """Return the key of a cell, with LOG_BITS fractional bits; DECIDED_KEY if the cell is decided.

    second : compute the key of the second criterion, entropy
    """
    knobs = queue.knobs
    order = c.BY_ENTROPY if second else knobs[c.ORDER]
    width = rules.rows.shape[2]
    remaining = count_patterns(wave.words, cell * width, width)
    if remaining <= 1:
        return c.DECIDED_KEY
    row = cell if knobs[c.PER_CELL] != 0 else -1
    if order == c.BY_ENTROPY:
        key = compute_entropy(wave, rules, cell, row)
    elif order == c.BY_DOMAIN:
        key = remaining << c.LOG_BITS
    elif order == c.BY_SCORE:
        entropy = compute_entropy(wave, rules, cell, row)
        key = ((knobs[c.DOMAIN_FACTOR] * remaining) << (c.LOG_BITS - 16)) + (
            (knobs[c.ENTROPY_FACTOR] * entropy) >> 16
        )
    else:
        entropy = compute_entropy(wave, rules, cell, row)
        undecided = count_undecided(wave, rules, graph, cell)
        key = call4(knobs[c.KEY_ADDRESS], cell, remaining, entropy, undecided) + c.KEY_LIMIT // 2
    if knobs[c.DEGREE_FACTOR] != 0 and not second:
        decided = graph.neighbour.shape[1] - count_undecided(wave, rules, graph, cell)
        key += (knobs[c.DEGREE_FACTOR] * decided) << (c.LOG_BITS - 16)
    if knobs[c.BIASED] != 0:
        key = (key * queue.bias[cell]) >> 16
    if key < 0:
        return 0
    return key if key < c.KEY_LIMIT else c.KEY_LIMIT


@kernel
def compute_entropies(wave: Wave, queue: CellQueue, rules: RuleTable, result: CellNumbers) -> None:
    """Write the entropy of every cell, in nats / 2**LOG_BITS."""
    for cell in range(result.number.size):
        row = cell if queue.knobs[c.PER_CELL] != 0 else -1
        result.number[cell] = compute_entropy(wave, rules, cell, row)
