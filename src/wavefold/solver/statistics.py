"""Counts of a solve: what it took, and what refining did."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants


@dataclass(frozen=True, slots=True)
class Share:
    """How much of a map is a tile: what was asked, and what came out.

    reachable : the nearest to what was asked that the map had, before the first sweep or after any
    why : if what `Shares` asked for was missed by more than its tolerance: what is known to prevent it
    """

    asked: float
    seen: float
    reachable: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Refinement:
    """What refining did. Everything is the same on every machine."""

    sweeps: int = 0
    proposed: int = 0  # cells
    windows: int = 0
    accepted: int = 0  # windows
    dead_ends: int = 0  # windows for which nothing was found
    changed: int = 0  # cells
    shares: dict[str, Share] = field(default_factory=dict)  # by tile, or as `Shares` names them
    missed: tuple[str, ...] = ()  # names of `Shares` that are farther from what was asked than its tolerance
    left_out: str = ""  # why the map was not refined


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of one solve so far. Everything but `seconds` is the same on every machine."""

    decisions: int = 0  # every choice made, undone ones included
    contradictions: int = 0
    backtracks: int = 0
    jumps: int = 0
    repairs: int = 0
    restarts: int = 0
    max_depth: int = 0
    order: str = ""
    propagation: str = ""
    rungs: tuple[str, ...] = ()  # the rungs of the ladder that were used, in order
    shortlists: dict[str, float] = field(default_factory=dict)  # stage -> cells compared, on average
    seconds: dict[str, float] = field(default_factory=dict)  # phase -> wall-clock time
    refinement: Refinement | None = None

    @property
    def shares(self) -> dict[str, Share]:
        """What refining was asked for and what came out, by tile; empty if the map was not refined."""
        return {} if self.refinement is None else self.refinement.shares

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self)


def read_counts(state: NDArray[np.int64], tally: NDArray[np.int64]) -> dict[str, Any]:
    """The counts of kernels, `Wave.state` and `CellQueue.tally`, as arguments of `Statistics`."""
    stages = {"first": constants.SHORT_FIRST, "second": constants.SHORT_SECOND}
    stages |= {"combined": constants.SHORT_COMBINED, "final": constants.SHORT_FINAL}
    compared = int(tally[constants.SHORT_COUNT])
    return {
        "decisions": int(state[constants.DECISIONS]),
        "contradictions": int(state[constants.CONTRADICTIONS]),
        "backtracks": int(state[constants.BACKTRACKS]),
        "jumps": int(state[constants.JUMPS]),
        "max_depth": int(state[constants.DEEPEST]),
        "shortlists": {name: int(tally[i]) / compared for name, i in stages.items()} if compared else {},
    }
