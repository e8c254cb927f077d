"""Activities: factors on weights that bring the frequency of each tile to its target.

Weights alone do not determine frequencies: a tile that fits in many places is drawn more often than its
weight suggests, and a tile that is hard to place less often. An activity is the logarithm of a factor that
corrects this. All numbers are integers, so that results are the same on every platform.

Groups whose patterns fit in the same places form a pool. `ShareLimits` limits the targets to shares that maps
can have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.constants import LOG_BITS, NOWHERE
from wavefold.kernels.host.bitsets import count_set_bits, unpack_bits
from wavefold.kernels.logarithms import take_logs
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import Tally
from wavefold.solver.refine.chain import Chain
from wavefold.tiles import TileSet

ROUNDING = 1e-9  # tolerance of sums of shares
MOST_NAMES = 3  # of tiles in a sentence
MOST_ACTIVITY = 8 << LOG_BITS  # larger activities only take longer to decrease again
MOST_TEMPORARY = 2 << LOG_BITS
FRACTION = 1 << 16  # steps and numbers of cells are in 1 / FRACTION

Limit = tuple[float, str]  # a share of all cells, and the reason for the limit


class ShareLimits(NamedTuple):
    """Limits on the shares of groups of patterns in any map.

    group_of : int [pattern] -> group
    asked : [group] the target share of cells
    names : [group]
    named : the number of groups with a requested share, which come first; the others divide the rest
    """

    problem: Problem
    tests: tuple[Tally, ...]
    group_of: NDArray[np.int32]
    asked: NDArray[np.float64]
    names: Sequence[str]
    named: int

    def explain(self, group: int, seen: float) -> str:
        """Explain why a group cannot reach its target share; empty if no known limit explains it."""
        asked = float(self.asked[group])
        if seen < asked:
            most, why = min(self._list_upper(self.group_of == group), key=itemgetter(0))
            return f"at most {most:.1%}: {why}" if most < asked - ROUNDING else ""
        least, why = max(self._list_lower(self.group_of == group), key=itemgetter(0))
        return f"at least {least:.1%}: {why}" if least > asked + ROUNDING else ""

    def _list_upper(self, mine: NDArray[np.bool_]) -> Iterator[Limit]:
        """Yield upper limits on the share of these patterns, bool [pattern]."""
        possible = unpack_bits(self.problem.domains, mine.size)
        yield float(possible[:, mine].any(axis=1).mean()), "pins and masks exclude it from all other cells"
        for test in self.tests:
            if test.most is not None and not (mine & ~test.patterns).any():
                uncounted = int((~test.cells(self.problem.cell_count)).sum())
                yield (test.most + uncounted) / self.problem.cell_count, "a constraint allows no more"
        for side in range(self.problem.graph.neighbour.shape[1]):
            near = self._list_near(mine, side)
            if (near & mine).any():
                continue
            where, edge = self._name_side(side), self._edge(side)
            yield (1 + edge) / 2, f"it cannot have itself {where}"
            needed = np.unique(self.group_of[near])
            if needed.size and needed.max() < self.named:
                share = float(self.asked[needed].sum())
                why = f"each needs {self._join(needed)} {where}, of which {share:.1%} was requested"
                yield share + edge, why

    def _list_lower(self, mine: NDArray[np.bool_]) -> Iterator[Limit]:
        """Yield lower limits on the share of these patterns, bool [pattern]."""
        possible = unpack_bits(self.problem.domains, mine.size)
        yield (
            float((~possible[:, ~mine].any(axis=1)).mean()),
            "pins and masks allow nothing else in some cells",
        )
        for test in self.tests:
            if not (test.patterns & ~mine).any():
                yield test.least / self.problem.cell_count, "a constraint requires no less"
        for side, relation in enumerate(self.problem.graph.rule):
            class_of, rows = self.problem.rules.relations[relation]
            has_others = np.asarray(unpack_bits(rows, mine.size)[:, ~mine].any(axis=1))  # [class]
            needing = ~has_others[class_of] & ~mine
            whole = np.setdiff1d(self.group_of[needing], self.group_of[~needing])
            whole = whole[whole < self.named]
            share, where = float(self.asked[whole].sum()), self._name_side(side)
            if whole.size:
                why = f"{self._join(whole)} must have it {where}, and {share:.1%} of that was requested"
                yield share - self._edge(side), why

    def _list_near(self, mine: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
        """Find the patterns that fit on that side of any of these patterns."""
        relation = int(self.problem.graph.rule[side])
        near = np.zeros(mine.size, bool)
        for pattern in np.flatnonzero(mine).tolist():
            near |= self.problem.rules.allows(relation, pattern)
        return near

    def _edge(self, side: int) -> float:
        """Return the share of cells without a neighbour on that side."""
        return float((self.problem.graph.neighbour[:, side] == NOWHERE).mean())

    def _name_side(self, side: int) -> str:
        name = self.problem.topology.directions[side]
        return f"to the {name}" if name else "beside it"

    def _join(self, groups: NDArray[np.int32]) -> str:
        names = [self.names[group] for group in groups[:MOST_NAMES].tolist()]
        more = f" or {groups.size - len(names)} others" if groups.size > len(names) else ""
        return ", ".join(names) + more if more else " or ".join(names)


def pool_groups(chain: Chain, group_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the pool of each group: groups whose patterns fit in the same places share one.

    Soft pairs count as well.
    """
    rules = chain.rules
    columns = [rules.class_of, rules.kind[None]]
    columns += [rules.pair_row, rules.pair_log] if rules.pair_log.size else []
    _, alike = np.unique(np.concatenate(columns), axis=1, return_inverse=True)
    return pool_alike(alike.reshape(-1), group_of)


