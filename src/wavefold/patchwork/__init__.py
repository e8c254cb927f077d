"""Patchworks: maps that grow grid by grid, and the joins that fit a grid to its neighbours.

Start with `patchwork` (the map), then `join` (the interface) and a join such as `joins.overlap`.
"""

from wavefold.patchwork.arguments import Retries
from wavefold.patchwork.files import decode_file, encode_file
from wavefold.patchwork.join import LARGEST_REBUILD, Join
from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.picture import LONGEST_PICTURE, draw_patchwork
from wavefold.patchwork.plan import (
    LARGEST_COORDINATE,
    MOST_GRIDS,
    Cell,
    build_order,
    find_plan,
)
from wavefold.patchwork.state import GridReport, PatchworkReport, Snapshot

__all__ = [
    "LARGEST_COORDINATE",
    "LARGEST_REBUILD",
    "LONGEST_PICTURE",
    "MOST_GRIDS",
    "Cell",
    "GridReport",
    "Join",
    "Patchwork",
    "PatchworkReport",
    "Retries",
    "Snapshot",
    "build_order",
    "decode_file",
    "draw_patchwork",
    "encode_file",
    "find_plan",
]
