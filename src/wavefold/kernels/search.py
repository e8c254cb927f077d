"""The search: choose, propagate, backtrack. Resumable between any two transitions.

Every number it needs is in `Wave.state`, so it can stop (to enlarge the trail, for a listener, a constraint,
a budget, a cancellation) and go on as if nothing had happened.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, can_call, count_patterns, first_pattern
from wavefold.kernels.cell_queue import has_keys, next_cell, refresh_keys
from wavefold.kernels.constants import (
    BACKTRACK_LIMIT,
    BACKTRACKS,
    BY_CALLER,
    BY_NOBODY,
    BY_RANK,
    CHOOSING,
    CONFLICT,
    CONFLICTS,
    CONSISTENT,
    CONTRADICTIONS,
    DECISIONS,
    DEEPEST,
    DEPTH,
    EMPTY,
    EMPTY_CELL,
    FORGOTTEN,
    FULL,
    IMPOSSIBLE,
    JUMP_LENGTH,
    JUMPS,
    JUMPS_LEFT,
    KEY_ADDRESS,
    LAST_CELL,
    LIMIT,
    NARROWED,
    NETWORKS_DEPTH,
    NETWORKS_DUE,
    NO_CALLS,
    NOWHERE,
    ORDER,
    PATIENCE,
    PAUSED,
    PHASE,
    PROGRESS,
    PROPAGATING,
    PRUNE,
    PRUNED,
    PRUNING,
    RANDOM_ADDRESS,
    REFRESHED,
    REFUTED,
    RETURN_TO,
    SNAPSHOT,
    SOLVED,
    STUCK,
    TRAIL,
    WATCHED,
    WATCHING,
    WEIGHT_ADDRESS,
    WORK_LEFT,
    WORKED,
)
from wavefold.kernels.networks import apply_networks
from wavefold.kernels.pattern_choice import choose_pattern
from wavefold.kernels.propagation import propagate, undo_to
from wavefold.kernels.structs import CellPatterns, CellQueue, KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import clear_bits
from wavefold.kernels.units import kernel

KEY_WORK = 8  # words touched for a key, or for a choice, per word of a domain


def reduce_to(wave: Wave, rules: RuleTable, cell: int, pattern: int) -> None:
    """Remove every other pattern from a cell."""
    width = rules.rows.shape[2]
    for word in range(width):
        at = cell * width + word
        kept = ONE << np.uint64(pattern & 63) if word == pattern >> 6 else np.uint64(0)
        removed = wave.words[at] & ~kept
        if removed != 0:
            clear_bits(wave, at, cell, removed)


def remove_pattern(wave: Wave, rules: RuleTable, cell: int, pattern: int) -> bool:
    """Remove one pattern from a cell. False if that leaves it empty."""
    width = rules.rows.shape[2]
    at = cell * width + (pattern >> 6)
    removed = wave.words[at] & (ONE << np.uint64(pattern & 63))
    if removed != 0:
        clear_bits(wave, at, cell, removed)
    return first_pattern(wave.words, cell * width, width) >= 0


def note_refuted(wave: Wave, cell: int) -> None:
    """Note that a cell loses a pattern which no other cell forbids; a repair brings it back."""
    noted = wave.state[REFUTED]
    if noted < wave.refuted.size:
        wave.refuted[noted] = cell
    wave.state[REFUTED] = min(noted + 1, np.int64(wave.refuted.size + 1))


@kernel
def remove_patterns(wave: Wave, rules: RuleTable, removed: CellPatterns) -> bool:
    """Remove patterns from cells, pair by pair. False if a cell is left empty."""
    for i in range(removed.cell.size):
        if not remove_pattern(wave, rules, removed.cell[i], removed.pattern[i]):
            wave.state[EMPTY_CELL] = removed.cell[i]
            return False
    return True


@kernel
def decide(wave: Wave, queue: CellQueue, rules: RuleTable, cell: int, pattern: int) -> None:
    """Make a decision that can be undone. The trail needs room for a domain."""
    state = wave.state
    depth = state[DEPTH]
    wave.decision_cell[depth] = cell
    wave.decision_pattern[depth] = pattern
    wave.decision_mark[depth, 0] = state[TRAIL]
    wave.decision_mark[depth, 1] = queue.position[0]
    if state[SNAPSHOT] != 0:
        for word in range(wave.words.size):
            wave.snapshot[depth, word] = wave.words[word]
    state[DEPTH] = depth + 1
    state[DECISIONS] += 1
    state[LAST_CELL] = cell
    state[WORK_LEFT] -= KEY_WORK * rules.rows.shape[2]
    wave.collapsed[cell] = 1
    reduce_to(wave, rules, cell, pattern)


@kernel
def undo_decision(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Undo the last decision and all that followed; returns its cell.

    Without a decision: undo all that was propagated since the root, and return NOWHERE.
    """
    state = wave.state
    depth = state[DEPTH] - 1
    cell, mark, pointer = NOWHERE, np.int64(0), np.int64(0)
    if depth >= 0:
        cell = np.int64(wave.decision_cell[depth])
        mark, pointer = wave.decision_mark[depth, 0], wave.decision_mark[depth, 1]
        state[DEPTH] = depth
        state[NETWORKS_DEPTH] = min(state[NETWORKS_DEPTH], depth)
        wave.collapsed[cell] = 0
    refreshed = state[REFRESHED]
    state[WORK_LEFT] -= KEY_WORK * (state[TRAIL] - mark)
    undo_to(wave, rules, graph, mark, depth)
    if queue.knobs[ORDER] == BY_RANK:
        queue.position[0] = pointer
    if refreshed > mark:
        if has_keys(queue):
            refresh_keys(wave, queue, rules, graph, mark, refreshed)
        state[REFRESHED] = mark
    return cell


