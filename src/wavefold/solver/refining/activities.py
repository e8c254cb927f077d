"""Activities: factors on weights, so that a map has as many of each tile as its weight asks for.

Weights alone do not say how often a tile is drawn: what fits in many places is drawn more often than its
weight, what is hard to place less. An activity is the logarithm of a factor that makes up for this. All
numbers are whole, so that every platform finds the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.logarithms import take_logs

LARGEST = (
    8 << LOG_BITS
)  # activities beyond it make no difference to a map, only to the time they take to return
MOST_PASSING = 2 << LOG_BITS
FRACTION = 1 << 16  # steps and numbers of cells are in 1 / FRACTION


class CorrectionSizes(NamedTuple):
    """How strongly activities are corrected, as factors of ln(asked / seen)."""

    first: float  # of the lasting part
    slower: float  # how fast that gets smaller,
    least: float  # and how small
    passing: int  # of the part that is taken back


STEERED = CorrectionSizes(0.5, 0.1, 0.2, 2)  # a map that goes on changing
REPEATED = CorrectionSizes(1.0, 0.1, 0.1, 0)  # maps that begin anew, and show the whole effect


class Activities:
    """The activity of each group of patterns, corrected sweep by sweep.

    group_of : int32 [pattern] -> group; a group is a tile, a pattern of a learned set, or what `Shares` names
    asked : int64 [group] how many cells should have it, in 1 / FRACTION
    pool_of : int [group] groups of one pool have one activity: they fit in the same places, so that weights
        alone decide between them, and many are counted better than few
    values : int64 [group] the activities, in 1 / 2**LOG_BITS
    """

    def __init__(
        self,
        group_of: NDArray[np.int32],
        asked: NDArray[np.int64],
        pool_of: NDArray[np.int64],
        corrections: CorrectionSizes = STEERED,
    ) -> None:
        self._how = corrections
        self.group_of, self.asked, self.pool_of = group_of, asked, pool_of
        self.values = np.zeros(asked.size, np.int64)
        self._asked_log = self._take_log(self._add_up(asked))
        self._corrections = 0
        self._lasting, self._passing = np.zeros((2, self._asked_log.size), np.int64)  # [pool]

    def _take_log(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """ln of numbers of cells, in 1 / FRACTION; one cell is added to each, so that 0 is not far from 1."""
        return np.asarray(take_logs(numbers + FRACTION))

    def _add_up(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """[pool] the sums of numbers [group]."""
        sums = np.zeros(int(self.pool_of.max()) + 1, np.int64)
        np.add.at(sums, self.pool_of, numbers)
        return sums

    def count(self, patterns: NDArray[np.int32]) -> NDArray[np.int64]:
        """[group] how many cells of a map have it."""
        return np.bincount(self.group_of[patterns], minlength=self.asked.size)

    def start_from(self, values: NDArray[np.int64]) -> None:
        """Begin with these activities [group], of which a pool takes those of its first group."""
        self._lasting[self.pool_of[::-1]] = np.clip(values[::-1], -LARGEST, LARGEST)
        self.values = self._lasting[self.pool_of]

    def correct(self, seen: NDArray[np.int64]) -> None:
        """Raise the activities of groups that a map has too few of, and lower the others.

        Part of it answers what the map has now and is taken back as soon as it has enough: large areas grow
        slowly, and would otherwise go on growing for long. The rest stays, for tiles that are hard to place.
        """
        first, slower, least = (int(step * FRACTION) for step in self._how[:3])
        step = max(least, first * FRACTION // (FRACTION + slower * self._corrections))
        self._corrections += 1
        missing = self._asked_log - self._take_log(self._add_up(seen) * FRACTION)
        lasting = np.clip(missing, -(1 << LOG_BITS), 1 << LOG_BITS) * step >> 16
        self._lasting = np.clip(self._lasting + lasting, -LARGEST, LARGEST)
        passing = self._how.passing * np.clip(missing, -MOST_PASSING, MOST_PASSING)
        self._passing = (self._passing + passing) >> 1  # halfway: maps that follow at once would oscillate
        self.values = (self._lasting + self._passing)[self.pool_of]
