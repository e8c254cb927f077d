"""Propagation within a window: what follows from a choice. Up to 256 patterns by pages, else by classes."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.ac3_tables import count_digits, write_support
from wavefold.kernels.bits import BYTE, ONE, has_one, lowest_bit
from wavefold.kernels.constants import IDLE, MANY
from wavefold.kernels.refine_classes import propagate_by_classes, propagate_few_classes, propagate_in_rows
from wavefold.kernels.refine_queue import empty_queue, schedule_visit
from wavefold.kernels.refine_structs import EFFORT, OUTSIDE, PAGE, RefineMap, RefineRules
from wavefold.kernels.rows import QUAD
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.units import kernel_part

ZERO, TWO, THREE, FOUR, EIGHT = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(8)


def propagate_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, tail: int) -> int:
    """Visit the slots in the queue until nothing changes; 0 if a cell is left without patterns, else 1."""
    if rules.class_pages.size > 0 and rules.rows.shape[2] == QUAD:
        return propagate_few_classes(rules, chain, graph, tail)
    if rules.class_pages.size > 0:
        return propagate_in_rows(rules, chain, graph, tail)
    if rules.digits.size > 0:
        return propagate_one_word(rules, chain, graph, tail)
    if rules.pages.size > 0:
        return propagate_four_words(rules, chain, graph, tail)
    return propagate_by_classes(rules, chain, graph, tail)


@kernel_part
def propagate_one_word(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Up to 64 patterns and eight relations: one look-up gives what four patterns allow on all sides."""
    domain, beside, queue, queued = chain.domain, chain.beside, chain.queue, chain.queued
    allowed, support_on = rules.digits, chain.classes
    digits, has_more = count_digits(rules.class_of.shape[1]), rules.class_of.shape[0] > QUAD
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring])
        head += ONE
        queued[here] = IDLE
        write_support(allowed, digits, has_more, domain[here], support_on)
        for direction in range(beside.shape[1]):
            other = beside[here, direction]
            if other == OUTSIDE:
                continue
            there = np.uint64(other)
            before = domain[there]
            after = before & support_on[np.uint64(graph.rule[direction])]
            if after == before:
                continue
            domain[there] = after
            if after == 0:
                chain.state[EFFORT] += np.int64(head)
                empty_queue(chain, np.int64(head), np.int64(tail))
                return 0
            queue[tail & ring] = other
            tail += ONE if queued[there] == IDLE else ZERO
            queued[there] = MANY
    chain.state[EFFORT] += np.int64(head)
    return 1


@kernel_part
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
