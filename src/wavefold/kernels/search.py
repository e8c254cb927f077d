"""The search loop: choose, propagate, backtrack.

All state is in `Wave` and `CellQueue`. So the search can return to Python between any two transitions, for
example to enlarge the trail, call a listener or test a budget, and then continue with the same result.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, can_call, count_patterns, first_pattern
from wavefold.kernels.choose.cell_queue import (
    PRIMARY,
    find_next_cell,
    has_keys,
    is_keyed_by_word,
    refresh_keys,
    refresh_word,
    refresh_words,
)
from wavefold.kernels.choose.cell_tree import NOTHING, set_entry
from wavefold.kernels.choose.pattern_choice import choose_pattern
from wavefold.kernels.constraints.networks import apply_networks
from wavefold.kernels.propagate.propagation import propagate, undo_to
from wavefold.kernels.structs import CellPatterns, CellQueue, KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import mark_changed, narrow_word
from wavefold.kernels.units import kernel

KEY_WORK = 8  # words touched per word of a domain to compute a key or make a choice


def reduce_to(wave: Wave, rules: RuleTable, cell: int, pattern: int) -> None:
    """Remove all patterns but one from a cell."""
    words, trail_at, trail_removed = wave.words, wave.trail_at, wave.trail_removed
    width = rules.rows.shape[2]
    trail = wave.state[c.TRAIL]
    for word in range(width):
        at = cell * width + word
        kept = ONE << np.uint64(pattern & 63) if word == pattern >> 6 else np.uint64(0)
        removed = words[at] & ~kept
        if removed != 0:
            trail_at[trail] = at
            trail_removed[trail] = removed
            trail += 1
            words[at] ^= removed
    if trail > wave.state[c.TRAIL]:
        wave.state[c.TRAIL] = trail
        mark_changed(wave, cell)


def remove_pattern(wave: Wave, rules: RuleTable, cell: int, pattern: int) -> bool:
    """Remove one pattern from a cell. Return False if the cell is then empty."""
    width = rules.rows.shape[2]
    at = cell * width + (pattern >> 6)
    narrow_word(wave, at, cell, wave.words[at] & (ONE << np.uint64(pattern & 63)))
    return first_pattern(wave.words, cell * width, width) >= 0


def record_refuted(wave: Wave, cell: int) -> None:
    """Record a cell that loses a refuted pattern, so that a repair can restore the pattern."""
    noted = wave.state[c.REFUTED]
    if noted < wave.refuted.size:
        wave.refuted[noted] = cell
    wave.state[c.REFUTED] = min(noted + 1, np.int64(wave.refuted.size + 1))


@kernel
def remove_patterns(wave: Wave, rules: RuleTable, removed: CellPatterns) -> bool:
    """Remove patterns from cells, pair by pair. Return False at the first cell that is then empty."""
    for i in range(removed.cell.size):
        if not remove_pattern(wave, rules, removed.cell[i], removed.pattern[i]):
            wave.state[c.EMPTY_CELL] = removed.cell[i]
            return False
    return True


@kernel
def decide(wave: Wave, queue: CellQueue, rules: RuleTable, cell: int, pattern: int) -> None:
    """Make a decision that can be undone. The trail must have room for one domain."""
    state = wave.state
    depth = state[c.DEPTH]
    wave.decision_cell[depth] = cell
    wave.decision_pattern[depth] = pattern
    wave.decision_mark[depth, 0] = state[c.TRAIL]
    wave.decision_mark[depth, 1] = queue.position[0]
    if state[c.SNAPSHOT] != 0:
        for word in range(wave.words.size):
            wave.snapshot[depth, word] = wave.words[word]
    state[c.DEPTH] = depth + 1
    state[c.DECISIONS] += 1
    state[c.LAST_CELL] = cell
    state[c.WORK_LEFT] -= KEY_WORK * rules.rows.shape[2]
    wave.collapsed[cell] = 1
    reduce_to(wave, rules, cell, pattern)


@kernel
def undo_decision(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Undo the last decision and its consequences. Return its cell.

    Without decisions, undo all propagation since the root and return NOWHERE.
    """
    state = wave.state
    depth = state[c.DEPTH] - 1
    cell, mark, pointer = c.NOWHERE, np.int64(0), np.int64(0)
    if depth >= 0:
        cell = np.int64(wave.decision_cell[depth])
        mark, pointer = wave.decision_mark[depth, 0], wave.decision_mark[depth, 1]
        state[c.DEPTH] = depth
        state[c.NETWORKS_DEPTH] = min(state[c.NETWORKS_DEPTH], depth)
        wave.collapsed[cell] = 0
    refreshed = state[c.REFRESHED]
    by_word = is_keyed_by_word(queue, rules)
    state[c.WORK_LEFT] -= KEY_WORK * (state[c.TRAIL] - mark)
    undo_to(wave, rules, graph, mark, depth)
    if queue.knobs[c.ORDER] == c.BY_RANK:
        queue.position[0] = pointer
    if by_word and depth >= 0:
        refresh_word(wave, queue, rules, graph, cell)
    if refreshed > mark:
        if by_word:
            refresh_words(wave, queue, rules, graph, mark, refreshed)
        elif has_keys(queue):
            refresh_keys(wave, queue, rules, graph, mark, refreshed)
        state[c.REFRESHED] = mark
    return cell


