"""Sample pictures with more colours or larger pixels than were meant: antialiased, JPEG, enlarged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetWarning
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles.learning.pixels import SLICE, number_values
from wavefold.tiles.learning.samples import Sample

LARGEST_SCALE = 64
FEWEST_BLOCKS = 4  # across and down: in less, lines lie in a grid by chance
ENOUGH = 0.75  # of all change from pixel to pixel lies between blocks: JPEG leaves noise inside them
NEARLY = 0.85  # of the part that the best size has; of these the largest, as blocks of 4 are blocks of 2
# Without noise, all of it does: a thin line in a picture of few colours was drawn pixel by pixel.
ALL = 1.0
FAINT_SHARE = 0.01  # a border with less change than this part of the average shows none


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
    shown = np.count_nonzero(borders > FAINT_SHARE * borders.mean())
    return float(by_start[start] / max(1, change.sum())) if 4 * shown >= len(borders) else 0.0, start


def undo_scale(sample: Sample, blocks: BlockGrid) -> Sample:
    """A pixel for each block: the one in its middle, the furthest from the noise along borders."""
    scale, x, y = blocks
    middle = scale // 2
    numbers = sample.numbers[(y + middle) % scale :: scale, (x + middle) % scale :: scale]
    return sample._replace(numbers=np.ascontiguousarray(numbers))


MOST_LOOKED_AT = 1024  # pixels across and down
MOST_MEANT = 64  # colours of a picture that was drawn pixel by pixel
MAIN_SHARE = 200  # a colour of more than 1 / this of all pixels is one of the main ones
FAINT_CHANGE = 16  # changes from pixel to pixel up to this distance, if they are most, are noise
MOST_FAINT = 0.74  # of all changes: noise and photographs have more, soft edges less
CLOSE = 3  # bits of a channel in which colours may differ and still be counted together
BATCH = 1 << 16  # colours compared with a palette at once

Numbers = NDArray[np.int64]


def reduce_colours(samples: Sequence[Sample], count: int) -> list[Sample]:
    """The same pictures in at most this many of their colours, each pixel in the nearest of them."""
    if len(samples[0].values) <= count:
        return list(samples)
    colours = np.array(samples[0].values, np.int64)
    palette = choose_palette(colours, count_pixels(samples), count)
    nearest = np.concatenate(
        [find_nearest(colours[start : start + BATCH], palette) for start in range(0, len(colours), BATCH)]
    )
    values = [tuple(colour) for colour in palette.tolist()]
    return [Sample(nearest[sample.numbers], values, True) for sample in samples]


def count_pixels(samples: Sequence[Sample]) -> Numbers:
    """[colour] how many pixels have it."""
    total = np.zeros(len(samples[0].values), np.int64)
    for sample in samples:
        flat = sample.numbers.ravel()
        for start in range(0, flat.size, SLICE):
            checkpoint()
            np.add.at(total, flat[start : start + SLICE], 1)
    return total


def choose_palette(colours: Numbers, pixels: Numbers, count: int) -> Numbers:
    """[entry, channel]: common colours far from each other, the most common one first.

    Close colours are counted together, and the most common of them stands for all: noise must not split a
    colour into hundreds, of which none is common. Mixtures along soft edges are rare, and not far from
    either side.
    """
    packed = np.zeros(len(colours), np.int64)
    for channel in colours.T:
        checkpoint()
        packed = (packed << (8 - CLOSE)) + (channel >> CLOSE)
    shades = number_values(packed)[1]
    most = np.zeros(int(shades.max()) + 1, np.int64)
    for start in range(0, len(colours), SLICE):
        checkpoint()
        np.maximum.at(most, shades[start : start + SLICE], pixels[start : start + SLICE])
    common = np.empty(len(most), np.int64)
    commonest = np.flatnonzero(pixels == most[shades])[::-1]
    common[shades[commonest]] = commonest  # of equally common ones, the first
    checkpoint()
    weights = np.bincount(shades, pixels).astype(np.int64)
    found = colours[common]
    chosen = [int(weights.argmax())]
    distance = ((found - found[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(found)):
        checkpoint()
        chosen.append(int((weights * distance).argmax()))
        distance = np.minimum(distance, ((found - found[chosen[-1]]) ** 2).sum(axis=1))
    palette: Numbers = found[chosen]
    return palette


def find_nearest(colours: Numbers, palette: Numbers) -> Numbers:
    """[colour] the nearest entry; of equally near ones, the more important."""
    checkpoint()
    distance = np.stack([((colours - entry) ** 2).sum(axis=1) for entry in palette])
    return np.asarray(distance.argmin(axis=0), np.int64)


def describe_colours(samples: Sequence[Sample]) -> TileSetWarning | None:
    """What is to be said about the number of colours, and what to do; None if nothing is."""
    if not samples[0].coloured:
        return None
    total = len(samples[0].values)
    if total == 1:
        return TileSetWarning(
            "the sample has one colour, and so will every map: check that it is the right picture"
        )
    if total <= MOST_MEANT:
        return None
    pixels = count_pixels(samples)
    main = pixels * MAIN_SHARE > pixels.sum()
    suggested = int(np.clip(1 << int(np.count_nonzero(main)).bit_length(), 8, 32))
    if pixels[main].sum() * 2 < pixels.sum():
        why = "it is a photograph, has gradients, or the noise of a JPEG file"
    elif any(sample.lossy or is_noisy(sample) for sample in samples):
        why = "it has the noise of a JPEG file: around most colours there are many that are almost equal"
    else:
        why = "it is antialiased: most pixels have one of a few, the others lie along soft edges"
    return TileSetWarning(
        f"the sample has {total:,} colours: {why}",
        advice=f"reduce them with colours={suggested}",
        flag_advice=f"reduce them with --colours {suggested}",
    )


def is_noisy(sample: Sample) -> bool:
    """Whether most changes from pixel to pixel are faint: those along soft edges are not."""
    pixels = np.asarray(sample.values)[sample.numbers[:MOST_LOOKED_AT, :MOST_LOOKED_AT]].astype(np.int32)
    every = [(np.diff(pixels, axis=axis) ** 2).sum(axis=2).ravel() for axis in (0, 1)]
    change = np.concatenate(every)
    clear, changed = np.count_nonzero(change > FAINT_CHANGE**2), np.count_nonzero(change)
    return bool(changed - clear >= MOST_FAINT * changed)
