"""Frames of a solve as changes since the frame before; two consecutive ones can be merged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_CONFLICTS = 32  # marked in one frame: the latest


class FrameDelta(NamedTuple):
    """How the wave changed since the frame before."""

    cells: NDArray[np.int64]  # those whose domain changed
    words: NDArray[np.uint64]  # [row, word] their domains now
    conflicts: tuple[int, ...]  # cells that had nothing left at some point
    decision: int  # how many decisions had been made

    def merge(self, later: FrameDelta) -> FrameDelta:
        """This change and a later one as one."""
        cells = np.concatenate([later.cells, self.cells])
        words = np.concatenate([later.words, self.words])
        kept, first = np.unique(cells, return_index=True)  # of two domains the later one
        return FrameDelta(
            kept, words[first], merge_conflicts(self.conflicts, later.conflicts), later.decision
        )


class FrameSampler:
    """At most so many frames of a solve, evenly spread although its length is not known.

    At first every step is a frame. When there are too many, frames are merged in pairs and from then on only
    every second step is a frame, then every fourth.
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
        """Count a step; whether it is to become a frame."""
        self._ticks += 1
        return self._ticks % self._every == 0

    def conflict(self, cell: int, decision: int) -> None:
        """Mark a cell that had nothing left, in the frame of that decision or, if there is none, the next."""
        last = self.moments[-1]
        if last.decision == decision and len(self.moments) > 1:
            self.moments[-1] = last._replace(conflicts=merge_conflicts(last.conflicts, (cell,)))
        else:
            self._conflicts = merge_conflicts(self._conflicts, (cell,))

    def keep(self, words: NDArray[np.uint64], decision: int) -> None:
        """Add a frame, unless nothing changed since the last one."""
        self._add(words, decision)
        if len(self.moments) > self._most:
            self._thin()

    def finish(self, words: NDArray[np.uint64], decision: int) -> list[FrameDelta]:
        """All frames, the present wave as the last."""
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
    """Each cell once, the latest last, at most MOST_CONFLICTS."""
    cells = dict.fromkeys(reversed((*earlier, *later)))
    return tuple(cells)[:MOST_CONFLICTS][::-1]
