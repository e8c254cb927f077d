"""Propagation within a window: what follows from a choice, for few patterns, up to 256, and any number."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.ac3_tables import QUAD
from wavefold.kernels.bits import BYTE, ONE, count_patterns, has_one, lowest_bit
from wavefold.kernels.constants import IDLE, MANY
from wavefold.kernels.jit import inner
from wavefold.kernels.on_demand import on_demand
from wavefold.kernels.refine_structs import EFFORT, OUTSIDE, RefineMap, RefineRules
from wavefold.kernels.rows import empty_quad, intersect, is_empty, load_quad, store_row, subtract, unite
from wavefold.kernels.structs import KernelGraph

# Unused rows after each page: the rows used most, those of the value 0, would otherwise be a power of two
# apart, and drive each other out of the processor's cache. Without them, large windows take twice as long.
SPARE = 4
PAGE = np.uint64(256 + SPARE)  # values of a byte
ZERO, TWO, THREE, FOUR, EIGHT = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(8)


@inner
def propagate_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, tail: int) -> int:
    """Visit the slots in the queue until nothing changes; 0 if a cell is left without patterns, else 1."""
    if rules.class_pages.size > 0:
        return propagate_few_classes(rules, chain, graph, tail)
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
def propagate_few_classes(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Up to 256 patterns, of up to 64 classes a side: first the classes that are left, then what they allow.

    Few branches that depend on the map: a processor that guesses wrong loses more than a look-up takes.
    """
    domain, beside, queue, queued = chain.domain, chain.beside, chain.queue, chain.queued
    pages, classes = rules.pages, chain.classes
    page = np.uint64(pages.size // rules.rows.shape[0])
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring])
        head += ONE
        cause = np.int64(queued[here])
        queued[here] = IDLE
        find_classes(rules, chain, here * FOUR)
        for direction in range(beside.shape[1]):
            other = beside[here, direction]
            if other == OUTSIDE or direction == cause:
                continue
            relation = np.uint64(graph.rule[direction])
            left, row, support = classes[relation], relation * page, empty_quad()
            while left != 0:
                support = unite(support, load_quad(pages, row + (left & BYTE) * FOUR))
                left >>= EIGHT
                row += PAGE * FOUR
            there = np.uint64(other) * FOUR
            before = load_quad(domain, there)
            if is_empty(subtract(before, support)):
                continue
            after = intersect(before, support)
            store_row(domain, there, after)
            if is_empty(after):
                chain.state[EFFORT] += np.int64(head)
                empty_queue(chain, np.int64(head), np.int64(tail))
                return 0
            tail = schedule_visit(chain, graph, np.int64(other), direction, tail)
    chain.state[EFFORT] += np.int64(head)
    return 1


@inner
def find_classes(rules: RefineRules, chain: RefineMap, start: np.uint64) -> None:
    """Write into `classes` [relation] the classes of the patterns that are left in a slot."""
    domain, pages = chain.domain, rules.class_pages
    words = (rules.class_of.shape[1] + 63) // 64
    for first in range(0, chain.classes.size, QUAD):
        found, row = empty_quad(), np.uint64(first)
        stride = np.uint64(chain.classes.size)
        for word in range(words):
            rest = domain[start + np.uint64(word)]
            for _ in range(8):
                found = unite(found, load_quad(pages, row + (rest & BYTE) * stride))
                rest >>= EIGHT
                row += PAGE * stride
        store_row(chain.classes, np.uint64(first), found)


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
