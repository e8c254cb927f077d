"""Domains against groups of patterns: has a cell one of them, may it have one; remove them, or all others."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import ABSENT, EMPTY_CELL, OPEN, PRESENT
from wavefold.kernels.structs import RuleTable, Wave
from wavefold.kernels.trail import clear_bits


def rate_cell(wave: Wave, rules: RuleTable, cell: int, group: int, area: int) -> int:
    """Whether a cell has a pattern of a group: ABSENT, OPEN or PRESENT. Outside the area: ABSENT."""
    if area >= 0 and rules.area[area, cell] == 0:
        return ABSENT
    width = rules.rows.shape[2]
    inside, outside = np.uint64(0), np.uint64(0)
    for word in range(width):
        domain = wave.words[cell * width + word]
        inside |= domain & rules.group[group, word]
        outside |= domain & ~rules.group[group, word]
    if inside == 0:
        return ABSENT
    return PRESENT if outside == 0 else OPEN


def remove_group(wave: Wave, rules: RuleTable, cell: int, group: int) -> bool:
    """Remove the patterns of a group from a cell. False if that leaves nothing."""
    width = rules.rows.shape[2]
    left = np.uint64(0)
    for word in range(width):
        at = cell * width + word
        removed = wave.words[at] & rules.group[group, word]
        if removed != 0:
            clear_bits(wave, at, cell, removed)
        left |= wave.words[at]
    if left == 0:
        wave.state[EMPTY_CELL] = cell
    return left != 0


def keep_group(wave: Wave, rules: RuleTable, cell: int, group: int) -> bool:
    """Remove all but the patterns of a group from a cell. False if that leaves nothing."""
    width = rules.rows.shape[2]
    left = np.uint64(0)
    for word in range(width):
        at = cell * width + word
        removed = wave.words[at] & ~rules.group[group, word]
        if removed != 0:
            clear_bits(wave, at, cell, removed)
        left |= wave.words[at]
    if left == 0:
        wave.state[EMPTY_CELL] = cell
    return left != 0


def empty_cell(wave: Wave, rules: RuleTable, cell: int) -> None:
    """Remove every pattern from a cell: nothing can be left where a rule about many cells is broken."""
    width = rules.rows.shape[2]
    for word in range(width):
        at = cell * width + word
        if wave.words[at] != 0:
            clear_bits(wave, at, cell, wave.words[at])
    wave.state[EMPTY_CELL] = cell
