"""Why a map cannot reach the target share of a tile: limits set by pins, constraints and neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.constants import NOWHERE
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import Tally

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
