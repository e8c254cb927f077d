"""Loading words into a wave, fixing cells, and reading the solved patterns."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE
from wavefold.kernels.constants import DEPTH, HEAD, IDLE, KINDS_CHECKED, PROPAGATED, REFRESHED, TAIL, TRAIL
from wavefold.kernels.domains import first_pattern
from wavefold.kernels.jit import kernel
from wavefold.kernels.propagation import schedule_visit
from wavefold.kernels.structs import RuleTable, Wave


@kernel
def load_words(wave: Wave, words: np.ndarray) -> None:
    """Set the words of the wave, with nothing to visit, nothing decided and an empty trail."""
    for at in range(words.size):  # plain loops compile in a tenth of the time of assignments to slices
        wave.words[at] = words[at]
    for cell in range(wave.changed_by.size):
        wave.changed_by[cell] = IDLE
        wave.collapsed[cell] = 0
    for name in (HEAD, TAIL, TRAIL, PROPAGATED, KINDS_CHECKED, REFRESHED, DEPTH):
        wave.state[name] = 0


@kernel
def fix_cells(wave: Wave, rules: RuleTable, cells: np.ndarray, patterns: np.ndarray) -> bool:
    """Narrow `cells` to their patterns in `patterns` [cell] and schedule a visit of each.

    False if a cell cannot be its pattern. Needs room for one trail entry per cell. The trail cannot undo it.
    """
    width = rules.rows.shape[2]
    for i in range(cells.size):
        cell = cells[i]
        pattern = np.int64(patterns[cell])
        at = cell * width + (pattern >> 6)
        kept = wave.words[at] & (ONE << np.uint64(pattern & 63))
        if kept == 0:
            return False
        for word in range(cell * width, cell * width + width):
            wave.words[word] = 0
        wave.words[at] = kept
        schedule_visit(wave, rules, cell)
    return True


@kernel
def read_patterns(wave: Wave, rules: RuleTable, patterns: np.ndarray) -> None:
    """Write the lowest pattern of each cell into `patterns` [cell]."""
    width = rules.rows.shape[2]
    for cell in range(patterns.size):
        patterns[cell] = first_pattern(wave.words, cell * width, width)
