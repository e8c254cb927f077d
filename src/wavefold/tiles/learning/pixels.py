"""Number the colours of pictures, in slices: pictures may have millions of pixels and colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint

SLICE_CELLS = 1 << 18  # between two checkpoints
MOST_TABLE_VALUES = 1 << 24  # the number of opaque colours

Colour = tuple[int, ...]


class ColourTable(Sequence[Colour]):
    """A list of colours that creates tuples on access: creating millions of them takes seconds.

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
    """Return the number of each pixel's colour [row, column], and the colours.

    Colours are sorted by their last channel, then by the one before it, and so on.

    pixels : [row, column, channel], with 3 or 4 channels
    """
    packed = np.empty(pixels.shape[:2], np.uint32)
    step = max(1, SLICE_CELLS // pixels.shape[1])
    for start in range(0, len(pixels), step):
        checkpoint()
        red, green, blue = np.moveaxis(pixels[start : start + step, :, :3].astype(np.uint32), 2, 0)
        packed[start : start + step] = red | green << np.uint32(8) | blue << np.uint32(16)
    found, numbers = number_values(packed)
    if pixels.shape[2] == 4:  # combine the dense numbers with the opacity
        opaque = found
        found, numbers = number_values(pixels[..., 3].astype(np.int64) * len(opaque) + numbers)
        opacity, colour = np.divmod(found, len(opaque))
        found = opaque[colour] | opacity.astype(np.uint32) << np.uint32(24)
    channels = [found >> np.uint32(8 * channel) & np.uint32(255) for channel in range(pixels.shape[2])]
    return numbers, ColourTable(np.stack(channels, axis=1).astype(np.uint8))


def number_values(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted values of an array, and the number of each cell's value."""
    is_small = array.size <= SLICE_CELLS
    if is_small or array.dtype.kind not in "ui" or array.min() < 0 or array.max() >= MOST_TABLE_VALUES:
        checkpoint()
        values, inverse = np.unique(array, return_inverse=True)
        return values, inverse.reshape(array.shape).astype(np.int64)
    flat, seen = array.ravel(), np.zeros(int(array.max()) + 1, bool)
    numbers = np.empty(array.size, np.int64)
    starts = range(0, array.size, SLICE_CELLS)
    for start in starts:
        checkpoint()
        seen[flat[start : start + SLICE_CELLS]] = True
    rank = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    for start in starts:
        checkpoint()
        numbers[start : start + SLICE_CELLS] = rank[flat[start : start + SLICE_CELLS]]
    return np.flatnonzero(seen).astype(array.dtype), numbers.reshape(array.shape)
