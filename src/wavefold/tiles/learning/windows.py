"""Find the windows of samples, n x n cells each, and choose the symmetry of a sample.

Windows may also be rotated and mirrored; how often that occurs in a sample determines its symmetry.

Windows and patterns are numbered in the order in which they are found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.values import LimitError
from wavefold.tiles.learning.pixels import SLICE_CELLS
from wavefold.tiles.learning.samples import Sample

MOST_PATTERNS = 1 << 16
MOST_CODES = 1 << 62
AS_DRAWN, MIRRORED, ALL = 1, 2, 8  # variants of a window
# For any n: smaller windows of bricks and of mazes do not differ, and most larger windows occur only once.
EXAMINED_WINDOW = 3
EXAMINED_CELLS = 256  # rows and columns of a sample
# The smallest shares of windows that also occur mirrored, or in all eight variants, as fractions. Samples
# with mirror symmetry have 0.62 or more, others 0.44 or less; samples with all symmetries have 0.67 or more,
# others 0.62 or less.
MIN_MIRRORED_SHARE, MIN_TURNED_SHARE = (1, 2), (2, 3)
SYMMETRY_DESCRIPTIONS = {
    AS_DRAWN: "as drawn: few windows of the sample also occur mirrored or turned",
    MIRRORED: "with mirror images: few windows of the sample also occur turned",
    ALL: "turned and mirrored: most windows of the sample occur in all eight variants",
}

IntArray = NDArray[np.int64]


class Windows(NamedTuple):
    """Distinct windows, how often each was found, and where."""

    cells: IntArray  # [window, row, column]
    counts: IntArray  # [window]
    maps: list[NDArray[np.int32]]  # for each sample [row, column]: the window with its top-left cell here


def find_windows(samples: Sequence[Sample], n: int, periodic: bool, most: int = MOST_PATTERNS) -> Windows:
    """Find the windows of all samples, in the orientation as drawn. Each sample has its own windows."""
    found = []
    start = 0
    for sample in samples:
        cells, counts, [where] = find_sample_windows(sample, n, periodic, most)
        found.append((cells, counts, where + np.int32(start)))
        start += len(counts)
    every_cells, every_counts, maps = zip(*found, strict=True)
    return Windows(np.concatenate(every_cells), np.concatenate(every_counts), list(maps))


def find_sample_windows(sample: Sample, n: int, periodic: bool, most: int = MOST_PATTERNS) -> Windows:
    """Find the windows of one sample."""
    height, width = sample.numbers.shape
    if not periodic and min(height, width) < n:
        raise TileSetError(
            f"the sample is {width} x {height}, too small for a window of {n} x {n}",
            advice="use a larger sample, a smaller n, or periodic=True",
            flag_advice="use a larger sample, a smaller --n, or --periodic",
        )
    rows, columns = (height, width) if periodic else (height - n + 1, width - n + 1)
    y, x = np.arange(rows + n - 1) % height, np.arange(columns + n - 1) % width
    cells, counts = np.zeros((0, n, n), np.int64), np.zeros(0, np.int64)
    where = np.empty((rows, columns), np.int32)
    step = max(1, SLICE_CELLS // columns)
    for start in range(0, rows, step):
        checkpoint()
        wide = sample.numbers[y[start : start + step + n - 1]][:, x]
        found, more, numbers = find_slice_windows(wide, n, len(sample.values))
        number = number_parts(np.concatenate([cells, found]))
        where[start : start + step] = number[len(cells) :][numbers]
        cells, counts = merge_equal(np.concatenate([cells, found]), number, np.concatenate([counts, more]))
        check_count(len(counts), n, 1, most)
    return Windows(cells, counts, [where])


def find_slice_windows(wide: IntArray, n: int, values: int) -> tuple[IntArray, IntArray, IntArray]:
    """Find the windows of some rows; return their cells, their counts and [row, column] the window there."""
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


def merge_equal(cells: IntArray, number: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Windows of the same number as one, [window, row, column], and their counts added."""
    first = np.full(int(number.max()) + 1, len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    total = np.zeros(len(first), np.int64)
    np.add.at(total, number, counts)
    return cells[first], total


def check_count(patterns: int, n: int, symmetry: int, most: int = MOST_PATTERNS) -> None:
    """Raise LimitError if there are too many patterns."""
    if patterns > most:
        raise LimitError(
            f"the sample has more than {most:,} patterns of {n} x {n} cells with symmetry {symmetry}; reduce "
            "the number of colours (to 16, for example), n or symmetry, or learn from a smaller sample",
            "patterns",
            most,
        )


def encode_rows(places: Iterable[IntArray], base: int) -> IntArray:
    """Return one number per row of a table, given its columns; equal rows have equal numbers."""
    code, span = np.zeros(1, np.int64), 1
    for place in places:
        checkpoint()
        if span * base > MOST_CODES:
            found, code = np.unique(code, return_inverse=True)
            span = len(found)
        code = code * base + place
        span *= base
    return code


def turn_window(cells: IntArray, variant: int) -> IntArray:
    """Transform windows [window, row, column]: 0 as drawn, 1 mirrored, 2 turned left, 3 both, … to 7."""
    turned = np.rot90(cells, variant // 2, axes=(1, 2))
    return turned[:, :, ::-1] if variant % 2 else turned


def turn_windows(cells: IntArray, symmetry: int) -> IntArray:
    """[window x variant, row, column]: the first `symmetry` variants of each window."""
    every = [turn_window(cells, variant) for variant in range(symmetry)]
    return np.stack(every, axis=1).reshape(-1, *cells.shape[1:])


def number_parts(parts: IntArray) -> IntArray:
    """[part] -> its number; equal parts have the same number."""
    flat = parts.reshape(len(parts), int(np.prod(parts.shape[1:])))
    code = encode_rows(flat.T, int(flat.max(initial=0)) + 1)
    code = np.broadcast_to(code, len(parts))  # windows of 1 x 1 have parts without cells, which are equal
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


class Occurrence(NamedTuple):
    """An occurrence of a pattern in a sample.

    sample : the number of the sample
    x, y : column and row of the top-left cell of the window, after upscaling was undone
    turns : how many times the window was turned left by 90 degrees to get the pattern
    mirrored : whether it was then mirrored left to right
    """

    sample: int
    x: int
    y: int
    turns: int = 0
    mirrored: bool = False


@dataclass(frozen=True)
class Occurrences:
    """The windows at all cells of the samples, and their patterns.

    maps : for each sample [row, column]: the number of the window there, or -1
    pattern_of : [window, variant] -> pattern
    """

    maps: Sequence[NDArray[np.int32]]
    pattern_of: NDArray[np.int32]

    def renumber(self, kept: NDArray[np.integer]) -> Occurrences:
        """Return the occurrences of these patterns only, renumbered in this order; others become -1."""
        number_of = np.full(int(self.pattern_of.max(initial=-1)) + 2, -1, np.int32)  # the last is for -1
        number_of[kept] = np.arange(len(kept))
        return Occurrences(self.maps, number_of[self.pattern_of])

    def find(self, pattern: int) -> list[Occurrence]:
        """List the occurrences of a pattern, row by row; a window counts once."""
        matches = self.pattern_of == pattern
        variant_of = np.where(matches.any(axis=1), matches.argmax(axis=1), -1)
        variant_of = np.append(variant_of, -1)  # for window -1
        found = []
        for sample, windows in enumerate(self.maps):
            variants = variant_of[windows]
            for y, x in np.argwhere(variants >= 0).tolist():
                turns, mirrored = divmod(int(variants[y, x]), 2)
                found.append(Occurrence(sample, x, y, turns, bool(mirrored)))
        return found

    def count_pairs(self, patterns: int, periodic: bool) -> dict[int, int]:
        """Count how often pairs of patterns touch in the samples, in all variants.

        Keys are (axis * patterns + a) * patterns + b, with b east of a on axis 0, and south of a on axis 1.
        """
        found: Counter[int] = Counter()
        for windows in self.maps:
            around = (
                np.pad(windows, (0, 1), mode="wrap")
                if periodic
                else np.pad(windows, (0, 1), constant_values=-1)
            )
            for step, there in (((1, 0), around[:-1, 1:]), ((0, 1), around[1:, :-1])):
                both = (windows >= 0) & (there >= 0)
                for variant, column in enumerate(self.pattern_of.T):
                    axis, is_swapped = turn_step(step, *divmod(variant, 2))
                    one, other = column[windows[both]].astype(np.int64), column[there[both]].astype(np.int64)
                    one, other = (other, one) if is_swapped else (one, other)
                    seen = (one >= 0) & (other >= 0)
                    codes = (axis * patterns + one[seen]) * patterns + other[seen]
                    keys, counts = np.unique(codes, return_counts=True)
                    found.update(dict(zip(keys.tolist(), counts.tolist(), strict=True)))
        return dict(found)


def turn_step(step: tuple[int, int], turns: int, mirrored: int) -> tuple[int, bool]:
    """Turn a step left, then mirror it; return its axis, and whether it leads west or north."""
    x, y = step
    for _ in range(turns):
        x, y = y, -x
    x = -x if mirrored else x
    return int(x == 0), x + y < 0


def choose_symmetry(samples: Sequence[Sample], periodic: bool) -> int:
    """Choose 1, 2 or 8 variants of a window, depending on which occur in the samples.

    A sample of bricks contains few rotations of its windows, a sample of a maze most of them.
    """
    parts = [sample._replace(numbers=sample.numbers[:EXAMINED_CELLS, :EXAMINED_CELLS]) for sample in samples]
    smallest = min(min(part.numbers.shape) for part in parts)
    windows = find_windows(parts, EXAMINED_WINDOW if periodic else min(EXAMINED_WINDOW, smallest), periodic)
    if not is_seen(windows, 1, MIN_MIRRORED_SHARE):
        return AS_DRAWN
    return ALL if all(is_seen(windows, variant, MIN_TURNED_SHARE) for variant in range(1, 8)) else MIRRORED


def is_seen(windows: Windows, variant: int, enough: tuple[int, int]) -> bool:
    """Whether enough of the windows also occur in a variant; windows equal to their variant do not count.

    A window has the square root of its count as weight, so that neither a wide sky nor a few windows along an
    edge decide alone. Weights are whole numbers, so that sums are exact.
    """
    number = number_parts(np.concatenate([windows.cells, turn_window(windows.cells, variant)]))
    drawn, changed = np.split(number, 2)
    weights = np.where(drawn == changed, 0, np.sqrt(windows.counts * 65536.0).astype(np.int64))
    share, whole = enough
    return bool(whole * weights[np.isin(changed, drawn)].sum() >= share * weights.sum())
