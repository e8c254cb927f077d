"""whole: all grids in one solve, so there is nothing to join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from wavefold.errors import ConfigError
from wavefold.patchwork.join_context import Ground, Grown
from wavefold.patchwork.joins.base import Join, hopeless
from wavefold.patchwork.joins.overlap import Overlap
from wavefold.patchwork.plan import GridPlan, Key


@dataclass(frozen=True)
class Whole(Join):
    """Grids that are populated together on an empty map are solved as one, then handed to their owners.

    grow : the join with which the map grows afterwards
    """

    name: ClassVar[str] = "whole"
    islands: ClassVar[bool] = True

    grow: Join = field(default_factory=Overlap)

    def __post_init__(self) -> None:
        if not isinstance(self.grow, Join):
            raise ConfigError(f"grow must be a Join, as Overlap(), not {self.grow!r}")
        if self.grow.grows_from_seed:
            raise ConfigError(
                f"a map made whole cannot grow on with {self.grow.name!r}, whose grids look at no neighbour "
                "and would not fit; grow with 'overlap', 'editable' or 'fixed'"
            )

    def populate(self, ground: Ground, key: Key) -> Grown:
        return self.grow.populate(ground, key) if ground.patterns else self._together(ground, [key])

    def populate_together(self, ground: Ground, keys: Sequence[Key]) -> Grown | None:
        return self._together(ground, keys)

    def _together(self, ground: Ground, keys: Sequence[Key]) -> Grown:
        grown = Grown()
        for island in islands(ground.plan, keys):
            cells = [cell for key in island for cell in ground.plan.cells(key)]
            tried = ground.solve(ground.task(cells, ()), grown, ground.retries.attempts, *island[0])
            if tried.patterns is None:
                why = "nothing fits there at all" if tried.is_proof else "no map was found"
                why = f"in one solve of {len(cells):,} cells {why}"
                raise hopeless(island[0], why, tried.is_proof, ground.pins_in(cells))
            grown.patterns |= tried.patterns
        return grown


def islands(plan: GridPlan, keys: Sequence[Key]) -> list[list[Key]]:
    """The keys in groups that touch: what does not touch need not be solved together.

    In one order whatever the order of the keys, which is not to show in a map.
    """
    left, found = dict.fromkeys(sorted(keys)), []
    while left:
        island = [left.popitem()[0]]
        for key in island:  # which grows meanwhile
            for other in plan.neighbours(key):
                if other in left:
                    del left[other]
                    island.append(other)
        found.append(sorted(island))
    return found
