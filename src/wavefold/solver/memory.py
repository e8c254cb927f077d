"""How much memory a map takes, estimated before anything is allocated."""

from __future__ import annotations

from math import prod

import numpy as np

from wavefold.storage.memory import check_memory
from wavefold.tiles import Rules
from wavefold.topology import Topology

# Enough for searches that can undo every decision; others of large maps take 130 to 300 bytes per cell.
BYTES_PER_CELL, BYTES_PER_WORD = 340, 200
BYTES_IN_GRID = 64  # coordinates and neighbours of a cell, while they are listed


def check_grid_memory(topology: Topology) -> None:
    """Raise ConfigError if listing the cells of a grid would take more memory than allowed."""
    cells = count_cells(topology)
    check_memory(cells * BYTES_IN_GRID, f"a grid of {cells:,} cells")


def check_map_memory(rules: Rules, cells: int, bytes_more: int = 0) -> None:
    """Raise ConfigError if solving a map of so many cells would take more memory than allowed.

    bytes_more : bytes per cell that the propagation method needs in addition
    """
    check_memory(estimate_map_memory(rules, cells, bytes_more), f"solving a map of {cells:,} cells")


def estimate_map_memory(rules: Rules, cells: int, bytes_more: int = 0) -> int:
    """How many bytes solving a map of so many cells takes."""
    return cells * (BYTES_PER_CELL + BYTES_PER_WORD * rules.words + bytes_more)


def check_class_memory(rules: Rules) -> None:
    """Raise ConfigError if tables of the classes of patterns would take more memory than allowed."""
    classes = max((len(relation.rows) for relation in rules.relations), default=1)
    tables = 16 * rules.words * classes * len(rules.relations)
    flags = len(rules) * classes * (2 + len(rules.relations))  # on the way: one byte each
    what = f"solving with {len(rules):,} patterns in {classes:,} classes"
    advice = "use fewer patterns; those of a picture become fewer with fewer colours, 16 for example"
    check_memory(tables + flags, what, advice)


def count_cells(topology: Topology) -> int:
    """How many cells there are, at most: from the sizes, for listing the cells takes memory, too."""
    if topology.shape is None:
        return topology.cell_count
    mask = getattr(topology, "mask", None)
    return prod(topology.shape) if mask is None else int(np.count_nonzero(mask.array))
