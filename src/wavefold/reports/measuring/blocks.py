"""Noise floors: how much a figure varies by chance, estimated by bootstrapping blocks of the maps.

Cells of a map are not independent, but large blocks of cells almost are. So a sample of blocks, drawn with
replacement, deviates from the maps about as much as the maps deviate from their distribution. With enough
maps, each map is a block. If features are larger than a block, the floor is too low.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

LEAST_BLOCKS = 16  # if possible
LEAST_SIDE = 4  # cells across a block
DRAWS = 400
SEED = 0x0B10C5  # fixed, so that floors are deterministic

BlockCounts = NDArray[np.int64]  # [block, kind]


class Deviation(NamedTuple):
    """A distance that is ideally 0, and its noise floor: the value by chance."""

    distance: float
    floor: float

    @property
    def ratio(self) -> float:
        """The distance as a multiple of the floor; NaN where nothing varies."""
        return self.distance / self.floor if self.floor else float("nan")

    def to_dict(self) -> dict[str, float | None]:
        """Return plain data for JSON."""
        ratio = round(self.ratio, 2) if self.floor else None
        return {"distance": round(self.distance, 5), "floor": round(self.floor, 5), "ratio": ratio}

    def __str__(self) -> str:
        return f"{self.distance:.3f} (noise {self.floor:.3f})"


def number_blocks(shapes: Sequence[tuple[int, ...]]) -> list[NDArray[np.int64]]:
    """Return the number of each cell's block, for arrays of these shapes."""
    side = max(max(shape) for shape in shapes)
    while side > LEAST_SIDE and sum(count_blocks(shape, side) for shape in shapes) < LEAST_BLOCKS:
        side = (side + 1) // 2
    numbered, first = [], 0
    for shape in shapes:
        number = np.zeros(shape, np.int64)
        for axis, size in enumerate(shape):
            along = np.minimum(np.arange(size) // side, max(1, size // side) - 1)
            number = number * max(1, size // side) + np.expand_dims(
                along, [each for each in range(len(shape)) if each != axis]
            )
        numbered.append(number + first)
        first += count_blocks(shape, side)
    return numbered


def count_blocks(shape: Sequence[int], side: int) -> int:
    """Count the blocks of an array; the remainder of each axis belongs to its last block."""
    return int(np.prod([max(1, size // side) for size in shape]))


def count_by_block(
    blocks: NDArray[np.int64], kinds: NDArray[np.int64], block_count: int, kind_count: int
) -> BlockCounts:
    """Count how often each kind occurs in each block."""
    flat = np.bincount(blocks * kind_count + kinds, minlength=block_count * kind_count)
    return flat.reshape(block_count, kind_count)


def draw_blocks(block_count: int) -> NDArray[Any]:
    """Draw samples of blocks with replacement; returns how often each block occurs [draw, block]."""
    random = np.random.default_rng(SEED)
    shares = np.full(block_count, 1 / block_count)
    return random.multinomial(block_count, shares, DRAWS)


def measure_variation(counts: NDArray[Any], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the total variation distance of frequencies [..., kind] from target shares [kind]."""
    totals = np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    distance: NDArray[np.float64] = np.abs(counts / totals - shares).sum(axis=-1) / 2
    return distance


def estimate_block_floor(counts: BlockCounts) -> float:
    """Estimate the noise floor of frequencies by resampling blocks.

    If there is only one block, cells count as independent.
    """
    blocks = len(counts)
    shares = counts.sum(axis=0) / counts.sum()
    if blocks < 2:
        return compute_independent_floor(shares, int(counts.sum()))
    distances = measure_variation(draw_blocks(blocks) @ counts, shares)
    # Correct for the deviation of the mean of all blocks.
    return float(distances.mean()) * sqrt(blocks / (blocks - 1))


def compute_independent_floor(shares: NDArray[np.float64], draws: int) -> float:
    """Return the mean distance of independent draws from `shares`, by de Moivre's formula."""
    return sum(expect_deviation(float(share), draws) for share in shares) / (2 * draws) if draws else 0.0


def expect_deviation(share: float, draws: int) -> float:
    """Return the mean of |hits - draws * share| for draws with this probability of a hit."""
    if not 0 < share < 1:
        return 0.0
    above = int(draws * share) + 1
    if above > draws:
        return 2 * draws * (1 - share) * share**draws
    ways = lgamma(draws + 1) - lgamma(above + 1) - lgamma(draws - above + 1)
    return 2 * above * exp(ways + above * log(share) + (draws - above + 1) * log(1 - share))