def resolve_conflict(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Undo the last decision and remove its pattern, or jump back. Return PAUSED, IMPOSSIBLE or STUCK.

    A jump undoes JUMP_LENGTH decisions, and more until one whose cell has at least two other patterns. It
    removes no patterns, so a conflict at depth 0 is still a proof. The same holds for a return to the last
    check of networks (RETURN_TO).
    """
    state = wave.state
    width = rules.rows.shape[2]
    if state[c.DEPTH] == 0:
        return c.IMPOSSIBLE
    jumps = state[c.PATIENCE] >= 0 and state[c.CONFLICTS] >= state[c.PATIENCE]
    if jumps and state[c.JUMPS_LEFT] <= 0:
        return c.STUCK
    levels, returns = state[c.JUMP_LENGTH] if jumps else 1, not jumps and state[c.RETURN_TO] > 0
    if returns:
        levels = state[c.DEPTH] - state[c.RETURN_TO] + 1
    state[c.RETURN_TO] = 0
    pattern = np.int64(wave.decision_pattern[state[c.DEPTH] - 1])
    cell = c.NOWHERE
    while state[c.DEPTH] > 0:
        cell = undo_decision(wave, queue, rules, graph)
        levels -= 1
        if levels <= 0 and (not jumps or count_patterns(wave.words, cell * width, width) > 2):
            break
    if jumps:
        state[c.JUMPS] += 1
        state[c.JUMPS_LEFT] -= 1
        if state[c.JUMP_LENGTH] < wave.decision_cell.size:
            state[c.JUMP_LENGTH] *= 2
        state[c.CONFLICTS] = 0
        state[c.PHASE] = c.PRUNED if state[c.PRUNING] != c.NO_PRUNING else c.CHOOSING
        return c.PAUSED
    state[c.CONFLICTS] += 1
    state[c.BACKTRACKS] += 1
    state[c.LAST_CELL] = cell
    if returns:
        state[c.NETWORKS_DUE] = state[c.DECISIONS] + 1
        state[c.PHASE] = c.PRUNED
    else:
        record_refuted(wave, cell)
        if remove_pattern(wave, rules, cell, pattern):
            state[c.PHASE] = c.PROPAGATING
        else:
            state[c.CONTRADICTIONS] += 1
    return c.PAUSED


def finish_propagation(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, by_word: bool
) -> None:
    """Update keys after a propagation. Reset CONFLICTS if the search is deeper than before."""
    state = wave.state
    if by_word:
        refresh_words(wave, queue, rules, graph, state[c.REFRESHED], state[c.TRAIL])
    elif has_keys(queue):
        refresh_keys(wave, queue, rules, graph, state[c.REFRESHED], state[c.TRAIL])
    state[c.REFRESHED] = state[c.TRAIL]
    state[c.DEEPEST] = max(state[c.DEEPEST], state[c.DEPTH] + state[c.COMMITTED])
    if state[c.DEPTH] > state[c.PROGRESS]:
        state[c.PROGRESS] = state[c.DEPTH]
        state[c.CONFLICTS] = 0
        state[c.JUMP_LENGTH] = 1


@kernel
def advance(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Search until the caller must act.

    Return SOLVED, IMPOSSIBLE, PAUSED, STUCK, FULL, WORKED, WATCHED, PRUNE or NO_CALLS.
    """
    state = wave.state
    # A decision appends up to one domain to the trail, so the trail must have room before each decision.
    room = wave.trail_at.size - 2 * rules.rows.shape[2]
    knobs, by_word = queue.knobs, is_keyed_by_word(queue, rules)
    if (knobs[c.KEY_ADDRESS] | knobs[c.WEIGHT_ADDRESS] | knobs[c.RANDOM_ADDRESS]) != 0 and not can_call():
        return c.NO_CALLS
    while True:
        if state[c.WORK_LEFT] < 0:
            return c.WORKED
        phase = state[c.PHASE]
        if phase == c.CHOOSING:
            cell = find_next_cell(wave, queue, rules, graph)
            if cell == c.NOWHERE:
                if apply_networks(wave, rules, graph, True) == c.CONSISTENT:
                    return c.SOLVED
                state[c.CONTRADICTIONS] += 1
                state[c.PHASE] = c.CONFLICT
                continue
            is_full = state[c.TRAIL] > room
            is_full |= state[c.SNAPSHOT] != 0 and state[c.DEPTH] == wave.snapshot.shape[0]
            if is_full or state[c.DECISIONS] >= state[c.LIMIT]:
                return c.FULL if is_full else c.PAUSED
            if by_word:  # earlier than necessary: the processor overlaps this with the choice of a pattern
                set_entry(queue, PRIMARY, cell, NOTHING)
            decide(wave, queue, rules, cell, choose_pattern(wave, queue, rules, graph, cell))
            state[c.PHASE] = c.PROPAGATING
        elif phase == c.PROPAGATING:
            status = propagate(wave, rules, graph)
            if status in (c.FULL, c.WORKED):
                return status
            if status == c.EMPTY:
                state[c.CONTRADICTIONS] += 1
                state[c.PHASE] = c.CONFLICT
            else:
                state[c.PHASE] = c.PRUNED if state[c.PRUNING] != c.NO_PRUNING else c.CHOOSING
                state[c.WORK_LEFT] -= KEY_WORK * (state[c.TRAIL] - state[c.REFRESHED])
                if state[c.PRUNING] == c.NO_PRUNING:
                    finish_propagation(wave, queue, rules, graph, by_word)
            if state[c.WATCHING] != 0:
                return c.WATCHED
        elif phase == c.PRUNED:
            status = apply_networks(wave, rules, graph, False)
            if status == c.FULL:
                return c.FULL
            if status == c.EMPTY:
                state[c.CONTRADICTIONS] += 1
                state[c.PHASE] = c.CONFLICT
            elif status == c.NARROWED:
                state[c.PHASE] = c.PROPAGATING
            elif state[c.PRUNING] == c.BY_CALLER:
                # The caller runs the constraints. It then sets the phase to PROPAGATING if they removed
                # patterns, or to CONFLICT if a cell is empty; otherwise it calls `resume_choosing`.
                return c.PRUNE
            else:
                finish_propagation(wave, queue, rules, graph, by_word)
                state[c.PHASE] = c.CHOOSING
        else:
            if state[c.BACKTRACKS] >= state[c.BACKTRACK_LIMIT]:
                return c.PAUSED
            status = resolve_conflict(wave, queue, rules, graph)
            if status != c.PAUSED:
                return status
            if state[c.WATCHING] != 0:
                return c.WATCHED


@kernel
def resume_choosing(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> None:
    """Update keys and continue with CHOOSING, after constraints that removed no patterns."""
    finish_propagation(wave, queue, rules, graph, is_keyed_by_word(queue, rules))
    wave.state[c.PHASE] = c.CHOOSING
