"""`order="auto"`: least entropy, and rows instead where that needs too many repairs.

A search with local repairs finds out by itself, so a first map costs no more than the next ones; others stay
with least entropy. Where one order is needed beforehand, as in worlds, a few small maps are solved in both.
"""

from __future__ import annotations

from wavefold.common.checkpoint import Stopped
from wavefold.kernels import constants
from wavefold.solver.engine.engine import Engine
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.search.ladder import Ladder
from wavefold.tiles import Rules
from wavefold.topology import is_lattice, lattice_class

SEEDS = 6
ORDERS = ("entropy", "scanline")  # the first wins ties
MOST_CONFLICTS = 60  # per run; an order that needs more has failed it

# {digest of the rules: order} of the bundled sets for which least entropy is not safe: castle, medieval.
# Worlds and patchworks go by rows, as they always did; a map that is solved alone goes in a spiral, which is
# as safe and shows no direction.
BY_ROWS = {"251c55c197bbaf52d42b077a0852dcd3": "scanline", "4cee7500dc42bfe9f8ffb2d66980c166": "scanline"}
# Digests of bundled sets and samples for which least entropy is safe, but a spiral draws better maps:
# dungeon; farmland, kilim and tartan as they are learned by default. Worlds and patchworks ask `auto_order`.
IN_SPIRAL = {
    "e21eefda4ec46548b58d666644271c98",
    "fabc74384bdf49c4315c344258e3db60",
    "1d1383e1e86b28149a877f65de762f9b",
    "116659f768a847dffd36b1207fc51ae9",
}

MOST_BY_ROWS = 1_000  # patterns of such a set; the digest of a wide one takes long

RUNS = [(order, seed) for order in ORDERS for seed in range(SEEDS)]

_best: dict[str, str] = {}
_unfinished: dict[str, Race] = {}


def first_orders(rules: Rules, ladder: Ladder) -> tuple[Heuristics, Heuristics | None]:
    """The order in which a search begins, and the one it falls back on."""
    if len(rules) <= MOST_BY_ROWS and rules.digest in BY_ROWS:
        return Heuristics.of("spiral"), None
    if not is_lattice(rules.topology) or ladder.repairs == 0:
        return Heuristics.of(ORDERS[0]), None
    first, other = map(Heuristics.of, ORDERS)
    if len(rules) <= MOST_BY_ROWS and rules.digest in IN_SPIRAL:
        return Heuristics.of("spiral"), other
    return first, other


def auto_order(rules: Rules) -> str:
    """The order with fewest conflicts on these rules; entropy where there is no map to try (graphs)."""
    if rules.digest in BY_ROWS:
        return BY_ROWS[rules.digest]
    if not is_lattice(rules.topology):
        return ORDERS[0]
    if rules.digest not in _best:
        race = _unfinished.pop(rules.digest, None) or Race(rules)
        try:
            _best[rules.digest] = race.run()
        except Stopped:
            _unfinished.clear()  # one is enough, and the arrays of many would add up
            _unfinished[rules.digest] = race
            raise
    return _best[rules.digest]


class Race:
    """Small maps, solved in both orders."""

    def __init__(self, rules: Rules) -> None:
        grid = lattice_class(rules.topology)
        self._problem = Problem(rules, grid(*grid.sizes.race))
        self._engines: dict[str, Engine] = {}
        self._conflicts: list[int] = []  # of each run that has ended
        self._before = -1  # contradictions before the run that is under way; -1 if none is

    def run(self) -> str:
        """The order that wins. Goes on where a checkpoint ended an earlier call."""
        while len(self._conflicts) < len(RUNS):
            order, seed = RUNS[len(self._conflicts)]
            if order not in self._engines:
                self._engines[order] = Engine(self._problem, Heuristics.of(order))
            self._conflicts.append(self._count_conflicts(self._engines[order], seed))
            self._before = -1
        scores = {order: sum(self._conflicts[at * SEEDS :][:SEEDS]) for at, order in enumerate(ORDERS)}
        return min(ORDERS, key=lambda order: scores[order])

    def _count_conflicts(self, engine: Engine, seed: int) -> int:
        """Conflicts of one run; a failed run counts as ten times the limit."""
        if self._before < 0:
            engine.begin(seed)
            engine.set_limits(backtracks=engine.backtracks + MOST_CONFLICTS)
            self._before = engine.contradictions
        solved = engine.advance() == constants.SOLVED
        return engine.contradictions - self._before if solved else 10 * MOST_CONFLICTS
