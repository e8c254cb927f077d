"""Estimate the memory of a map before anything is allocated."""

from __future__ import annotations

from math import prod

import numpy as np

from wavefold.storage.memory import check_memory
from wavefold.tiles import Rules
from wavefold.topology import Topology

# Enough for a search that can undo every decision; other searches of large maps take 130 to 300 bytes.
BYTES_PER_CELL, BYTES_PER_WORD = 340, 200
BYTES_IN_GRID = 64  # for the coordinates and neighbours of a cell, while they are listed


def check_grid_memory(topology: Topology) -> None:
    """Raise ConfigError if listing the cells of a grid would exceed the memory limit."""
    cells = count_cells(topology)
    check_memory(cells * BYTES_IN_GRID, f"a grid of {cells:,} cells")


def check_map_memory(rules: Rules, cells: int, bytes_more: int = 0) -> None:
    """Raise ConfigError if solving a map of this size would exceed the memory limit.

    bytes_more : additional bytes per cell for the propagation method
    """
    check_memory(estimate_map_memory(rules, cells, bytes_more), f"solving a map of {cells:,} cells")


def estimate_map_memory(rules: Rules, cells: int, bytes_more: int = 0) -> int:
    """Return the number of bytes that solving a map of this size takes."""
    return cells * (BYTES_PER_CELL + BYTES_PER_WORD * rules.words + bytes_more)


def check_class_memory(rules: Rules) -> None:
    """Raise ConfigError if the tables of pattern classes would exceed the memory limit."""
    classes = max((len(relation.rows) for relation in rules.relations), default=1)
    tables = 16 * rules.words * classes * len(rules.relations)
    flags = len(rules) * classes * (2 + len(rules.relations))  # intermediate arrays of single bytes
    what = f"solving with {len(rules):,} patterns in {classes:,} classes"
    advice = "use fewer patterns; for a picture, use fewer colours, such as 16"
    check_memory(tables + flags, what, advice)


def count_cells(topology: Topology) -> int:
    """Return an upper limit on the number of cells, without listing them."""
    if topology.shape is None:
        return topology.cell_count
    mask = getattr(topology, "mask", None)
    return prod(topology.shape) if mask is None else int(np.count_nonzero(mask.array))
