"""One domain: `width` words, from `start` on."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, count_bits, lowest_bit
from wavefold.kernels.constants import EMPTY_CELL, TRAIL
from wavefold.kernels.jit import inner
from wavefold.kernels.structs import Wave

UNCHANGED, NARROWED, EMPTIED = 0, 1, 2


@inner
def first_pattern(words: np.ndarray, start: int, width: int) -> int:
    """The lowest pattern of the domain at `start`; -1 if it is empty."""
    for word in range(width):
        if words[start + word] != 0:
            return word * 64 + lowest_bit(words[start + word])
    return -1


@inner
def has_one(words: np.ndarray, start: int, width: int) -> bool:
    """Whether the domain at `start` has exactly one pattern."""
    seen = False
    for word in range(width):
        value = words[start + word]
        if value != 0:
            if seen or value & (value - ONE) != 0:
                return False
            seen = True
    return seen


@inner
def count_patterns(words: np.ndarray, start: int, width: int) -> int:
    """How many patterns the domain at `start` has left."""
    total = 0
    for word in range(width):
        total += count_bits(words[start + word])
    return total


@inner
def remove_words(wave: Wave, cell: int, gone: np.ndarray) -> int:
    """Remove the patterns set in `gone` [word] from a cell and put them on the trail.

    Returns UNCHANGED, NARROWED or EMPTIED.
    """
    words, state = wave.words, wave.state
    answer = UNCHANGED
    left = np.uint64(0)
    for word in range(gone.size):
        at = cell * gone.size + word
        removed = words[at] & gone[word]
        if removed != 0:
            wave.trail_at[state[TRAIL]] = at
            wave.trail_removed[state[TRAIL]] = removed
            state[TRAIL] += 1
            words[at] ^= removed
            answer = NARROWED
        left |= words[at]
    if left != 0:
        return answer
    state[EMPTY_CELL] = cell
    return EMPTIED
