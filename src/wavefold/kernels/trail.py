"""Remove patterns from a domain: write them onto the trail, and schedule a visit of the cell."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.structs import RuleTable, Wave


def mark_changed(wave: Wave, cell: int) -> None:
    """Schedule a visit of a changed cell."""
    if wave.changed_by[cell] == c.IDLE:
        wave.changed[wave.state[c.TAIL] & (wave.changed.size - 1)] = cell
        wave.state[c.TAIL] += 1
    wave.changed_by[cell] = c.MANY


def clear_bits(wave: Wave, at: int, cell: int, removed: np.uint64) -> None:
    """Clear bits of one word of a domain and put them on the trail, which needs room for one entry."""
    wave.trail_at[wave.state[c.TRAIL]] = at
    wave.trail_removed[wave.state[c.TRAIL]] = removed
    wave.state[c.TRAIL] += 1
    wave.words[at] ^= removed
    mark_changed(wave, cell)


def schedule_visit(wave: Wave, rules: RuleTable, cell: int) -> None:
    """Schedule a visit of a cell that did not change; its trail entry removes nothing."""
    mark_changed(wave, cell)
    wave.trail_at[wave.state[c.TRAIL]] = cell * rules.rows.shape[2]
    wave.trail_removed[wave.state[c.TRAIL]] = 0
    wave.state[c.TRAIL] += 1
