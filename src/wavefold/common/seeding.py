"""Seeds of windows: a number for each place and purpose, the same on every machine."""

from __future__ import annotations

MASK = (1 << 64) - 1


def mix(*parts: int) -> int:
    """64 bits mixed from whole numbers of any size, in order."""
    state = 0x9E3779B97F4A7C15
    for part in parts:
        state = (state ^ (part & MASK)) * 0xBF58476D1CE4E5B9 & MASK
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB & MASK
        state ^= state >> 31
    return state


def fold_seed(seed: int) -> int:
    """A seed of any size as one that fits into 64 bits; those that do are as they are, the others mixed."""
    if -(1 << 63) <= seed < 1 << 63:
        return seed
    parts = [seed >> shift for shift in range(0, seed.bit_length() + 1, 64)]
    return mix(len(parts), *parts)