def resolve_conflict(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Undo the last decision and remove its pattern, or jump back; returns PAUSED, IMPOSSIBLE or STUCK.

    A jump undoes several decisions, and more until one with at least two other patterns left. It removes no
    pattern, so a conflict at depth 0 remains a proof. So does going back to where networks were well.
    """
    state = wave.state
    width = rules.rows.shape[2]
    if state[DEPTH] == 0:
        return IMPOSSIBLE
    jumps = state[PATIENCE] >= 0 and state[CONFLICTS] >= state[PATIENCE]
    if jumps and state[JUMPS_LEFT] <= 0:
        return STUCK
    levels, returns = state[JUMP_LENGTH] if jumps else 1, not jumps and state[RETURN_TO] > 0
    if returns:
        levels = state[DEPTH] - state[RETURN_TO] + 1
    state[RETURN_TO] = 0
    pattern = np.int64(wave.decision_pattern[state[DEPTH] - 1])
    cell = NOWHERE
    while state[DEPTH] > 0:
        cell = undo_decision(wave, queue, rules, graph)
        levels -= 1
        if levels <= 0 and (not jumps or count_patterns(wave.words, cell * width, width) > 2):
            break
    if jumps:
        state[JUMPS] += 1
        state[JUMPS_LEFT] -= 1
        if state[JUMP_LENGTH] < wave.decision_cell.size:
            state[JUMP_LENGTH] *= 2
        state[CONFLICTS] = 0
        state[PHASE] = PRUNED if state[PRUNING] != BY_NOBODY else CHOOSING
        return PAUSED
    state[CONFLICTS] += 1
    state[BACKTRACKS] += 1
    state[LAST_CELL] = cell
    if returns:
        state[NETWORKS_DUE] = state[DECISIONS] + 1
        state[PHASE] = PRUNED
    else:
        note_refuted(wave, cell)
        if remove_pattern(wave, rules, cell, pattern):
            state[PHASE] = PROPAGATING
        else:
            state[CONTRADICTIONS] += 1
    return PAUSED


def catch_up(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> None:
    """Update keys after a propagation; reset the count of conflicts if the search is deeper than before."""
    state = wave.state
    if has_keys(queue):
        refresh_keys(wave, queue, rules, graph, state[REFRESHED], state[TRAIL])
    state[REFRESHED] = state[TRAIL]
    state[DEEPEST] = max(state[DEEPEST], state[DEPTH] + state[FORGOTTEN])
    if state[DEPTH] > state[PROGRESS]:
        state[PROGRESS] = state[DEPTH]
        state[CONFLICTS] = 0
        state[JUMP_LENGTH] = 1


@kernel
def advance(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Search until the caller is needed; returns one of the statuses in `constants`."""
    state = wave.state
    # A decision writes one domain to the trail: never start one without room for it.
    room = wave.trail_at.size - 2 * rules.rows.shape[2]
    knobs = queue.knobs
    if (knobs[KEY_ADDRESS] | knobs[WEIGHT_ADDRESS] | knobs[RANDOM_ADDRESS]) != 0 and not can_call():
        return NO_CALLS
    while True:
        if state[WORK_LEFT] < 0:
            return WORKED
        phase = state[PHASE]
        if phase == CHOOSING:
            cell = next_cell(wave, queue, rules, graph)
            if cell == NOWHERE:
                if apply_networks(wave, rules, graph, True) == CONSISTENT:
                    return SOLVED
                state[CONTRADICTIONS] += 1
                state[PHASE] = CONFLICT
                continue
            is_full = state[TRAIL] > room
            is_full |= state[SNAPSHOT] != 0 and state[DEPTH] == wave.snapshot.shape[0]
            if is_full or state[DECISIONS] >= state[LIMIT]:
                return FULL if is_full else PAUSED
            decide(wave, queue, rules, cell, choose_pattern(wave, queue, rules, graph, cell))
            state[PHASE] = PROPAGATING
        elif phase == PROPAGATING:
            status = propagate(wave, rules, graph)
            if status in (FULL, WORKED):
                return status
            if status == EMPTY:
                state[CONTRADICTIONS] += 1
                state[PHASE] = CONFLICT
            else:
                state[PHASE] = PRUNED if state[PRUNING] != BY_NOBODY else CHOOSING
                state[WORK_LEFT] -= KEY_WORK * (state[TRAIL] - state[REFRESHED])
                if state[PRUNING] == BY_NOBODY:
                    catch_up(wave, queue, rules, graph)
            if state[WATCHING] != 0:
                return WATCHED
        elif phase == PRUNED:
            status = apply_networks(wave, rules, graph, False)
            if status == FULL:
                return FULL
            if status == EMPTY:
                state[CONTRADICTIONS] += 1
                state[PHASE] = CONFLICT
            elif status == NARROWED:
                state[PHASE] = PROPAGATING
            elif state[PRUNING] == BY_CALLER:
                # The caller lets constraints remove patterns, then sets the phase: PROPAGATING if any
                # did, CONFLICT if a cell was emptied, else it calls `resume_choosing`.
                return PRUNE
            else:
                catch_up(wave, queue, rules, graph)
                state[PHASE] = CHOOSING
        else:
            if state[BACKTRACKS] >= state[BACKTRACK_LIMIT]:
                return PAUSED
            status = resolve_conflict(wave, queue, rules, graph)
            if status != PAUSED:
                return status
            if state[WATCHING] != 0:
                return WATCHED


@kernel
def resume_choosing(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> None:
    """The constraints removed nothing: update keys and go on choosing."""
    catch_up(wave, queue, rules, graph)
    wave.state[PHASE] = CHOOSING
