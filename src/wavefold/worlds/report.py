"""Counts of the work of a world since it was opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from wavefold.worlds.plan import STAGES


@dataclass(frozen=True, slots=True)
class StageReport:
    """The outcomes of the windows of one stage."""

    solved: int = 0  # as a whole
    solved_in_blocks: int = 0  # too hard as a whole: at least one block was solved
    unchanged: int = 0  # not even one block was solved
    blocks: int = 0  # that were tried
    blocks_unchanged: int = 0  # and not solved
    refined: int = 0  # without being solved again before
    proposals: int = 0  # small parts that refining proposed again
    accepted: int = 0  # of these

    @property
    def windows(self) -> int:
        """All windows of the stage."""
        return self.solved + self.solved_in_blocks + self.unchanged + self.refined


@dataclass(frozen=True, slots=True)
class WorldReport:
    """Windows generated since the world was opened, by stage.

    soft_masks_asked : cells of chunks generated since then whose fields exclude some pattern
    soft_masks_met : the cells among them with a pattern that the fields allow; edits do not count
    """

    corner: StageReport
    edge: StageReport
    joint: StageReport
    interior: StageReport
    soft_masks_asked: int = 0
    soft_masks_met: int = 0

    @classmethod
    def from_counts(cls, counts: Mapping[tuple[str, str], int], asked: int, met: int) -> WorldReport:
        """Build a report from {(stage, field of StageReport): count} and the two counts of soft masks."""
        names = StageReport.__dataclass_fields__
        stages = {
            stage: StageReport(**{name: counts.get((stage, name), 0) for name in names}) for stage in STAGES
        }
        return cls(**stages, soft_masks_asked=asked, soft_masks_met=met)

    @property
    def _stages(self) -> tuple[StageReport, ...]:
        return self.corner, self.edge, self.joint, self.interior

    @property
    def windows(self) -> int:
        """How many windows were generated."""
        return sum(stage.windows for stage in self._stages)

    @property
    def unchanged(self) -> int:
        """Windows and blocks that could not be solved and keep their old patterns."""
        return sum(stage.unchanged + stage.blocks_unchanged for stage in self._stages)

    def to_dict(self) -> dict[str, object]:
        """Plain data, for JSON."""
        return asdict(self) | {"windows": self.windows, "unchanged": self.unchanged}
