"""Groups of patterns in domains: test whether a cell has a group, and remove the group or all others."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.structs import RuleTable, Wave
from wavefold.kernels.trail import check_nonempty, narrow_word


def find_presence(wave: Wave, rules: RuleTable, cell: int, group: int, area: int) -> int:
    """Return whether a cell has a group: ABSENT, OPEN or PRESENT; ABSENT outside the area."""
    if area >= 0 and rules.area[area, cell] == 0:
        return c.ABSENT
    width = rules.rows.shape[2]
    inside, outside = np.uint64(0), np.uint64(0)
    for word in range(width):
        domain = wave.words[cell * width + word]
        inside |= domain & rules.group[group, word]
        outside |= domain & ~rules.group[group, word]
    if inside == 0:
        return c.ABSENT
    return c.PRESENT if outside == 0 else c.OPEN


def remove_group(wave: Wave, rules: RuleTable, cell: int, group: int) -> bool:
    """Remove the patterns of a group from a cell. Return False if this empties the cell."""
    width = rules.rows.shape[2]
    left = np.uint64(0)
    for word in range(width):
        at = cell * width + word
        left |= narrow_word(wave, at, cell, wave.words[at] & rules.group[group, word])
    return check_nonempty(wave, cell, left)


def keep_group(wave: Wave, rules: RuleTable, cell: int, group: int) -> bool:
    """Remove all patterns outside a group from a cell. Return False if this empties the cell."""
    width = rules.rows.shape[2]
    left = np.uint64(0)
    for word in range(width):
        at = cell * width + word
        left |= narrow_word(wave, at, cell, wave.words[at] & ~rules.group[group, word])
    return check_nonempty(wave, cell, left)


def empty_cell(wave: Wave, rules: RuleTable, cell: int) -> None:
    """Remove all patterns from a cell, because a constraint cannot be satisfied there."""
    width = rules.rows.shape[2]
    for word in range(width):
        at = cell * width + word
        narrow_word(wave, at, cell, wave.words[at])
    wave.state[c.EMPTY_CELL] = cell
