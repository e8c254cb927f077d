"""What a solve did, in numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Statistics"]


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

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self)
