"""What a join sees of the map: it reads, tries, and hands back what it made. It changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.fields import Fields
from wavefold.patchwork.plan import Cell, GridPlan
from wavefold.patchwork.retries import Retries
from wavefold.patchwork.wishes import FieldWishes
from wavefold.patchwork.workbench import Task, Tried, Workbench, workbench_for
from wavefold.tiles import TileSet

GIVING_WAY = (2, 3, 4, 6, 8, 12)  # how near a conflict wishes are given up, attempt by attempt


@dataclass
class Grown:
    """What a join made: new cells, old ones that changed, and what it took."""

    patterns: dict[Cell, int] = field(default_factory=dict)
    dropped: list[Cell] = field(default_factory=list)
    attempts: int = 0
    backtracks: int = 0
    unfixed: int = 0
    replaced: int = 0
    repaired: int = 0
    widened: int = 0

    def count(self, tried: Tried) -> None:
        """Add one attempt."""
        self.attempts += 1
        self.backtracks += tried.backtracks
        self.repaired += tried.repaired


class Ground:
    """A map as joins see it.

    patterns : {cell: pattern} of every populated cell; never write to it
    dropped : cells that were given up: they constrain nothing
    """

    def __init__(
        self,
        tiles: TileSet,
        plan: GridPlan,
        seed: int,
        retries: Retries,
        fields: Fields | None,
        pins: Mapping[Cell, Any],
    ) -> None:
        self.tiles, self.plan, self.seed, self.retries = tiles, plan, seed, retries
        self.rules = tiles.rules
        self.fields, self.pins = fields, pins
        self.patterns: dict[Cell, int] = {}
        self.dropped: dict[Cell, None] = {}
        self.wishes = None if fields is None else FieldWishes(tiles, plan, fields)
        self._musts = {cell: self.rules.words_for(named(tiles, tile)) for cell, tile in pins.items()}
        self._shared: dict[str, Any] = {}

    @property
    def workbench(self) -> Workbench:
        """Where this thread solves."""
        return workbench_for(self.rules, getattr(self.tiles, "ground_pattern", None))

    def shared(self, name: str, make: Callable[[], Any]) -> Any:
        """Something a join needs again and again, made once."""
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    def populated(self, cells: Iterable[Cell]) -> list[Cell]:
        """Those of these cells that hold a pattern and have not been given up."""
        return [cell for cell in cells if cell in self.patterns and cell not in self.dropped]

    def pins_in(self, cells: Collection[Cell]) -> dict[Cell, Any]:
        """The presets among these cells."""
        inside = set(cells)
        return {cell: tile for cell, tile in self.pins.items() if cell in inside}

    def around(self, cells: Collection[Cell]) -> dict[Cell, None]:
        """The populated cells that touch these and are none of them, dropped ones left out."""
        inside = cells if isinstance(cells, Mapping | set) else dict.fromkeys(cells)
        patterns, dropped, moves = self.patterns, self.dropped, self.plan.moves
        found: dict[Cell, None] = {}
        for x, y in inside:
            for dx, dy in moves:
                other = (x + dx, y + dy)
                if other in patterns and other not in inside and other not in dropped:
                    found[other] = None
        return found

    def task(
        self,
        opened: Collection[Cell],
        held: Iterable[Cell],
        draft: Mapping[Cell, int] | None = None,
        **more: Any,
    ) -> Task:
        """Solve these cells with those held, wishes and pins as they are here.

        draft : patterns that held cells have by now, where these are not those of the map
        """
        drafted = draft or {}
        now = {cell: drafted[cell] if cell in drafted else self.patterns[cell] for cell in held}
        inside = dict.fromkeys(opened)
        musts = {cell: words for cell, words in self._musts.items() if cell in inside}
        wishes: Mapping[Cell, NDArray[np.uint64]] = {}
        if self.wishes is not None:
            wishes = self.wishes.of(inside)
            more["weights"] = self.wishes.weights_of(inside)
        return Task(tuple(inside), now, musts, wishes, **more)

    def solve(self, task: Task, grown: Grown, seeds: int, *place: int) -> Tried:
        """Try a task with so many seeds; what is proved impossible is not tried again.

        Wishes that hold one by one may have no solution together. Those near the conflict are given up, more
        and more of them, and at last all. Where nothing fits even without them, they are not asked for.
        """
        for stage, radius in enumerate(GIVING_WAY if task.wishes else ()):
            tried = self.workbench.solve(task, mix(self.seed, *place), stage)
            grown.count(tried)
            if tried.patterns is not None or tried.at_root:
                return tried
            task = task._replace(wishes=self._far_from(tried.conflict, radius, task.wishes))
        task = task._replace(wishes={})
        for attempt in range(seeds):
            tried = self.workbench.solve(task, mix(self.seed, *place), attempt)
            grown.count(tried)
            if tried.patterns is not None or tried.is_proof:
                break
        return tried

    def _far_from(
        self, conflict: Cell | None, radius: int, wishes: Mapping[Cell, NDArray[np.uint64]]
    ) -> dict[Cell, NDArray[np.uint64]]:
        """The wishes that are not near a conflict."""
        if conflict is None:
            return {}
        distance = self.plan.distance
        return {cell: words for cell, words in wishes.items() if distance(cell, conflict) > radius}


def named(tiles: TileSet, tile: Any) -> NDArray[np.int64]:
    """The patterns a name stands for, or a list of names."""
    if isinstance(tile, list | set | frozenset):
        return np.unique(np.concatenate([tiles.rules.patterns(each) for each in tile]))
    return tiles.rules.patterns(tile)
