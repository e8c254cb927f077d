"""Wishes: what cells should be, granted one after another as far as the rules allow."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.jit import kernel
from wavefold.kernels.layout import APART, CONSISTENT, FULL, PROPAGATED, TRAIL
from wavefold.kernels.propagation import clear, propagate, undo_to
from wavefold.kernels.records import Graph, RuleTable, Wave


@kernel
def grant(
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
                clear(wave, at, cell, removed)
        status = propagate(wave, rules, graph)
        if status == CONSISTENT:
            granted[cell] = 1
            wave.state[TRAIL] = wave.state[APART] = wave.state[PROPAGATED] = 0
        else:
            undo_to(wave, rules, graph, np.int64(0), np.int64(-1))
            if status == FULL:
                return FULL
    return CONSISTENT
