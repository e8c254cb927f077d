"""Windows: a rectangle of cells is made anew with its rim held, or keeps what it had."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.solver.problem import Problem
from wavefold.solver.search.auto_order import auto_order
from wavefold.tiles import Rules
from wavefold.world.engines import INWARDS, WindowEngine, window_problem
from wavefold.world.wishes import Wished

SOLVED, SOLVED_IN_BLOCKS, UNCHANGED = "solved", "solved_in_blocks", "unchanged"
ATTEMPTS = 3  # orders that are tried
# How near the rim wishes are given up, attempt by attempt: what lies around knows nothing of them, and a
# transition needs room. At last all are.
GIVING_WAY = (*range(9), 1 << 20)
REPAIRS = 20  # local repairs in each
BLOCK = 24  # side of the small windows a hard one is swept with; each covers a third of the one before
BLOCK_REPAIRS = 6

Patterns = NDArray[np.int32]  # [row, column]
Stays = NDArray[np.bool_]  # [row, column]


class Outcome(NamedTuple):
    """What became of a window."""

    how: str
    windows: int = 1  # small ones included
    kept: int = 0  # of these


class WindowSolver:
    """Makes windows anew. One for all threads: each has engines of its own, by the shape of the window."""

    def __init__(
        self, rules: Rules, without: int | None = None, group_of: NDArray[np.int32] | None = None
    ) -> None:
        self.rules = rules
        self.without = without  # a pattern that has no place in a plane
        self.group_of = group_of  # [pattern] which share of a wish is its own; -1: none
        self._mine = threading.local()
        self._problems: dict[tuple[int, int], Problem] = {}

    def renew(
        self,
        plane: Patterns,
        seed: int,
        wishes: Wished | None = None,
        draft: Callable[[Patterns], None] | None = None,
        stays: Stays | None = None,
    ) -> Outcome:
        """Make the inside of this array anew; its outermost rows and columns are the rim, and stay.

        A window that is hard is mended where it gets stuck, tried in several orders, then swept with small
        windows, each of which may keep what it had. `plane` is valid before and after.

        wishes : what cells should be, met from the middle outwards, each if it can be beside those before it
        draft : called with the plane, valid as it is, after each small window
        stays : more cells that stay as they are
        """
        if self._solve(plane, seed, REPAIRS, wishes, stays):
            return Outcome(SOLVED)
        height, width = (span - 2 for span in plane.shape)
        side = min(BLOCK, 2 * max(height, width) // 3)
        stride = max(1, 2 * side // 3)
        windows = kept = 0
        for top in range(0, height, stride):
            for left in range(0, width, stride):
                cut = np.s_[top : min(top + side, height) + 2, left : min(left + side, width) + 2]
                part = plane[cut]
                block = np.ascontiguousarray(part)
                windows += 1
                wished = None if wishes is None else wishes.cut(cut)
                held = None if stays is None else with_rim(stays[cut])
                if self._solve(block, mix(seed, left, top), BLOCK_REPAIRS, wished, held):
                    part[:] = block
                    if draft is not None:
                        draft(plane)
                else:
                    kept += 1
        return Outcome(UNCHANGED if kept == windows else SOLVED_IN_BLOCKS, windows, kept)

    def _solve(
        self, plane: Patterns, seed: int, repairs: int, wishes: Wished | None, stays: Stays | None
    ) -> bool:
        """Try a few orders; which comes first is the seed's choice, so that no direction shows."""
        engine = self._engine(plane.shape)
        has_limits = wishes is not None and wishes.words is not None
        for attempt in range(len(GIVING_WAY) if has_limits else ATTEMPTS):
            anew = attempt == 0 or has_limits
            if anew and not engine.hold(plane, wishes, GIVING_WAY[attempt], stays):
                return False
            if engine.solve(self._order(attempt % ATTEMPTS), mix(seed, attempt), repairs):
                engine.write(plane)
                return True
        return False

    def _order(self, attempt: int) -> str:
        """From the rim inwards, which is quick and seldom fails, then the order that suits the rules best.

        On hexagons the cell with fewest patterns comes first: there, a fixed order leaves streaks. Maps grow
        as freely as by least entropy, which takes long to tell where patterns are many.
        """
        is_hex = self.rules.topology == "hex"
        if is_hex and attempt == 0:
            return "domain"
        if not is_hex and attempt == ATTEMPTS - 1 and auto_order(self.rules) == "entropy":
            return "entropy"
        return INWARDS

    def _engine(self, shape: tuple[int, int]) -> WindowEngine:
        engines: dict[tuple[int, int], WindowEngine] = self._mine.__dict__.setdefault("engines", {})
        if shape not in engines:
            if shape not in self._problems:
                self._problems[shape] = window_problem(self.rules, shape, self.without)
            engines[shape] = WindowEngine(self._problems[shape], shape, self.group_of)
        return engines[shape]


def with_rim(stays: Stays) -> Stays:
    """The same for a part of it, whose rim stays in any case."""
    part = stays.copy()
    part[[0, -1]] = part[:, [0, -1]] = True
    return part
