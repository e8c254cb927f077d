"""`order="auto"`: least entropy, and rows instead where that needs too many repairs.

The search itself finds out, so a first map costs no more than the next ones. Where there is no search up the
ladder to look at, a few small maps are solved in both orders.
"""

from __future__ import annotations

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

# {digest of the rules: order} of the bundled sets that are solved best by rows: castle, medieval.
BY_ROWS = {"251c55c197bbaf52d42b077a0852dcd3": "scanline", "4cee7500dc42bfe9f8ffb2d66980c166": "scanline"}

_best: dict[str, str] = {}


def first_orders(rules: Rules, ladder: Ladder) -> tuple[Heuristics, Heuristics | None]:
    """The order in which a search begins, and the one it falls back on."""
    if rules.digest in BY_ROWS:
        return Heuristics.of(BY_ROWS[rules.digest]), None
    if not is_lattice(rules.topology):
        return Heuristics.of(ORDERS[0]), None
    if ladder.repairs == 0:  # nothing would show that the order is a poor one
        return Heuristics.of(auto_order(rules)), None
    first, other = map(Heuristics.of, ORDERS)
    return first, other


def auto_order(rules: Rules) -> str:
    """The order with fewest conflicts on these rules; entropy where there is no map to try (graphs)."""
    if rules.digest in BY_ROWS:
        return BY_ROWS[rules.digest]
    if rules.digest not in _best:
        _best[rules.digest] = _compare_orders(rules)
    return _best[rules.digest]


def _compare_orders(rules: Rules) -> str:
    if not is_lattice(rules.topology):
        return ORDERS[0]
    grid = lattice_class(rules.topology)
    problem = Problem(rules, grid(*grid.sizes.race))
    scores = {name: _count_conflicts(problem, name) for name in ORDERS}
    return min(ORDERS, key=lambda name: scores[name])


def _count_conflicts(problem: Problem, order: str) -> int:
    """Conflicts over all runs; a failed run counts as ten times the limit."""
    engine = Engine(problem, Heuristics.of(order))
    total = 0
    for seed in range(SEEDS):
        before = engine.contradictions
        engine.begin(seed)
        engine.set_limits(backtracks=engine.backtracks + MOST_CONFLICTS)
        solved = engine.advance() == constants.SOLVED
        total += engine.contradictions - before if solved else 10 * MOST_CONFLICTS
    return total
