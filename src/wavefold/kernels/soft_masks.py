"""Wishes: what cells should be, granted one after another as far as the rules allow."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import log_of
from wavefold.kernels.constants import CONSISTENT, FULL, KINDS_CHECKED, PROPAGATED, TRAIL
from wavefold.kernels.jit import kernel
from wavefold.kernels.propagation import clear_bits, propagate, undo_to
from wavefold.kernels.structs import Graph, RuleTable, Wave


@kernel
def apply_soft_masks(
    wave: Wave, rules: RuleTable, graph: Graph, cells: np.ndarray, wishes: np.ndarray, granted: np.ndarray
) -> int:
    """Narrow each of `cells` to the patterns wished for, in turn; what would empty a cell is taken back.

    wishes : uint64 [cell, word]
    granted : uint8 [cell]; 1 where the wish holds now. Cells that have 1 already are passed over, so that
        after FULL (make room) the call can be made again
    The trail is used up: what was granted cannot be undone.
    """
    width = np.int64(rules.rows.shape[2])
    for i in range(cells.size):
        cell = np.int64(cells[i])
        if granted[cell] != 0:
            continue
        left = np.uint64(0)
        for word in range(width):
            left |= wave.words[cell * width + word] & wishes[cell, word]
        if left == 0:
            continue
        for word in range(width):
            at = cell * width + word
            removed = wave.words[at] & ~wishes[cell, word]
            if removed != 0:
                clear_bits(wave, at, cell, removed)
        status = propagate(wave, rules, graph)
        if status == CONSISTENT:
            granted[cell] = 1
            wave.state[TRAIL] = wave.state[KINDS_CHECKED] = wave.state[PROPAGATED] = 0
        else:
            undo_to(wave, rules, graph, np.int64(0), np.int64(-1))
            if status == FULL:
                return FULL
    return CONSISTENT


@kernel
def set_cell_weights(
    rules: RuleTable,
    weights: np.ndarray,
    group_of: np.ndarray,
    shares: np.ndarray,
    scale: float,
    everything: bool,
) -> None:
    """Write weights and their logarithms for each cell: `weights` [pattern] times `shares` [cell, group].

    Patterns of no group (-1) weigh the same in every cell, and are written only if `everything` is.
    """
    for cell in range(shares.shape[0]):
        for pattern in range(weights.size):
            group = group_of[pattern]
            if group < 0 and not everything:
                continue
            share = shares[cell, group] if group >= 0 else 1.0
            weight = max(np.int64(np.rint(weights[pattern] * share * scale)), np.int64(1))
            rules.weight[cell, pattern] = weight
            rules.weight_log[cell, pattern] = weight * log_of(weight, rules.logarithm)
