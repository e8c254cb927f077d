"""Prepare a wave to solve a region of cells, and read the solution."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, first_pattern
from wavefold.kernels.logarithms import log_of
from wavefold.kernels.propagate.propagation import propagate, undo_to
from wavefold.kernels.structs import (
    CellMasks,
    CellPattern,
    CellPatterns,
    CellWords,
    Domains,
    GroupShares,
    KernelGraph,
    RuleTable,
    Wave,
)
from wavefold.kernels.trail import narrow_word, schedule_visit
from wavefold.kernels.units import kernel


@kernel
def load_words(wave: Wave, domains: Domains) -> None:
    """Load the words of a wave. Clear the queue, the decisions and the trail."""
    words = domains.words
    for at in range(words.size):  # plain loops compile ten times as fast as assignments to slices
        wave.words[at] = words[at]
    for at in range(wave.seen.size):
        wave.seen[at] = words[at]
    for cell in range(wave.changed_by.size):
        wave.changed_by[cell] = c.IDLE
        wave.collapsed[cell] = 0
    for name in (c.HEAD, c.TAIL, c.TRAIL, c.PROPAGATED, c.KINDS_CHECKED, c.REFRESHED, c.REFUTED):
        wave.state[name] = 0
    wave.state[c.COMMITTED] = wave.state[c.DEPTH] = 0
    wave.state[c.CONSTRAINED] = wave.state[c.NETWORKED] = -1


@kernel
def fix_cells(wave: Wave, rules: RuleTable, fixed: CellPatterns, required: CellWords) -> int:
    """Narrow `fixed` cells to their patterns and `required` cells to their words, and schedule visits.

    Return an empty cell, or NOWHERE. The trail must have room for one entry per cell. The removals are not on
    the trail, so they cannot be undone.
    """
    width = rules.rows.shape[2]
    for i in range(fixed.cell.size):
        cell, pattern = fixed.cell[i], fixed.pattern[i]
        at = cell * width + (pattern >> 6)
        kept = wave.words[at] & (ONE << np.uint64(pattern & 63))
        if kept == 0:
            return cell
        for word in range(cell * width, cell * width + width):
            wave.words[word] = 0
        wave.words[at] = kept
        schedule_visit(wave, rules, cell)
    for i in range(required.cell.size):
        cell = required.cell[i]
        left = np.uint64(0)
        for word in range(width):
            wave.words[cell * width + word] &= required.words[i, word]
            left |= wave.words[cell * width + word]
        if left == 0:
            return cell
        schedule_visit(wave, rules, cell)
    return c.NOWHERE


@kernel
def read_patterns(wave: Wave, rules: RuleTable, result: CellPattern) -> None:
    """Write the lowest pattern of each cell, or -1 if its domain is empty."""
    width = rules.rows.shape[2]
    for cell in range(result.pattern.size):
        result.pattern[cell] = first_pattern(wave.words, cell * width, width)


@kernel
def apply_soft_masks(wave: Wave, rules: RuleTable, graph: KernelGraph, masks: CellMasks) -> int:
    """Narrow cells to their masks one by one, and propagate. Skip each mask that would empty a cell.

    Return CONSISTENT or FULL. After FULL, enlarge the trail and call again: cells that are `applied` are
    skipped. Each applied mask clears the trail, so it cannot be undone.
    """
    width = np.int64(rules.rows.shape[2])
    mask, applied = masks.mask, masks.applied
    for i in range(masks.cell.size):
        cell = masks.cell[i]
        if applied[cell] != 0:
            continue
        left = np.uint64(0)
        for word in range(width):
            left |= wave.words[cell * width + word] & mask[cell, word]
        if left == 0:
            continue
        for word in range(width):
            at = cell * width + word
            narrow_word(wave, at, cell, wave.words[at] & ~mask[cell, word])
        status = propagate(wave, rules, graph)
        while status == c.WORKED:
            wave.state[c.WORK_LEFT] = c.WORK_SLICE
            status = propagate(wave, rules, graph)
        if status == c.CONSISTENT:
            applied[cell] = 1
            for name in (c.TRAIL, c.KINDS_CHECKED, c.PROPAGATED, c.CONSTRAINED):
                wave.state[name] = 0
        else:
            undo_to(wave, rules, graph, np.int64(0), np.int64(-1))
            if status == c.FULL:
                return c.FULL
    return c.CONSISTENT


@kernel
def set_cell_weights(rules: RuleTable, shares: GroupShares, scale: float, everything: bool) -> None:
    """Write the weight in each cell, pattern weight * group share * `scale`, and the matching `weight_log`.

    Patterns without a group are written only if `everything` is set.
    """
    weights, group_of, share_of = shares.weight, shares.group_of, shares.share
    for cell in range(share_of.shape[0]):
        for pattern in range(weights.size):
            group = group_of[pattern]
            if group < 0 and not everything:
                continue
            share = share_of[cell, group] if group >= 0 else 1.0
            weight = max(np.int64(np.rint(weights[pattern] * share * scale)), np.int64(1))
            rules.weight[cell, pattern] = weight
            rules.weight_log[cell, pattern] = weight * log_of(weight, rules.logarithm)
