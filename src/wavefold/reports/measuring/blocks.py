"""Noise floors: how much a figure varies by chance, estimated from blocks of the measured maps.

Cells of a map are not independent of each other, but blocks of them nearly are: a sample drawn from the
blocks, with repetition, is as far from the maps as these are from what they were drawn from. With enough
maps, each of them is a block. Features larger than a block make the floor too low.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ENOUGH = 16  # blocks
SMALLEST = 4  # cells across a block
DRAWS = 400
SEED = 0x0B10C5  # floors are the same whenever they are computed

Counts = NDArray[np.int64]  # [block, kind]


class Deviation(NamedTuple):
    """A figure that should be 0, and how large it is by chance."""

    distance: float
    floor: float

    @property
    def ratio(self) -> float:
        """The distance as a multiple of the floor; NaN where nothing varies."""
        return self.distance / self.floor if self.floor else float("nan")

    def to_dict(self) -> dict[str, float | None]:
        """Plain data, for JSON."""
        ratio = round(self.ratio, 2) if self.floor else None
        return {"distance": round(self.distance, 5), "floor": round(self.floor, 5), "ratio": ratio}

    def __str__(self) -> str:
        return f"{self.distance:.3f} (noise {self.floor:.3f})"


def number_blocks(shapes: Sequence[tuple[int, ...]]) -> list[NDArray[np.int64]]:
    """For arrays of these shapes: the number of each cell's block. At least `ENOUGH` blocks, if possible."""
    side = max(max(shape) for shape in shapes)
    while side > SMALLEST and sum(count_blocks(shape, side) for shape in shapes) < ENOUGH:
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
    """How many blocks an array has; what is left at its end belongs to the last ones."""
    return int(np.prod([max(1, size // side) for size in shape]))


def count_by_block(
    blocks: NDArray[np.int64], kinds: NDArray[np.int64], block_count: int, kind_count: int
) -> Counts:
    """[block, kind] how often each kind occurs in each block."""
    flat = np.bincount(blocks * kind_count + kinds, minlength=block_count * kind_count)
    return flat.reshape(block_count, kind_count)


def draw_blocks(block_count: int) -> NDArray[Any]:
    """[draw, block] how often each block is in a sample of as many blocks, drawn with repetition."""
    random = np.random.default_rng(SEED)
    shares = np.full(block_count, 1 / block_count)
    return random.multinomial(block_count, shares, DRAWS)


def measure_variation(counts: NDArray[Any], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Half the sum of differences between frequencies [..., kind] and what they should be [kind]."""
    totals = np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    distance: NDArray[np.float64] = np.abs(counts / totals - shares).sum(axis=-1) / 2
    return distance


def estimate_block_floor(counts: Counts) -> float:
    """The distance of frequencies from what they are drawn from, on average, by resampling blocks.

    In a map too small for several blocks, cells count as independent.
    """
    blocks = len(counts)
    shares = counts.sum(axis=0) / counts.sum()
    if blocks < 2:
        return compute_independent_floor(shares, int(counts.sum()))
    distances = measure_variation(draw_blocks(blocks) @ counts, shares)
    # A sample of n blocks varies around the mean of these n, which varies itself.
    return float(distances.mean()) * sqrt(blocks / (blocks - 1))


def compute_independent_floor(shares: NDArray[np.float64], draws: int) -> float:
    """The distance from `shares` of so many independent draws, on average; exact (de Moivre's formula)."""
    return sum(expect_deviation(float(share), draws) for share in shares) / (2 * draws) if draws else 0.0


def expect_deviation(share: float, draws: int) -> float:
    """The mean of |hits - draws * share| for draws that hit with this probability."""
    if not 0 < share < 1:
        return 0.0
    above = int(draws * share) + 1
    if above > draws:
        return 2 * draws * (1 - share) * share**draws
    ways = lgamma(draws + 1) - lgamma(above + 1) - lgamma(draws - above + 1)
    return 2 * above * exp(ways + above * log(share) + (draws - above + 1) * log(1 - share))
