"""The joins "overlap" and "editable": a ring of the neighbours' cells is solved with the new grid.

With "editable", the neighbours keep their tiles where possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from wavefold.errors import ConfigError
from wavefold.options.values import parse_in_range
from wavefold.patchwork.join import Join, JoinContext, JoinResult
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.region import CellRegion
from wavefold.solver.edit.map_repair import iterate_radii

RINGS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
MOST_FIRST_RINGS = 3  # that are freed on all sides before whole neighbours are


@dataclass(frozen=True)
class Overlap(Join):
    """Ring 1 of the neighbours is solved with the grid, and ring 2 is fixed. If that fails, more are freed.

    If a few rings are not enough, whole neighbours are freed one after another, before more rings are.

    ring : the number of free rings at first
    widest : the most free rings (up to 64)
    """

    name: ClassVar[str] = "overlap"

    ring: int = 1
    widest: int = 64

    def __post_init__(self) -> None:
        parse_in_range("widest of a join", self.widest, 1, RINGS[-1])
        parse_in_range("ring of a join", self.ring, 1, self.widest)

    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        new, result = context.plan.cells(key), JoinResult()
        for result.widened, freed, position in self.openings(context, key):
            for region in self.regions(context, new, freed):
                tried = context.solve(region, result, context.retries.attempts, *key, *position)
                if tried.patterns is not None:
                    result.patterns = self.improve(context, region, tried.patterns, *key, *position)
                    return result
        why = f"not with {position[0]} rings of its neighbours free" if freed else "not even alone"
        raise context.build_error(key, why, tried.is_proof and not region.fixed, region.free)

    def openings(self, context: JoinContext, key: Key) -> Iterator[tuple[int, list[Cell], tuple[int, ...]]]:
        """Yield the cells to free next, with the number of earlier rings and numbers for seeds."""
        plan, freed = context.plan, list[Cell]()

        def free_ring(ring: int) -> bool:
            cells = context.list_populated(plan.ring(key, ring))
            freed.extend(cells)
            return bool(cells)

        sectors = [
            cells for other in plan.neighbours(key) if (cells := context.list_populated(plan.cells(other)))
        ]
        if 2 * plan.radius + 1 > self.widest:
            sectors = []
        radii = (self.ring, *(ring for ring in RINGS if self.ring < ring <= self.widest))
        for widened, radius in enumerate(iterate_radii(radii, free_ring)):
            if widened and radius > MOST_FIRST_RINGS:
                yield from ((widened, sector, (0, number)) for number, sector in enumerate(sectors))
                sectors = []
            yield widened, list(freed), (radius,)

    def regions(self, context: JoinContext, new: list[Cell], freed: list[Cell]) -> list[CellRegion]:
        """Return the regions to try in this order, with these cells of neighbours free."""
        cells = [*new, *freed]
        return [context.region(cells, context.around(cells))]

    def improve(
        self, context: JoinContext, region: CellRegion, found: dict[Cell, int], *position: int
    ) -> dict[Cell, int]:
        """Return the solution of a region, or a better one."""
        return found


@dataclass(frozen=True)
class Editable(Overlap):
    """Like `Overlap`, but the old tiles of neighbours are preferred.

    First, every cell of the ring gets its old tile, the outermost first, unless that would empty a cell. In
    the search, cells that lost their old tile come first, and old tiles have a larger weight. If that fails,
    the search is repeated without restoring tiles first. At the end, unnecessary changes are undone.

    preference : the factor on the weight of old tiles
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

    def improve(
        self, context: JoinContext, region: CellRegion, found: dict[Cell, int], *position: int
    ) -> dict[Cell, int]:
        """Solve the region again with the old tiles of changed cells restored first, while fewer change.

        These solves do not count as attempts.
        """
        changed = list_changed(region, found)
        while changed:
            first = {cell: region.previous[cell] for cell in changed}
            again = region._replace(previous=first | {**region.previous}, restore_first=True)
            tried = context.solve(again, JoinResult(), 1, *position)
            if tried.patterns is None or len(now := list_changed(region, tried.patterns)) >= len(changed):
                break
            found, changed = tried.patterns, now
        return found


def list_changed(region: CellRegion, found: dict[Cell, int]) -> list[Cell]:
    """List the cells of a region that do not have their previous pattern."""
    return [cell for cell, old in region.previous.items() if found[cell] != old]
