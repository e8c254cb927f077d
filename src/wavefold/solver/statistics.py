"""Statistics of solving and of refining."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c


@dataclass(frozen=True, slots=True)
class Share:
    """The target share of a tile in a map, and the result.

    reachable : the share nearest to the target, before the first sweep or after any sweep
    why : the known cause, if a target of `Shares` was missed by more than the tolerance
    """

    asked: float
    seen: float
    reachable: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Refinement:
    """The results of refining; the same on every machine."""

    sweeps: int = 0
    proposed: int = 0  # cells
    windows: int = 0
    accepted: int = 0  # windows
    dead_ends: int = 0  # windows without a solution
    changed: int = 0  # cells
    shares: dict[str, Share] = field(default_factory=dict)  # by tile, or by the names of `Shares`
    missed: tuple[str, ...] = ()  # names of `Shares` that missed their target by more than the tolerance
    left_out: str = ""  # why the map was not refined


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of one solve so far. All but `seconds` are the same on every machine."""

    decisions: int = 0  # including undone decisions
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
        """Targets and results of refining, by tile; empty if the map was not refined."""
        return {} if self.refinement is None else self.refinement.shares

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return asdict(self)


def read_counts(state: NDArray[np.int64], tally: NDArray[np.int64]) -> dict[str, Any]:
    """Return the counts of kernels, `Wave.state` and `CellQueue.tally`, as arguments of `Statistics`."""
    stages = {"first": c.SHORT_FIRST, "second": c.SHORT_SECOND}
    stages |= {"combined": c.SHORT_COMBINED, "final": c.SHORT_FINAL}
    compared = int(tally[c.SHORT_COUNT])
    return {
        "decisions": int(state[c.DECISIONS]),
        "contradictions": int(state[c.CONTRADICTIONS]),
        "backtracks": int(state[c.BACKTRACKS]),
        "jumps": int(state[c.JUMPS]),
        "max_depth": int(state[c.DEEPEST]),
        "shortlists": {name: int(tally[i]) / compared for name, i in stages.items()} if compared else {},
    }
