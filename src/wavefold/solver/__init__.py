"""Problem in, solution out: search, heuristics, budget, explanations, statistics."""

from wavefold.solver.budget import Budget
from wavefold.solver.events import Event
from wavefold.solver.explain import Explanation, Wish
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.ladder import Ladder
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.repairing import Repair, repair
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.solver import Solver
from wavefold.solver.statistics import Statistics
from wavefold.solver.view import Constraint, WaveView

__all__ = [
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
    "Solution",
    "Solver",
    "Statistics",
    "WaveView",
    "Wish",
    "repair",
]
