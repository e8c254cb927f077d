"""Loading words into a wave, fixing cells, and reading the solved patterns."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import (
    DEPTH,
    HEAD,
    IDLE,
    KINDS_CHECKED,
    NOWHERE,
    PROPAGATED,
    REFRESHED,
    TAIL,
    TRAIL,
)
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
def fix_cells(wave: Wave, rules: RuleTable, cells: np.ndarray, words: np.ndarray) -> int:
    """Narrow these cells to `words` [n, word] and have their consequences propagated.

    Returns a cell that is left with nothing, or NOWHERE. Needs room for an entry each on the trail.
    """
    width = rules.rows.shape[2]
    for i in range(cells.size):
        cell = np.int64(cells[i])
        left = np.uint64(0)
        for word in range(width):
            wave.words[cell * width + word] &= words[i, word]
            left |= wave.words[cell * width + word]
        if left == 0:
            return cell
        schedule_visit(wave, rules, cell)
    return NOWHERE


@kernel
def read_patterns(wave: Wave, rules: RuleTable, patterns: np.ndarray) -> None:
    """Write the lowest pattern of each cell into `patterns` [cell]."""
    width = rules.rows.shape[2]
    for cell in range(patterns.size):
        patterns[cell] = first_pattern(wave.words, cell * width, width)
