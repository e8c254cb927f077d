"""The solver: problems, heuristics, constraints, budgets, solutions, explanations and statistics.

`engine` holds the arrays of a search, and `search` controls it. Start with `problem`, then `solver`.
"""

from wavefold.kernels.host.bitsets import (
    count_set_bits,
    count_single_bits,
    pack_bits,
    single_bits,
    single_patterns,
    unpack_bits,
)
from wavefold.kernels.host.checkpoint import (
    Cancelled,
    CancelToken,
    LimitReached,
    Stopped,
    TimeUp,
    checking,
    checkpoint,
    each_checked,
    limiting,
)
from wavefold.kernels.host.threads import count_threads, single_thread
from wavefold.solver.budget import Budget, Meter
from wavefold.solver.constraint import Constraint, WaveView
from wavefold.solver.edit.map_edits import find_obstacles, paint, regrow, with_paint
from wavefold.solver.edit.map_repair import Repair, repair
from wavefold.solver.engine.events import EVENT_KINDS, BatchColumns, Event, is_jump
from wavefold.solver.explanation import Explanation, Requirement, explain
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.memory import estimate_map_memory
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.refine.refine import count_sweeps, recommend_sweeps
from wavefold.solver.search.certificate import find_certificate
from wavefold.solver.search.ladder import Ladder, find_ladder
from wavefold.solver.shared_problems import bare_problem, make_problem
from wavefold.solver.shares import Shares
from wavefold.solver.solution import MapOutput, Partial, Solution
from wavefold.solver.solver import Solver
from wavefold.solver.statistics import Refinement, Share, Statistics
from wavefold.storage.memory import limit_memory

__all__ = [
    "EVENT_KINDS",
    "BatchColumns",
    "Budget",
    "CancelToken",
    "Cancelled",
    "Constraint",
    "Event",
    "Explanation",
    "Heuristics",
    "Ladder",
    "LimitReached",
    "MapOutput",
    "Meter",
    "Partial",
    "Pin",
    "Problem",
    "Refinement",
    "Repair",
    "Requirement",
    "Share",
    "Shares",
    "Solution",
    "Solver",
    "Statistics",
    "Stopped",
    "TimeUp",
    "WaveView",
    "bare_problem",
    "checking",
    "checkpoint",
    "count_set_bits",
    "count_single_bits",
    "count_sweeps",
    "count_threads",
    "each_checked",
    "estimate_map_memory",
    "explain",
    "find_certificate",
    "find_ladder",
    "find_obstacles",
    "is_jump",
    "limit_memory",
    "limiting",
    "make_problem",
    "pack_bits",
    "paint",
    "recommend_sweeps",
    "regrow",
    "repair",
    "single_bits",
    "single_patterns",
    "single_thread",
    "unpack_bits",
    "with_paint",
]
