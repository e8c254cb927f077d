"""overlap: a ring of the neighbours' cells is solved along with the new grid, the next ring is held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wavefold.patchwork.ground import Ground, Grown
from wavefold.patchwork.joins.base import Join, hopeless
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.workbench import Task

__all__ = ["Overlap"]


@dataclass(frozen=True)
class Overlap(Join):
    """Ring 1 of the neighbours is solvable and ring 2 is frozen; where that fails, the rings move outwards.

    ring : how many rings are solvable at first
    widest : how many at most
    """

    name: ClassVar[str] = "overlap"

    ring: int = 1
    widest: int = 8

    def populate(self, ground: Ground, key: Key) -> Grown:
        new, grown = ground.plan.cells(key), Grown()
        opened: list[Cell] = []
        for far in range(1, max(self.ring, self.widest) + 1):
            more = ground.populated(ground.plan.ring(key, far))
            opened += more
            if far < self.ring and more:
                continue
            for task in self.tasks(ground, new, opened):
                tried = ground.solve(task, grown, ground.retries.attempts, *key, far)
                if tried.patterns is not None:
                    grown.patterns = tried.patterns
                    return grown
            if not more:
                break  # there is nothing left to open
            grown.widened += 1
        raise hopeless(key, f"not with {far} rings of its neighbours open")

    def tasks(self, ground: Ground, new: list[Cell], opened: list[Cell]) -> list[Task]:
        """What to try with these cells of neighbours open, in turn."""
        cells = [*new, *opened]
        return [ground.task(cells, ground.around(cells))]
