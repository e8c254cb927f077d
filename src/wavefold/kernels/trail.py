"""Removing patterns from a domain: on the trail, and with a visit of the cell to come."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import IDLE, MANY, TAIL, TRAIL
from wavefold.kernels.structs import RuleTable, Wave


def mark_changed(wave: Wave, cell: int) -> None:
    """Schedule a visit of a changed cell."""
    if wave.changed_by[cell] == IDLE:
        wave.changed[wave.state[TAIL] & (wave.changed.size - 1)] = cell
        wave.state[TAIL] += 1
    wave.changed_by[cell] = MANY


def clear_bits(wave: Wave, at: int, cell: int, removed: np.uint64) -> None:
    """Clear bits of one word of a domain and put them on the trail, which needs room for one entry."""
    wave.trail_at[wave.state[TRAIL]] = at
    wave.trail_removed[wave.state[TRAIL]] = removed
    wave.state[TRAIL] += 1
    wave.words[at] ^= removed
    mark_changed(wave, cell)


def schedule_visit(wave: Wave, rules: RuleTable, cell: int) -> None:
    """Schedule a visit of a cell that did not change; its trail entry removes nothing."""
    mark_changed(wave, cell)
    wave.trail_at[wave.state[TRAIL]] = cell * rules.rows.shape[2]
    wave.trail_removed[wave.state[TRAIL]] = 0
    wave.state[TRAIL] += 1
