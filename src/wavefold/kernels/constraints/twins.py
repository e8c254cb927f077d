"""Symmetric maps, where a cell and its twin are images of each other."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import ONE, lowest_bit
from wavefold.kernels.constants import ROW
from wavefold.kernels.structs import RuleTable, Wave
from wavefold.kernels.trail import check_nonempty, narrow_word
from wavefold.kernels.units import kernel_part


@kernel_part
def match_twin(wave: Wave, rules: RuleTable, propagator: int, cell: int) -> bool:
    """Keep only images of the patterns of a cell in its twin. Return False if this empties the twin."""
    row, width = rules.propagator[propagator, ROW], rules.rows.shape[2]
    twin = np.int64(rules.twin[row, cell])
    for word in range(width):
        wave.gone[word] = 0  # holds the images
    for word in range(width):
        rest = wave.words[cell * width + word]
        while rest != 0:
            pattern = word * 64 + lowest_bit(rest)
            rest &= rest - ONE
            image = np.int64(rules.image[row, pattern])
            if image >= 0 and (twin != cell or image == pattern):
                wave.gone[image >> 6] |= ONE << np.uint64(image & 63)
    left = np.uint64(0)
    for word in range(width):
        at = twin * width + word
        left |= narrow_word(wave, at, twin, wave.words[at] & ~wave.gone[word])
    return check_nonempty(wave, twin, left)
