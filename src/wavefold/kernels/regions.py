"""Regions of cells: load a root, fix cells, apply soft masks, set weights, read what was found."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, first_pattern, log_of
from wavefold.kernels.constants import (
    CONSISTENT,
    CONSTRAINED,
    DEPTH,
    FULL,
    HEAD,
    IDLE,
    KINDS_CHECKED,
    NETWORKED,
    NOWHERE,
    PROPAGATED,
    REFRESHED,
    TAIL,
    TRAIL,
    WORK_LEFT,
    WORK_SLICE,
    WORKED,
)
from wavefold.kernels.jit import kernel
from wavefold.kernels.propagation import propagate, undo_to
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import clear_bits, schedule_visit


@kernel
def load_words(wave: Wave, words: np.ndarray) -> None:
    """Set the words of the wave, with nothing to visit, nothing decided and an empty trail."""
    for at in range(words.size):  # plain loops compile in a tenth of the time of assignments to slices
        wave.words[at] = words[at]
    for at in range(wave.seen.size):
        wave.seen[at] = words[at]
    for cell in range(wave.changed_by.size):
        wave.changed_by[cell] = IDLE
        wave.collapsed[cell] = 0
    for name in (HEAD, TAIL, TRAIL, PROPAGATED, KINDS_CHECKED, REFRESHED, DEPTH):
        wave.state[name] = 0
    wave.state[CONSTRAINED] = wave.state[NETWORKED] = -1


@kernel
def fix_cells(
    wave: Wave,
    rules: RuleTable,
    cells: np.ndarray,
    patterns: np.ndarray,
    required: np.ndarray,
    words: np.ndarray,
) -> int:
    """Narrow `cells` to their patterns [n] and `required` cells to their words [n, word]; schedule visits.

    Returns a cell that is left with nothing, or NOWHERE. Needs room for one trail entry per cell. The trail
    cannot undo it.
    """
    width = rules.rows.shape[2]
    for i in range(cells.size):
        cell, pattern = np.int64(cells[i]), np.int64(patterns[i])
        at = cell * width + (pattern >> 6)
        kept = wave.words[at] & (ONE << np.uint64(pattern & 63))
        if kept == 0:
            return cell
        for word in range(cell * width, cell * width + width):
            wave.words[word] = 0
        wave.words[at] = kept
        schedule_visit(wave, rules, cell)
    for i in range(required.size):
        cell = np.int64(required[i])
        left = np.uint64(0)
        for word in range(width):
            wave.words[cell * width + word] &= words[i, word]
            left |= wave.words[cell * width + word]
        if left == 0:
            return cell
        schedule_visit(wave, rules, cell)
    return NOWHERE


@kernel
def read_patterns(wave: Wave, rules: RuleTable, patterns: np.ndarray) -> None:
    """Write the lowest pattern of each cell into `patterns` [cell]."""
    width = rules.rows.shape[2]
    for cell in range(patterns.size):
        patterns[cell] = first_pattern(wave.words, cell * width, width)


@kernel
def apply_soft_masks(
    wave: Wave,
    rules: RuleTable,
    graph: KernelGraph,
    cells: np.ndarray,
    masks: np.ndarray,
    applied: np.ndarray,
) -> int:
    """Narrow each of `cells` to its mask, in turn; a mask that would empty a cell is dropped.

    masks : uint64 [cell, word] the preferred patterns
    applied : uint8 [cell], written: 1 where the mask holds now. Cells that have 1 already are skipped, so
        that after FULL the call can be repeated with a larger trail
    The trail is reset: what was applied cannot be undone.
    """
    width = np.int64(rules.rows.shape[2])
    for i in range(cells.size):
        cell = np.int64(cells[i])
        if applied[cell] != 0:
            continue
        left = np.uint64(0)
        for word in range(width):
            left |= wave.words[cell * width + word] & masks[cell, word]
        if left == 0:
            continue
        for word in range(width):
            at = cell * width + word
            removed = wave.words[at] & ~masks[cell, word]
            if removed != 0:
                clear_bits(wave, at, cell, removed)
        status = propagate(wave, rules, graph)
        while status == WORKED:
            wave.state[WORK_LEFT] = WORK_SLICE
            status = propagate(wave, rules, graph)
        if status == CONSISTENT:
            applied[cell] = 1
            for name in (TRAIL, KINDS_CHECKED, PROPAGATED, CONSTRAINED):
                wave.state[name] = 0
        else:
            undo_to(wave, rules, graph, np.int64(0), np.int64(-1))
            if status == FULL:
                return FULL
    return CONSISTENT


@kernel
def set_cell_weights(
    rules: RuleTable,
    weights: np.ndarray,
    group_of: np.ndarray,
    shares: np.ndarray,
    scale: float,
    everything: bool,
) -> None:
    """Write each cell's weights and their logarithms: `weights` [pattern] * `shares` [cell, group] * `scale`.

    group_of : int32 [pattern]; patterns of no group (-1) have the same weight in every cell, and are written
        only if `everything` is set
    """
    for cell in range(shares.shape[0]):
        for pattern in range(weights.size):
            group = group_of[pattern]
            if group < 0 and not everything:
                continue
            share = shares[cell, group] if group >= 0 else 1.0
            weight = max(np.int64(np.rint(weights[pattern] * share * scale)), np.int64(1))
            rules.weight[cell, pattern] = weight
            rules.weight_log[cell, pattern] = weight * log_of(weight, rules.logarithm)
