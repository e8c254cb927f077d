"""Bit-parallel AC-3: the support of a whole domain from a table, a byte at a time."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import (
    BYTE,
    EMPTIED,
    ONE,
    UNCHANGED,
    has_one,
    lowest_bit,
    remove_words,
    visits_left,
)
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

ZERO, TWO, THREE, FOUR = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4)
SEVEN, EIGHT = np.uint64(7), np.uint64(8)
QUAD = 4
PAGE = np.uint64(256)  # values of a byte


def row_stride(width: int) -> int:
    """Words from row to row of a table: two to four are padded to four, one vector register."""
    return QUAD if 1 < width <= QUAD else width


@kernel_part
def propagate_one_word(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Up to 64 patterns: a domain is one word, so each side takes a few look-ups and one AND.

    The one neighbour that caused the change is skipped: a pattern it does not support supports nothing
    there. From a cell with several patterns, so is a neighbour with a single one: its own visit left
    here only what agrees with it. Indices are unsigned, which saves the check for negative ones.
    """
    words, changed, changed_by = wave.words, wave.changed, wave.changed_by
    trail_at, trail_removed, state = wave.trail_at, wave.trail_removed, wave.state
    neighbour, opposite, rule = graph.neighbour, graph.opposite, graph.rule
    allowed = rules.allowed_by_page
    directions = neighbour.shape[1]
    pages = (rules.class_of.shape[1] + 7) // 8
    ring = np.uint64(changed.size - 1)
    head, tail, trail = np.uint64(state[HEAD]), np.uint64(state[TAIL]), np.uint64(state[TRAIL])
    room = np.uint64(trail_at.size - directions)
    begun, cost = head, 1 + directions
    last = head + np.uint64(visits_left(state, cost))
    status = CONSISTENT
    while head != tail and status == CONSISTENT:
        if trail > room or head == last:
            status = FULL if trail > room else WORKED
            break
        cell = np.uint64(changed[head & ring])
        head += ONE
        cause = np.int64(changed_by[cell])
        if cause == MANY:
            cause = NOWHERE
        changed_by[cell] = IDLE
        domain = words[cell]
        single = domain & (domain - ONE) == 0
        pattern = np.uint64(lowest_bit(domain))
        row = (pattern >> THREE) * PAGE + (ONE << (pattern & SEVEN))
        for direction in range(directions):
            beside = neighbour[cell, direction]
            if beside == NOWHERE or direction == cause:
                continue
            other = np.uint64(beside)
            before = words[other]
            page = np.uint64(rule[direction] * pages) * PAGE
            if single:
                support = allowed[page + row]
            elif before & (before - ONE) == 0:
                continue
            else:
                rest = domain
                support = np.uint64(0)
                for _ in range(pages):
                    support |= allowed[page + (rest & BYTE)]
                    rest >>= EIGHT
                    page += PAGE
            removed = before & ~support
            if removed != 0:
                trail_at[trail] = beside
                trail_removed[trail] = removed
                trail += ONE
                words[other] = before ^ removed
                if before == removed:
                    state[EMPTY_CELL] = beside
                    status = EMPTY
                    break
                back = opposite[direction]
                if changed_by[other] == IDLE:
                    changed_by[other] = back if back < MANY else MANY
                    changed[tail & ring] = beside
                    tail += ONE
                elif changed_by[other] != back:
                    changed_by[other] = MANY
    state[HEAD], state[TAIL], state[TRAIL] = np.int64(head), np.int64(tail), np.int64(trail)
    state[WORK_LEFT] -= np.int64(head - begun) * cost
    return status


def find_unsupported(wave: Wave, rules: RuleTable, cell: int, relation: int) -> None:
    """Write the patterns that no pattern of a cell allows on that side into `scratch`."""
    words, gone, allowed = wave.words, wave.scratch, rules.allowed_by_page
    width = rules.rows.shape[2]
    stride = row_stride(width)
    first = relation * ((rules.class_of.shape[1] + 7) // 8)
    if stride == QUAD:  # few words: they stay in registers
        support_0, support_1, support_2, support_3 = ZERO, ZERO, ZERO, ZERO
        for part in range(width):
            rest = words[cell * width + part]
            row = np.uint64(first + part * 8) * PAGE * FOUR
            while rest != 0:
                value = row + (rest & BYTE) * FOUR
                support_0 |= allowed[value]
                support_1 |= allowed[value + ONE]
                support_2 |= allowed[value + TWO]
                support_3 |= allowed[value + THREE]
                rest >>= EIGHT
                row += PAGE * FOUR
        gone[0], gone[1], gone[2], gone[3] = ~support_0, ~support_1, ~support_2, ~support_3
        return
    for word in range(width):
        gone[word] = ~ZERO
    for part in range(width):
        rest = words[cell * width + part]
        page = np.uint64(first + part * 8) * PAGE
        while rest != 0:
            value = rest & BYTE
            if value != 0:
                at = np.int64(page + value) * width
                for word in range(width):
                    gone[word] &= ~allowed[at + word]
            rest >>= EIGHT
            page += PAGE


@kernel_part
def propagate_many_words(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Any number of patterns: a row of words per byte of the domain."""
    words, changed, changed_by, state = wave.words, wave.changed, wave.changed_by, wave.state
    neighbour, opposite, rule = graph.neighbour, graph.opposite, graph.rule
    directions = neighbour.shape[1]
    width = rules.rows.shape[2]
    ring = changed.size - 1
    gone = wave.scratch[:width]
    head, tail = state[HEAD], state[TAIL]
    room = wave.trail_at.size - directions * width
    begun, cost = head, 1 + directions * width * width
    last = head + visits_left(state, cost)
    status = CONSISTENT
    while head != tail and status == CONSISTENT:
        if state[TRAIL] > room or head == last:
            status = FULL if state[TRAIL] > room else WORKED
            break
        cell = np.int64(changed[head & ring])
        head += 1
        cause = np.int64(changed_by[cell])
        if cause == MANY:
            cause = NOWHERE
        changed_by[cell] = IDLE
        single = has_one(words, cell * width, width)
        for direction in range(directions):
            other = np.int64(neighbour[cell, direction])
            if other == NOWHERE or direction == cause:
                continue
            if not single and has_one(words, other * width, width):
                continue
            find_unsupported(wave, rules, cell, np.int64(rule[direction]))
            answer = remove_words(wave, other, gone)
            if answer == EMPTIED:
                status = EMPTY
                break
            if answer == UNCHANGED:
                continue
            back = opposite[direction]
            if changed_by[other] == IDLE:
                changed_by[other] = back if back < MANY else MANY
                changed[tail & ring] = other
                tail += 1
            elif changed_by[other] != back:
                changed_by[other] = MANY
    state[HEAD], state[TAIL] = head, tail
    state[WORK_LEFT] -= (head - begun) * cost
    return status
