"""Constraints that come with wavefold: rules about more than two touching cells.

What a constraint is, and the view it prunes, is in `solver.constraint`; how to write your own, in the guide.
Start with `count`.
"""

from wavefold.constraints.area import Area
from wavefold.constraints.border import Border
from wavefold.constraints.connected import Connected
from wavefold.constraints.count import Count
from wavefold.constraints.downhill import Downhill
from wavefold.constraints.line_limits import MaxRun, Parallel
from wavefold.constraints.loops import Acyclic, Loop
from wavefold.constraints.reach import Reach
from wavefold.constraints.room import Room
from wavefold.constraints.separation import PairSeparation, Separation
from wavefold.constraints.slope import Slope
from wavefold.constraints.symmetric_maps import Mirror, Rotational

__all__ = [
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
]
