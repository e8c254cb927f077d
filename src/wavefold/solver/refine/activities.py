"""Activities: factors on weights, so that tiles in a map are as frequent as their weights say.

Weights alone do not decide how often a tile is drawn: a tile that fits in many places is drawn more often
than its weight says, one that is hard to place less often. An activity is the logarithm of a factor that
corrects this. All numbers are whole, so that results are the same on every platform.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.logarithms import take_logs

LARGEST = 8 << LOG_BITS  # larger activities only take longer to come back
MOST_PASSING = 2 << LOG_BITS
FRACTION = 1 << 16  # steps and numbers of cells are in 1 / FRACTION


class CorrectionSizes(NamedTuple):
    """How strongly activities are corrected, as factors of ln(asked / seen)."""

    first: float  # of the lasting part
    slower: float  # how fast the lasting part gets smaller
    least: float  # its smallest value
    passing: int  # of the temporary part


STEERED = CorrectionSizes(0.5, 0.1, 0.2, 2)  # one map that keeps changing
REPEATED = CorrectionSizes(1.0, 0.1, 0.1, 0)  # maps that restart in each round and show the full effect


class Activities:
    """The activity of each group of patterns, corrected sweep by sweep.

    group_of : int32 [pattern] -> group: a tile, a pattern of a learned set, or a name in `Shares`
    asked : int64 [group] target number of cells, in 1 / FRACTION
    pool_of : int [group] groups of one pool share one activity: they fit in the same places, so weights alone
        decide between them, and larger counts are more precise
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
        """ln of numbers of cells, in 1 / FRACTION; one cell is added to each, so that 0 is close to 1."""
        return np.asarray(take_logs(numbers + FRACTION))

    def _add_up(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """[pool] the sums of numbers [group]."""
        sums = np.zeros(int(self.pool_of.max()) + 1, np.int64)
        np.add.at(sums, self.pool_of, numbers)
        return sums

    def count(self, patterns: NDArray[np.int32]) -> NDArray[np.int64]:
        """[group] the number of cells of a map in each group."""
        return np.bincount(self.group_of[patterns], minlength=self.asked.size)

    def start_from(self, values: NDArray[np.int64]) -> None:
        """Begin with these activities [group]; a pool takes that of its first group."""
        self._lasting[self.pool_of[::-1]] = np.clip(values[::-1], -LARGEST, LARGEST)
        self.values = self._lasting[self.pool_of]

    def calibrate(self, rounds: int, count: Callable[[int], NDArray[np.int64]]) -> NDArray[np.int64]:
        """[group] activities for all maps of a kind: the average over the later half of the rounds.

        count : returns [group] the number of cells in maps refined in a round with the current activities
        """
        later = []
        for number in range(rounds):
            self.correct(count(number))
            if number >= rounds // 2:
                later.append(self.values)
        return np.asarray(np.sum(later, axis=0) // len(later))

    def correct(self, seen: NDArray[np.int64]) -> None:
        """Raise the activities of groups that a map has too few of, and lower the others.

        One part is temporary and is removed as soon as the map has enough: large areas grow slowly, and
        would otherwise keep growing for long. The other part stays, for tiles that are hard to place.
        """
        first, slower, least = (int(step * FRACTION) for step in self._how[:3])
        step = max(least, first * FRACTION // (FRACTION + slower * self._corrections))
        self._corrections += 1
        missing = self._asked_log - self._take_log(self._add_up(seen) * FRACTION)
        lasting = np.clip(missing, -(1 << LOG_BITS), 1 << LOG_BITS) * step >> 16
        self._lasting = np.clip(self._lasting + lasting, -LARGEST, LARGEST)
        passing = self._how.passing * np.clip(missing, -MOST_PASSING, MOST_PASSING)
        self._passing = (self._passing + passing) >> 1  # half: maps that respond at once would oscillate
        self.values = (self._lasting + self._passing)[self.pool_of]
