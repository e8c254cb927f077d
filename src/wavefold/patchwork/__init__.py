"""Patchwork: maps that grow grid by grid, and the ways to join a grid to its neighbours.

Solving happens in `solver.engine`; drawing, files and the comparison of joins are in modules of their own
here. Start with `patchwork` (the map), then `join_context` and a join, such as `joins.overlap`.
"""

from wavefold.patchwork.join_context import Retries
from wavefold.patchwork.joins import Join
from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.plan import build_order
from wavefold.patchwork.report import GridReport, PatchworkReport

__all__ = ["GridReport", "Join", "Patchwork", "PatchworkReport", "Retries", "build_order"]
