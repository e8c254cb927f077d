"""How undecided a cell is: its entropy, or how many patterns are left, as a colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import unpack_bits
from wavefold.render.tile_pictures import Pixels
from wavefold.solver.problem import Problem

Words = NDArray[np.uint64]  # [row, word]: domains
MOST_FLAGS = 1 << 24  # unpacked at once

# Even steps of lightness in OKLab, from 0.20 to 0.94, while the hue goes from violet over red to yellow:
# equal differences look equal, and it still reads in grey.
RAMP = np.array(
    [
        *((20, 12, 56), (39, 13, 77), (62, 12, 94), (87, 6, 105), (113, 3, 110), (140, 3, 109)),
        *((166, 5, 103), (193, 5, 93), (214, 35, 78), (230, 62, 60), (242, 90, 41), (248, 119, 28)),
        *((249, 147, 43), (246, 173, 75), (242, 198, 112), (239, 220, 152), (241, 238, 192)),
    ],
    np.float64,
)


def heat_colours(heat: NDArray[np.float64]) -> Pixels:
    """uint8 [row, RGBA] on the ramp, from 0 (dark) to 1 (light)."""
    place = np.clip(heat, 0, 1) * (len(RAMP) - 1)
    stops = np.arange(len(RAMP))
    channels = [np.interp(place, stops, RAMP[:, channel]) for channel in range(3)]
    colours = np.stack([*channels, np.full(place.shape, 255.0)], axis=-1)
    return np.asarray(colours.round(), np.uint8)


def counts(words: Words) -> NDArray[np.int64]:
    """[row] how many patterns each domain has."""
    return np.asarray(np.bitwise_count(words).sum(axis=1, dtype=np.int64))


def entropies(problem: Problem, words: Words, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """[row] the Shannon entropy of the domain of each of these cells, by weight, in nats."""
    patterns = len(problem.rules)
    weights = weights_of(problem)
    found = np.empty(len(words))
    rows = max(1, MOST_FLAGS // patterns)
    for start in range(0, len(words), rows):
        part = slice(start, start + rows)
        own = weights if len(weights) == 1 else weights[cells[part]]
        found[part] = entropy_of(unpack_bits(words[part], patterns) * own)
    return found


def highest_entropy(problem: Problem) -> float:
    """That of a cell that may be anything; where weights differ from cell to cell, the highest of all."""
    return float(entropy_of(weights_of(problem)).max())


def weights_of(problem: Problem) -> NDArray[np.float64]:
    """[cell, pattern], or one row for all cells; a pattern that weighs nothing is still there."""
    weights = problem.rules.weights[None] if problem.weights is None else problem.weights
    return np.asarray(np.maximum(weights, weights.max() * 2.0**-32))


def entropy_of(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """[row] from weights [row, pattern], 0 for what is no longer possible."""
    total = np.maximum(weights.sum(axis=1), np.finfo(np.float64).tiny)
    share = weights / total[:, None]
    return np.asarray(-(share * np.log(np.where(share > 0, share, 1))).sum(axis=1) + 0.0)
