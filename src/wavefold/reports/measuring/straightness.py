"""Straightness: the longest straight line, edge and diagonal, compared with chance.

By chance means: if a run went on with the same probability at each cell, the usual one of its kind. Then
lengths are distributed geometrically, and the longest of many has a known length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.reports.measuring.lines import DIAGONAL, EDGE, LINE, PatternLabels, find_runs

EULER = 0.5772156649015329


@dataclass(frozen=True, slots=True)
class Straightness:
    """The longest straight run of one kind, in all maps."""

    kind: str  # "lines", "edges" or "diagonals"
    longest: int  # cells
    by_chance: float  # cells

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self) | {"by_chance": round(self.by_chance, 1)}

    def __str__(self) -> str:
        return f"{self.kind} up to {self.longest} cells (by chance {self.by_chance:.0f})"


def measure_straightness(
    labels: PatternLabels, arrays: Sequence[NDArray[np.int64]]
) -> tuple[Straightness, ...]:
    """The longest runs in maps of one set; kinds that the maps do not have are left out."""
    lengths: dict[str, list[NDArray[np.int64]]] = {LINE: [], EDGE: [], DIAGONAL: []}
    for array in arrays:
        for trace in labels.traces(array):
            lengths[trace.kind].append(find_runs(trace.codes, trace.step, 1).length)
    whole = {kind: np.concatenate(each) for kind, each in lengths.items()}
    return tuple(
        Straightness(kind, int(each.max()), expect_longest(each.size, int(each.sum())))
        for kind, each in whole.items()
        if each.size
    )


def expect_longest(runs: int, cells: int) -> float:
    """The longest of so many runs with so many cells in all, on average, if lengths are geometric."""
    if cells == runs:
        return 1.0
    return 0.5 + (log(runs) + EULER) / -log(1 - runs / cells)
