"""whole: all grids in one solve, so there is nothing to join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from wavefold.patchwork.ground import Ground, Grown
from wavefold.patchwork.joins.base import Join, hopeless
from wavefold.patchwork.joins.overlap import Overlap
from wavefold.patchwork.plan import Key

__all__ = ["Whole"]


@dataclass(frozen=True)
class Whole(Join):
    """Grids that are populated together on an empty map are solved as one, then handed to their owners.

    grow : the join with which the map grows afterwards
    """

    name: ClassVar[str] = "whole"
    islands: ClassVar[bool] = True

    grow: Join = field(default_factory=Overlap)

    def populate(self, ground: Ground, key: Key) -> Grown:
        return self.grow.populate(ground, key) if ground.patterns else self._together(ground, [key])

    def populate_together(self, ground: Ground, keys: Sequence[Key]) -> Grown | None:
        return self._together(ground, keys)

    def _together(self, ground: Ground, keys: Sequence[Key]) -> Grown:
        # In one order whatever the order of the keys: that of a map is not to show in it.
        cells = [cell for key in sorted(keys) for cell in ground.plan.cells(key)]
        grown = Grown()
        tried = ground.solve(ground.task(cells, ()), grown, ground.retries.attempts, len(keys))
        if tried.patterns is None:
            why = "nothing fits there at all" if tried.is_proof else "no map was found"
            raise hopeless(keys[0], f"in one solve of {len(cells):,} cells {why}", tried.is_proof)
        grown.patterns = tried.patterns
        return grown
