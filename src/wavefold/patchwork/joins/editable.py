"""editable: as overlap, but the neighbours keep their tiles wherever possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from wavefold.errors import ConfigError
from wavefold.patchwork.cell_region import CellRegion
from wavefold.patchwork.join_context import JoinContext
from wavefold.patchwork.joins.overlap import Overlap
from wavefold.patchwork.plan import Cell


@dataclass(frozen=True)
class Editable(Overlap):
    """The ring of the neighbours is solvable, but old tiles are preferred.

    First every cell of the ring gets its old tile back, the outermost first, unless that leaves some cell
    without a pattern. In the search, cells that lost their old tile come first, and old tiles weigh tenfold.
    If that fails, the search is tried without restoring tiles first. At the end, tiles that changed without
    need are restored.

    preference : how much more the old tile of a cell weighs
    """

    name: ClassVar[str] = "editable"

    preference: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.preference, int | float) or not 1 <= self.preference <= 1e6:
            raise ConfigError(f"preference must be a number from 1 to 1,000,000, not {self.preference!r}")

    def regions(self, context: JoinContext, new: list[Cell], freed: list[Cell]) -> list[CellRegion]:
        cells = [*new, *freed]
        previous = {cell: context.patterns[cell] for cell in reversed(freed)}
        known: dict[str, Any] = {"previous": previous, "previous_weight": self.preference}
        fixed = context.around(cells)
        return [
            context.region(cells, fixed, **known, restore_first=restore_first)
            for restore_first in (True, False)[: 1 + bool(previous)]
        ]
