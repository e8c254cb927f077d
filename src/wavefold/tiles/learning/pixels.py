"""Pixels as numbers of colours: of pictures with millions of either, slice by slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint

SLICE = 1 << 18  # cells looked at between two checkpoints
LARGEST_TABLE = 1 << 24  # every opaque colour

Colour = tuple[int, ...]


class ColourTable(Sequence[Colour]):
    """Colours by number, made tuples on access: millions of tuples would take seconds.

    array : uint8 [colour, channel]
    """

    def __init__(self, array: NDArray[np.uint8]) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: Any) -> Any:
        found = self.array[index].tolist()
        return list(map(tuple, found)) if isinstance(index, slice) else tuple(found)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype, copy=copy)


def number_colours(pixels: NDArray[np.uint8]) -> tuple[NDArray[np.int64], ColourTable]:
    """[row, column] the number of each pixel's colour, and the colours, sorted by the last channel first.

    pixels : [row, column, channel] with 3 or 4 channels
    """
    packed = np.empty(pixels.shape[:2], np.uint32)
    step = max(1, SLICE // pixels.shape[1])
    for start in range(0, len(pixels), step):
        checkpoint()
        red, green, blue = np.moveaxis(pixels[start : start + step, :, :3].astype(np.uint32), 2, 0)
        packed[start : start + step] = red | green << np.uint32(8) | blue << np.uint32(16)
    found, numbers = number_values(packed)
    if pixels.shape[2] == 4:  # the numbers of opaque colours are dense, and fit a table with their opacity
        opaque = found
        found, numbers = number_values(pixels[..., 3].astype(np.int64) * len(opaque) + numbers)
        opacity, colour = np.divmod(found, len(opaque))
        found = opaque[colour] | opacity.astype(np.uint32) << np.uint32(24)
    channels = [found >> np.uint32(8 * channel) & np.uint32(255) for channel in range(pixels.shape[2])]
    return numbers, ColourTable(np.stack(channels, axis=1).astype(np.uint8))


def number_values(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The values of an array, sorted, and the number of each cell's; with checkpoints if it is large."""
    is_small = array.size <= SLICE
    if is_small or array.dtype.kind not in "ui" or array.min() < 0 or array.max() >= LARGEST_TABLE:
        checkpoint()
        values, inverse = np.unique(array, return_inverse=True)
        return values, inverse.reshape(array.shape).astype(np.int64)
    flat, seen = array.ravel(), np.zeros(int(array.max()) + 1, bool)
    numbers = np.empty(array.size, np.int64)
    starts = range(0, array.size, SLICE)
    for start in starts:
        checkpoint()
        seen[flat[start : start + SLICE]] = True
    rank = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    for start in starts:
        checkpoint()
        numbers[start : start + SLICE] = rank[flat[start : start + SLICE]]
    return np.flatnonzero(seen).astype(array.dtype), numbers.reshape(array.shape)
