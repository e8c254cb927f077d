"""overlap: a ring of the neighbours' cells is solved along with the new grid, the next ring is fixed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from wavefold.patchwork.cell_region import CellRegion
from wavefold.patchwork.join_context import JoinContext, JoinResult
from wavefold.patchwork.joins.base import Join, check_number, failed_join_error
from wavefold.patchwork.plan import Cell, Key
from wavefold.solver.map_repair import widen

RINGS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # a step that is small beside those before would not help

FEW = 3  # rings that are freed all round before whole neighbours are


@dataclass(frozen=True)
class Overlap(Join):
    """Ring 1 of the neighbours is solvable and ring 2 is frozen; where that fails, the rings move outwards.

    Where a few rings are not enough, one neighbour after the other is freed as a whole, down to its far side,
    before more rings are.

    ring : how many rings are solvable at first
    widest : how many at most (up to 64)
    """

    name: ClassVar[str] = "overlap"

    ring: int = 1
    widest: int = 64

    def __post_init__(self) -> None:
        check_number("widest", self.widest, 1, RINGS[-1])
        check_number("ring", self.ring, 1, self.widest)

    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        new, result = context.plan.cells(key), JoinResult()
        for result.widened, freed, position in self.openings(context, key):
            for region in self.regions(context, new, freed):
                tried = context.solve(region, result, context.retries.attempts, *key, *position)
                if tried.patterns is not None:
                    result.patterns = tried.patterns
                    return result
        why = f"not with {position[0]} rings of its neighbours free" if freed else "not even alone"
        raise failed_join_error(key, why, tried.is_proof and not region.fixed, context.pins_in(region.free))

    def openings(self, context: JoinContext, key: Key) -> Iterator[tuple[int, list[Cell], tuple[int, ...]]]:
        """Which cells are freed in turn: how many rings were in vain, the cells, and numbers for seeds."""
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
        for widened, radius in enumerate(widen(radii, free_ring)):
            if widened and radius > FEW:
                yield from ((widened, sector, (0, number)) for number, sector in enumerate(sectors))
                sectors = []
            yield widened, list(freed), (radius,)

    def regions(self, context: JoinContext, new: list[Cell], freed: list[Cell]) -> list[CellRegion]:
        """The regions to try in turn with these cells of neighbours free."""
        cells = [*new, *freed]
        return [context.region(cells, context.around(cells))]
