"""Windows: a rectangle of cells is made anew with its rim held, or keeps what it had."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import layout
from wavefold.solver.engine import Engine, Root
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.race import auto_order
from wavefold.tiles import Rules
from wavefold.topology import HexGrid, SquareGrid
from wavefold.world.keys import key

__all__ = ["KEPT", "RENEWED", "SWEPT", "Outcome", "Renewer"]

RENEWED, SWEPT, KEPT = "renewed", "swept", "kept"
SCANS = ("scanline:northwest", "scanline:southeast", "scanline:northeast", "scanline:southwest")
ATTEMPTS = 4
BACKTRACKS = 100  # before the next order is tried
BLOCK, STRIDE = 16, 8  # of the small windows a hard one is swept with
BLOCK_ATTEMPTS, BLOCK_BACKTRACKS = 3, 60

Patterns = NDArray[np.int32]  # [row, column]
Wishes = NDArray[np.uint64]  # [row, column, word]: the patterns a cell should be one of


class Outcome(NamedTuple):
    """What became of a window."""

    how: str
    windows: int = 1  # small ones included
    kept: int = 0  # of these


class Renewer:
    """Makes windows anew. One for all threads: each has engines of its own, by the shape of the window."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.orders = SCANS if auto_order(rules) == "scanline" else ("entropy", *SCANS[:3])
        self._mine = threading.local()
        self._problems: dict[tuple[int, int], Problem] = {}

    def renew(self, plane: Patterns, seed: int, wishes: Wishes | None = None) -> Outcome:
        """Make the inside of this array anew; its outermost rows and columns are the rim, and stay.

        A window that is hard is tried in several orders, then swept with small windows, each of which may
        keep what it had. `plane` is valid before and after. `wishes` say what cells should be: they are met
        from the middle outwards, each if it can be beside those before it.
        """
        if self._solve(plane, seed, ATTEMPTS, BACKTRACKS, wishes):
            return Outcome(RENEWED)
        height, width = (span - 2 for span in plane.shape)
        if max(height, width) <= BLOCK:
            return Outcome(KEPT, 1, 1)
        windows = kept = 0
        for top in range(0, height, STRIDE):
            for left in range(0, width, STRIDE):
                cut = np.s_[top : min(top + BLOCK, height) + 2, left : min(left + BLOCK, width) + 2]
                part = plane[cut]
                block = np.ascontiguousarray(part)
                windows += 1
                wished = None if wishes is None else wishes[cut]
                if self._solve(block, key(seed, left, top), BLOCK_ATTEMPTS, BLOCK_BACKTRACKS, wished):
                    part[:] = block
                else:
                    kept += 1
        return Outcome(KEPT if kept == windows else SWEPT, windows, kept)

    def _solve(
        self, plane: Patterns, seed: int, attempts: int, backtracks: int, wishes: Wishes | None
    ) -> bool:
        """Try a few orders; which comes first is the seed's choice, so that no direction shows."""
        shape = (plane.shape[1], plane.shape[0])
        root: Any = None
        for attempt in range(attempts):
            order = self._order(seed, attempt)
            engine = self._engine(shape, order)
            if root is None:
                root = engine.root_of(self._domains(plane))
                if root.empty_cell >= 0:
                    return False
                if wishes is not None:
                    root = self._with_wishes(engine, root, wishes)
            engine.root = root
            # What an engine drew before must not show: random numbers count decisions.
            engine.state[layout.DECISIONS] = engine.state[layout.BACKTRACKS] = 0
            engine.begin(key(seed, attempt))
            engine.state[layout.PATIENCE] = -1
            engine.state[layout.BACKTRACK_LIMIT] = backtracks
            if engine.advance() == layout.SOLVED:
                plane[1:-1, 1:-1] = decided(engine.domains).reshape(plane.shape)[1:-1, 1:-1]
                return True
        return False

    def _with_wishes(self, engine: Engine, root: Root, wishes: Wishes) -> Root:
        """The root with as many wishes granted as can be, those in the middle first."""
        cells = engine.problem.topology.spiral().astype(np.int64)
        inside = (engine.graph.neighbour >= 0).all(axis=1)
        words = np.ascontiguousarray(wishes.reshape(-1, wishes.shape[2]))
        return engine.granted(root, words, cells[inside[cells]])[0]

    def _order(self, seed: int, attempt: int) -> str:
        if self.orders[0] == "entropy" and attempt == 0:
            return "entropy"
        return SCANS[(key(seed, 0) + attempt) % len(SCANS)]

    def _domains(self, plane: Patterns) -> NDArray[np.uint64]:
        """[cell, word] everything inside, one pattern each on the rim."""
        width = self.rules.words
        domains = np.zeros((plane.size, width), np.uint64)
        flat = plane.reshape(-1)
        domains[np.arange(flat.size), flat // 64] = np.uint64(1) << (flat % 64).astype(np.uint64)
        inside = np.zeros(plane.shape, bool)
        inside[1:-1, 1:-1] = True
        domains[inside.reshape(-1)] = self._everything
        return domains

    @property
    def _everything(self) -> NDArray[np.uint64]:
        return self.rules.words_for(np.arange(len(self.rules)))

    def _engine(self, shape: tuple[int, int], order: str) -> Engine:
        engines: dict[tuple[tuple[int, int], str], Engine] = self._mine.__dict__.setdefault("engines", {})
        if (shape, order) not in engines:
            engines[shape, order] = Engine(self._problem(shape), Heuristics.of(order))
        return engines[shape, order]

    def _problem(self, shape: tuple[int, int]) -> Problem:
        if shape not in self._problems:
            grid = HexGrid.rhombus(*shape) if self.rules.topology == "hex" else SquareGrid(*shape)
            self._problems[shape] = Problem(self.rules, grid)
        return self._problems[shape]


def decided(domains: NDArray[np.uint64]) -> NDArray[np.int32]:
    """[cell] the one pattern of each cell."""
    if domains.shape[1] == 1:
        return np.asarray(np.bitwise_count(domains[:, 0] - np.uint64(1)), np.int32)
    word = (domains != 0).argmax(axis=1)
    bits = domains[np.arange(len(word)), word]
    return np.asarray(word * 64 + np.bitwise_count(bits - np.uint64(1)), np.int32)
