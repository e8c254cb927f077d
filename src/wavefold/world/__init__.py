"""Endless worlds: any chunk, in any order, on any machine, without a seam.

Maps of a fixed size are solved in `wavefold.solver`; maps of many grids grow in `wavefold.patchwork`. Start
with `world` and `plan`, then `generator`: which windows there are, and how each is generated.
"""

from wavefold.world.edits.edit import Edit
from wavefold.world.edits.revisions import Change
from wavefold.world.plan import Plan, Window
from wavefold.world.report import WorldReport
from wavefold.world.world import World

__all__ = ["Change", "Edit", "Plan", "Window", "World", "WorldReport"]
