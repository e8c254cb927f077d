"""Endless worlds: any chunk, in any order, on any machine, without a seam."""

from wavefold.world.edits.edit import Edit
from wavefold.world.plan import Plan, Window
from wavefold.world.report import WorldReport
from wavefold.world.world import World

__all__ = ["Edit", "Plan", "Window", "World", "WorldReport"]
