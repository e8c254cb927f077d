"""order="auto": a short race on small maps, counted in decisions. A pure function of the rules."""

from __future__ import annotations

from wavefold.kernels import constants
from wavefold.plugins import find
from wavefold.solver.engine.engine import Engine
from wavefold.solver.problem import Problem
from wavefold.solver.search.heuristics import Heuristics
from wavefold.tiles import Rules

# Maps large enough to show how the rules behave, small enough to cost little.
TRACKS: dict[str, tuple[int, ...]] = {"square": (32, 32), "hex": (8,), "cube": (8, 8, 8)}
SEEDS = 6
CONTESTANTS = ("entropy", "scanline")  # the first wins ties
CONFLICTS_BORNE = 60  # per run; whoever needs more has failed it

_winners: dict[str, str] = {}


def auto_order(rules: Rules) -> str:
    """The order that fails least on these rules; entropy where there is nothing to race on (graphs)."""
    if rules.digest not in _winners:
        _winners[rules.digest] = _race(rules)
    return _winners[rules.digest]


def _race(rules: Rules) -> str:
    if rules.topology not in TRACKS:
        return CONTESTANTS[0]
    problem = Problem(rules, find("topology", rules.topology)(*TRACKS[rules.topology]))
    scores = {name: _conflicts(problem, name) for name in CONTESTANTS}
    return min(CONTESTANTS, key=lambda name: scores[name])


def _conflicts(problem: Problem, order: str) -> int:
    """Conflicts over all runs, with a failed run counted as many."""
    engine = Engine(problem, Heuristics.of(order))
    total = 0
    for seed in range(SEEDS):
        before = engine.contradictions
        engine.begin(seed)
        engine.set_limits(backtracks=engine.backtracks + CONFLICTS_BORNE)
        solved = engine.advance() == constants.SOLVED
        total += engine.contradictions - before if solved else 10 * CONFLICTS_BORNE
    return total
