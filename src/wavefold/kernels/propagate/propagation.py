"""Propagation to the fixpoint by any method, and undoing it.

All methods reach the same fixpoint. They differ in speed and memory.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import first_pattern
from wavefold.kernels.constraints.networks import undo_networks
from wavefold.kernels.constraints.propagators import apply_propagators, undo_tallies
from wavefold.kernels.propagate.ac4 import (
    propagate_ac4,
    recount_supports,
    remove_unsupported,
    restore_supports,
)
from wavefold.kernels.propagate.classes import (
    fits_registers,
    propagate_classes,
    propagate_few_classes,
    reset_live_classes,
)
from wavefold.kernels.propagate.naive import propagate_naive
from wavefold.kernels.propagate.removals import forget_visits, propagate_removals
from wavefold.kernels.propagate.rows import propagate_rows
from wavefold.kernels.propagate.tables import propagate_many_words, propagate_one_word
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import check_nonempty, narrow_word, schedule_visit
from wavefold.kernels.units import kernel, kernel_part


def is_of_kind(words: np.ndarray, rules: RuleTable, cell: int, kind: int) -> bool:
    """Whether all patterns of a cell are of this kind."""
    width = rules.kind_members.shape[1]
    for word in range(width):
        if words[cell * width + word] & ~rules.kind_members[kind, word] != 0:
            return False
    return True


@kernel_part
def keep_kinds_apart(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Remove a kind from the neighbours of each changed cell whose patterns are all of that kind.

    Return CONSISTENT, EMPTY or FULL.
    """
    words, state = wave.words, wave.state
    width = rules.kind_members.shape[1]
    domain_words = graph.neighbour.shape[0] * width
    room = wave.trail_at.size - graph.neighbour.shape[1] * width
    while state[c.KINDS_CHECKED] < state[c.TRAIL]:
        if state[c.TRAIL] > room:
            return c.FULL
        at = wave.trail_at[state[c.KINDS_CHECKED]]
        state[c.KINDS_CHECKED] += 1
        if at >= domain_words:
            continue
        cell = np.int64(at // width)
        if state[c.KINDS_CHECKED] < state[c.TRAIL] and wave.trail_at[state[c.KINDS_CHECKED]] // width == cell:
            continue  # the words of one change are adjacent on the trail; process the cell once
        kind = rules.kind[first_pattern(words, cell * width, width)]
        if kind < 0 or not is_of_kind(words, rules, cell, kind):
            continue
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[cell, direction])
            if other == c.NOWHERE:
                continue
            left = np.uint64(0)
            for word in range(other * width, other * width + width):
                removed = words[word] & rules.kind_members[kind, word - other * width]
                left |= narrow_word(wave, word, other, removed)
            if not check_nonempty(wave, other, left):
                return c.EMPTY
    return c.CONSISTENT


@kernel
def propagate(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Propagate until the fixpoint. Return CONSISTENT, EMPTY, FULL or WORKED.

    After FULL, enlarge the trail and call again; after WORKED, call again.
    """
    method = wave.state[c.METHOD]
    compact = method == c.AC3_CLASSES and fits_registers(rules, graph)
    while True:
        if method == c.AC3_TABLES and rules.allowed_by_digit.size > 0:
            status = propagate_one_word(wave, rules, graph)
        elif method == c.AC3_TABLES:
            status = propagate_many_words(wave, rules, graph)
        elif method == c.AC3_CLASSES and compact:
            status = propagate_few_classes(wave, rules, graph)
        elif method == c.AC3_CLASSES:
            status = propagate_classes(wave, rules, graph)
        elif method == c.AC3_REMOVALS:
            status = propagate_removals(wave, rules, graph)
        elif method == c.AC3_ROWS:
            status = propagate_rows(wave, rules, graph)
        elif method == c.AC4:
            wave.state[c.HEAD] = wave.state[c.TAIL]  # AC-4 uses the trail as its queue
            status = propagate_ac4(wave, rules, graph)
        else:
            status = propagate_naive(wave, rules, graph, method == c.NAIVE)
        before = wave.state[c.TRAIL]
        if status == c.CONSISTENT and rules.kind_members.shape[0] > 0:
            status = keep_kinds_apart(wave, rules, graph)
        if status == c.CONSISTENT and rules.propagator.shape[0] > 0:
            status = apply_propagators(wave, rules, graph)
        if status != c.CONSISTENT or wave.state[c.TRAIL] == before:
            return status


def clear_changed(wave: Wave) -> None:
    """Cancel all scheduled visits after a contradiction."""
    state = wave.state
    while state[c.HEAD] != state[c.TAIL]:
        wave.changed_by[wave.changed[state[c.HEAD] & (wave.changed.size - 1)]] = c.IDLE
        state[c.HEAD] += 1


@kernel
def undo_to(wave: Wave, rules: RuleTable, graph: KernelGraph, mark: int, depth: int) -> None:
    """Restore all patterns removed after `mark`, the length of the trail before the decision at `depth`.

    A negative depth means that there was no decision, so there is no snapshot to restore.
    """
    state = wave.state
    clear_changed(wave)
    if state[c.SNAPSHOT] != 0 and depth >= 0:
        for word in range(wave.words.size):
            wave.words[word] = wave.snapshot[depth, word]
        if state[c.METHOD] == c.AC4:
            recount_supports(wave, rules, graph)
            state[c.PROPAGATED] = mark
        else:
            for at in range(wave.seen.size):
                wave.seen[at] = wave.words[at]
    else:
        if state[c.METHOD] == c.AC4:
            restore_supports(wave, rules, graph, mark)
        for entry in range(state[c.TRAIL] - 1, mark - 1, -1):
            at = np.int64(wave.trail_at[entry])
            wave.words[at] |= wave.trail_removed[entry]
            if wave.seen.size > 0:
                wave.seen[at] = wave.words[at]
    if wave.total.shape[0] > 0 and state[c.CONSTRAINED] > mark:
        undo_tallies(wave, rules, mark)
    if wave.needed.shape[0] > 0 and state[c.NETWORKED] > mark:
        undo_networks(wave, rules, mark)
    state[c.TRAIL] = mark
    state[c.KINDS_CHECKED] = min(state[c.KINDS_CHECKED], mark)
    state[c.CONSTRAINED] = min(state[c.CONSTRAINED], mark)
    state[c.NETWORKED] = min(state[c.NETWORKED], mark)


@kernel
def schedule_all(wave: Wave, rules: RuleTable, graph: KernelGraph, start: int, stop: int) -> int:
    """Schedule visits of the cells from `start` to `stop`. Return CONSISTENT, EMPTY or FULL.

    A call with `start` 0 clears the trail. After FULL, enlarge the trail and begin at cell 0 again. For AC4,
    call `count_supports` first.
    """
    state = wave.state
    if start == 0:
        state[c.TRAIL] = 0
        state[c.PROPAGATED] = 0
        state[c.KINDS_CHECKED] = 0
        state[c.CONSTRAINED] = state[c.NETWORKED] = -1
        if state[c.METHOD] == c.AC4:
            status = remove_unsupported(wave, rules, graph)
            if status != c.CONSISTENT:
                return status
        if state[c.TRAIL] > wave.trail_at.size - graph.neighbour.shape[0]:
            return c.FULL
    for cell in range(start, stop):
        if state[c.METHOD] == c.AC3_CLASSES:
            reset_live_classes(wave, rules, graph, cell)
        elif wave.seen.size > 0:
            forget_visits(wave, rules, cell)
        schedule_visit(wave, rules, cell)
    return c.CONSISTENT
