"""Windows of a finished map: their cells, what their rims leave possible, and what follows from a choice.

A window's cells are numbered in the order in which they are decided: its *slots*. Everything around a window
stays as it is, so a window starts from the domains at the root, narrowed by its rim.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.ac3_tables import QUAD
from wavefold.kernels.array_struct import ArrayStruct
from wavefold.kernels.bits import BYTE, ONE, count_patterns, has_one, lowest_bit
from wavefold.kernels.constants import IDLE, MANY, NOWHERE
from wavefold.kernels.jit import inner
from wavefold.kernels.on_demand import on_demand, prepare
from wavefold.kernels.structs import KernelGraph

OUTSIDE = np.int32(-1)  # in RefineMap.slot and RefineMap.beside: not a cell of the window
PAGE = np.uint64(256)  # values of a byte
EFFORT = 10  # in RefineMap.state: visits, or patterns looked at, so far
ZERO, TWO, THREE, FOUR, EIGHT = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(8)


@dataclass(frozen=True, eq=False)
class RefineRules(ArrayStruct):
    """What may touch, and how much each pattern weighs: a map's probability is the product of these weights.

    Weights change between two sweeps only. Up to 256 patterns, kinds that may not touch themselves are part
    of the classes; beyond, they would multiply them, and are looked at where a cell has one pattern left.
    """

    class_of: NDArray[np.int32]  # [relation, pattern]
    rows: NDArray[np.uint64]  # [relation, class, word] the patterns allowed on that side
    members: NDArray[np.uint64]  # [relation, class, word] the patterns of a class; empty with pages
    kind: NDArray[np.int32]  # [pattern] patterns of one kind may not touch each other; -1: no kind
    kind_members: NDArray[np.uint64]  # [kind, word]
    pages: NDArray[np.uint64]  # [relation * page * value * word] what a byte of a domain allows; may be empty
    weight: NDArray[np.int64]  # [pattern] activity included, at least 1
    weight_log: NDArray[np.int64]  # [pattern] ln(weight), in 1 / 2**LOG_BITS
    cell_log: NDArray[np.int32]  # [cell, pattern] ln of the cell's factor; empty if all cells weigh alike
    pair_row: NDArray[np.int32]  # [relation, pattern] into pair_log, or -1; empty without soft pairs
    pair_log: NDArray[np.int32]  # [row, pattern] ln of the factor on that pattern beside this one
    pair_mask: NDArray[np.uint64]  # [row, word] the patterns that have one
    logarithm: NDArray[np.int64]  # [step] see `bits.build_log_table`
    power: NDArray[np.int64]  # [step] see `refine_sweep.build_power_table`


@dataclass(frozen=True, eq=False)
class RefineMap(ArrayStruct):
    """A finished map, and the window that is proposed next."""

    pattern: NDArray[np.int32]  # [cell] the map
    root: NDArray[np.uint64]  # [cell * word] what each cell may be
    narrowed: NDArray[np.uint8]  # [cell] whether its root has less than all patterns
    free: NDArray[np.uint8]  # [cell] whether it may change
    centre: NDArray[np.int32]  # the free cells, where windows are proposed; the first state[CENTRES] count
    slot: NDArray[np.int32]  # [cell] its slot in the window, or OUTSIDE
    axis: NDArray[np.int32]  # [axis] the direction along it; empty: windows are balls
    cell: NDArray[np.int32]  # [slot]
    beside: NDArray[np.int32]  # [slot, direction] the slot of the neighbour, or OUTSIDE
    start: NDArray[np.uint64]  # [slot * word] what the rim leaves possible
    domain: NDArray[np.uint64]  # [slot * word] what is possible while the window is decided
    decided: NDArray[np.int32]  # [slot] what was decided so far
    proposed: NDArray[np.int32]  # [slot] what is proposed
    queue: NDArray[np.int32]  # ring buffer of slots to visit; its size is a power of two
    queued: NDArray[np.uint8]  # [slot] IDLE, the direction of the one neighbour that narrowed it, or MANY
    support: NDArray[np.uint64]  # [word] scratch
    stamp: NDArray[np.int64]  # [class] when it was last seen; the last entry is the clock
    candidate: NDArray[np.int64]  # [pattern] scratch: weights under comparison
    pairs: NDArray[np.int32]  # [direction] scratch: rows of RefineRules.pair_log that matter
    counted: NDArray[np.uint8]  # [count, pattern] whether a constraint counts it
    counted_in: NDArray[np.uint8]  # [count, cell] whether a constraint counts there
    count: NDArray[np.int64]  # [count, (least, now, most)]
    state: NDArray[np.int64]  # see `refine_sweep`: SEED, …


@inner
def find_box(chain: RefineMap, graph: KernelGraph, centre: int, size: int, variant: int) -> int:
    """List the cells of a box `size` cells wide around a cell, row by row; returns how many.

    variant : which axis goes first, and from which end each is walked
    A box that would reach over the edge of the map lies against the edge instead.
    """
    axes = chain.axis.size
    signs, first = variant, (variant >> axes) % axes
    cells, lines = chain.cell, chain.proposed  # `proposed` is free until the window is decided
    count = 1
    cells[0] = centre
    for level in range(axes):
        axis = (first + level) % axes
        ahead = np.int64(chain.axis[axis])
        if (signs >> axis) & 1:
            ahead = np.int64(graph.opposite[ahead])
        back = np.int64(graph.opposite[ahead])
        for i in range(count):
            lines[i] = cells[i]
        found = 0
        for i in range(count):
            cell = np.int64(lines[i])
            for _ in range(size // 2):
                if graph.neighbour[cell, back] == NOWHERE:
                    break
                cell = np.int64(graph.neighbour[cell, back])
            for _ in range(size):
                cells[found] = cell
                found += 1
                cell = np.int64(graph.neighbour[cell, ahead])
                if cell == NOWHERE:
                    break
        count = found
    return number_slots(chain, count)


@inner
def number_slots(chain: RefineMap, count: int) -> int:
    """Give each free cell that is listed a slot; those listed twice (small maps that wrap) get one."""
    kept = 0
    for i in range(count):
        cell = chain.cell[i]
        if chain.free[cell] and chain.slot[cell] == OUTSIDE:
            chain.slot[cell] = kept
            chain.cell[kept] = cell
            kept += 1
    return kept


@on_demand
def find_ball(chain: RefineMap, graph: KernelGraph, centre: int, size: int, variant: int) -> int:
    """List the `size` cells nearest to a cell, from the middle or towards it; returns how many."""
    cells = chain.cell
    cells[0] = centre
    chain.slot[centre] = 0
    count, visited = 1, 0
    while visited < count < size:
        cell = np.int64(cells[visited])
        visited += 1
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[cell, direction])
            if other == NOWHERE or not chain.free[other] or count == size:
                continue
            if chain.slot[other] == OUTSIDE:
                chain.slot[other] = count
                cells[count] = other
                count += 1
    if variant & 1:
        for i in range(count // 2):
            cells[i], cells[count - 1 - i] = cells[count - 1 - i], cells[i]
        for i in range(count):
            chain.slot[cells[i]] = i
    return count


@inner
def leave_window(chain: RefineMap, count: int) -> None:
    """No cell has a slot any more."""
    for i in range(count):
        chain.slot[chain.cell[i]] = OUTSIDE


@inner
def enter_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, count: int) -> None:
    """Write into `start` what the rim leaves possible in each cell of the window, propagated."""
    width = rules.rows.shape[2]
    directions = graph.neighbour.shape[1]
    tail = 0
    for i in range(count):
        cell = np.int64(chain.cell[i])
        narrowed = chain.narrowed[cell] != 0
        for word in range(width):
            chain.domain[i * width + word] = chain.root[cell * width + word]
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            within = chain.slot[other] if other != NOWHERE else OUTSIDE
            chain.beside[i, direction] = within
            if other == NOWHERE or within != OUTSIDE:
                continue
            narrowed = True
            relation = np.int64(graph.rule[graph.opposite[direction]])
            group = np.int64(rules.class_of[relation, chain.pattern[other]])
            kind = np.int64(rules.kind[chain.pattern[other]])
            for word in range(width):
                chain.domain[i * width + word] &= rules.rows[relation, group, word]
                if kind >= 0:
                    chain.domain[i * width + word] &= ~rules.kind_members[kind, word]
        if narrowed:
            chain.queue[tail] = i
            chain.queued[i] = MANY
            tail += 1
    propagate_window(rules, chain, graph, tail)
    for i in range(count * width):
        chain.start[i] = chain.domain[i]


@inner
def propagate_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, tail: int) -> int:
    """Visit the slots in the queue until nothing changes; 0 if a cell is left without patterns, else 1."""
    if rules.pages.size == 0:
        return propagate_by_classes(rules, chain, graph, tail)
    if rules.rows.shape[2] == 1:
        return propagate_one_word(rules, chain, graph, tail)
    return propagate_four_words(rules, chain, graph, tail)


@on_demand
def propagate_one_word(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Up to 64 patterns: what a domain allows is the OR of one look-up per byte.

    From a cell with several patterns a neighbour with a single one is skipped: its own visit left here only
    what agrees with it.
    """
    domain, beside, queue, queued, pages = chain.domain, chain.beside, chain.queue, chain.queued, rules.pages
    count = (rules.class_of.shape[1] + 7) // 8
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring])
        head += ONE
        cause = np.int64(queued[here])
        queued[here] = IDLE
        single = domain[here] & (domain[here] - ONE) == 0
        for direction in range(beside.shape[1]):
            other = beside[here, direction]
            if other == OUTSIDE or direction == cause:
                continue
            there = np.uint64(other)
            before = domain[there]
            if not single and before & (before - ONE) == 0:
                continue
            rest = domain[here]
            page = np.uint64(graph.rule[direction] * count) * PAGE
            support = ZERO
            for _ in range(count):
                support |= pages[page + (rest & BYTE)]
                rest >>= EIGHT
                page += PAGE
            after = before & support
            if after == before:
                continue
            domain[there] = after
            if after == 0:
                chain.state[EFFORT] += np.int64(head)
                empty_queue(chain, np.int64(head), np.int64(tail))
                return 0
            tail = schedule_visit(chain, graph, np.int64(other), direction, tail)
    chain.state[EFFORT] += np.int64(head)
    return 1


