"""overlap: a ring of the neighbours' cells is solved along with the new grid, the next ring is held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from wavefold.patchwork.join_context import Ground, Grown
from wavefold.patchwork.joins.base import Join, check_number, hopeless
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.workbench import Task

RINGS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # a step that is small beside those before would not help

FEW = 3  # rings that are opened all round before whole neighbours are


@dataclass(frozen=True)
class Overlap(Join):
    """Ring 1 of the neighbours is solvable and ring 2 is frozen; where that fails, the rings move outwards.

    Where a few rings are not enough, something has to get out of a hole: before more of them, one neighbour
    after the other is opened as a whole, down to its far side.

    ring : how many rings are solvable at first
    widest : how many at most (up to 64)
    """

    name: ClassVar[str] = "overlap"

    ring: int = 1
    widest: int = 64

    def __post_init__(self) -> None:
        check_number("widest", self.widest, 1, RINGS[-1])
        check_number("ring", self.ring, 1, self.widest)

    def populate(self, ground: Ground, key: Key) -> Grown:
        new, grown = ground.plan.cells(key), Grown()
        for grown.widened, opened, place in self.openings(ground, key):
            for task in self.tasks(ground, new, opened):
                tried = ground.solve(task, grown, ground.retries.attempts, *key, *place)
                if tried.patterns is not None:
                    grown.patterns = tried.patterns
                    return grown
        why = f"not with {place[0]} rings of its neighbours open" if opened else "not even alone"
        raise hopeless(key, why, tried.is_proof and not task.held, ground.pins_in(task.open))

    def openings(self, ground: Ground, key: Key) -> Iterator[tuple[int, list[Cell], tuple[int, ...]]]:
        """What is opened in turn: how many rings were in vain, the cells, and numbers for seeds."""
        plan, opened, reached = ground.plan, list[Cell](), 0
        sectors = [cells for other in plan.neighbours(key) if (cells := ground.populated(plan.cells(other)))]
        if 2 * plan.radius + 1 > self.widest:
            sectors = []
        fars = (self.ring, *(ring for ring in RINGS if self.ring < ring <= self.widest))
        for widened, far in enumerate(fars):
            rings = [ground.populated(plan.ring(key, each)) for each in range(reached + 1, far + 1)]
            more = [cell for ring in rings for cell in ring]
            if reached and not more:
                return  # there is nothing left to open
            if reached and far > FEW:
                yield from ((widened, sector, (0, number)) for number, sector in enumerate(sectors))
                sectors = []
            opened, reached = opened + more, far
            yield widened, opened, (far,)

    def tasks(self, ground: Ground, new: list[Cell], opened: list[Cell]) -> list[Task]:
        """What to try with these cells of neighbours open, in turn."""
        cells = [*new, *opened]
        return [ground.task(cells, ground.around(cells))]
