"""Built-in constraints: rules about more than two touching cells.

The base class of all constraints is in `solver.constraint`; the guide explains how to write your own. Start
with `count`.
"""

from wavefold.constraints.connected import Connected
from wavefold.constraints.count import Count
from wavefold.constraints.downhill import Downhill
from wavefold.constraints.line_limits import MaxRun, Parallel
from wavefold.constraints.loops import Acyclic, Loop
from wavefold.constraints.placement import Area, Border
from wavefold.constraints.reach import Reach
from wavefold.constraints.room import Room
from wavefold.constraints.separation import PairSeparation, Separation
from wavefold.constraints.slope import Slope
from wavefold.constraints.symmetric_maps import Mirror, Rotational
from wavefold.constraints.tables import KIND_KEY, build_constraint, find_path, tabulate_constraint, to_tuples

__all__ = [
    "KIND_KEY",
    "Acyclic",
    "Area",
    "Border",
    "Connected",
    "Count",
    "Downhill",
    "Loop",
    "MaxRun",
    "Mirror",
    "PairSeparation",
    "Parallel",
    "Reach",
    "Room",
    "Rotational",
    "Separation",
    "Slope",
    "build_constraint",
    "find_path",
    "tabulate_constraint",
    "to_tuples",
]
