"""Removing patterns from domains: record them on the trail and schedule visits of the cells."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.structs import RuleTable, Wave

UNCHANGED, CHANGED, EMPTIED = 0, 1, 2  # outcomes of removing patterns from a cell


def append_to_trail(wave: Wave, at: int, removed: np.uint64) -> None:
    """Append an entry to the trail, which must have room for it."""
    wave.trail_at[wave.state[c.TRAIL]] = at
    wave.trail_removed[wave.state[c.TRAIL]] = removed
    wave.state[c.TRAIL] += 1


def mark_changed(wave: Wave, cell: int) -> None:
    """Schedule a visit of a changed cell."""
    if wave.changed_by[cell] == c.IDLE:
        wave.changed[wave.state[c.TAIL] & (wave.changed.size - 1)] = cell
        wave.state[c.TAIL] += 1
    wave.changed_by[cell] = c.MANY


def schedule_visit(wave: Wave, rules: RuleTable, cell: int) -> None:
    """Schedule a visit of an unchanged cell; its trail entry removes no patterns."""
    mark_changed(wave, cell)
    append_to_trail(wave, cell * rules.rows.shape[2], np.uint64(0))


def schedule_narrowed(wave: Wave, cell: int, back: int, tail: int) -> int:
    """Schedule a visit of a cell that its neighbour in direction `back` narrowed. Return the new TAIL.

    The visit skips that neighbour unless another cell also narrows this one.
    """
    if wave.changed_by[cell] == c.IDLE:
        wave.changed_by[cell] = back if back < c.MANY else c.MANY
        wave.changed[tail & (wave.changed.size - 1)] = cell
        return tail + 1
    if wave.changed_by[cell] != back:
        wave.changed_by[cell] = c.MANY
    return tail


def narrow_word(wave: Wave, at: int, cell: int, removed: np.uint64) -> np.uint64:
    """Remove patterns from the word of a domain at index `at`. Return the patterns left in the word.

    Every pattern in `removed` must be in the word, and the trail must have room for one entry.
    """
    if removed != 0:
        append_to_trail(wave, at, removed)
        wave.words[at] ^= removed
        mark_changed(wave, cell)
    return wave.words[at]


def check_nonempty(wave: Wave, cell: int, left: np.uint64) -> bool:
    """Return whether any pattern is left in a cell. If not, record the cell in EMPTY_CELL.

    left : the OR of the words of the domain
    """
    if left == 0:
        wave.state[c.EMPTY_CELL] = cell
    return left != 0


def remove_words(wave: Wave, cell: int, gone: np.ndarray) -> int:
    """Remove the patterns set in `gone` [word] from a cell and record them on the trail.

    Return UNCHANGED, CHANGED or EMPTIED. No visit is scheduled.
    """
    words, state = wave.words, wave.state
    outcome = UNCHANGED
    left = np.uint64(0)
    for word in range(gone.size):
        at = cell * gone.size + word
        removed = words[at] & gone[word]
        if removed != 0:
            append_to_trail(wave, at, removed)
            words[at] ^= removed
            outcome = CHANGED
        left |= words[at]
    if left != 0:
        return outcome
    state[c.EMPTY_CELL] = cell
    return EMPTIED
