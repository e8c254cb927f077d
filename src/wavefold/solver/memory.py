"""How much memory a map takes, estimated before anything is allocated, and how much it may take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from math import prod
from pathlib import Path

import numpy as np

from wavefold.common.values import parse_in_range
from wavefold.errors import ConfigError
from wavefold.tiles import Rules
from wavefold.topology import Topology

# Measured: a map of 1024 x 1024 cells with up to 64 patterns takes about 540 bytes per cell.
BYTES_PER_CELL, BYTES_PER_WORD = 340, 200
BYTES_IN_GRID = 64  # coordinates and neighbours of a cell, while they are listed
CGROUP = Path("/sys/fs/cgroup/memory.max")

_limit: ContextVar[int | None] = ContextVar("memory limit", default=None)


@contextmanager
def limit_memory(most: int) -> Iterator[None]:
    """Refuse, within this block and thread, what would take more than `most` bytes.

    Without it, the limit is the memory of the machine, or of the container.

    >>> with limit_memory(500_000_000):
    ...     generate(TileSet.load("pipes"), SquareGrid(2000, 2000))
    Traceback (most recent call last):
    wavefold.errors.ConfigError: ...
    """
    token = _limit.set(parse_in_range("most", most, 1, 1 << 62))
    try:
        yield
    finally:
        _limit.reset(token)


def check_grid_memory(topology: Topology) -> None:
    """Raise ConfigError if listing the cells of a grid would take more memory than allowed."""
    cells = count_cells(topology)
    check_memory(cells * BYTES_IN_GRID, f"a grid of {cells:,} cells")


def check_map_memory(rules: Rules, topology: Topology, bytes_more: int = 0) -> None:
    """Raise ConfigError if solving a map would take more memory than allowed.

    bytes_more : what a way to propagate needs for each cell beyond the usual
    """
    cells = count_cells(topology)
    each = BYTES_PER_CELL + BYTES_PER_WORD * rules.words + bytes_more
    check_memory(cells * each, f"solving a map of {cells:,} cells")


def count_cells(topology: Topology) -> int:
    """How many cells there are, at most: from the sizes, for listing the cells takes memory, too."""
    if topology.shape is None:
        return topology.cell_count
    mask = getattr(topology, "mask", None)
    return prod(topology.shape) if mask is None else int(np.count_nonzero(mask.array))


def check_memory(needed: int, what: str) -> None:
    """Raise ConfigError if this many bytes are more than allowed; `what` needs them."""
    limit = _limit.get()
    if needed > (machine_memory() if limit is None else limit):
        most = "this machine has" if limit is None else f"the limit of {format_bytes(limit)}"
        raise ConfigError(
            f"{what} needs about {format_bytes(needed)}, more than {most}; make it smaller, or allow more "
            "with wf.limit_memory"
        )


def format_bytes(count: int) -> str:
    """ "2.0 GB", or megabytes if it is less than a tenth."""
    return f"{count / 2**30:,.1f} GB" if count >= 2**30 / 10 else f"{count / 2**20:,.1f} MB"


@cache
def machine_memory() -> int:
    """Bytes of the machine, or of the container if that has less; no limit if the system does not say."""
    found = [1 << 62]
    with suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(ValueError, OSError):  # "max" is no number
        found.append(int(CGROUP.read_text()))
    return min(found)
