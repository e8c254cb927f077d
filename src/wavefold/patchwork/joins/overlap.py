"""overlap: a ring of the neighbours' cells is solved along with the new grid, the next ring is held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wavefold.patchwork.ground import Ground, Grown
from wavefold.patchwork.joins.base import Join, check_number, hopeless
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.workbench import Task

__all__ = ["Overlap"]

RINGS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # a step that is small beside those before would not help


@dataclass(frozen=True)
class Overlap(Join):
    """Ring 1 of the neighbours is solvable and ring 2 is frozen; where that fails, the rings move outwards.

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
        opened: list[Cell] = []
        reached = 0
        for far in (self.ring, *(ring for ring in RINGS if self.ring < ring <= self.widest)):
            rings = [ground.populated(ground.plan.ring(key, each)) for each in range(reached + 1, far + 1)]
            more = [cell for ring in rings for cell in ring]
            if reached and not more:
                break  # there is nothing left to open
            opened, reached = opened + more, far
            for task in self.tasks(ground, new, opened):
                tried = ground.solve(task, grown, ground.retries.attempts, *key, far)
                if tried.patterns is not None:
                    grown.patterns = tried.patterns
                    return grown
            grown.widened += 1
        why = f"not with {reached} rings of its neighbours open" if opened else "not even alone"
        raise hopeless(key, why, tried.is_proof and not opened)

    def tasks(self, ground: Ground, new: list[Cell], opened: list[Cell]) -> list[Task]:
        """What to try with these cells of neighbours open, in turn."""
        cells = [*new, *opened]
        return [ground.task(cells, ground.around(cells))]
