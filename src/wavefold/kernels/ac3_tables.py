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
from wavefold.kernels.rows import QUAD, ROW, empty_quad, load_quad, store_row, unite
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part

ZERO, TWO, THREE, FOUR = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4)
SEVEN, EIGHT = np.uint64(7), np.uint64(8)
DIGIT_BITS = 4  # of the table for all sides: a byte's would not fit into the nearest cache
DIGIT = np.uint64((1 << DIGIT_BITS) - 1)
DIGIT_VALUES, DIGIT_SHIFT = np.uint64(1 << DIGIT_BITS), np.uint64(DIGIT_BITS)
PAGE = np.uint64(256)  # values of a byte


def row_stride(width: int) -> int:
    """Words from row to row of a table: two to four are padded to four, one vector register."""
    return QUAD if 1 < width <= QUAD else width


def count_digits(patterns: int) -> int:
    """How many digits a domain of so many patterns has."""
    return (patterns + DIGIT_BITS - 1) // DIGIT_BITS


def write_support(
    allowed: np.ndarray, digits: int, has_more: bool, domain: np.uint64, support_on: np.ndarray
) -> None:
    """Write what a domain allows in each relation; there are up to four of them, or eight if `has_more`.

    allowed : [digit * value * relation] see `RuleTable.allowed_by_digit`
    """
    lanes, rest = np.uint64(ROW if has_more else QUAD), domain
    if rest & (rest - ONE) == 0:
        pattern = np.uint64(lowest_bit(rest))
        at = ((pattern >> TWO) * DIGIT_VALUES + (ONE << (pattern & THREE))) * lanes
        support = load_quad(allowed, at)
        more = load_quad(allowed, at + FOUR) if has_more else empty_quad()
    else:
        support, more, row = empty_quad(), empty_quad(), ZERO
        for _ in range(digits):
            at = (row + (rest & DIGIT)) * lanes
            support = unite(support, load_quad(allowed, at))
            if has_more:
                more = unite(more, load_quad(allowed, at + FOUR))
            rest >>= DIGIT_SHIFT
            row += DIGIT_VALUES
    store_row(support_on, ZERO, support)
    if has_more:
        store_row(support_on, FOUR, more)


@kernel_part
def propagate_one_word(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Up to 64 patterns and eight relations: one look-up gives what four patterns allow on all sides.

    From a cell with several patterns, a neighbour with a single one is skipped: its own visit leaves here
    only what agrees with it. Indices are unsigned, which saves the check for negative ones.
    """
    words, changed, changed_by = wave.words, wave.changed, wave.changed_by
    trail_at, trail_removed, state = wave.trail_at, wave.trail_removed, wave.state
    neighbour, rule = graph.neighbour, graph.rule
    allowed, support_on = rules.allowed_by_digit, wave.scratch
    directions = neighbour.shape[1]
    digits, has_more = count_digits(rules.class_of.shape[1]), rules.class_of.shape[0] > QUAD
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
        changed_by[cell] = IDLE
        domain = words[cell]
        is_single = domain & (domain - ONE) == 0
        write_support(allowed, digits, has_more, domain, support_on)
        for direction in range(directions):
            beside = neighbour[cell, direction]
            if beside == NOWHERE:
                continue
            other = np.uint64(beside)
            before = words[other]
            removed = before & ~support_on[np.uint64(rule[direction])]
            if removed != 0:
                if not is_single and before & (before - ONE) == 0:
                    continue  # one pattern: its own visit is due, and empties this cell
                trail_at[trail] = beside
                trail_removed[trail] = removed
                trail += ONE
                words[other] = before ^ removed
                if before == removed:
                    state[EMPTY_CELL] = beside
                    status = EMPTY
                    break
                changed[tail & ring] = beside
                tail += ONE if changed_by[other] == IDLE else ZERO
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
