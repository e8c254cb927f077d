"""Propagation within a window, with a queue of slots to visit."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import BYTE, ONE, count_patterns, first_pattern, has_one, lowest_bit
from wavefold.kernels.propagate.tables import count_digits, write_support
from wavefold.kernels.refine.structs import EFFORT, OUTSIDE, PAGE, RefineMap, RefineRules
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.trail import CHANGED, EMPTIED, UNCHANGED
from wavefold.kernels.units import kernel_part
from wavefold.kernels.vectors import (
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

ZERO, TWO, THREE, FOUR = np.uint64(0), np.uint64(2), np.uint64(3), np.uint64(4)
SEVEN, EIGHT, FIFTEEN = np.uint64(7), np.uint64(8), np.uint64(15)


def propagate_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, tail: int) -> int:
    """Visit the slots in the queue until nothing changes. Return 0 if a slot is empty, else 1."""
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
    """Propagate up to 64 patterns and eight relations; one look-up covers four patterns and all sides."""
    domain, beside, queue, queued = chain.domain, chain.beside, chain.queue, chain.queued
    allowed, support_on = rules.digits, chain.classes
    digits, has_more = count_digits(rules.class_of.shape[1]), rules.class_of.shape[0] > QUAD
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring])
        head += ONE
        queued[here] = c.IDLE
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
            tail += ONE if queued[there] == c.IDLE else ZERO
            queued[there] = c.MANY
    chain.state[EFFORT] += np.int64(head)
    return 1


@kernel_part
def propagate_four_words(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Propagate up to 256 patterns with one look-up per byte and side; four words are a vector register."""
    domain, beside, queue, queued, pages = chain.domain, chain.beside, chain.queue, chain.queued, rules.pages
    count = np.uint64((rules.class_of.shape[1] + 7) // 8)
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring]) * FOUR
        head += ONE
        cause = np.int64(queued[here // FOUR])
        queued[here // FOUR] = c.IDLE
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
                while rest != 0:  # skip the bytes without patterns, which are most
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


@kernel_part
def propagate_few_classes(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Propagate up to 256 patterns of up to 64 classes per side: look up live classes, then their support.

    A side is skipped if no class died there since the last visit, because the neighbour loses no patterns.
    """
    domain, beside, queue, queued = chain.domain, chain.beside, chain.queue, chain.queued
    live, directions = chain.live, np.uint64(chain.beside.shape[1])
    pages, classes = rules.pages, chain.classes
    relations = np.uint64(rules.rows.shape[0])
    page = np.uint64(pages.size) // relations
    ring = np.uint64(queue.size - 1)
    head, tail = ZERO, np.uint64(last)
    while head != tail:
        here = np.uint64(queue[head & ring])
        head += ONE
        cause = np.int64(queued[here])
        queued[here] = c.IDLE
        is_single, known = has_one(domain, np.int64(here * FOUR), QUAD), ZERO
        if is_single:
            pattern = np.uint64(first_pattern(domain, np.int64(here * FOUR), QUAD))
            known = pattern * relations
            find_classes_of_one(rules, chain, pattern)
        else:
            find_classes(rules, chain, here * FOUR)
        for direction in range(beside.shape[1]):
            relation, at = np.uint64(graph.rule[direction]), here * directions + np.uint64(direction)
            left = classes[relation]
            if left == live[at]:
                continue
            live[at] = left
            other = beside[here, direction]
            if other == OUTSIDE or direction == cause:
                continue
            if is_single:
                support = load_quad(rules.pattern_rows, (known + relation) * FOUR)
            else:
                row, support = relation * page, empty_quad()
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
    """Write the classes of the patterns in a slot to `classes` [relation]."""
    domain, pages = chain.domain, rules.class_pages
    patterns, stride = np.uint64(rules.class_of.shape[1]), np.uint64(chain.classes.size)
    words, more = patterns // np.uint64(64), (patterns % np.uint64(64) + SEVEN) // EIGHT
    for first in range(0, chain.classes.size, QUAD):
        found, row = empty_quad(), np.uint64(first)
        for word in range(words):
            rest = domain[start + np.uint64(word)]
            for _ in range(8):
                found = unite(found, load_quad(pages, row + (rest & BYTE) * stride))
                rest >>= EIGHT
                row += PAGE * stride
        rest = domain[start + words] if more > 0 else ZERO
        for _ in range(more):  # the used bytes of the last word
            found = unite(found, load_quad(pages, row + (rest & BYTE) * stride))
            rest >>= EIGHT
            row += PAGE * stride
        store_row(chain.classes, np.uint64(first), found)


def find_classes_of_one(rules: RefineRules, chain: RefineMap, pattern: np.uint64) -> None:
    """Do the work of `find_classes` for a slot with a single pattern."""
    stride = np.uint64(chain.classes.size)
    row = ((pattern >> THREE) * PAGE + (ONE << (pattern & SEVEN))) * stride
    for first in range(0, chain.classes.size, QUAD):
        found = load_quad(rules.class_pages, row + np.uint64(first))
        store_row(chain.classes, np.uint64(first), found)


@kernel_part
def propagate_in_rows(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Propagate more than 256 patterns of up to 64 classes per side; eight words are a row."""
    beside, queue, queued = chain.beside, chain.queue, chain.queued
    width = rules.rows.shape[2]
    ring = queue.size - 1
    head, tail = 0, last
    while head != tail:
        here = np.int64(queue[head & ring])
        head += 1
        cause = np.int64(queued[here])
        queued[here] = c.IDLE
        count = count_patterns(chain.domain, here * width, width)
        kind = c.NOWHERE
        if count == 1:
            kind = np.int64(rules.kind[first_pattern(chain.domain, here * width, width)])
        find_classes_of_many(rules, chain, here * width)
        for direction in range(beside.shape[1]):
            there = np.int64(beside[here, direction])
            if there == OUTSIDE:
                continue
            chain.state[EFFORT] += min(count, 2 * rules.rows.shape[1])
            if direction == cause and kind == c.NOWHERE:
                continue
            change = narrow_slot(
                rules, chain, np.uint64(there * width), np.int64(graph.rule[direction]), kind
            )
            if change == EMPTIED:
                empty_queue(chain, head, tail)
                return 0
            if change == CHANGED:
                tail = np.int64(schedule_visit(chain, graph, there, direction, np.uint64(tail)))
    return 1


def find_classes_of_many(rules: RefineRules, chain: RefineMap, start: int) -> None:
    """Do the work of `find_classes` four patterns at a time; most groups of four are empty and skipped."""
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


def narrow_slot(rules: RefineRules, chain: RefineMap, start: np.uint64, relation: int, kind: int) -> int:
    """Keep only the patterns of a slot that `classes` allow and that are not of a kind.

    Return UNCHANGED, CHANGED or EMPTIED.
    """
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
        if kind != c.NOWHERE:
            support = subtract(support, load_row(rules.kind_members, np.uint64(kind) * width + word))
        before = load_row(chain.domain, start + word)
        left = intersect(before, support)
        store_row(chain.domain, start + word, left)
        all_left, all_lost = unite(all_left, left), unite(all_lost, subtract(before, support))
    if is_empty(all_lost):
        return UNCHANGED
    return EMPTIED if is_empty(all_left) else CHANGED


@kernel_part
def propagate_by_classes(rules: RefineRules, chain: RefineMap, graph: KernelGraph, last: int) -> int:
    """Propagate any number of patterns; the support of a domain is the OR of the rows of its classes."""
    domain, beside, queue, queued = chain.domain, chain.beside, chain.queue, chain.queued
    width = rules.rows.shape[2]
    ring = queue.size - 1
    head, tail = 0, last
    while head != tail:
        here = np.int64(queue[head & ring])
        head += 1
        queued[here] = c.IDLE
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
    """Write the patterns that the patterns of a slot allow in a relation to `support` [word]."""
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
    """Whether a slot has a pattern of a class in its domain."""
    width = rules.rows.shape[2]
    for word in range(width):
        if chain.domain[here * width + word] & rules.members[relation, group, word] != 0:
            return True
    return False


def add_row(rules: RefineRules, support: np.ndarray, relation: int, group: int) -> None:
    """Add the patterns that a class allows to `support` [word]."""
    for word in range(support.size):
        support[word] |= rules.rows[relation, group, word]


def schedule_visit(
    chain: RefineMap, graph: KernelGraph, slot: int, direction: int, tail: np.uint64
) -> np.uint64:
    """Schedule a visit of a slot that was narrowed by the slot on its opposite side. Return the new tail."""
    back = graph.opposite[direction]
    if chain.queued[slot] == c.IDLE:
        chain.queued[slot] = back if back < c.MANY else c.MANY
        chain.queue[tail & np.uint64(chain.queue.size - 1)] = slot
        return tail + ONE
    if chain.queued[slot] != back:
        chain.queued[slot] = c.MANY
    return tail


def empty_queue(chain: RefineMap, head: int, tail: int) -> None:
    """Cancel all scheduled visits."""
    while head != tail:
        chain.queued[chain.queue[head & (chain.queue.size - 1)]] = c.IDLE
        head += 1
