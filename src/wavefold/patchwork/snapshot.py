"""A map at one moment."""

from __future__ import annotations

from typing import NamedTuple

from wavefold.patchwork.plan import Cell, Key


class Snapshot(NamedTuple):
    """What a map was when somebody looked: all of it from the same moment, whoever grows it meanwhile."""

    patterns: dict[Cell, int]
    grids: tuple[Key, ...]  # in the order they were built
    changed: tuple[Cell, ...]
    dropped: tuple[Cell, ...]
