"""Propagation in its plainest form: does any pattern of the neighbour allow this pattern?

Slow and obvious. Tests compare the other methods with it; benchmarks show what they gain.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, lowest_bit
from wavefold.kernels.constants import (
    CONSISTENT,
    EMPTY,
    EMPTY_CELL,
    FULL,
    HEAD,
    IDLE,
    MANY,
    NOWHERE,
    TAIL,
    TRAIL,
    WORK_LEFT,
    WORKED,
)
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part


def may_touch(rules: RuleTable, relation: int, pattern: int, other: int) -> bool:
    """Whether the rules allow the pattern `other` on that side of `pattern`."""
    row = rules.rows[relation, rules.class_of[relation, pattern]]
    return row[other // 64] >> np.uint64(other % 64) & ONE != 0


def is_supported(wave: Wave, rules: RuleTable, cell: int, relation: int, other: int) -> bool:
    """Whether any pattern still possible in `cell` allows `other` on that side."""
    width = rules.rows.shape[2]
    for word in range(width):
        rest = wave.words[cell * width + word]
        while rest != 0:
            if may_touch(rules, relation, word * 64 + lowest_bit(rest), other):
                return True
            rest &= rest - ONE
    return False


def keep_supported(wave: Wave, rules: RuleTable, cell: int, relation: int, other: int) -> bool:
    """Remove what `cell` no longer supports from the cell `other`; returns whether anything was removed."""
    width = rules.rows.shape[2]
    changed = False
    for word in range(width):
        at = other * width + word
        removed = np.uint64(0)
        rest = wave.words[at]
        while rest != 0:
            if not is_supported(wave, rules, cell, relation, word * 64 + lowest_bit(rest)):
                removed |= rest & (~rest + ONE)
            rest &= rest - ONE
        if removed != 0:
            wave.trail_at[wave.state[TRAIL]] = at
            wave.trail_removed[wave.state[TRAIL]] = removed
            wave.state[TRAIL] += 1
            wave.words[at] ^= removed
            changed = True
    return changed


@kernel_part
def propagate_naive(wave: Wave, rules: RuleTable, graph: KernelGraph, follow: bool) -> int:
    """Visit changed cells until nothing changes; without `follow`, look no further than their neighbours."""
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    state, changed, changed_by = wave.state, wave.changed, wave.changed_by
    ring = changed.size - 1
    while state[HEAD] != state[TAIL]:
        if state[TRAIL] > wave.trail_at.size - directions * width:
            return FULL
        if state[WORK_LEFT] < 0:
            return WORKED
        state[WORK_LEFT] -= 64 * directions * width * width
        cell = np.int64(changed[state[HEAD] & ring])
        state[HEAD] += 1
        changed_by[cell] = IDLE
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            if other == NOWHERE or not keep_supported(
                wave, rules, cell, np.int64(graph.rule[direction]), other
            ):
                continue
            left = np.uint64(0)
            for word in range(width):
                left |= wave.words[other * width + word]
            if left == 0:
                state[EMPTY_CELL] = other
                return EMPTY
            if follow and changed_by[other] == IDLE:
                changed_by[other] = MANY
                changed[state[TAIL] & ring] = other
                state[TAIL] += 1
    return CONSISTENT
