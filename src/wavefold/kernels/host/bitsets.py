"""Sets of patterns as bits, in words of 64 patterns, lowest bit first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

COUNTED_AT_ONCE = 1 << 15  # words


def count_words(patterns: int) -> int:
    """Return the number of words of a set of patterns, at least one."""
    return max(1, -(-patterns // 64))


def pack_bits(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack flags […, pattern] into words […, word] of 64 bits, lowest bit first."""
    patterns = flags.shape[-1]
    octets = np.zeros((*flags.shape[:-1], count_words(patterns) * 8), np.uint8)
    octets[..., : -(-patterns // 8)] = np.packbits(flags, axis=-1, bitorder="little")
    return octets.view("<u8").astype(np.uint64)


def unpack_bits(words: NDArray[np.uint64], patterns: int) -> NDArray[np.bool_]:
    """Unpack words […, word] to flags […, pattern]; the inverse of `pack_bits`."""
    octets = np.ascontiguousarray(words).astype("<u8").view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=patterns, bitorder="little").astype(bool)


def locate_bits(patterns: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the index of the word of each pattern, and a word with only its bit set."""
    return patterns.astype(np.int64, copy=False) >> 6, np.uint64(1) << (patterns & 63).astype(np.uint64)


def has_bit(words: NDArray[np.uint64], rows: NDArray[Any], patterns: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each i whether the set in row `rows[i]` of `words` [row, word] contains `patterns[i]`."""
    position = (patterns & 63).astype(np.uint64)
    return np.asarray(words[rows, patterns >> 6] >> position & np.uint64(1) != 0)


def single_bits(patterns: NDArray[Any], width: int) -> NDArray[np.uint64]:
    """Return for each pattern the set of `width` words that contains only this pattern."""
    word, bit = locate_bits(patterns)
    words = np.zeros((patterns.size, width), np.uint64)
    words[np.arange(patterns.size), word] = bit
    return words


def single_patterns(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the only pattern of each set [row, word]; -1 for empty and larger sets."""
    if words.shape[1] == 1:  # a power of two minus 1 has as many set bits as the exponent
        only = words[:, 0]
        single = (only != 0) & (only & (only - 1) == 0)
        return np.where(single, np.bitwise_count(only - 1).astype(np.int64), -1)
    word = (words != 0).argmax(axis=1)
    bits = words[np.arange(len(word)), word]
    return np.where(count_set_bits(words) == 1, word * 64 + np.bitwise_count(bits - 1), -1)


def count_set_bits(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count the patterns of each set [row, word]."""
    return np.asarray(np.bitwise_count(words).sum(axis=1, dtype=np.int64))


def count_single_bits(words: NDArray[np.uint64]) -> int:
    """Count the sets [row, word] with exactly one pattern, in parts because there may be millions."""
    found, step = 0, max(1, COUNTED_AT_ONCE // max(1, words.shape[1]))
    for start in range(0, len(words), step):
        part = words[start : start + step]
        counts = np.bitwise_count(part[:, 0]) if words.shape[1] == 1 else count_set_bits(part)
        found += int(np.count_nonzero(counts == 1))
    return found
