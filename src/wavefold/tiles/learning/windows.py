"""Windows of samples: every n x n cells, read at every cell row by row, then mirrored and turned.

What is found is numbered in the order it is first met.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.limits import LimitError
from wavefold.tiles.learning.pixels import SLICE
from wavefold.tiles.learning.samples import Sample

MOST_PATTERNS = 1 << 16
MOST_CODES = 1 << 62

Numbers = NDArray[np.int64]


class Windows(NamedTuple):
    """Different windows in the order they were found, how often each was, and where."""

    cells: Numbers  # [window, row, column]
    counts: Numbers  # [window]
    maps: list[NDArray[np.int32]]  # for each sample [row, column]: the window whose top-left cell this is


def find_windows(samples: Sequence[Sample], n: int, periodic: bool, most: int = MOST_PATTERNS) -> Windows:
    """The windows of samples as they were drawn, those of each sample by themselves; at most so many."""
    found = []
    start = 0
    for sample in samples:
        cells, counts, [where] = find_sample_windows(sample, n, periodic, most)
        found.append((cells, counts, where + np.int32(start)))
        start += len(counts)
    every_cells, every_counts, maps = zip(*found, strict=True)
    return Windows(np.concatenate(every_cells), np.concatenate(every_counts), list(maps))


def find_sample_windows(sample: Sample, n: int, periodic: bool, most: int = MOST_PATTERNS) -> Windows:
    """The windows of one sample."""
    height, width = sample.numbers.shape
    if not periodic and min(height, width) < n:
        raise TileSetError(
            f"the sample is {width} x {height}, too small for a window of {n} x {n}",
            advice="draw more, choose a smaller n, or learn with periodic=True",
            flag_advice="draw more, choose a smaller --n, or learn with --periodic",
        )
    rows, columns = (height, width) if periodic else (height - n + 1, width - n + 1)
    y, x = np.arange(rows + n - 1) % height, np.arange(columns + n - 1) % width
    cells, counts = np.zeros((0, n, n), np.int64), np.zeros(0, np.int64)
    where = np.empty((rows, columns), np.int32)
    step = max(1, SLICE // columns)
    for start in range(0, rows, step):
        checkpoint()
        wide = sample.numbers[y[start : start + step + n - 1]][:, x]
        found, more, numbers = find_slice_windows(wide, n, len(sample.values))
        number = number_parts(np.concatenate([cells, found]))
        where[start : start + step] = number[len(cells) :][numbers]
        cells, counts = merge_equal(np.concatenate([cells, found]), number, np.concatenate([counts, more]))
        check_count(len(counts), n, 1, most)
    return Windows(cells, counts, [where])


def find_slice_windows(wide: Numbers, n: int, values: int) -> tuple[Numbers, Numbers, Numbers]:
    """The windows of some rows: cells [window, row, column], counts, and [row, column] the window there."""
    rows, columns = wide.shape[0] - n + 1, wide.shape[1] - n + 1
    shifted = (wide[dy : dy + rows, dx : dx + columns].ravel() for dy in range(n) for dx in range(n))
    codes = encode_rows(shifted, values)
    checkpoint()
    _, first, inverse, counts = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    row, column = np.divmod(first[order], columns)
    span = np.arange(n)
    cells = wide[row[:, None, None] + span[:, None], column[:, None, None] + span]
    return cells, counts[order].astype(np.int64), rank[inverse].reshape(rows, columns)


def merge_equal(cells: Numbers, number: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Windows of the same number as one, [window, row, column], and their counts added."""
    first = np.full(int(number.max()) + 1, len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    total = np.zeros(len(first), np.int64)
    np.add.at(total, number, counts)
    return cells[first], total


def check_count(patterns: int, n: int, symmetry: int, most: int = MOST_PATTERNS) -> None:
    """Raise, and say what would help, if there are too many patterns to solve with."""
    if patterns > most:
        raise LimitError(
            f"there are more than {most:,} different patterns of {n} x {n} with symmetry "
            f"{symmetry}, too many to solve with; reduce the number of colours (to 16, for example), n or "
            "symmetry, or learn from a smaller sample",
            "patterns",
            most,
        )


def encode_rows(places: Iterable[Numbers], base: int) -> Numbers:
    """One number for each row of a table, equal if the rows are; the table comes column by column."""
    code, span = np.zeros(1, np.int64), 1
    for place in places:
        checkpoint()
        if span * base > MOST_CODES:
            found, code = np.unique(code, return_inverse=True)
            span = len(found)
        code = code * base + place
        span *= base
    return code


def turn_window(cells: Numbers, variant: int) -> Numbers:
    """[window, row, column]: 0 as drawn, 1 mirrored, 2 turned left, 3 that mirrored, and so on to 7."""
    turned = np.rot90(cells, variant // 2, axes=(1, 2))
    return turned[:, :, ::-1] if variant % 2 else turned


def turn_windows(cells: Numbers, symmetry: int) -> Numbers:
    """[window x variant, row, column]: the first variants of each window."""
    every = [turn_window(cells, variant) for variant in range(symmetry)]
    return np.stack(every, axis=1).reshape(-1, *cells.shape[1:])


def number_parts(parts: Numbers) -> Numbers:
    """[part] the same number for equal parts, in the order they are first met."""
    flat = parts.reshape(len(parts), int(np.prod(parts.shape[1:])))
    code = encode_rows(flat.T, int(flat.max(initial=0)) + 1)
    code = np.broadcast_to(code, len(parts))  # parts without cells, of windows of 1 x 1, are all equal
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]
