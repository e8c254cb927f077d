"""The ladder: the strategies of a search when backtracking by one decision is not enough.

The rungs are backtracking with refutation, jumping back, local repair, witness, restart and complete search.
Each can be used alone. `Ladder` sets the limits of each rung; `LadderRun` takes the rungs in one search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.kernels import constants as c
from wavefold.kernels.bits import draw
from wavefold.options.option import Option, check_options, option_group
from wavefold.solver.budget import UNLIMITED
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.events import REPAIRED, REPLACED, RESTARTED
from wavefold.solver.engine.local_repair import LocalRepair
from wavefold.solver.heuristics import Heuristics

if TYPE_CHECKING:  # regions, which it solves, use a ladder: a cycle
    from wavefold.solver.search.witness import WitnessRung

# Repairs before the other order is used, plus one for each CELLS_PER_REPAIR cells
REPAIRS_IN_FIRST_ORDER, CELLS_PER_REPAIR = 2, 1024
# Before the witness is used: decisions (plus those per cell), or repairs, plus one for each 4,096 cells
FIRST_DECISIONS, FIRST_REPAIRS, CELLS_PER_LATER_REPAIR = 2_000, 64, 4_096
# With constraints, a repair visits all narrowed cells. Without this limit the time would be quadratic.
MOST_SHARED_REPAIRS = 64
SMALL_MAP_CELLS = 32  # up to this size, there are no more repairs than cells
REPAIRS_OF_WITNESS, REPAIRS_PER_UNMET = 64, 4  # local repairs until all pins are met


@option_group("search")
@dataclass(frozen=True, slots=True)
class Ladder:
    """The limits of each rung of a search.

    patience : conflicts without progress before the next rung; -1: no limit
    jumps : jumps back in one attempt
    repairs, repairs_per_cell : local repairs in one attempt: a fixed number, plus a number per cell
    radius : the radius of the first repair, in steps from the conflict
    restarts : attempts with another seed
    exact : whether to end with complete search, which may prove that no map exists
    witness : decisions per cell before a map of repeated tiles is used, and solved again window by window;
        0: at once, -1: never
    """

    patience: Annotated[
        int,
        Option(
            "conflicts without progress before the next rung; -1: unlimited",
            "Patience",
            low=-1,
            high=UNLIMITED,
        ),
    ] = -1
    jumps: Annotated[int, Option("jumps back in one attempt", "Jumps back", low=0, high=UNLIMITED)] = 0
    repairs: Annotated[
        int, Option("local repairs in one attempt", "Local repairs", low=0, high=UNLIMITED)
    ] = 0
    repairs_per_cell: Annotated[
        float, Option("this many more for each cell of the map", "… and for each cell", low=0, high=UNLIMITED)
    ] = 0.0
    radius: Annotated[
        int,
        Option("radius of the first local repair, in cells", "Radius of a repair", low=0, high=UNLIMITED),
    ] = 2
    restarts: Annotated[
        int,
        Option(
            "new attempts, each with the next derived seed",
            "Attempts from the beginning",
            low=0,
            high=UNLIMITED,
        ),
    ] = 0
    exact: Annotated[
        bool,
        Option(
            "whether to end with complete search, which may prove that nothing exists",
            "Search all possibilities last",
        ),
    ] = False
    witness: Annotated[
        int,
        Option(
            "decisions per cell after which tiles that repeat are laid out and solved again in windows; "
            "0: at once, -1: never",
            "Repeat known tiles after",
            low=-1,
            high=UNLIMITED,
        ),
    ] = -1

    def __post_init__(self) -> None:
        check_options(self)

    def repairs_on(self, cells: int) -> int:
        """Return the number of repairs in one attempt on a map of this size."""
        return self.repairs + int(self.repairs_per_cell * cells)


SEARCHES: dict[str, Ladder] = {
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
    """Return the ladder of this name; a `Ladder` is returned unchanged."""
    if isinstance(search, Ladder):
        return search
    if not isinstance(search, str) or search not in SEARCHES:
        raise ConfigError(f"unknown search {search!r}; {suggest(search, SEARCHES)}")
    return SEARCHES[search]


class LadderRun:
    """The state of one search on the ladder: starts the engine, counts attempts, and takes the next rung.

    fallback : the order to use after some repairs
    witness : the witness rung; None: skip it
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
        self._is_laid_out = False  # whether the witness is in use
        self._decisions_before = 0  # the current attempt
        self.replaced = np.zeros(0, np.int32)  # cells of the last REPLACED
        self.ladder = ladder
        self.seed = seed
        self.repairs = 0
        self.restarts = 0
        self.rungs: list[str] = []
        self.is_exact = False
        self.reopened = 0  # cells that repairs un-decided, counted each time
        self._repairs_in_try = 0

    def start(self) -> None:
        """Begin the first attempt."""
        if self.ladder.witness == 0 and self._lay_out():
            return
        if self.ladder.exact and self.ladder.patience < 0:
            self._begin_exact()
        else:
            self._begin(self.seed)
            self._record_rung("backtrack")

    def take_next_rung(self, cell: int) -> int | None:
        """Take the next rung when the search is stuck at a cell, or at a dead end after a repair.

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
        """Open the next window of the witness when all cells are decided; returns REPLACED, or None."""
        if not self._is_laid_out or self._witness is None:
            return None
        return self._replace(self._witness.next_window(self.seed))

    @property
    def witness_problem(self) -> str:
        """Why the witness could not be used; empty if it could."""
        return "" if self._witness is None else self._witness.problem

    def record_jumps(self) -> None:
        """Note the rung "backjump" once the engine has jumped."""
        if self.engine.state[c.JUMPS] > 0:
            self._record_rung("backjump")

    def _repair(self, cell: int) -> None:
        """Un-decide the cells around a cell, or more where conflicts recur."""
        self.local_repair.leave_conflict()
        self.reopened += self.local_repair.undecide_ball(cell, self.ladder.radius, self.repairs)
        self._repairs_in_try += 1
        self.repairs += 1
        self._record_rung("repair")

    def _change_order(self, heuristics: Heuristics) -> None:
        """Restart with another order, after too many repairs for the size of the map."""
        self.engine.heuristics, self._fallback, self.order = heuristics, None, heuristics.name
        self._begin(self.seed)
        self._record_rung("order")

    def _restart(self) -> int | None:
        self._is_laid_out = False
        if self.restarts < self.ladder.restarts:
            self.restarts += 1
            self._record_rung("restart")
            self._begin(int(draw(self.engine.state[c.SEED], self.restarts)))
            return RESTARTED
        if self.ladder.exact:
            self._begin_exact()
            return RESTARTED
        return None

    def _is_due_for_witness(self) -> bool:
        """Return whether repairs have cost so much that they are unlikely to succeed."""
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
        """Return one repair for each `cells_per_repair` cells, up to MOST_SHARED_REPAIRS."""
        return min(MOST_SHARED_REPAIRS, self.engine.problem.cell_count // cells_per_repair)

    def _lay_out(self) -> bool:
        """Take the witness rung; returns False if that is not possible."""
        if self._witness is None or not self._witness.lay_out(self.seed):
            return False
        self._is_laid_out = True
        self._forget_repairs()
        self._record_rung("witness")
        self.replaced = np.arange(self.engine.problem.cell_count, dtype=np.int32)
        return True

    def _replace(self, cells: NDArray[np.int32] | None) -> int | None:
        """Note replaced cells; returns REPLACED, or None if there are none."""
        if cells is None:
            return None
        self.replaced = cells
        return REPLACED

    def _count_repairs(self) -> int:
        """Return the number of repairs in the current attempt."""
        if self._is_laid_out and self._witness is not None:
            return REPAIRS_OF_WITNESS + REPAIRS_PER_UNMET * self._witness.unmet
        cells = self.engine.problem.cell_count
        repairs = self.ladder.repairs_on(cells)
        # A repair of a very small map un-decides most of it, so complete search starts sooner instead.
        return min(repairs, cells) if self.ladder.exact and cells <= SMALL_MAP_CELLS else repairs

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
        self._record_rung("exact")

    def _record_rung(self, rung: str) -> None:
        if rung not in self.rungs:
            self.rungs.append(rung)