def pool_alike(alike: NDArray[np.int64], group_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the pool of each group: groups with the same number of patterns of each sort share one.

    alike : [pattern] its sort
    """
    pools: dict[bytes, int] = {}
    pool_of = np.zeros(int(group_of.max()) + 1, np.int64)
    for group in range(pool_of.size):
        sorts = np.sort(alike[group_of == group]).tobytes()
        pool_of[group] = pools.setdefault(sorts, len(pools))
    return pool_of


def pool_stored(tiles: TileSet, stored: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pool of each tile: tiles that become one another when a map is turned share one.

    Finding turned tiles is slow (`find_turned_tiles`), so tiles with equal stored activities are taken for
    turned ones. Other tiles may have equal activities by chance, but differ in weights or numbers of
    neighbours.
    """
    sorts = pool_alike(sort_patterns(tiles), tiles.rules.tile_of)
    return np.unique(np.stack([sorts, stored]), axis=1, return_inverse=True)[1].reshape(-1)


def sort_patterns(tiles: TileSet) -> NDArray[np.int64]:
    """Number the patterns; those that become one another when a map is turned have the same number."""
    rules = tiles.rules
    near = np.stack([count_set_bits(each.rows)[each.class_of] for each in rules.relations])  # [side, pattern]
    if rules.soft is not None:
        _, row = np.unique(np.sort(rules.soft.factors, axis=1), axis=0, return_inverse=True)
        near = near * (row.size + 1) + np.append(row, -1)[rules.soft.row_of] + 1
    columns = [rules.weights, tiles.asked_weights, rules.kinds >= 0, *np.sort(near, axis=0)]
    return np.unique(np.stack(columns), axis=1, return_inverse=True)[1].reshape(-1)


def join_pools(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Merge two assignments of pools: tiles that share a pool in either of them share one."""
    joined = one.copy()
    for pool in np.unique(other):
        members = joined[other == pool]
        joined[np.isin(joined, members)] = members.min()
    return np.unique(joined, return_inverse=True)[1].reshape(-1)


class CorrectionSizes(NamedTuple):
    """How strongly activities are corrected, as factors of ln(asked / seen)."""

    first: float  # the first permanent step
    decay: float  # how fast permanent steps get smaller
    least: float  # the smallest permanent step
    temporary: int  # the temporary step


CONTINUED = CorrectionSizes(0.5, 0.1, 0.2, 2)  # for one map that is refined further after each correction
RESTARTED = CorrectionSizes(1.0, 0.1, 0.1, 0)  # for maps that start again, and so show the full effect


class Activities:
    """The activity of each group of patterns, corrected sweep by sweep.

    group_of : int32 [pattern] -> group: a tile, a pattern of a learned set, or a name in `Shares`
    asked : int64 [group] the target number of cells, in 1 / FRACTION
    pool_of : int [group] -> pool. Groups of one pool fit in the same places and share one activity, because
        weights alone decide between them and larger counts are more precise
    values : int64 [group] the activities, in 1 / 2**LOG_BITS
    """

    def __init__(
        self,
        group_of: NDArray[np.int32],
        asked: NDArray[np.int64],
        pool_of: NDArray[np.int64],
        corrections: CorrectionSizes = CONTINUED,
    ) -> None:
        self._sizes = corrections
        self.group_of, self.asked, self.pool_of = group_of, asked, pool_of
        self.values = np.zeros(asked.size, np.int64)
        self._asked_log = self._take_log(self._add_up(asked))
        self._corrections = 0
        self._permanent, self._temporary = np.zeros((2, self._asked_log.size), np.int64)  # [pool]

    def _take_log(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the ln of numbers of cells, in 1 / FRACTION, after adding one cell to each."""
        return np.asarray(take_logs(numbers + FRACTION))

    def _add_up(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sum numbers [group] by pool."""
        sums = np.zeros(int(self.pool_of.max()) + 1, np.int64)
        np.add.at(sums, self.pool_of, numbers)
        return sums

    def count(self, patterns: NDArray[np.int32]) -> NDArray[np.int64]:
        """Count the cells of a map in each group."""
        return np.bincount(self.group_of[patterns], minlength=self.asked.size)

    def start_from(self, values: NDArray[np.int64]) -> None:
        """Start from these activities [group]; a pool takes that of its first group."""
        self._permanent[self.pool_of[::-1]] = np.clip(values[::-1], -MOST_ACTIVITY, MOST_ACTIVITY)
        self.values = self._permanent[self.pool_of]

    def calibrate(self, rounds: int, count: Callable[[int], NDArray[np.int64]]) -> NDArray[np.int64]:
        """Return activities [group] for all maps of a kind: the average over the later half of the rounds.

        count : refines maps in a round with the current activities, and counts the cells of each group
        """
        later = []
        for number in range(rounds):
            self.correct(count(number))
            if number >= rounds // 2:
                later.append(self.values)
        return np.asarray(np.sum(later, axis=0) // len(later))

    def correct(self, seen: NDArray[np.int64]) -> None:
        """Raise the activities of groups that are too rare in a map, and lower the others.

        A temporary part is removed as soon as a group is frequent enough: large areas grow slowly, and would
        otherwise continue to grow. A permanent part corrects for tiles that are hard to place.
        """
        first, decay, least = (int(step * FRACTION) for step in self._sizes[:3])
        step = max(least, first * FRACTION // (FRACTION + decay * self._corrections))
        self._corrections += 1
        missing = self._asked_log - self._take_log(self._add_up(seen) * FRACTION)
        permanent = np.clip(missing, -(1 << LOG_BITS), 1 << LOG_BITS) * step >> 16
        self._permanent = np.clip(self._permanent + permanent, -MOST_ACTIVITY, MOST_ACTIVITY)
        temporary = self._sizes.temporary * np.clip(missing, -MOST_TEMPORARY, MOST_TEMPORARY)
        self._temporary = (self._temporary + temporary) >> 1  # halved, or fast maps would oscillate
        self.values = (self._permanent + self._temporary)[self.pool_of]
