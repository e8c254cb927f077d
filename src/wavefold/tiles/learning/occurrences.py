"""Where in the samples each learned pattern was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


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
