"""Undo upscaling, antialiasing and the noise of JPEG files in sample pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetWarning
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles.learning.pixels import SLICE_CELLS, number_values
from wavefold.tiles.learning.samples import Sample

LARGEST_SCALE = 64
FEWEST_BLOCKS = 4  # across and down: in fewer blocks, lines lie in a grid by chance
# The share of all change between pixels that must lie at borders of blocks. JPEG leaves noise inside blocks;
# in a clean picture, a thin line inside a block shows that it was drawn pixel by pixel.
MIN_BORDER_SHARE, CLEAN_BORDER_SHARE = 0.75, 1.0
# Of the sizes with at least this part of the best share, the largest wins: blocks of 4 are also blocks of 2.
MIN_SHARE_OF_BEST = 0.85
MIN_BORDER_CHANGE = 0.01  # relative to the average; borders with less change count as unchanged
EXAMINED_PIXELS = 1024  # across and down
MOST_CLEAN_COLOURS = 64  # pictures drawn pixel by pixel have fewer
MAIN_COLOUR_DIVISOR = 200  # main colours have more than 1 / 200 of all pixels
MOST_NOISE_DISTANCE = 16  # between neighbouring pixels; larger changes are not noise
MIN_NOISE_SHARE = 0.74  # of all changes; soft edges have fewer faint changes than noise and photographs
SHADE_BITS = 3  # low bits of a channel that are ignored when similar colours are counted together
BATCH_COLOURS = 1 << 16  # compared with a palette at once

IntArray = NDArray[np.int64]


class BlockGrid(NamedTuple):
    """The blocks of an upscaled picture: their size, and the position of the first whole block."""

    scale: int
    x: int
    y: int


def find_blocks(sample: Sample) -> BlockGrid | None:
    """Find the blocks of a picture; None if it is not upscaled.

    In a clean picture all changes must lie between blocks; blocks of other pictures may contain noise.
    """
    if not sample.coloured or len(sample.values) < 2:
        return None
    numbers = sample.numbers[:EXAMINED_PIXELS, :EXAMINED_PIXELS]
    pixels = np.asarray(sample.values)[numbers].astype(np.int32)
    across = (np.diff(pixels, axis=1) ** 2).sum(axis=(0, 2), dtype=np.int64)
    down = (np.diff(pixels, axis=0) ** 2).sum(axis=(1, 2), dtype=np.int64)
    largest = min(LARGEST_SCALE, min(numbers.shape) // FEWEST_BLOCKS)
    found = [fit_blocks(across, down, scale) for scale in range(largest, 1, -1)]
    best = max((share for share, _ in found), default=0.0)
    if best < (CLEAN_BORDER_SHARE if is_clean(sample) else MIN_BORDER_SHARE):
        return None
    return next(
        blocks
        for share, blocks in found
        if share >= (CLEAN_BORDER_SHARE if is_clean(sample) else MIN_SHARE_OF_BEST * best)
    )


def is_clean(sample: Sample) -> bool:
    """Whether a picture has no noise, so that the blocks found in it are certain."""
    return len(sample.values) <= MOST_CLEAN_COLOURS and not sample.lossy


def fit_blocks(across: NDArray[np.int64], down: NDArray[np.int64], scale: int) -> tuple[float, BlockGrid]:
    """The share of all change that lies between blocks of this size, and the position of the blocks."""
    (share_across, x), (share_down, y) = find_start(across, scale), find_start(down, scale)
    return min(share_across, share_down), BlockGrid(scale, x, y)


def find_start(change: NDArray[np.int64], scale: int) -> tuple[float, int]:
    """The share of all change at the borders of blocks, and the position of the first whole block.

    The share is 0 if few borders have changes: a few lines lie in a grid by chance.

    change : [border] the change between neighbouring pixels
    """
    position = np.arange(1, len(change) + 1)
    by_start = np.bincount(position % scale, change, scale)
    start = int(by_start.argmax())
    borders = change[position % scale == start]
    shown = np.count_nonzero(borders > MIN_BORDER_CHANGE * borders.mean())
    return float(by_start[start] / max(1, change.sum())) if 4 * shown >= len(borders) else 0.0, start


def undo_scale(sample: Sample, blocks: BlockGrid) -> Sample:
    """Reduce each block to its middle pixel, which is farthest from the noise along borders."""
    scale, x, y = blocks
    middle = scale // 2
    numbers = sample.numbers[(y + middle) % scale :: scale, (x + middle) % scale :: scale]
    return sample._replace(numbers=np.ascontiguousarray(numbers))


def reduce_colours(samples: Sequence[Sample], count: int) -> list[Sample]:
    """Return the pictures in at most `count` of their colours; each pixel gets the nearest one."""
    if len(samples[0].values) <= count:
        return list(samples)
    colours = np.array(samples[0].values, np.int64)
    palette = choose_palette(colours, count_pixels(samples), count)
    nearest = np.concatenate(
        [
            find_nearest(colours[start : start + BATCH_COLOURS], palette)
            for start in range(0, len(colours), BATCH_COLOURS)
        ]
    )
    values = [tuple(colour) for colour in palette.tolist()]
    return [Sample(nearest[sample.numbers], values, True) for sample in samples]


def count_pixels(samples: Sequence[Sample]) -> IntArray:
    """[colour] -> number of pixels."""
    total = np.zeros(len(samples[0].values), np.int64)
    for sample in samples:
        flat = sample.numbers.ravel()
        for start in range(0, flat.size, SLICE_CELLS):
            checkpoint()
            np.add.at(total, flat[start : start + SLICE_CELLS], 1)
    return total


def choose_palette(colours: IntArray, pixels: IntArray, count: int) -> IntArray:
    """[entry, channel]: common colours that are far from each other, the most common one first.

    Similar colours are counted together and represented by the most common of them; otherwise noise would
    split a colour into hundreds of rare ones. Mixed colours along soft edges are rare and near the colours of
    both sides, so they are not chosen.
    """
    packed = np.zeros(len(colours), np.int64)
    for channel in colours.T:
        checkpoint()
        packed = (packed << (8 - SHADE_BITS)) + (channel >> SHADE_BITS)
    shades = number_values(packed)[1]
    most = np.zeros(int(shades.max()) + 1, np.int64)
    for start in range(0, len(colours), SLICE_CELLS):
        checkpoint()
        np.maximum.at(most, shades[start : start + SLICE_CELLS], pixels[start : start + SLICE_CELLS])
    common = np.empty(len(most), np.int64)
    commonest = np.flatnonzero(pixels == most[shades])[::-1]
    common[shades[commonest]] = commonest  # ties: the first
    checkpoint()
    weights = np.bincount(shades, pixels).astype(np.int64)
    found = colours[common]
    chosen = [int(weights.argmax())]
    distance = ((found - found[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(found)):
        checkpoint()
        chosen.append(int((weights * distance).argmax()))
        distance = np.minimum(distance, ((found - found[chosen[-1]]) ** 2).sum(axis=1))
    palette: IntArray = found[chosen]
    return palette


def find_nearest(colours: IntArray, palette: IntArray) -> IntArray:
    """[colour] -> the nearest entry of the palette; ties: the first."""
    checkpoint()
    distance = np.stack([((colours - entry) ** 2).sum(axis=1) for entry in palette])
    return np.asarray(distance.argmin(axis=0), np.int64)


def describe_colours(samples: Sequence[Sample]) -> TileSetWarning | None:
    """A warning about the number of colours, with advice; None if the number is suitable."""
    if not samples[0].coloured:
        return None
    total = len(samples[0].values)
    if total == 1:
        return TileSetWarning(
            "the sample has a single colour, and so will every map; check that it is the right picture"
        )
    if total <= MOST_CLEAN_COLOURS:
        return None
    pixels = count_pixels(samples)
    main = pixels * MAIN_COLOUR_DIVISOR > pixels.sum()
    suggested = int(np.clip(1 << int(np.count_nonzero(main)).bit_length(), 8, 32))
    if pixels[main].sum() * 2 < pixels.sum():
        why = "it is a photograph, or has gradients or the noise of a JPEG file"
    elif any(sample.lossy or is_noisy(sample) for sample in samples):
        why = "it has the noise of a JPEG file, with many almost equal colours"
    else:
        why = "it is antialiased, with mixed colours along soft edges"
    return TileSetWarning(
        f"the sample has {total:,} colours: {why}",
        advice=f"reduce them with colours={suggested}",
        flag_advice=f"reduce them with --colours {suggested}",
    )


def is_noisy(sample: Sample) -> bool:
    """Whether most changes between pixels are faint; changes along soft edges are not."""
    pixels = np.asarray(sample.values)[sample.numbers[:EXAMINED_PIXELS, :EXAMINED_PIXELS]].astype(np.int32)
    every = [(np.diff(pixels, axis=axis) ** 2).sum(axis=2).ravel() for axis in (0, 1)]
    change = np.concatenate(every)
    clear, changed = np.count_nonzero(change > MOST_NOISE_DISTANCE**2), np.count_nonzero(change)
    return bool(changed - clear >= MIN_NOISE_SHARE * changed)
