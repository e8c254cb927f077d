"""`order="auto"`: the order with fewest conflicts on a few small maps. A pure function of the rules."""

from __future__ import annotations

from wavefold.kernels import constants
from wavefold.solver.engine.engine import Engine
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.tiles import Rules
from wavefold.topology import is_lattice, lattice_class

SEEDS = 6
ORDERS = ("entropy", "scanline")  # the first wins ties
MOST_CONFLICTS = 60  # per run; an order that needs more has failed it

_best: dict[str, str] = {}


def auto_order(rules: Rules) -> str:
    """The order with fewest conflicts on these rules; entropy where there is no map to try (graphs)."""
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
