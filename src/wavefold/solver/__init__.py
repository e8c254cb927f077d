"""From a problem to a solution: heuristics, constraints, budgets, explanations, statistics.

`engine` has the arrays of one search, `search` what drives it, `kernels` the loops; tiles, topologies and
files are elsewhere. Start with `problem`, then `solver`.
"""

from wavefold.common.memory import limit_memory
from wavefold.solver.budget import Budget
from wavefold.solver.constraint import Constraint, WaveView
from wavefold.solver.engine.events import EVENT_KINDS, Event
from wavefold.solver.explain import Explanation, Requirement
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.map_edits import paint, regrow
from wavefold.solver.map_repair import Repair, repair
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.search.ladder import Ladder
from wavefold.solver.shares import Shares
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.solver import Solver
from wavefold.solver.statistics import Statistics

__all__ = [
    "EVENT_KINDS",
    "Budget",
    "Constraint",
    "Event",
    "Explanation",
    "Heuristics",
    "Ladder",
    "Partial",
    "Pin",
    "Problem",
    "Repair",
    "Requirement",
    "Shares",
    "Solution",
    "Solver",
    "Statistics",
    "WaveView",
    "limit_memory",
    "paint",
    "regrow",
    "repair",
]
