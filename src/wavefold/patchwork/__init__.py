"""Patchwork: maps that grow grid by grid, and the ways to join a grid to its neighbours.

Solving happens in `solver.engine`; drawing, files and the comparison of joins are in modules of their own
here. Start with `patchwork` (the map), then `join` and a way to join, such as `joins.overlap`.
"""

from wavefold.patchwork.arguments import Retries
from wavefold.patchwork.join import Join
from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.plan import build_order
from wavefold.patchwork.state import GridReport, PatchworkReport

__all__ = ["GridReport", "Join", "Patchwork", "PatchworkReport", "Retries", "build_order"]
