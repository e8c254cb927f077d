"""Sets of patterns as bits: a word is 64 patterns, lowest bit first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def pack_bits(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """[…, pattern] flags as […, word] of 64 bits each, lowest bit first."""
    patterns = flags.shape[-1]
    words = max(1, -(-patterns // 64))
    octets = np.zeros((*flags.shape[:-1], words * 8), np.uint8)
    octets[..., : -(-patterns // 8)] = np.packbits(flags, axis=-1, bitorder="little")
    return octets.view("<u8").astype(np.uint64)


def unpack_bits(words: NDArray[np.uint64], patterns: int) -> NDArray[np.bool_]:
    """Inverse of `pack_bits`: […, word] bits as […, pattern] flags."""
    octets = np.ascontiguousarray(words).astype("<u8").view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=patterns, bitorder="little").astype(bool)
