"""Propagation within a window by classes: for more than 64 patterns of few classes, and for any rules."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import (
    BYTE,
    EMPTIED,
    NARROWED,
    ONE,
    UNCHANGED,
    count_patterns,
    first_pattern,
    has_one,
    lowest_bit,
)
from wavefold.kernels.constants import IDLE, NOWHERE
from wavefold.kernels.refine_queue import empty_queue, schedule_visit
from wavefold.kernels.refine_structs import EFFORT, OUTSIDE, PAGE, RefineMap, RefineRules
from wavefold.kernels.rows import (
    QUAD,
    ROW,
    empty_quad,
    empty_row,
    intersect,
    is_empty,
    load_quad,
    load_row,
    store_row,
    subtract,
    unite,
)
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.units import kernel_part

ZERO, THREE, FOUR, EIGHT, FIFTEEN = np.uint64(0), np.uint64(3), np.uint64(4), np.uint64(8), np.uint64(15)


@kernel_part
def propagate_few_classes(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Up to 256 patterns, of up to 64 classes a side: first the classes that are left, then what they allow.

    Few branches that depend on the map: a processor that guesses wrong loses more than a look-up takes.
    """
    domain, beside, queue, queued = chain.domain, chain.beside, chain.queue, chain.queued
    pages, classes = rules.pages, chain.classes
    relations = np.uint64(rules.rows.shape[0])
    page = np.uint64(pages.size) // relations
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring])
        head += ONE
        cause = np.int64(queued[here])
        queued[here] = IDLE
        is_single, known = has_one(domain, np.int64(here * FOUR), QUAD), ZERO
        if is_single:
            pattern = np.uint64(first_pattern(domain, np.int64(here * FOUR), QUAD))
            known = pattern * relations
        else:
            find_classes(rules, chain, here * FOUR)
        for direction in range(beside.shape[1]):
            other = beside[here, direction]
            if other == OUTSIDE or direction == cause:
                continue
            relation = np.uint64(graph.rule[direction])
            if is_single:
                support = load_quad(rules.pattern_rows, (known + relation) * FOUR)
            else:
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


@kernel_part
def propagate_in_rows(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """More than 256 patterns, of up to 64 classes a side, in the same way; eight words are one value."""
    beside, queue, queued = chain.beside, chain.queue, chain.queued
    width = rules.rows.shape[2]
    ring = queue.size - 1
    head, tail = 0, last
    while head != tail:
        here = np.int64(queue[head & ring])
        head += 1
        cause = np.int64(queued[here])
        queued[here] = IDLE
        count = count_patterns(chain.domain, here * width, width)
        kind = NOWHERE
        if count == 1:
            kind = np.int64(rules.kind[first_pattern(chain.domain, here * width, width)])
        find_classes_of_many(rules, chain, here * width)
        for direction in range(beside.shape[1]):
            there = np.int64(beside[here, direction])
            if there == OUTSIDE:
                continue
            chain.state[EFFORT] += min(count, 2 * rules.rows.shape[1])
            if direction == cause and kind == NOWHERE:
                continue
            change = narrow(rules, chain, np.uint64(there * width), np.int64(graph.rule[direction]), kind)
            if change == EMPTIED:
                empty_queue(chain, head, tail)
                return 0
            if change == NARROWED:
                tail = np.int64(schedule_visit(chain, graph, there, direction, np.uint64(tail)))
    return 1


def find_classes_of_many(rules: RefineRules, chain: RefineMap, start: int) -> None:
    """`find_classes`, four patterns at a time, where most of these have none that is left."""
    pages, stride = rules.class_pages, np.uint64(chain.classes.size)
    for first in range(0, chain.classes.size, QUAD):
        found = empty_quad()
        for word in range(rules.rows.shape[2]):
            rest = chain.domain[start + word]
            while rest != 0:
                shift = np.uint64(lowest_bit(rest)) & ~THREE
                digit = (rest >> shift) & FIFTEEN
                rest ^= digit << shift
                row = np.uint64(word * 256) + shift * FOUR + digit
                found = unite(found, load_quad(pages, row * stride + np.uint64(first)))
        store_row(chain.classes, np.uint64(first), found)


def narrow(rules: RefineRules, chain: RefineMap, start: np.uint64, relation: int, kind: int) -> int:
    """Leave in a slot what `classes` allow, and nothing of a kind; returns UNCHANGED, NARROWED or EMPTIED."""
    pages, width = rules.pages, np.uint64(rules.rows.shape[2])
    page = np.uint64(relation * (pages.size // rules.rows.shape[0]))
    all_left, all_lost = empty_row(), empty_row()
    for part in range(0, rules.rows.shape[2], ROW):
        word, support = np.uint64(part), empty_row()
        classes = chain.classes[relation]
        while classes != 0:
            shift = np.uint64(lowest_bit(classes)) & ~THREE
            digit = (classes >> shift) & FIFTEEN
            classes ^= digit << shift
            support = unite(support, load_row(pages, page + (shift * FOUR + digit) * width + word))
        if kind != NOWHERE:
            support = subtract(support, load_row(rules.kind_members, np.uint64(kind) * width + word))
        before = load_row(chain.domain, start + word)
        left = intersect(before, support)
        store_row(chain.domain, start + word, left)
        all_left, all_lost = unite(all_left, left), unite(all_lost, subtract(before, support))
    if is_empty(all_lost):
        return UNCHANGED
    return EMPTIED if is_empty(all_left) else NARROWED


@kernel_part
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


def has_member(rules: RefineRules, chain: RefineMap, here: int, relation: int, group: int) -> bool:
    """Whether a slot may be a pattern of a class."""
    width = rules.rows.shape[2]
    for word in range(width):
        if chain.domain[here * width + word] & rules.members[relation, group, word] != 0:
            return True
    return False


def add_row(rules: RefineRules, support: np.ndarray, relation: int, group: int) -> None:
    """Add what a class allows."""
    for word in range(support.size):
        support[word] |= rules.rows[relation, group, word]
