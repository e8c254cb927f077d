"""Mix seeds: a number for each place and purpose, the same on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MASK = (1 << 64) - 1


def mix(*parts: int) -> int:
    """Mix integers of any size, in order, into 64 bits."""
    state = 0x9E3779B97F4A7C15
    for part in parts:
        state = (state ^ (part & MASK)) * 0xBF58476D1CE4E5B9 & MASK
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB & MASK
        state ^= state >> 31
    return state


def mix_arrays(state: int, *parts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Mix a 64-bit number with one part from each array; all arrays and the result have the same shape."""
    numbers = np.full(parts[0].shape, mix(state), np.uint64)
    for part in parts:
        numbers = (numbers ^ part.astype(np.uint64)) * np.uint64(0xBF58476D1CE4E5B9)
        numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        numbers ^= numbers >> np.uint64(31)
    return numbers


def fold_seed(seed: int) -> int:
    """Return a seed of 64 bits: a seed that fits is unchanged, others are mixed."""
    if -(1 << 63) <= seed < 1 << 63:
        return seed
    parts = [seed >> shift for shift in range(0, seed.bit_length() + 1, 64)]
    return mix(len(parts), *parts)
