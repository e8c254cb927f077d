"""Activities: factors on weights, so that tiles in a map are as frequent as they should be.

Weights alone do not decide how often a tile is drawn: a tile that fits in many places is drawn more often
than its weight says, one that is hard to place less often. An activity is the logarithm of a factor that
corrects this. All numbers are whole, so that results are the same on every platform.
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

ROUNDING = 1e-9  # of sums of shares
MOST_NAMES = 3  # of tiles in a sentence

Limit = tuple[float, str]  # a share of all cells, and why it cannot be larger, or smaller


class ShareLimits(NamedTuple):
    """Limits on the shares of groups of patterns in any map.

    group_of : int [pattern] -> group
    asked : [group] the target share of cells
    names : [group]
    named : number of groups that were requested, which come first; others divide the rest, and may have more
    """

    problem: Problem
    tests: tuple[Tally, ...]
    group_of: NDArray[np.int32]
    asked: NDArray[np.float64]
    names: Sequence[str]
    named: int

    def explain(self, group: int, seen: float) -> str:
        """Why a group cannot reach its target share; empty if no known limit explains it."""
        asked = float(self.asked[group])
        if seen < asked:
            most, why = min(self._list_upper(self.group_of == group), key=itemgetter(0))
            return f"at most {most:.1%}: {why}" if most < asked - ROUNDING else ""
        least, why = max(self._list_lower(self.group_of == group), key=itemgetter(0))
        return f"at least {least:.1%}: {why}" if least > asked + ROUNDING else ""

    def _list_upper(self, mine: NDArray[np.bool_]) -> Iterator[Limit]:
        """Upper limits on the share of these patterns [pattern]."""
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
            yield (1 + edge) / 2, f"it may not have itself {where}"
            needed = np.unique(self.group_of[near])
            if needed.size and needed.max() < self.named:
                share = float(self.asked[needed].sum())
                why = f"each needs {self._join(needed)} {where}, and {share:.1%} was asked of that"
                yield share + edge, why

    def _list_lower(self, mine: NDArray[np.bool_]) -> Iterator[Limit]:
        """Lower limits on the share of these patterns [pattern]."""
        possible = unpack_bits(self.problem.domains, mine.size)
        yield (
            float((~possible[:, ~mine].any(axis=1)).mean()),
            "pins and masks leave nothing else to some cells",
        )
        for test in self.tests:
            if not (test.patterns & ~mine).any():
                yield test.least / self.problem.cell_count, "a constraint asks for no less"
        for side, relation in enumerate(self.problem.graph.rule):
            class_of, rows = self.problem.rules.relations[relation]
            has_others = np.asarray(unpack_bits(rows, mine.size)[:, ~mine].any(axis=1))  # [class]
            needing = ~has_others[class_of] & ~mine
            whole = np.setdiff1d(self.group_of[needing], self.group_of[~needing])
            whole = whole[whole < self.named]
            share, where = float(self.asked[whole].sum()), self._name_side(side)
            if whole.size:
                why = f"{self._join(whole)} must have it {where}, and {share:.1%} was asked of that"
                yield share - self._edge(side), why

    def _list_near(self, mine: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
        """[pattern] the patterns that may be on that side of any of these."""
        relation = int(self.problem.graph.rule[side])
        near = np.zeros(mine.size, bool)
        for pattern in np.flatnonzero(mine).tolist():
            near |= self.problem.rules.allows(relation, pattern)
        return near

    def _edge(self, side: int) -> float:
        """The share of cells without a neighbour on that side, which need nothing there."""
        return float((self.problem.graph.neighbour[:, side] == NOWHERE).mean())

    def _name_side(self, side: int) -> str:
        name = self.problem.topology.directions[side]
        return f"to the {name}" if name else "beside it"

    def _join(self, groups: NDArray[np.int32]) -> str:
        names = [self.names[group] for group in groups[:MOST_NAMES].tolist()]
        more = f" or {groups.size - len(names)} others" if groups.size > len(names) else ""
        return ", ".join(names) + more if more else " or ".join(names)


def pool_groups(chain: Chain, group_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """[group] -> pool: groups whose patterns fit in the same places, soft pairs included, share a pool."""
    rules = chain.rules
    columns = [rules.class_of, rules.kind[None]]
    columns += [rules.pair_row, rules.pair_log] if rules.pair_log.size else []
    _, alike = np.unique(np.concatenate(columns), axis=1, return_inverse=True)
    return pool_alike(alike.reshape(-1), group_of)


def pool_alike(alike: NDArray[np.int64], group_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """[group] -> pool: groups with the same numbers of patterns of each sort, `alike` [pattern]."""
    pools: dict[bytes, int] = {}
    pool_of = np.zeros(int(group_of.max()) + 1, np.int64)
    for group in range(pool_of.size):
        sorts = np.sort(alike[group_of == group]).tobytes()
        pool_of[group] = pools.setdefault(sorts, len(pools))
    return pool_of


def pool_stored(tiles: TileSet, stored: NDArray[np.int64]) -> NDArray[np.int64]:
    """[tile] -> pool: tiles with one stored activity, because they are alike when a map is turned.

    Finding turned tiles takes long (`find_turned_tiles`), so they are derived from the activities. Different
    tiles may share an activity by accident; these differ in weights or in numbers of neighbours.
    """
    sorts = pool_alike(sort_patterns(tiles), tiles.rules.tile_of)
    return np.unique(np.stack([sorts, stored]), axis=1, return_inverse=True)[1].reshape(-1)


def sort_patterns(tiles: TileSet) -> NDArray[np.int64]:
    """[pattern] a number; the same for patterns that become one another when a map is turned."""
    rules = tiles.rules
    near = np.stack([count_set_bits(each.rows)[each.class_of] for each in rules.relations])  # [side, pattern]
    if rules.soft is not None:
        _, row = np.unique(np.sort(rules.soft.factors, axis=1), axis=0, return_inverse=True)
        near = near * (row.size + 1) + np.append(row, -1)[rules.soft.row_of] + 1
    columns = [rules.weights, tiles.asked_weights, rules.kinds >= 0, *np.sort(near, axis=0)]
    return np.unique(np.stack(columns), axis=1, return_inverse=True)[1].reshape(-1)


def join_pools(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """[tile] -> pool: tiles that share a pool in either way, directly or through other tiles, share one."""
    joined = one.copy()
    for pool in np.unique(other):
        members = joined[other == pool]
        joined[np.isin(joined, members)] = members.min()
    return np.unique(joined, return_inverse=True)[1].reshape(-1)


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
