"""Moments of a solve: what changed since the one before. Two can be merged into one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_CONFLICTS = 32  # marked in one frame: the latest


class FrameDelta(NamedTuple):
    """What became of the wave since the moment before."""

    cells: NDArray[np.int64]  # those whose domain changed
    words: NDArray[np.uint64]  # [row, word] their domains now
    conflicts: tuple[int, ...]  # cells that had nothing left, on the way
    decision: int  # how many decisions had been made

    def merge(self, later: FrameDelta) -> FrameDelta:
        """Both as one."""
        cells = np.concatenate([later.cells, self.cells])
        words = np.concatenate([later.words, self.words])
        kept, first = np.unique(cells, return_index=True)  # of two domains the later one
        return FrameDelta(
            kept, words[first], merge_conflicts(self.conflicts, later.conflicts), later.decision
        )


class FrameSampler:
    """At most so many moments of a wave, evenly spread over a time of unknown length.

    Every moment is kept at first. When there are too many, each two are merged and from then on only
    every second one is kept, then every fourth.
    """

    def __init__(self, words: NDArray[np.uint64], most: int) -> None:
        everything = np.arange(len(words))
        self.moments = [FrameDelta(everything, words.copy(), (), 0)]
        self._now = words.copy()
        self._most = most - 1  # one is left for the end
        self._every = 1
        self._ticks = 0
        self._conflicts: tuple[int, ...] = ()

    def is_due(self) -> bool:
        """Time goes on by one; whether this moment is to be kept."""
        self._ticks += 1
        return self._ticks % self._every == 0

    def conflict(self, cell: int, decision: int) -> None:
        """A cell had nothing left: marked in the moment of that decision if it was kept, or in the next."""
        last = self.moments[-1]
        if last.decision == decision and len(self.moments) > 1:
            self.moments[-1] = last._replace(conflicts=merge_conflicts(last.conflicts, (cell,)))
        else:
            self._conflicts = merge_conflicts(self._conflicts, (cell,))

    def keep(self, words: NDArray[np.uint64], decision: int) -> None:
        """Keep this moment, unless nothing happened since the last."""
        self._add(words, decision)
        if len(self.moments) > self._most:
            self._thin()

    def finish(self, words: NDArray[np.uint64], decision: int) -> list[FrameDelta]:
        """All moments, this one as the last."""
        moments, now, conflicts = list(self.moments), self._now.copy(), self._conflicts
        self._add(words, decision)
        result, self.moments = self.moments, moments
        self._now, self._conflicts = now, conflicts
        return result

    def _add(self, words: NDArray[np.uint64], decision: int) -> None:
        cells = np.flatnonzero((words != self._now).any(axis=1))
        if cells.size or self._conflicts:
            self.moments.append(FrameDelta(cells, words[cells], self._conflicts, decision))
            self._now[cells] = words[cells]
            self._conflicts = ()

    def _thin(self) -> None:
        first, *rest = self.moments
        pairs = [a.merge(b) for a, b in zip(rest[::2], rest[1::2], strict=False)]
        self.moments = [first, *pairs, *rest[len(pairs) * 2 :]]
        self._every *= 2


def merge_conflicts(earlier: tuple[int, ...], later: tuple[int, ...]) -> tuple[int, ...]:
    """Each cell once, the latest last, and not too many."""
    cells = dict.fromkeys(reversed((*earlier, *later)))
    return tuple(cells)[:MOST_CONFLICTS][::-1]
