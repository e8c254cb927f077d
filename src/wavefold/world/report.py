"""What a world did so far, in numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wavefold.world.generator import Maker


STAGES = ("corner", "edge", "joint", "interior")


@dataclass(frozen=True, slots=True)
class StageReport:
    """Windows of one stage."""

    renewed: int = 0  # made anew as a whole
    swept: int = 0  # made anew in small windows
    kept: int = 0  # as they were before
    small_windows: int = 0
    small_windows_kept: int = 0


@dataclass(frozen=True, slots=True)
class WorldReport:
    """Windows that were made since the world was opened, by stage.

    wishes_asked, wishes_met : cells of chunks made since then whose fields leave out some pattern, and those
        of them that follow. Edits come later, and are no concern of theirs
    """

    corner: StageReport
    edge: StageReport
    joint: StageReport
    interior: StageReport
    wishes_asked: int = 0
    wishes_met: int = 0

    @classmethod
    def of(cls, maker: Maker) -> WorldReport:
        """What a maker counted."""
        counts = dict(maker.outcomes)
        stages = {}
        for stage in STAGES:
            names = ("renewed", "swept", "kept", "small windows", "small windows kept")
            stages[stage] = StageReport(*(counts.get((stage, name), 0) for name in names))
        return cls(**stages, wishes_asked=maker.wishes_asked, wishes_met=maker.wishes_met)

    @property
    def _stages(self) -> tuple[StageReport, ...]:
        return self.corner, self.edge, self.joint, self.interior

    @property
    def windows(self) -> int:
        """How many windows were made."""
        return sum(stage.renewed + stage.swept + stage.kept for stage in self._stages)

    @property
    def kept(self) -> int:
        """Windows, small ones included, that kept their witness."""
        return sum(stage.kept + stage.small_windows_kept for stage in self._stages)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self) | {"windows": self.windows, "witnesses_kept": self.kept}
