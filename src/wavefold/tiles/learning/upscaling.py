"""Pictures in which every pixel was drawn as a block of k x k: find k, and draw them small again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.tiles.learning.colours import MOST_LOOKED_AT, MOST_MEANT
from wavefold.tiles.learning.samples import Sample

LARGEST_SCALE = 64
FEWEST_BLOCKS = 4  # across and down: in less, lines lie in a grid by chance
ENOUGH = 0.75  # of all change from pixel to pixel lies between blocks: JPEG leaves noise inside them
NEARLY = 0.85  # of the part that the best size has; of these the largest, as blocks of 4 are blocks of 2
# Without noise, all of it does: a thin line in a picture of few colours was drawn pixel by pixel.
ALL = 1.0
FAINT = 0.01  # a border with less change than this part of the average shows none


class BlockGrid(NamedTuple):
    """How large the blocks are, and where the first ones begin that are whole."""

    scale: int
    x: int
    y: int


def find_blocks(sample: Sample) -> BlockGrid | None:
    """The blocks of a picture, or None if it is not upscaled.

    In a picture of few colours every change must lie between blocks; others may have noise inside them.
    """
    if not sample.coloured or len(sample.values) < 2:
        return None
    numbers = sample.numbers[:MOST_LOOKED_AT, :MOST_LOOKED_AT]
    pixels = np.asarray(sample.values)[numbers].astype(np.int32)
    across = (np.diff(pixels, axis=1) ** 2).sum(axis=(0, 2), dtype=np.int64)
    down = (np.diff(pixels, axis=0) ** 2).sum(axis=(1, 2), dtype=np.int64)
    largest = min(LARGEST_SCALE, min(numbers.shape) // FEWEST_BLOCKS)
    found = [fit_blocks(across, down, scale) for scale in range(largest, 1, -1)]
    best = max((share for share, _ in found), default=0.0)
    if best < (ALL if is_clean(sample) else ENOUGH):
        return None
    return next(blocks for share, blocks in found if share >= (ALL if is_clean(sample) else NEARLY * best))


def is_clean(sample: Sample) -> bool:
    """Whether a picture has no noise, so that blocks that are found in it are certain."""
    return len(sample.values) <= MOST_MEANT and not sample.lossy


def fit_blocks(across: NDArray[np.int64], down: NDArray[np.int64], scale: int) -> tuple[float, BlockGrid]:
    """The part of all change that lies between blocks of this size, across or down, and where they begin."""
    (share_across, x), (share_down, y) = find_start(across, scale), find_start(down, scale)
    return min(share_across, share_down), BlockGrid(scale, x, y)


def find_start(change: NDArray[np.int64], scale: int) -> tuple[float, int]:
    """The part of all change at the borders of blocks, and where the first whole block begins.

    The part is 0 if few borders show any: a few lines lie in a grid by chance.

    change : [border] between a pixel and the next
    """
    position = np.arange(1, len(change) + 1)
    by_start = np.bincount(position % scale, change, scale)
    start = int(by_start.argmax())
    borders = change[position % scale == start]
    shown = np.count_nonzero(borders > FAINT * borders.mean())
    return float(by_start[start] / max(1, change.sum())) if 4 * shown >= len(borders) else 0.0, start


def undo_scale(sample: Sample, blocks: BlockGrid) -> Sample:
    """A pixel for each block: the one in its middle, the furthest from the noise along borders."""
    scale, x, y = blocks
    middle = scale // 2
    numbers = sample.numbers[(y + middle) % scale :: scale, (x + middle) % scale :: scale]
    return sample._replace(numbers=np.ascontiguousarray(numbers))
