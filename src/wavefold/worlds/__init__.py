"""Endless worlds: every chunk can be generated alone, in any order, and fits its neighbours.

Start with `world` and `plan`, which defines the windows, then `generator`, which generates them.
"""

from wavefold.options.groups import LARGEST_CHUNK, SMALLEST_CHUNK
from wavefold.worlds.base import check_tiles
from wavefold.worlds.edits.edit import MOST_WANTED, Edit
from wavefold.worlds.edits.revisions import Change, no_change
from wavefold.worlds.edits.solve import EDIT_REACH, FARTHEST_EDIT_REACH
from wavefold.worlds.map_tiles.pictures import sample_field
from wavefold.worlds.map_tiles.zoom import TileAddress, cell_bounds
from wavefold.worlds.plan import Plan, Window, parse_rectangle
from wavefold.worlds.report import WorldReport
from wavefold.worlds.roads import build_network
from wavefold.worlds.streaming.prefetch import read_states
from wavefold.worlds.world import World

__all__ = [
    "EDIT_REACH",
    "FARTHEST_EDIT_REACH",
    "LARGEST_CHUNK",
    "MOST_WANTED",
    "SMALLEST_CHUNK",
    "Change",
    "Edit",
    "Plan",
    "TileAddress",
    "Window",
    "World",
    "WorldReport",
    "build_network",
    "cell_bounds",
    "check_tiles",
    "no_change",
    "parse_rectangle",
    "read_states",
    "sample_field",
]
