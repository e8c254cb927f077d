"""`order="auto"`: the order that the rules recommend; else least entropy, or rows after many repairs.

A search with local repairs changes the order while it runs, so that the first map needs no preparation.
Where one order is needed beforehand, such as for worlds, a race of small maps compares both orders.
"""

from __future__ import annotations

from wavefold.kernels import constants as c
from wavefold.kernels.host.checkpoint import Stopped
from wavefold.solver.engine.engine import Engine
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.search.ladder import Ladder
from wavefold.tiles import Rules
from wavefold.topology import get_lattice_class, is_lattice

SEEDS = 6
ORDERS = ("entropy", "scanline")  # the first wins ties
MOST_CONFLICTS = 60  # per run; a run with more has failed

RUNS = [(order, seed) for order in ORDERS for seed in range(SEEDS)]

_best: dict[str, str] = {}
_unfinished: dict[str, OrderComparison] = {}


def choose_first_orders(rules: Rules, ladder: Ladder) -> tuple[Heuristics, Heuristics | None]:
    """Return the first order of a search, and its fallback.

    For rules that need rows, a single map uses a spiral, which is as safe but shows no direction.
    """
    if rules.order == "scanline":
        return Heuristics.of("spiral"), None
    if not is_lattice(rules.topology) or ladder.repairs == 0:
        return Heuristics.of(ORDERS[0]), None
    first, other = map(Heuristics.of, ORDERS)
    return (first if rules.order is None else Heuristics.of(rules.order)), other


def find_auto_order(rules: Rules) -> str:
    """Return the order for worlds and patchworks: rows if recommended, else the one with fewer conflicts.

    Graphs use entropy, because they have no standard map to compare orders on.
    """
    if rules.order == "scanline":
        return rules.order
    if not is_lattice(rules.topology):
        return ORDERS[0]
    if rules.digest not in _best:
        comparison = _unfinished.pop(rules.digest, None) or OrderComparison(rules)
        try:
            _best[rules.digest] = comparison.run()
        except Stopped:
            _unfinished.clear()  # keep only the last comparison: its arrays are large
            _unfinished[rules.digest] = comparison
            raise
    return _best[rules.digest]


class OrderComparison:
    """A race: small maps solved in both orders."""

    def __init__(self, rules: Rules) -> None:
        grid = get_lattice_class(rules.topology)
        self._problem = Problem(rules, grid(*grid.sizes.race))
        self._engines: dict[str, Engine] = {}
        self._conflicts: list[int] = []  # of each run that has ended
        self._before = -1  # contradictions before the current run; -1 between runs

    def run(self) -> str:
        """Return the order with fewer conflicts. Continues where a checkpoint ended an earlier call."""
        while len(self._conflicts) < len(RUNS):
            order, seed = RUNS[len(self._conflicts)]
            if order not in self._engines:
                self._engines[order] = Engine(self._problem, Heuristics.of(order))
            self._conflicts.append(self._count_conflicts(self._engines[order], seed))
            self._before = -1
        scores = {order: sum(self._conflicts[at * SEEDS :][:SEEDS]) for at, order in enumerate(ORDERS)}
        return min(ORDERS, key=lambda order: scores[order])

    def _count_conflicts(self, engine: Engine, seed: int) -> int:
        """Count the conflicts of one run; a failed run counts as ten times the limit."""
        if self._before < 0:
            engine.begin(seed)
            engine.set_limits(backtracks=engine.backtracks + MOST_CONFLICTS)
            self._before = engine.contradictions
        solved = engine.advance() == c.SOLVED
        return engine.contradictions - self._before if solved else 10 * MOST_CONFLICTS
