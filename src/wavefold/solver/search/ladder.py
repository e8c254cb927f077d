"""The ladder of search: what to do when backtracking by one decision is not enough.

backtracking with refutation → jump back → local repair → witness → restart → exact. Each rung can be used
alone. `Ladder` says how long each rung is used; `LadderRun` takes the rungs in one search.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.kernels import constants
from wavefold.kernels.bits import draw
from wavefold.solver.budget import UNLIMITED
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.events import REPAIRED, REPLACED, RESTARTED
from wavefold.solver.engine.local_repair import LocalRepair
from wavefold.solver.heuristics import Heuristics

if TYPE_CHECKING:  # its map is found by solving regions, which climb a ladder
    from wavefold.solver.search.witness import WitnessRung

REPAIRS_IN_FIRST_ORDER, CELLS_PER_REPAIR = 2, 1024  # repairs, and more for large maps, until the other order
# Before the witness is used: decisions, beside those per cell, or so many repairs, also per cell
FIRST_DECISIONS, FIRST_REPAIRS, CELLS_PER_LATER_REPAIR = 2_000, 64, 4_096
# With constraints a repair visits all cells that were narrowed: more repairs of more cells were quadratic
MOST_SHARED_REPAIRS = 64
REPAIRS_OF_WITNESS, REPAIRS_PER_UNMET = 64, 4  # local repairs until all pins are met


@dataclass(frozen=True, slots=True)
class Ladder:
    """How long each rung is used before the next.

    patience : conflicts without progress before the next rung; -1: no limit
    jumps : jumps back in one try
    repairs, repairs_per_cell : local repairs in one try: a fixed number, plus so many per cell of the map
    radius : the first repair un-decides the cells up to so many steps from the conflict
    restarts : tries with the next seed of the chain
    exact : whether to end with complete search, which may prove that no map exists
    witness : decisions per cell after which the map is laid out with tiles that repeat, and solved again
        window by window; 0: at once, -1: never
    """

    patience: int = -1
    jumps: int = 0
    repairs: int = 0
    repairs_per_cell: float = 0.0
    radius: int = 2
    restarts: int = 0
    exact: bool = False
    witness: int = -1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            kind = Real if field.name == "repairs_per_cell" else Integral
            low = -1 if field.name in ("patience", "witness") else 0
            is_number = isinstance(value, kind)
            if not (is_number and low <= value <= UNLIMITED):
                raise ConfigError(f"{field.name} of a ladder must be a number from {low}, not {value!r}")

    def repairs_on(self, cells: int) -> int:
        """How many repairs one try may use on a map of this size."""
        return self.repairs + int(self.repairs_per_cell * cells)


SEARCHES = {
    "auto": Ladder(
        patience=24, jumps=2, repairs=64, repairs_per_cell=0.25, witness=8, restarts=8, exact=True
    ),
    "backtrack": Ladder(),
    "backjump": Ladder(patience=24, jumps=UNLIMITED),
    "repair": Ladder(patience=24, repairs=UNLIMITED),
    "witness": Ladder(patience=24, witness=0),
    "restart": Ladder(patience=24, restarts=UNLIMITED),
    "exact": Ladder(exact=True),
    "sat": Ladder(),
}


def find_ladder(search: str | Ladder) -> Ladder:
    """The ladder of this name; a `Ladder` is returned as it is."""
    if isinstance(search, Ladder):
        return search
    if not isinstance(search, str) or search not in SEARCHES:
        raise ConfigError(f"unknown search {search!r}; {suggest(search, SEARCHES)}")
    return SEARCHES[search]


class LadderRun:
    """One search up the ladder: starts an engine, counts what was tried, and takes the next rung.

    fallback : the order to change to after some repairs
    witness : what takes that rung; None: it is left out
    """

    def __init__(
        self,
        engine: Engine,
        ladder: Ladder,
        seed: int,
        fallback: Heuristics | None = None,
        witness: WitnessRung | None = None,
    ) -> None:
        self.engine = engine
        self.order = engine.heuristics.name
        self._fallback = fallback
        self.local_repair = LocalRepair(engine) if witness is None else witness.local_repair
        self._witness = witness if ladder.witness >= 0 else None
        self._is_laid_out = False  # by the witness
        self._decisions_before = 0  # this try
        self.replaced = np.zeros(0, np.int32)  # cells of the last REPLACED
        self.ladder = ladder
        self.seed = seed
        self.repairs = 0
        self.restarts = 0
        self.rungs: list[str] = []
        self.is_exact = False
        self.reopened = 0  # cells that repairs un-decided, each time counted
        self._repairs_in_try = 0

    def start(self) -> None:
        """Begin the first try."""
        if self.ladder.witness == 0 and self._lay_out():
            return
        if self.ladder.exact and self.ladder.patience < 0:
            self._begin_exact()
        else:
            self._begin(self.seed)
            self._use("backtrack")

    def take_next_rung(self, cell: int) -> int | None:
        """Take the next rung: the search is stuck at a cell, or cannot go on with the cells a repair kept.

        Returns REPAIRED, REPLACED or RESTARTED, or None if no rung is left.
        """
        if self.is_exact:
            return None
        if self._is_laid_out and self._witness is not None and self._witness.in_window:
            return self._replace(self._witness.retry_window(self.seed)) or self._restart()
        if self._fallback is not None and not self._is_laid_out:
            if self.repairs >= REPAIRS_IN_FIRST_ORDER + self._share_repairs(CELLS_PER_REPAIR):
                self._change_order(self._fallback)
                return RESTARTED
        elif self._is_due_for_witness() and self._lay_out():
            return REPLACED
        if self._repairs_in_try < self._count_repairs():
            self._repair(cell)
            return REPAIRED
        return self._restart()

    def take_next_window(self) -> int | None:
        """All cells are decided: REPLACED if the witness goes on with another window, None if that is it."""
        if not self._is_laid_out or self._witness is None:
            return None
        return self._replace(self._witness.next_window(self.seed))

    @property
    def witness_problem(self) -> str:
        """Why the witness could not be used, or an empty text."""
        return "" if self._witness is None else self._witness.problem

    def note_jumps(self) -> None:
        """Note the rung "backjump" once the search, which jumps by itself, has used it."""
        if self.engine.state[constants.JUMPS] > 0:
            self._use("backjump")

    def _repair(self, cell: int) -> None:
        """Un-decide the cells around one, more of them where conflicts recur."""
        self.local_repair.leave_conflict()
        self.reopened += self.local_repair.undecide_ball(cell, self.ladder.radius, self.repairs)
        self._repairs_in_try += 1
        self.repairs += 1
        self._use("repair")

    def _change_order(self, heuristics: Heuristics) -> None:
        """Start again with another order: too many repairs for the size of the map."""
        self.engine.heuristics, self._fallback, self.order = heuristics, None, heuristics.name
        self._begin(self.seed)
        self._use("order")

    def _restart(self) -> int | None:
        self._is_laid_out = False
        if self.restarts < self.ladder.restarts:
            self.restarts += 1
            self._use("restart")
            self._begin(int(draw(self.engine.state[constants.SEED], self.restarts)))
            return RESTARTED
        if self.ladder.exact:
            self._begin_exact()
            return RESTARTED
        return None

    def _is_due_for_witness(self) -> bool:
        """Whether repairs have cost so much that they will hardly end."""
        if self._witness is None or "witness" in self.rungs or self._witness.problem:
            return False
        cells = self.engine.problem.cell_count
        made = self.engine.decision_count - self._decisions_before
        if (
            self._repairs_in_try >= FIRST_REPAIRS + self._share_repairs(CELLS_PER_LATER_REPAIR)
            and made >= FIRST_DECISIONS
        ):
            return True
        return made >= FIRST_DECISIONS + self.ladder.witness * cells

    def _share_repairs(self, cells_per_repair: int) -> int:
        """One repair for so many cells; not more beyond a size."""
        return min(MOST_SHARED_REPAIRS, self.engine.problem.cell_count // cells_per_repair)

    def _lay_out(self) -> bool:
        """Take the rung of the witness, unless there is none."""
        if self._witness is None or not self._witness.lay_out(self.seed):
            return False
        self._is_laid_out = True
        self._forget_repairs()
        self._use("witness")
        self.replaced = np.arange(self.engine.problem.cell_count, dtype=np.int32)
        return True

    def _replace(self, cells: NDArray[np.int32] | None) -> int | None:
        """REPLACED if there are cells."""
        if cells is None:
            return None
        self.replaced = cells
        return REPLACED

    def _count_repairs(self) -> int:
        """How many repairs this try may use."""
        if self._is_laid_out and self._witness is not None:
            return REPAIRS_OF_WITNESS + REPAIRS_PER_UNMET * self._witness.unmet
        return self.ladder.repairs_on(self.engine.problem.cell_count)

    def _begin(self, seed: int) -> None:
        self.engine.begin(seed, self.ladder.patience, self.ladder.jumps)
        self._forget_repairs()

    def _forget_repairs(self) -> None:
        self._decisions_before = self.engine.decision_count
        self._repairs_in_try = 0
        if self.repairs:
            self.local_repair.forget_conflicts()

    def _begin_exact(self) -> None:
        self.is_exact = True
        self.engine.heuristics = self.engine.heuristics.complete()
        self.engine.begin(self.seed)
        self._use("exact")

    def _use(self, rung: str) -> None:
        if rung not in self.rungs:
            self.rungs.append(rung)
