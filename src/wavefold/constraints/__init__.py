"""Constraints that come with wavefold: rules about more than two touching cells, a file each.

What a constraint is, and the view it prunes, is in `solver.constraint`; how to write your own, in the guide.
Start with `count`.
"""

from wavefold.constraints.connected import Connected
from wavefold.constraints.count import Count

__all__ = ["Connected", "Count"]
