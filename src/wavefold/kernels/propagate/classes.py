"""AC-3 by classes: for each cell and side, track which classes of patterns are alive.

One table gives the classes of a domain on all sides, another the patterns that classes allow; both are read
one page of bits at a time. So a visit reads the domain of its cell once, and touches a neighbour only if a
class died. Live classes are stored after the domains in `Wave.words`, so the trail restores them, too.

Where each class supports a single class of the facing relation, both have the same number
(`RuleTable.partner`). Then the neighbour's class is removed at the same time, and the visit of the neighbour
removes nothing more from this cell.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import BYTE, ONE, count_visits_left, lowest_bit
from wavefold.kernels.propagate.tables import PAGE, row_stride
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import EMPTIED, UNCHANGED, remove_words, schedule_narrowed
from wavefold.kernels.units import kernel_part

ZERO, TWO, THREE, FOUR = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4)
SEVEN, EIGHT = np.uint64(7), np.uint64(8)


@kernel_part
def reset_live_classes(wave: Wave, rules: RuleTable, graph: KernelGraph, cell: int) -> None:
    """Mark all classes of a cell as alive, so that its next visit finds all dead classes again."""
    cells, directions = graph.neighbour.shape
    width = rules.rows.shape[2]
    live_width = (rules.rows.shape[1] + 63) // 64
    for direction in range(directions):
        left = np.int64(rules.classes[graph.rule[direction]])
        for part in range(live_width):
            at = cells * width + (cell * directions + direction) * live_width + part
            taken = left if left < 64 else 64
            wave.words[at] = ~np.uint64(0) >> np.uint64(64 - taken) if taken > 0 else np.uint64(0)
            left -= taken


def or_rows(
    table: np.ndarray, page_bits: int, first: int, word: np.uint64, total: np.ndarray, stride: int
) -> None:
    """OR the rows of the bits of a word into `total`. The first page of the word begins at row `first`."""
    bits = np.uint64(page_bits)
    digit = (ONE << bits) - ONE
    while word != 0:
        shift = np.uint64(lowest_bit(word)) & ~(bits - ONE)
        value = (word >> shift) & digit
        word &= ~(digit << shift)
        row = (first + np.int64((shift // bits << bits) + value)) * stride
        for i in range(total.size):
            total[i] |= table[row + i]


def remove_classes(wave: Wave, at: int, dead: np.uint64, trail: int) -> int:
    """Remove dead classes from the live ones and record them on the trail. Return the new trail length."""
    removed = wave.words[at] & dead
    if removed == 0:
        return trail
    wave.trail_at[trail] = at
    wave.trail_removed[trail] = removed
    wave.words[at] ^= removed
    return trail + 1


@kernel_part
def propagate_classes(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Visit changed cells, and remove from each neighbour what only dead classes supported.

    Return CONSISTENT, EMPTY, FULL or WORKED.
    """
    words, changed, changed_by, state, scratch = (
        wave.words,
        wave.changed,
        wave.changed_by,
        wave.state,
        wave.scratch,
    )
    neighbour, opposite, rule = graph.neighbour, graph.opposite, graph.rule
    cells, directions = neighbour.shape
    relations, classes, width = rules.rows.shape
    live_width = (classes + 63) // 64
    bits = rules.page_bits[0]
    class_rows = -(-classes // bits) << bits
    alive = scratch[: relations * live_width]
    gone = scratch[relations * live_width : relations * live_width + width]
    ring = changed.size - 1
    head, tail = state[c.HEAD], state[c.TAIL]
    room = wave.trail_at.size - directions * (width + 2 * live_width)
    old_head, cost = head, 1 + directions * width * live_width
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
        for i in range(alive.size):
            alive[i] = 0
        for word in range(width):
            first = (word * 64 // bits) << bits
            or_rows(
                rules.classes_by_page, bits, first, words[cell * width + word], alive, row_stride(alive.size)
            )
        for direction in range(directions):
            other = np.int64(neighbour[cell, direction])
            if other == c.NOWHERE or direction == cause:
                continue
            relation = np.int64(rule[direction])
            back = np.int64(opposite[direction])
            paired = rules.partner[relation] == rule[back]
            live_at = cells * width + (cell * directions + direction) * live_width
            back_at = cells * width + (other * directions + back) * live_width
            for word in range(width):
                gone[word] = 0
            trail = state[c.TRAIL]
            for part in range(live_width):
                dead = words[live_at + part] & ~alive[relation * live_width + part]
                trail = remove_classes(wave, live_at + part, dead, trail)
                if paired:
                    trail = remove_classes(wave, back_at + part, dead, trail)
                first = relation * class_rows + ((part * 64 // bits) << bits)
                source = dead if paired else words[live_at + part]
                or_rows(rules.allowed_by_page, bits, first, source, gone, row_stride(width))
            if trail == state[c.TRAIL]:
                continue
            state[c.TRAIL] = trail
            if not paired:
                for word in range(width):
                    gone[word] = ~gone[word]
            outcome = remove_words(wave, other, gone)
            if outcome == EMPTIED:
                status = c.EMPTY
                break
            if outcome != UNCHANGED:
                tail = schedule_narrowed(wave, other, back, tail)
    state[c.HEAD], state[c.TAIL] = head, tail
    state[c.WORK_LEFT] -= (head - old_head) * cost
    return status


def fits_registers(rules: RuleTable, graph: KernelGraph) -> bool:
    """Whether `propagate_few_classes` can be used, which keeps all values of a visit in registers."""
    relations, classes, width = rules.rows.shape
    if relations != 4 or graph.neighbour.shape[1] != 4 or not 1 < width <= 4 or classes > 64:
        return False
    for direction in range(4):
        relation = graph.rule[direction]
        facing = graph.rule[graph.opposite[direction]]
        if relation != direction or rules.partner[relation] != facing:
            return False
    return rules.page_bits[0] == 8


@kernel_part
def propagate_few_classes(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Do the work of `propagate_classes` for four sides, up to 64 paired classes and up to 256 patterns.

    Without this version, solving 64x64 maps takes 1.6 to 1.9 times as long (circuit, dungeon, knots, meadow,
    terrain; entropy order; both versions measured in one run).
    """
    words, changed, changed_by = wave.words, wave.changed, wave.changed_by
    trail_at, trail_removed, state = wave.trail_at, wave.trail_removed, wave.state
    neighbour, opposite = graph.neighbour, graph.opposite
    classes_by_page, allowed = rules.classes_by_page, rules.allowed_by_page
    width = np.uint64(rules.rows.shape[2])
    pages = np.uint64((rules.rows.shape[1] + 7) // 8)
    behind = np.uint64(neighbour.shape[0]) * width
    ring = np.uint64(changed.size - 1)
    head, tail, trail = np.uint64(state[c.HEAD]), np.uint64(state[c.TAIL]), np.uint64(state[c.TRAIL])
    room = np.uint64(trail_at.size - 4 * (rules.rows.shape[2] + 2))
    old_head, cost = head, 8 + 8 * rules.rows.shape[2]
    last = head + np.uint64(count_visits_left(state, cost))
    status = c.CONSISTENT
    while head != tail and status == c.CONSISTENT:
        if trail > room or head == last:
            status = c.FULL if trail > room else c.WORKED
            break
        cell = np.uint64(changed[head & ring])
        head += ONE
        cause = changed_by[cell]
        changed_by[cell] = c.IDLE
        live_at = behind + cell * FOUR
        dead_0 = words[live_at] if cause != 0 else ZERO
        dead_1 = words[live_at + ONE] if cause != 1 else ZERO
        dead_2 = words[live_at + TWO] if cause != 2 else ZERO
        dead_3 = words[live_at + THREE] if cause != 3 else ZERO
        word = ZERO
        while word < width and dead_0 | dead_1 | dead_2 | dead_3 != 0:
            rest = words[cell * width + word]
            while rest != 0:
                shift = np.uint64(lowest_bit(rest)) & ~SEVEN
                row = ((word * EIGHT + (shift >> THREE)) * PAGE + ((rest >> shift) & BYTE)) * FOUR
                rest &= ~(BYTE << shift)
                dead_0 &= ~classes_by_page[row]
                dead_1 &= ~classes_by_page[row + ONE]
                dead_2 &= ~classes_by_page[row + TWO]
                dead_3 &= ~classes_by_page[row + THREE]
            word += ONE
        if dead_0 | dead_1 | dead_2 | dead_3 == 0:
            continue
        for direction in range(4):
            dead = dead_0
            dead_0, dead_1, dead_2 = dead_1, dead_2, dead_3
            beside = neighbour[cell, direction]
            if dead == 0 or beside == c.NOWHERE:
                continue
            other = np.uint64(beside)
            back = opposite[direction]
            at = live_at + np.uint64(direction)
            trail_at[trail] = at
            trail_removed[trail] = dead
            trail += ONE
            words[at] ^= dead
            at = behind + other * FOUR + np.uint64(back)
            trail_at[trail] = at
            trail_removed[trail] = words[at] & dead
            trail += ONE
            words[at] &= ~dead
            gone_0, gone_1, gone_2, gone_3 = ZERO, ZERO, ZERO, ZERO
            page = np.uint64(direction) * pages
            while dead != 0:
                shift = np.uint64(lowest_bit(dead)) & ~SEVEN
                row = ((page + (shift >> THREE)) * PAGE + ((dead >> shift) & BYTE)) * FOUR
                dead &= ~(BYTE << shift)
                gone_0 |= allowed[row]
                gone_1 |= allowed[row + ONE]
                gone_2 |= allowed[row + TWO]
                gone_3 |= allowed[row + THREE]
            start, stop = other * width, other * width + width
            left, lost = ZERO, ZERO
            while start < stop:
                before = words[start]
                removed = before & gone_0
                gone_0, gone_1, gone_2 = gone_1, gone_2, gone_3
                lost |= removed
                left |= before ^ removed
                if removed != 0:
                    trail_at[trail] = start
                    trail_removed[trail] = removed
                    trail += ONE
                    words[start] = before ^ removed
                start += ONE
            if left == 0:
                state[c.EMPTY_CELL] = beside
                status = c.EMPTY
                break
            if lost == 0:
                continue
            if changed_by[other] == c.IDLE:
                changed_by[other] = back
                changed[tail & ring] = beside
                tail += ONE
            elif changed_by[other] != back:
                changed_by[other] = c.MANY
    state[c.HEAD], state[c.TAIL], state[c.TRAIL] = np.int64(head), np.int64(tail), np.int64(trail)
    state[c.WORK_LEFT] -= np.int64(head - old_head) * cost
    return status
