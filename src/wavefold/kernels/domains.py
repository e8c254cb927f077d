"""Questions about one domain: the words from `start` on, `width` of them."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, count, lowest
from wavefold.kernels.jit import inner


@inner
def first_pattern(words: np.ndarray, start: int, width: int) -> int:
    """The lowest pattern of the domain that starts there; -1 if it is empty."""
    for word in range(width):
        if words[start + word] != 0:
            return word * 64 + lowest(words[start + word])
    return -1


@inner
def has_one(words: np.ndarray, start: int, width: int) -> bool:
    """Whether the domain that starts there is down to a single pattern."""
    seen = False
    for word in range(width):
        value = words[start + word]
        if value != 0:
            if seen or value & (value - ONE) != 0:
                return False
            seen = True
    return seen


@inner
def remaining_in(words: np.ndarray, start: int, width: int) -> int:
    """How many patterns the domain that starts there still has."""
    total = 0
    for word in range(width):
        total += count(words[start + word])
    return total
