"""Naive propagation: keep a pattern if any pattern of the neighbour allows it.

This method is slow but simple. Tests and benchmarks compare the other methods with it.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, lowest_bit
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import append_to_trail, check_nonempty
from wavefold.kernels.units import kernel_part


def may_touch(rules: RuleTable, relation: int, pattern: int, other: int) -> bool:
    """Whether the rules allow the pattern `other` on the side of `pattern` that has this relation."""
    row = rules.rows[relation, rules.class_of[relation, pattern]]
    return row[other // 64] >> np.uint64(other % 64) & ONE != 0


def is_supported(wave: Wave, rules: RuleTable, cell: int, relation: int, other: int) -> bool:
    """Whether any pattern in the domain of `cell` allows the pattern `other` on that side."""
    width = rules.rows.shape[2]
    for word in range(width):
        rest = wave.words[cell * width + word]
        while rest != 0:
            if may_touch(rules, relation, word * 64 + lowest_bit(rest), other):
                return True
            rest &= rest - ONE
    return False


def keep_supported(wave: Wave, rules: RuleTable, cell: int, relation: int, other: int) -> bool:
    """Remove the patterns that `cell` does not support from the cell `other`. Return whether any existed."""
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
            append_to_trail(wave, at, removed)
            wave.words[at] ^= removed
            changed = True
    return changed


@kernel_part
def propagate_naive(wave: Wave, rules: RuleTable, graph: KernelGraph, follow: bool) -> int:
    """Visit changed cells until nothing changes. Return CONSISTENT, EMPTY, FULL or WORKED.

    follow : also visit the neighbours that were narrowed
    """
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    state, changed, changed_by = wave.state, wave.changed, wave.changed_by
    ring = changed.size - 1
    while state[c.HEAD] != state[c.TAIL]:
        if state[c.TRAIL] > wave.trail_at.size - directions * width:
            return c.FULL
        if state[c.WORK_LEFT] < 0:
            return c.WORKED
        state[c.WORK_LEFT] -= 64 * directions * width * width
        cell = np.int64(changed[state[c.HEAD] & ring])
        state[c.HEAD] += 1
        changed_by[cell] = c.IDLE
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            if other == c.NOWHERE or not keep_supported(
                wave, rules, cell, np.int64(graph.rule[direction]), other
            ):
                continue
            left = np.uint64(0)
            for word in range(width):
                left |= wave.words[other * width + word]
            if not check_nonempty(wave, other, left):
                return c.EMPTY
            if follow and changed_by[other] == c.IDLE:
                changed_by[other] = c.MANY
                changed[state[c.TAIL] & ring] = other
                state[c.TAIL] += 1
    return c.CONSISTENT
