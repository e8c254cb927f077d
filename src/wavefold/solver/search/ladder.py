"""The ladder of search: what to do when going back one step is not enough.

backtracking with refutation → jump back → local repair → restart → exact. Each rung can be used alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral, Real

import numpy as np

from wavefold.errors import ConfigError, suggest
from wavefold.kernels import constants
from wavefold.kernels.bits import draw
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.events import Event

UNLIMITED = 1 << 40
COOLING = 32  # repairs elsewhere until a place counts as calm again


@dataclass(frozen=True, slots=True)
class Ladder:
    """How long each rung is used before the next.

    patience : conflicts borne without progress before the next rung; -1: all of them
    jumps : jumps back in one try
    repairs, repairs_per_cell : local repairs in one try: so many, and so many more per cell of the map
    radius : of the first ball that is opened around a conflict
    restarts : tries with the next seed of the chain
    exact : whether to end with complete search, which may prove that nothing exists
    """

    patience: int = -1
    jumps: int = 0
    repairs: int = 0
    repairs_per_cell: float = 0.0
    radius: int = 2
    restarts: int = 0
    exact: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            kind = Real if field.name == "repairs_per_cell" else Integral
            low = -1 if field.name == "patience" else 0
            if not isinstance(value, kind) or not low <= float(value) <= UNLIMITED:
                raise ConfigError(f"{field.name} of a ladder must be a number from {low}, not {value!r}")

    def repairs_on(self, cells: int) -> int:
        """How many repairs one try may use on a map of this size."""
        return self.repairs + int(self.repairs_per_cell * cells)


SEARCHES = {
    "auto": Ladder(patience=24, jumps=2, repairs=64, repairs_per_cell=0.25, restarts=8, exact=True),
    "backtrack": Ladder(),
    "backjump": Ladder(patience=24, jumps=UNLIMITED),
    "repair": Ladder(patience=24, repairs=UNLIMITED),
    "restart": Ladder(patience=24, restarts=UNLIMITED),
    "exact": Ladder(exact=True),
    "sat": Ladder(),
}


def find_ladder(search: str | Ladder) -> Ladder:
    """The ladder of this name."""
    if isinstance(search, Ladder):
        return search
    if not isinstance(search, str) or search not in SEARCHES:
        raise ConfigError(f"unknown search {search!r}; {suggest(search, SEARCHES)}")
    return SEARCHES[search]


class LadderRun:
    """Remembers what was tried on one engine and takes the next rung."""

    def __init__(self, engine: Engine, ladder: Ladder, seed: int) -> None:
        self.engine = engine
        self.ladder = ladder
        self.seed = seed
        self.repairs = 0
        self.restarts = 0
        self.rungs: list[str] = []
        self.is_exact = False
        self.reopened = 0  # cells that repairs un-decided, each time counted
        self._repairs_in_try = 0
        # [cell], once there is something to mend: times opened and not yet mended, the last repair that did
        self._heat = self._repaired = self._ball = np.zeros(0, np.int32)  # _ball: the cells opened last

    def start(self) -> None:
        """Begin the first try."""
        if self.ladder.exact and self.ladder.patience < 0:
            self._begin_exact()
        else:
            self._begin(self.seed)
            self._use("backtrack")

    def take_next_rung(self, cell: int) -> Event | None:
        """The search is stuck at a cell, or the cells a repair kept have no way on: take the next rung.

        None if there is none left: then every way was tried.
        """
        engine, ladder = self.engine, self.ladder
        if self.is_exact:
            return None
        if self._repairs_in_try < ladder.repairs_on(engine.problem.cell_count):
            return self._repair(cell)
        if self.restarts < ladder.restarts:
            self.restarts += 1
            self._use("restart")
            self._begin(int(draw(engine.state[constants.SEED], self.restarts)))
            return Event("restarted", decision=engine.decision_count)
        if ladder.exact:
            self._begin_exact()
            return Event("restarted", decision=engine.decision_count)
        return None

    def note_jumps(self) -> None:
        """Jumps happen inside the search; name the rung once they did."""
        if self.engine.state[constants.JUMPS] > 0:
            self._use("backjump")

    def _repair(self, cell: int) -> Event:
        """Open a ball around the last decision, wider where conflicts keep coming back."""
        self.engine.leave_conflict()
        if not self._heat.size:
            self._heat, self._repaired = np.zeros((2, self.engine.problem.cell_count), np.int32)
        if self.engine.are_decided(self._ball):
            self._heat[self._ball] = 0
        if self.repairs - self._repaired[cell] > COOLING:
            self._heat[cell] = 0
        inside = self.engine.reopen(cell, self.ladder.radius + int(self._heat[cell]))
        self._ball = inside
        self._heat[inside] = self._heat[cell] + 1
        self._repaired[inside] = self.repairs
        self._repairs_in_try += 1
        self.repairs += 1
        self._use("repair")
        self.reopened += inside.size
        return Event("repaired", cell, decision=self.engine.decision_count)

    def _begin(self, seed: int) -> None:
        self.engine.begin(seed, self.ladder.patience, self.ladder.jumps)
        self._repairs_in_try = 0
        self._heat[:] = 0

    def _begin_exact(self) -> None:
        self.is_exact = True
        self.engine.heuristics = self.engine.heuristics.complete()
        self.engine.begin(self.seed)
        self._use("exact")

    def _use(self, rung: str) -> None:
        if rung not in self.rungs:
            self.rungs.append(rung)