@on_demand
def propagate_four_words(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Up to 256 patterns, in the same way: four words are one vector register."""
    domain, beside, queue, queued, pages = chain.domain, chain.beside, chain.queue, chain.queued, rules.pages
    count = np.uint64((rules.class_of.shape[1] + 7) // 8)
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring]) * FOUR
        head += ONE
        cause = np.int64(queued[here // FOUR])
        queued[here // FOUR] = IDLE
        single = has_one(domain, np.int64(here), QUAD)
        for direction in range(beside.shape[1]):
            other = beside[here // FOUR, direction]
            if (
                other == OUTSIDE
                or direction == cause
                or (not single and has_one(domain, np.int64(other) * QUAD, QUAD))
            ):
                continue
            there = np.uint64(other) * FOUR
            first = np.uint64(graph.rule[direction]) * count
            support_0, support_1, support_2, support_3 = ZERO, ZERO, ZERO, ZERO
            for part in range(FOUR):
                rest = domain[here + part]
                while rest != 0:  # only bytes that have bits: most have none
                    byte = np.uint64(lowest_bit(rest)) >> THREE
                    value = (rest >> (byte * EIGHT)) & BYTE
                    rest &= ~(BYTE << (byte * EIGHT))
                    row = ((first + part * EIGHT + byte) * PAGE + value) * FOUR
                    support_0 |= pages[row]
                    support_1 |= pages[row + ONE]
                    support_2 |= pages[row + TWO]
                    support_3 |= pages[row + THREE]
            before_0, before_1 = domain[there], domain[there + ONE]
            before_2, before_3 = domain[there + TWO], domain[there + THREE]
            after_0, after_1 = before_0 & support_0, before_1 & support_1
            after_2, after_3 = before_2 & support_2, before_3 & support_3
            if after_0 == before_0 and after_1 == before_1 and after_2 == before_2 and after_3 == before_3:
                continue
            domain[there], domain[there + ONE] = after_0, after_1
            domain[there + TWO], domain[there + THREE] = after_2, after_3
            if after_0 | after_1 | after_2 | after_3 == 0:
                chain.state[EFFORT] += np.int64(head)
                empty_queue(chain, np.int64(head), np.int64(tail))
                return 0
            tail = schedule_visit(chain, graph, np.int64(other), direction, tail)
    chain.state[EFFORT] += np.int64(head)
    return 1


@inner
def schedule_visit(
    chain: RefineMap, graph: KernelGraph, slot: int, direction: int, tail: np.uint64
) -> np.uint64:
    """Put a slot that was narrowed from the side it lies on into the queue; returns its new end."""
    back = graph.opposite[direction]
    if chain.queued[slot] == IDLE:
        chain.queued[slot] = back if back < MANY else MANY
        chain.queue[tail & np.uint64(chain.queue.size - 1)] = slot
        return tail + ONE
    if chain.queued[slot] != back:
        chain.queued[slot] = MANY
    return tail


@inner
def empty_queue(chain: RefineMap, head: int, tail: int) -> None:
    """Forget what is left to visit."""
    while head != tail:
        chain.queued[chain.queue[head & (chain.queue.size - 1)]] = IDLE
        head += 1


@on_demand
def propagate_by_classes(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Any number of patterns: what a domain allows is the OR of the rows of its classes."""
    domain, beside, queue, queued = chain.domain, chain.beside, chain.queue, chain.queued
    width = rules.rows.shape[2]
    ring = queue.size - 1
    head, tail = 0, last
    while head != tail:
        here = np.int64(queue[head & ring])
        head += 1
        queued[here] = IDLE
        for direction in range(beside.shape[1]):
            there = np.int64(beside[here, direction])
            if there == OUTSIDE:
                continue
            find_support(rules, chain, here, np.int64(graph.rule[direction]))
            left, changed = ZERO, False
            for word in range(width):
                before = domain[there * width + word]
                after = before & chain.support[word]
                changed |= after != before
                domain[there * width + word] = after
                left |= after
            if left == 0:
                empty_queue(chain, head, tail)
                return 0
            if changed:
                tail = np.int64(schedule_visit(chain, graph, there, direction, np.uint64(tail)))
    return 1


@inner
def find_support(rules: RefineRules, chain: RefineMap, here: int, relation: int) -> None:
    """Write into `support` what the patterns of a slot allow on the side of a relation."""
    width = rules.rows.shape[2]
    support = chain.support
    for word in range(width):
        support[word] = ZERO
    count = count_patterns(chain.domain, here * width, width)
    chain.state[EFFORT] += min(count, 2 * rules.members.shape[1])
    if count > 2 * rules.members.shape[1]:
        for group in range(rules.members.shape[1]):
            if has_member(rules, chain, here, relation, group):
                add_row(rules, support, relation, group)
        return
    stamp = chain.stamp
    clock = stamp.size - 1
    stamp[clock] += 1
    for word in range(width):
        rest = chain.domain[here * width + word]
        while rest != 0:
            pattern = word * 64 + lowest_bit(rest)
            rest &= rest - ONE
            group = np.int64(rules.class_of[relation, pattern])
            if stamp[group] != stamp[clock]:
                stamp[group] = stamp[clock]
                add_row(rules, support, relation, group)
            if count == 1 and rules.kind[pattern] >= 0:
                for each in range(width):
                    support[each] &= ~rules.kind_members[rules.kind[pattern], each]


@inner
def has_member(rules: RefineRules, chain: RefineMap, here: int, relation: int, group: int) -> bool:
    """Whether a slot may be a pattern of a class."""
    width = rules.rows.shape[2]
    for word in range(width):
        if chain.domain[here * width + word] & rules.members[relation, group, word] != 0:
            return True
    return False


@inner
def add_row(rules: RefineRules, support: np.ndarray, relation: int, group: int) -> None:
    """Add what a class allows."""
    for word in range(support.size):
        support[word] |= rules.rows[relation, group, word]


def prepare_window(rules: RefineRules, chain: RefineMap) -> None:
    """Load or compile what windows of these rules and this map need."""
    if not chain.axis.size:
        prepare(find_ball)
    if not rules.pages.size:
        prepare(propagate_by_classes)
    else:
        prepare(propagate_one_word if rules.rows.shape[2] == 1 else propagate_four_words)
