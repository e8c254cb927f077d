"""AC-3 by tables: the support of a domain is the OR of table rows, one for each byte or digit."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import BYTE, ONE, count_visits_left, has_one, lowest_bit
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import EMPTIED, UNCHANGED, remove_words, schedule_narrowed
from wavefold.kernels.units import kernel_part
from wavefold.kernels.vectors import QUAD, ROW, empty_quad, load_quad, store_row, unite

ZERO, TWO, THREE, FOUR = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4)
SEVEN, EIGHT = np.uint64(7), np.uint64(8)
DIGIT_BITS = 4  # bits per digit; with bytes, the table for all sides would not fit in the L1 cache
DIGIT = np.uint64((1 << DIGIT_BITS) - 1)
DIGIT_VALUES, DIGIT_SHIFT = np.uint64(1 << DIGIT_BITS), np.uint64(DIGIT_BITS)
PAGE = np.uint64(256)  # rows of a page, one for each value of a byte


def row_stride(width: int) -> int:
    """Return the distance between rows of a table, in words. Two to four words are padded to a quad."""
    return QUAD if 1 < width <= QUAD else width


def count_digits(patterns: int) -> int:
    """Return the number of digits in a domain with this number of patterns."""
    return (patterns + DIGIT_BITS - 1) // DIGIT_BITS


def write_support(
    allowed: np.ndarray, digits: int, has_more: bool, domain: np.uint64, support_on: np.ndarray
) -> None:
    """Write the patterns that a domain allows in each relation to `support_on` [relation].

    allowed  : [digit * value * relation] see `RuleTable.allowed_by_digit`
    has_more : there are five to eight relations, not up to four
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
    """Propagate up to 64 patterns and eight relations; one look-up covers four patterns and all sides.

    A visit of a cell with several patterns skips neighbours with a single pattern: the visits of those
    neighbours remove from this cell whatever conflicts with them. A visit of a cell with one pattern narrows
    all neighbours without branching, because which of them are undecided cannot be predicted.

    Return CONSISTENT, EMPTY, FULL or WORKED.
    """
    words, changed, changed_by = wave.words, wave.changed, wave.changed_by
    trail_at, trail_removed, state = wave.trail_at, wave.trail_removed, wave.state
    neighbour, rule = graph.neighbour, graph.rule
    allowed, support_on = rules.allowed_by_digit, wave.scratch
    directions = neighbour.shape[1]
    digits, has_more = count_digits(rules.class_of.shape[1]), rules.class_of.shape[0] > QUAD
    ring = np.uint64(changed.size - 1)
    head, tail, trail = np.uint64(state[c.HEAD]), np.uint64(state[c.TAIL]), np.uint64(state[c.TRAIL])
    room = np.uint64(trail_at.size - directions)
    work = start_work = state[c.WORK_LEFT]
    cost = 1 + directions
    status = c.CONSISTENT
    while head != tail and status == c.CONSISTENT:
        if trail > room or work < 0:
            status = c.FULL if trail > room else c.WORKED
            break
        cell = np.uint64(changed[head & ring])
        head += ONE
        work -= cost
        changed_by[cell] = c.IDLE
        domain = words[cell]
        is_single = domain & (domain - ONE) == 0
        write_support(allowed, digits, has_more, domain, support_on)
        if not is_single:
            lost = ZERO
            for direction in range(directions):
                beside = neighbour[cell, direction]
                if beside != c.NOWHERE:
                    lost |= words[np.uint64(beside)] & ~support_on[np.uint64(rule[direction])]
            if lost == 0:
                continue
        for direction in range(directions):
            beside = neighbour[cell, direction]
            if beside == c.NOWHERE:
                continue
            other = np.uint64(beside)
            before = words[other]
            removed = before & ~support_on[np.uint64(rule[direction])]
            if not is_single and (removed == 0 or before & (before - ONE) == 0):
                continue  # with one pattern, its own visit is scheduled and will empty this cell
            is_less = removed != 0
            trail_at[trail] = beside
            trail_removed[trail] = removed
            trail += ONE if is_less else ZERO
            words[other] = before ^ removed
            if before == removed:
                state[c.EMPTY_CELL] = beside
                status = c.EMPTY
                break
            changed[tail & ring] = beside
            joins = is_less & (changed_by[other] == c.IDLE)
            changed_by[other] -= joins  # from IDLE to MANY
            tail += ONE if joins else ZERO
    state[c.HEAD], state[c.TAIL], state[c.TRAIL] = np.int64(head), np.int64(tail), np.int64(trail)
    state[c.WORK_LEFT] += work - start_work  # another thread may have set it during the call
    return status


def find_unsupported(wave: Wave, rules: RuleTable, cell: int, relation: int) -> None:
    """Write the patterns that no pattern of a cell allows in a relation to `scratch`."""
    words, gone, allowed = wave.words, wave.scratch, rules.allowed_by_page
    width = rules.rows.shape[2]
    stride = row_stride(width)
    first = relation * ((rules.class_of.shape[1] + 7) // 8)
    if stride == QUAD:  # two to four words stay in registers
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
    """Propagate any number of patterns, with one table row per byte of the domain.

    Return CONSISTENT, EMPTY, FULL or WORKED.
    """
    words, changed, changed_by, state = wave.words, wave.changed, wave.changed_by, wave.state
    neighbour, opposite, rule = graph.neighbour, graph.opposite, graph.rule
    directions = neighbour.shape[1]
    width = rules.rows.shape[2]
    ring = changed.size - 1
    gone = wave.scratch[:width]
    head, tail = state[c.HEAD], state[c.TAIL]
    room = wave.trail_at.size - directions * width
    old_head, cost = head, 1 + directions * width * width
    last = head + count_visits_left(state, cost)
    status = c.CONSISTENT
    while head != tail and status == c.CONSISTENT:
        if state[c.TRAIL] > room or head == last:
            status = c.FULL if state[c.TRAIL] > room else c.WORKED
            break
        cell = np.int64(changed[head & ring])
        head += 1
        cause = np.int64(changed_by[cell])
        if cause == c.MANY:
            cause = c.NOWHERE
        changed_by[cell] = c.IDLE
        single = has_one(words, cell * width, width)
        for direction in range(directions):
            other = np.int64(neighbour[cell, direction])
            if other == c.NOWHERE or direction == cause:
                continue
            if not single and has_one(words, other * width, width):
                continue
            find_unsupported(wave, rules, cell, np.int64(rule[direction]))
            outcome = remove_words(wave, other, gone)
            if outcome == EMPTIED:
                status = c.EMPTY
                break
            if outcome != UNCHANGED:
                tail = schedule_narrowed(wave, other, np.int64(opposite[direction]), tail)
    state[c.HEAD], state[c.TAIL] = head, tail
    state[c.WORK_LEFT] -= (head - old_head) * cost
    return status
