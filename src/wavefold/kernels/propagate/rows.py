"""AC-3 by removals for domains of up to eight words, which are processed as rows: see `kernels.vectors`.

As in `removals`, a visit handles only the patterns that its cell lost since the last visit, or those that
remain. A single vector instruction tests whether a class is dead, or adds what it supported, whatever the
number of patterns. If a domain is narrower than a row, the remaining words belong to the next cell: they are
masked where they would count, and written back unchanged.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, lowest_bit
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part
from wavefold.kernels.vectors import (
    ROW,
    Row,
    count_row,
    empty_row,
    intersect,
    is_empty,
    keep_if,
    load_row,
    store_row,
    subtract,
    unite,
)

ZERO, EIGHT, SIX = np.uint64(0), np.uint64(ROW), np.uint64(6)
CHEAPER = 2  # remaining patterns that can be looked up in the time of one lost pattern


def mask_width(wave: Wave, width: np.uint64) -> Row:
    """Return a row with all bits set in the words of one domain."""
    for word in range(EIGHT):
        wave.gone[word] = ~ZERO if word < width else ZERO
    return load_row(wave.gone, ZERO)


def list_row(wave: Wave, row: Row, width: np.uint64) -> np.uint64:
    """Write the patterns of a row to `listed`. Return their number."""
    store_row(wave.gone, ZERO, row)
    listed, size = wave.listed, ZERO
    for word in range(width):
        rest = wave.gone[word]
        while rest != 0:
            listed[size] = (word << SIX) + np.uint64(lowest_bit(rest))
            rest &= rest - ONE
            size += ONE
    return size


def unite_fits(wave: Wave, rules: RuleTable, side: np.uint64, size: np.uint64) -> Row:
    """Return the patterns that the listed patterns support on one side."""
    slots, listed = rules.slot, wave.listed
    supported = empty_row()
    for i in range(size):
        slot = np.uint64(slots[side, np.uint64(listed[i])])
        supported = unite(supported, load_row(rules.fit_rows, slot * EIGHT))
    return supported


def unite_dead_fits(wave: Wave, rules: RuleTable, side: np.uint64, size: np.uint64, domain: Row) -> Row:
    """Return the patterns that dead classes of the listed patterns supported on one side.

    There is no branch on each class, because whether it is dead cannot be predicted.
    """
    slots, listed = rules.slot, wave.listed
    gone = load_row(rules.unsupported, side * EIGHT)
    for i in range(size):
        at = np.uint64(slots[side, np.uint64(listed[i])]) * EIGHT
        is_dead = is_empty(intersect(domain, load_row(rules.member_rows, at)))
        gone = unite(gone, keep_if(is_dead, load_row(rules.fit_rows, at)))
    return gone


def log_row(wave: Wave, first: np.uint64, removed: Row, width: np.uint64, trail: np.uint64) -> np.uint64:
    """Record the patterns removed from the domain at index `first` on the trail. Return the new trail length.

    One entry more may be written than is kept: entries without removals are overwritten, not skipped.
    """
    store_row(wave.gone, ZERO, removed)
    for word in range(width):
        bits = wave.gone[word]
        wave.trail_at[trail] = first + word
        wave.trail_removed[trail] = bits
        trail += ONE if bits != 0 else ZERO
    return trail


@kernel_part
def propagate_rows(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Visit changed cells, and remove from each neighbour what dead classes supported.

    Return CONSISTENT, EMPTY, FULL or WORKED.
    """
    words, seen, changed, changed_by, state = wave.words, wave.seen, wave.changed, wave.changed_by, wave.state
    neighbour, opposite = graph.neighbour, graph.opposite
    directions = neighbour.shape[1]
    width = np.uint64(rules.rows.shape[2])
    full = mask_width(wave, width)
    ring = np.uint64(changed.size - 1)
    head, tail, trail = np.uint64(state[c.HEAD]), np.uint64(state[c.TAIL]), np.uint64(state[c.TRAIL])
    room = np.uint64(wave.trail_at.size - directions * rules.rows.shape[2] - 1)
    work = start_work = state[c.WORK_LEFT]
    status = c.CONSISTENT
    while head != tail and status == c.CONSISTENT:
        if trail > room or work < 0:
            status = c.FULL if trail > room else c.WORKED
            break
        cell = np.uint64(changed[head & ring])
        head += ONE
        cause = np.int64(changed_by[cell]) if changed_by[cell] != c.MANY else c.NOWHERE
        changed_by[cell] = c.IDLE
        now, before = load_row(words, cell * width), load_row(seen, cell * width)
        store_row(seen, cell * width, unite(intersect(now, full), subtract(before, full)))
        domain, lost = intersect(now, full), intersect(subtract(before, now), full)
        left = count_row(domain)
        by_left = left <= CHEAPER * count_row(lost)
        size = list_row(wave, domain if by_left else lost, width)
        work -= directions * np.int64(width + size)
        for direction in range(directions):
            beside = neighbour[cell, direction]
            if beside == c.NOWHERE or direction == cause:
                continue
            other, side = np.uint64(beside), np.uint64(direction)
            now = load_row(words, other * width)
            if by_left:
                removed = subtract(intersect(now, full), unite_fits(wave, rules, side, size))
            else:
                removed = intersect(now, unite_dead_fits(wave, rules, side, size, domain))
            if is_empty(removed):
                continue
            trail = log_row(wave, other * width, removed, width, trail)
            store_row(words, other * width, subtract(now, removed))
            if is_empty(intersect(subtract(now, removed), full)):
                state[c.EMPTY_CELL] = beside
                status = c.EMPTY
                break
            back = opposite[direction]
            if changed_by[other] == c.IDLE:
                changed_by[other] = back if back < c.MANY else c.MANY
                changed[tail & ring] = beside
                tail += ONE
            elif changed_by[other] != back:
                changed_by[other] = c.MANY
    state[c.HEAD], state[c.TAIL], state[c.TRAIL] = np.int64(head), np.int64(tail), np.int64(trail)
    state[c.WORK_LEFT] += work - start_work  # another thread may have set it during the call
    return status
