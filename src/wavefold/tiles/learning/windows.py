"""Windows of samples: n x n cells, mirrored and turned, and where each was seen.

What is found is numbered in the order it is first met.

Bricks on their side and flowers upside down are windows that the sample does not have. A maze or a knot looks
the same from every side: its windows, turned, are in it anyway, apart from what chance left out.
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


class Occurrence(NamedTuple):
    """Where a pattern was seen: the top-left cell of the window, and how the window was changed.

    sample : the number of the sample, 0 if there is one
    x, y : column and row in the sample as it was learned, with its scale undone
    turns : how many times the window was turned left by 90 degrees to give the pattern
    mirrored : whether it was then mirrored, left and right exchanged
    """

    sample: int
    x: int
    y: int
    turns: int = 0
    mirrored: bool = False


@dataclass(frozen=True)
class Occurrences:
    """The windows at all cells of the samples, and what they became.

    maps : for each sample [row, column]: the number of the window there, or -1
    pattern_of : [window, variant]: the pattern
    """

    maps: Sequence[NDArray[np.int32]]
    pattern_of: NDArray[np.int32]

    def renumber(self, kept: NDArray[np.integer]) -> Occurrences:
        """The same for these patterns alone, renumbered in this order; others are -1."""
        number_of = np.full(int(self.pattern_of.max(initial=-1)) + 2, -1, np.int32)  # the last is that of -1
        number_of[kept] = np.arange(len(kept))
        return Occurrences(self.maps, number_of[self.pattern_of])

    def find(self, pattern: int) -> list[Occurrence]:
        """Where this pattern was seen, sample by sample and row by row; a window counts once."""
        matches = self.pattern_of == pattern
        variant_of = np.where(matches.any(axis=1), matches.argmax(axis=1), -1)
        variant_of = np.append(variant_of, -1)  # of the window -1
        found = []
        for sample, windows in enumerate(self.maps):
            variants = variant_of[windows]
            for y, x in np.argwhere(variants >= 0).tolist():
                turns, mirrored = divmod(int(variants[y, x]), 2)
                found.append(Occurrence(sample, x, y, turns, bool(mirrored)))
        return found

    def count_pairs(self, patterns: int, periodic: bool) -> dict[int, int]:
        """How often pairs of so many patterns touch in the samples, with all variants.

        The keys are (axis * patterns + one) * patterns + other; the other pattern is east of the one on
        axis 0, south of it on axis 1.
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
    """The axis, 0 for x, of a step turned left and then mirrored; and whether it leads west or north."""
    x, y = step
    for _ in range(turns):
        x, y = y, -x
    x = -x if mirrored else x
    return int(x == 0), x + y < 0


AS_DRAWN, MIRRORED, ALL = 1, 2, 8
WINDOW = 3  # whatever n is: smaller windows do not tell bricks from a maze, most larger ones occur once
LOOKED_AT = 256  # rows and columns of a sample: enough to tell, and not too many windows

# The share of windows that must occur mirrored, or in each of the eight ways, as a fraction. Samples drawn to
# be mirrored have 0.62 and more, others 0.44 and less; those for all turns 0.67 and more, others 0.62 and
# less.
ENOUGH_MIRRORED, ENOUGH_TURNED = (1, 2), (2, 3)

MEANINGS = {
    AS_DRAWN: "as drawn: few windows of the picture occur in it mirrored or turned",
    MIRRORED: "with mirror images: few windows of the picture occur in it turned",
    ALL: "turned and mirrored: most windows of the picture occur in it in every way",
}


def choose_symmetry(samples: Sequence[Sample], periodic: bool) -> int:
    """1, 2 or 8: how many variants of a window to learn from these samples."""
    parts = [sample._replace(numbers=sample.numbers[:LOOKED_AT, :LOOKED_AT]) for sample in samples]
    smallest = min(min(part.numbers.shape) for part in parts)
    windows = find_windows(parts, WINDOW if periodic else min(WINDOW, smallest), periodic)
    if not is_seen(windows, 1, ENOUGH_MIRRORED):
        return AS_DRAWN
    return ALL if all(is_seen(windows, variant, ENOUGH_TURNED) for variant in range(1, 8)) else MIRRORED


def is_seen(windows: Windows, variant: int, enough: tuple[int, int]) -> bool:
    """Whether enough of the windows that the variant changes occur in the samples when changed.

    A window counts by the root of how often it was found: a wide sky must not outvote the flowers below it,
    nor a few windows along an edge all others. Roots are rounded to whole numbers, so that sums are exact.
    """
    number = number_parts(np.concatenate([windows.cells, turn_window(windows.cells, variant)]))
    drawn, changed = np.split(number, 2)
    weights = np.where(drawn == changed, 0, np.sqrt(windows.counts * 65536.0).astype(np.int64))
    share, whole = enough
    return bool(whole * weights[np.isin(changed, drawn)].sum() >= share * weights.sum())
