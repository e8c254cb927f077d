"""AC-3 by removals: a visit handles only the patterns that its cell lost since the last visit.

This requires rules where each pattern is supported by a single class on each side, which is true of every
overlapping model. A pattern is removed when that class dies, and a class dies with its last pattern. So no
counters are needed: a visit tests the few other patterns in the class of each lost pattern. If fewer patterns
remain than were lost, the visit instead combines what the remaining patterns support. For example, a cell
that is narrowed from two thousand patterns to one needs one look-up per side.

A *slot* is direction * classes + class. `Wave.seen` holds the domains at the last visit.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, count_bits, has_one, lowest_bit
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import schedule_narrowed
from wavefold.kernels.units import kernel_part

ZERO, SIX, LOW = np.uint64(0), np.uint64(6), np.uint64(63)
SIXTEEN, DIGITS, LARGE = np.uint64(16), np.uint64(0xFFFF), ~np.uint64(0)


@kernel_part
def forget_visits(wave: Wave, rules: RuleTable, cell: int) -> None:
    """Make the next visit of a cell handle all patterns that it ever lost."""
    width = rules.rows.shape[2]
    for word in range(width):
        wave.seen[cell * width + word] = rules.all_patterns[word]


def list_patterns(wave: Wave, cell: int, width: int, left: bool) -> int:
    """Write the patterns that a cell lost since its last visit to `listed`. Return their number.

    left : write the remaining patterns instead
    """
    size = np.uint64(0)
    for word in range(width):
        at = cell * width + word
        rest = wave.words[at] if left else wave.seen[at] & ~wave.words[at]
        while rest != 0:
            wave.listed[size] = word * 64 + lowest_bit(rest)
            rest &= rest - ONE
            size += ONE
    return np.int64(size)


def list_slots(wave: Wave, rules: RuleTable, direction: int, size: int) -> int:
    """Append the slots of the listed patterns on one side to `listed`. Return their number."""
    slots, listed, side = rules.slot, wave.listed, np.uint64(direction)
    start = np.uint64(slots.shape[1])
    for i in range(np.uint64(size)):
        listed[start + i] = slots[side, np.uint64(listed[i])]
    return size


def list_dead_slots(wave: Wave, rules: RuleTable, cell: int, direction: int, size: int) -> int:
    """Append the slots of the listed patterns whose first four members were removed. Return their number.

    There is no branch on each slot, because whether a class is dead cannot be predicted.
    """
    slots, listed, four_members, words = rules.slot, wave.listed, rules.four_members, wave.words
    first, side = np.uint64(cell * wave.gone.size), np.uint64(direction)
    start = np.uint64(slots.shape[1])
    stop = start
    for i in range(np.uint64(size)):
        slot = np.uint64(slots[side, np.uint64(listed[i])])
        four = four_members[slot]
        alive = ZERO
        for _ in range(4):
            pattern = four & DIGITS
            alive |= words[first + (pattern >> SIX)] >> (pattern & LOW)
            four >>= SIXTEEN
        listed[stop] = slot
        stop += ~alive & ONE
    return np.int64(stop - start)


def has_more(wave: Wave, rules: RuleTable, cell: int, slot: np.uint64) -> bool:
    """Whether the cell has a member of a class other than its first four."""
    first = np.uint64(cell * wave.gone.size)
    for k in range(rules.member_start[slot] + 4, rules.member_start[slot + ONE]):
        pattern = np.uint64(rules.member[k])
        if (wave.words[first + (pattern >> SIX)] >> (pattern & LOW)) & ONE != 0:
            return True
    return False


def collect_fits(wave: Wave, rules: RuleTable, cell: int, count: int, dead: bool) -> None:
    """Add the patterns that the listed slots support to `gone`.

    dead : skip the slots whose class is alive in the cell
    """
    gone, fit, listed, four_fits = wave.gone, rules.fit, wave.listed, rules.four_fits
    start = np.uint64(rules.slot.shape[1])
    for i in range(start, start + np.uint64(count)):
        slot = np.uint64(listed[i])
        if dead and has_more(wave, rules, cell, slot):
            continue
        four = four_fits[slot]
        if four != LARGE:
            for _ in range(4):
                pattern = four & DIGITS
                gone[pattern >> SIX] |= ONE << (pattern & LOW)
                four >>= SIXTEEN
        else:
            for k in range(rules.fit_start[slot], rules.fit_start[slot + ONE]):
                pattern = np.uint64(fit[k])
                gone[pattern >> SIX] |= ONE << (pattern & LOW)


def collect_supported(wave: Wave, rules: RuleTable, cell: int, direction: int, size: int) -> None:
    """Write the patterns that the listed patterns do not support on one side to `gone`."""
    for word in range(wave.gone.size):
        wave.gone[word] = ZERO
    collect_fits(wave, rules, cell, list_slots(wave, rules, direction, size), False)
    for word in range(wave.gone.size):
        wave.gone[word] = ~wave.gone[word]


def collect_unsupported(wave: Wave, rules: RuleTable, cell: int, direction: int, size: int) -> None:
    """Write the patterns that dead classes of the listed patterns supported on one side to `gone`."""
    for word in range(wave.gone.size):
        wave.gone[word] = rules.unsupported[direction, word]
    collect_fits(wave, rules, cell, list_dead_slots(wave, rules, cell, direction, size), True)


def remove_gone(wave: Wave, cell: int) -> int:
    """Remove the patterns in `gone` from a cell. Return the number of changed words, or -1 if it is empty."""
    words, gone, trail_at, trail_removed = wave.words, wave.gone, wave.trail_at, wave.trail_removed
    start = np.int64(wave.state[c.TRAIL])
    trail = start
    left = ZERO
    first = cell * gone.size
    for word in range(gone.size):
        before = words[first + word]
        removed = before & gone[word]
        left |= before ^ removed
        if removed != 0:
            trail_at[trail] = first + word
            trail_removed[trail] = removed
            trail += 1
            words[first + word] = before ^ removed
    wave.state[c.TRAIL] = trail
    return trail - start if left != 0 else -1


@kernel_part
def propagate_removals(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Visit changed cells, and remove from each neighbour what dead classes supported.

    Return CONSISTENT, EMPTY, FULL or WORKED.
    """
    words, seen, changed, changed_by, state = wave.words, wave.seen, wave.changed, wave.changed_by, wave.state
    neighbour, opposite = graph.neighbour, graph.opposite
    directions = neighbour.shape[1]
    width = wave.gone.size
    ring = changed.size - 1
    head, tail = state[c.HEAD], state[c.TAIL]
    room = wave.trail_at.size - directions * width
    work = start_work = state[c.WORK_LEFT]
    status = c.CONSISTENT
    while head != tail and status == c.CONSISTENT:
        if state[c.TRAIL] > room or work < 0:
            status = c.FULL if state[c.TRAIL] > room else c.WORKED
            break
        cell = np.int64(changed[head & ring])
        head += 1
        cause = np.int64(changed_by[cell]) if changed_by[cell] != c.MANY else c.NOWHERE
        changed_by[cell] = c.IDLE
        lost, left = 0, 0
        for at in range(cell * width, cell * width + width):
            lost += count_bits(seen[at] ^ words[at])
            left += count_bits(words[at])
        by_left = left <= lost
        size = list_patterns(wave, cell, width, by_left)
        work -= directions * (width + size)
        for at in range(cell * width, cell * width + width):
            seen[at] = words[at]
        for direction in range(directions):
            other = np.int64(neighbour[cell, direction])
            if other == c.NOWHERE or direction == cause:
                continue
            if left > 1 and has_one(words, other * width, width):
                continue
            if by_left:
                collect_supported(wave, rules, cell, direction, size)
            else:
                collect_unsupported(wave, rules, cell, direction, size)
            narrowed = remove_gone(wave, other)
            if narrowed < 0:
                state[c.EMPTY_CELL] = other
                status = c.EMPTY
                break
            if narrowed > 0:
                tail = schedule_narrowed(wave, other, np.int64(opposite[direction]), tail)
    state[c.HEAD], state[c.TAIL] = head, tail
    state[c.WORK_LEFT] += work - start_work  # another thread may have set it during the call
    return status
