"""AC-3 by classes: per cell and side, which classes of patterns are still alive.

Best where patterns are many and classes few: a neighbour is touched only when a class dies.
Live classes are words behind the domains in `Wave.words`, so the trail undoes them with everything else.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, lowest
from wavefold.kernels.domains import EMPTIED, UNCHANGED, remaining_in, remove_words
from wavefold.kernels.jit import inner
from wavefold.kernels.layout import (
    CONSISTENT,
    EMPTY,
    FULL,
    HEAD,
    IDLE,
    MANY,
    NOWHERE,
    TAIL,
    TRAIL,
)
from wavefold.kernels.records import Graph, RuleTable, Wave

FEW = 6  # patterns; below, asking each for its class beats asking each class for a member


@inner
def is_alive(words: np.ndarray, start: int, members: np.ndarray) -> bool:
    """Whether the domain that starts there holds any of these patterns."""
    for word in range(members.size):
        if words[start + word] & members[word] != 0:
            return True
    return False


@inner
def revive(wave: Wave, rules: RuleTable, graph: Graph, cell: int) -> None:
    """Take all classes of a cell for alive, so that the next visit finds the dead ones anew."""
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


@inner
def find_dead(wave: Wave, rules: RuleTable, relation: int, start: int, live_at: int, remaining: int) -> bool:
    """Put the classes that died since the last visit in `scratch[live part]`; False if there are none."""
    words, dead = wave.words, wave.scratch
    width = rules.rows.shape[2]
    live_width = (rules.rows.shape[1] + 63) // 64
    any_dead = np.uint64(0)
    if remaining <= FEW:
        for part in range(live_width):
            dead[part] = words[live_at + part]
        for word in range(width):
            rest = words[start + word]
            while rest != 0:
                group = rules.class_of[relation, word * 64 + lowest(rest)]
                dead[group >> 6] &= ~(ONE << np.uint64(group & 63))
                rest &= rest - ONE
        for part in range(live_width):
            any_dead |= dead[part]
        return any_dead != 0
    for part in range(live_width):
        dead[part] = 0
        rest = words[live_at + part]
        while rest != 0:
            group = part * 64 + lowest(rest)
            if not is_alive(words, start, rules.members[relation, group]):
                dead[part] |= rest & (~rest + ONE)
            rest &= rest - ONE
        any_dead |= dead[part]
    return any_dead != 0


@inner
def unsupported(wave: Wave, rules: RuleTable, relation: int, live_at: int) -> None:
    """Turn the dead classes in `scratch` into the patterns they take with them, behind them in `scratch`."""
    words, scratch = wave.words, wave.scratch
    width = rules.rows.shape[2]
    live_width = (rules.rows.shape[1] + 63) // 64
    for word in range(width):
        scratch[live_width + word] = 0
    if rules.disjoint[relation] != 0:  # a dead class is the only support of its row
        for part in range(live_width):
            rest = scratch[part]
            while rest != 0:
                row = rules.rows[relation, part * 64 + lowest(rest)]
                for word in range(width):
                    scratch[live_width + word] |= row[word]
                rest &= rest - ONE
        return
    for part in range(live_width):
        rest = words[live_at + part]
        while rest != 0:
            row = rules.rows[relation, part * 64 + lowest(rest)]
            for word in range(width):
                scratch[live_width + word] |= row[word]
            rest &= rest - ONE
    for word in range(width):
        scratch[live_width + word] = ~scratch[live_width + word]


@inner
def propagate_live(wave: Wave, rules: RuleTable, graph: Graph) -> int:
    """Visit changed cells; tell a neighbour only about the classes that died."""
    words, queue, queued = wave.words, wave.queue, wave.queued
    trail_at, trail_removed, state = wave.trail_at, wave.trail_removed, wave.state
    neighbour, rule = graph.neighbour, graph.rule
    cells, directions = neighbour.shape
    width = rules.rows.shape[2]
    live_width = (rules.rows.shape[1] + 63) // 64
    gone = wave.scratch[live_width : live_width + width]
    ring = queue.size - 1
    head, tail, trail = state[HEAD], state[TAIL], state[TRAIL]
    room = trail_at.size - directions * (width + live_width)
    status = CONSISTENT
    while head != tail and status == CONSISTENT:
        if trail > room:
            status = FULL
            break
        cell = np.int64(queue[head & ring])
        head += 1
        queued[cell] = IDLE
        start = cell * width
        remaining = remaining_in(words, start, width)
        for direction in range(directions):
            other = np.int64(neighbour[cell, direction])
            if other == NOWHERE:
                continue
            relation = np.int64(rule[direction])
            live_at = cells * width + (cell * directions + direction) * live_width
            if not find_dead(wave, rules, relation, start, live_at, remaining):
                continue
            for part in range(live_width):
                if wave.scratch[part] != 0:
                    trail_at[trail] = live_at + part
                    trail_removed[trail] = wave.scratch[part]
                    trail += 1
                    words[live_at + part] ^= wave.scratch[part]
            unsupported(wave, rules, relation, live_at)
            state[TRAIL] = trail
            answer = remove_words(wave, other, gone)
            trail = state[TRAIL]
            if answer == EMPTIED:
                status = EMPTY
                break
            if answer == UNCHANGED:
                continue
            if queued[other] == IDLE:
                queued[other] = MANY
                queue[tail & ring] = other
                tail += 1
    state[HEAD], state[TAIL], state[TRAIL] = head, tail, trail
    return status
