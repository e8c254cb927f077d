"""Narrowing domains until nothing changes, and going back.

All methods come to rest at the same domains; they differ in how they get there.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.ac3_classes import is_compact, propagate_compact, propagate_live, revive
from wavefold.kernels.ac3_tables import propagate_narrow, propagate_wide
from wavefold.kernels.ac4 import propagate_counted, recount, sweep_counted, uncount
from wavefold.kernels.constants import (
    APART,
    CONSISTENT,
    COUNTED,
    EMPTY,
    EMPTY_CELL,
    FULL,
    HEAD,
    IDLE,
    LIVE,
    MANY,
    METHOD,
    NAIVE,
    NOWHERE,
    PROPAGATED,
    SLICED,
    SNAPSHOT,
    TAIL,
    TRAIL,
)
from wavefold.kernels.domains import first_pattern
from wavefold.kernels.jit import inner, kernel
from wavefold.kernels.naive import propagate_naive
from wavefold.kernels.structs import Graph, RuleTable, Wave


@inner
def enqueue(wave: Wave, cell: int) -> None:
    """Have a changed cell visited."""
    if wave.queued[cell] == IDLE:
        wave.queue[wave.state[TAIL] & (wave.queue.size - 1)] = cell
        wave.state[TAIL] += 1
    wave.queued[cell] = MANY


@inner
def clear(wave: Wave, at: int, cell: int, removed: np.uint64) -> None:
    """Clear bits of one word of a domain, on the record. Needs room for one entry on the trail."""
    wave.trail_at[wave.state[TRAIL]] = at
    wave.trail_removed[wave.state[TRAIL]] = removed
    wave.state[TRAIL] += 1
    wave.words[at] ^= removed
    enqueue(wave, cell)


@inner
def visit(wave: Wave, rules: RuleTable, cell: int) -> None:
    """Have a cell's consequences drawn although it did not change: an entry that removes nothing."""
    enqueue(wave, cell)
    wave.trail_at[wave.state[TRAIL]] = cell * rules.rows.shape[2]
    wave.trail_removed[wave.state[TRAIL]] = 0
    wave.state[TRAIL] += 1


@inner
def keep_kinds_apart(wave: Wave, rules: RuleTable, graph: Graph) -> int:
    """Where a changed cell must be of one kind that avoids itself, its neighbours cannot be."""
    words, state = wave.words, wave.state
    width = rules.kind_members.shape[1]
    domain_words = graph.neighbour.shape[0] * width
    room = wave.trail_at.size - graph.neighbour.shape[1] * width
    while state[APART] < state[TRAIL]:
        if state[TRAIL] > room:
            return FULL
        at = wave.trail_at[state[APART]]
        state[APART] += 1
        if at >= domain_words:
            continue
        cell = np.int64(at // width)
        if state[APART] < state[TRAIL] and wave.trail_at[state[APART]] // width == cell:
            continue  # the words of one change stand together: the last one speaks for all
        kind = rules.kind[first_pattern(words, cell * width, width)]
        if kind < 0:
            continue
        others = np.uint64(0)
        for word in range(width):
            others |= words[cell * width + word] & ~rules.kind_members[kind, word]
        if others != 0:
            continue
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[cell, direction])
            if other == NOWHERE:
                continue
            left = np.uint64(0)
            for word in range(other * width, other * width + width):
                removed = words[word] & rules.kind_members[kind, word - other * width]
                if removed != 0:
                    clear(wave, word, other, removed)
                left |= words[word]
            if left == 0:
                state[EMPTY_CELL] = other
                return EMPTY
    return CONSISTENT


@kernel
def propagate(wave: Wave, rules: RuleTable, graph: Graph) -> int:
    """Follow all recorded removals to their end: CONSISTENT, EMPTY, or FULL (make room and call again)."""
    method = wave.state[METHOD]
    narrow = rules.rows.shape[2] == 1
    compact = method == LIVE and is_compact(rules, graph)
    while True:
        if method == SLICED and narrow:
            status = propagate_narrow(wave, rules, graph)
        elif method == SLICED:
            status = propagate_wide(wave, rules, graph)
        elif method == LIVE and compact:
            status = propagate_compact(wave, rules, graph)
        elif method == LIVE:
            status = propagate_live(wave, rules, graph)
        elif method == COUNTED:
            wave.state[HEAD] = wave.state[TAIL]  # the trail is its queue
            status = propagate_counted(wave, rules, graph)
        else:
            status = propagate_naive(wave, rules, graph, method == NAIVE)
        if status != CONSISTENT or rules.kind_members.shape[0] == 0:
            return status
        before = wave.state[TRAIL]
        status = keep_kinds_apart(wave, rules, graph)
        if status != CONSISTENT or wave.state[TRAIL] == before:
            return status


@inner
def drop_queue(wave: Wave) -> None:
    """Forget what was waiting; after a contradiction nobody will ask for it."""
    state = wave.state
    while state[HEAD] != state[TAIL]:
        wave.queued[wave.queue[state[HEAD] & (wave.queue.size - 1)]] = IDLE
        state[HEAD] += 1


@kernel
def undo_to(wave: Wave, rules: RuleTable, graph: Graph, mark: int, depth: int) -> None:
    """Put back everything removed after `mark`, the trail's length when decision `depth` was made.

    A negative depth means that no decision was made there, so there is no copy to go back to.
    """
    state = wave.state
    drop_queue(wave)
    if state[SNAPSHOT] != 0 and depth >= 0:
        for word in range(wave.words.size):
            wave.words[word] = wave.snapshot[depth, word]
        if state[METHOD] == COUNTED:
            recount(wave, rules, graph)
            state[PROPAGATED] = mark
    else:
        if state[METHOD] == COUNTED:
            uncount(wave, rules, graph, mark)
        for entry in range(state[TRAIL] - 1, mark - 1, -1):
            wave.words[wave.trail_at[entry]] |= wave.trail_removed[entry]
    state[TRAIL] = mark
    state[APART] = min(state[APART], mark)


@kernel
def visit_all(wave: Wave, rules: RuleTable, graph: Graph) -> int:
    """Have everything propagated from scratch. If FULL, make room and call again."""
    state = wave.state
    state[TRAIL] = 0
    state[PROPAGATED] = 0
    state[APART] = 0
    if state[METHOD] == COUNTED:
        recount(wave, rules, graph)
        status = sweep_counted(wave, rules, graph)
        if status != CONSISTENT:
            return status
    if state[TRAIL] > wave.trail_at.size - graph.neighbour.shape[0]:
        return FULL
    for cell in range(graph.neighbour.shape[0]):
        if state[METHOD] == LIVE:
            revive(wave, rules, graph, cell)
        visit(wave, rules, cell)
    return CONSISTENT
