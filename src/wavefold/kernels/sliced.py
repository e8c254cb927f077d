"""Bit-parallel AC-3: the support of a whole domain from a table, a byte at a time."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import BYTE
from wavefold.kernels.jit import inlined, kernel
from wavefold.kernels.layout import (
    CONSISTENT,
    EMPTY,
    EMPTY_CELL,
    FULL,
    HEAD,
    NOWHERE,
    TAIL,
    TRAIL,
    CellGraph,
    RuleTable,
    Wave,
)


@kernel
def slice_rows(class_of: np.ndarray, rows: np.ndarray, sliced: np.ndarray) -> None:
    """Fill [relation, byte, value, word] with what the patterns of that byte allow together."""
    for relation in range(class_of.shape[0]):
        for pattern in range(class_of.shape[1]):
            row = rows[relation, class_of[relation, pattern]]
            for value in range(256):
                if value >> (pattern % 8) & 1:
                    for word in range(row.size):
                        sliced[relation, pattern // 8, value, word] |= row[word]


@inlined
def propagate_narrow(wave: Wave, rules: RuleTable, graph: CellGraph) -> int:
    """Up to 64 patterns: a domain is one number, so nothing but look-ups and one AND per side."""
    words, queue, queued = wave.words, wave.queue, wave.queued
    trail_at, trail_removed, state = wave.trail_at, wave.trail_removed, wave.state
    neighbour, rule, sliced = graph.neighbour, graph.rule, rules.sliced
    directions = neighbour.shape[1]
    size = sliced.shape[1]
    ring = queue.size - 1
    head, tail, trail = state[HEAD], state[TAIL], state[TRAIL]
    room = trail_at.size - directions
    status = CONSISTENT
    while head != tail:
        if trail > room:
            status = FULL
            break
        cell = queue[head & ring]
        head += 1
        queued[cell] = 0
        domain = words[cell]
        for direction in range(directions):
            other = neighbour[cell, direction]
            if other == NOWHERE:
                continue
            relation = rule[direction]
            rest = domain
            support = np.uint64(0)
            for byte in range(size):
                support |= sliced[relation, byte, np.int64(rest & BYTE), 0]
                rest >>= np.uint64(8)
            removed = words[other] & ~support
            if removed != 0:
                trail_at[trail] = other
                trail_removed[trail] = removed
                trail += 1
                words[other] ^= removed
                if words[other] == 0:
                    state[EMPTY_CELL] = other
                    status = EMPTY
                    break
                if queued[other] == 0:
                    queued[other] = 1
                    queue[tail & ring] = other
                    tail += 1
        if status == EMPTY:
            break
    state[HEAD], state[TAIL], state[TRAIL] = head, tail, trail
    return status


@kernel
def propagate_wide(wave: Wave, rules: RuleTable, graph: CellGraph) -> int:
    """Any number of patterns: a row of words per byte. Bytes and words without a pattern cost nothing."""
    words, queue, queued = wave.words, wave.queue, wave.queued
    trail_at, trail_removed, state = wave.trail_at, wave.trail_removed, wave.state
    neighbour, rule, sliced = graph.neighbour, graph.rule, rules.sliced
    directions = neighbour.shape[1]
    width = sliced.shape[3]
    support = wave.scratch
    ring = queue.size - 1
    head, tail, trail = state[HEAD], state[TAIL], state[TRAIL]
    room = trail_at.size - directions * width
    status = CONSISTENT
    while head != tail:
        if trail > room:
            status = FULL
            break
        cell = queue[head & ring]
        head += 1
        queued[cell] = 0
        for direction in range(directions):
            other = neighbour[cell, direction]
            if other == NOWHERE:
                continue
            relation = rule[direction]
            for word in range(width):
                support[word] = 0
            for part in range(width):
                rest = words[cell * width + part]
                byte = part * 8
                while rest != 0:
                    value = np.int64(rest & BYTE)
                    if value != 0:
                        for word in range(width):
                            support[word] |= sliced[relation, byte, value, word]
                    rest >>= np.uint64(8)
                    byte += 1
            changed = False
            left = np.uint64(0)
            for word in range(width):
                at = other * width + word
                removed = words[at] & ~support[word]
                if removed != 0:
                    trail_at[trail] = at
                    trail_removed[trail] = removed
                    trail += 1
                    words[at] ^= removed
                    changed = True
                left |= words[at]
            if changed:
                if left == 0:
                    state[EMPTY_CELL] = other
                    status = EMPTY
                    break
                if queued[other] == 0:
                    queued[other] = 1
                    queue[tail & ring] = other
                    tail += 1
        if status == EMPTY:
            break
    state[HEAD], state[TAIL], state[TRAIL] = head, tail, trail
    return status
