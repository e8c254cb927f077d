"""What a join sees of the map, how often it may try, and what it returns. It changes nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, suggest
from wavefold.fields import Fields
from wavefold.patchwork.cell_region import CellAttempt, CellRegion, solve_cell_region
from wavefold.patchwork.plan import Cell, GridPlan
from wavefold.patchwork.targets import GridTargets
from wavefold.tiles import TileSet

# Soft masks within this many steps of a conflict are dropped, attempt by attempt; at last all are.
DROPPED_RADII = (2, 3, 4, 6, 8, 12)


MOST_RETRIES = 10_000


@dataclass(frozen=True, slots=True)
class Retries:
    """Seeds per phase.

    attempts : for a grid, before the ring is widened or cells are replaced
    replace : for each disk around a conflict that is re-solved (`fixed` alone)
    drop : for the grid after each cell that is dropped (`fixed` alone)
    """

    attempts: int = 3
    replace: int = 5
    drop: int = 2

    def __post_init__(self) -> None:
        for each in fields(self):
            value = parse_integer(getattr(self, each.name))
            if value is None or not 1 <= value <= MOST_RETRIES:
                raise ConfigError(
                    f"retries: {each.name} must be a whole number from 1 to {MOST_RETRIES:,}, "
                    f"not {getattr(self, each.name)!r}"
                )

    @classmethod
    def of(cls, given: Any) -> Retries:
        """Retries as people write them: a number for all phases, {"replace": 3}, or the whole thing."""
        if given is None:
            return cls()
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            names = [each.name for each in fields(cls)]
            for name in given:
                if name not in names:
                    raise ConfigError(f"unknown phase {name!r} in retries; {suggest(name, names)}")
            return cls(**given)
        return cls(given, given, given)


@dataclass
class JoinResult:
    """What a join found: patterns of new cells and of old ones that changed, and the effort it took."""

    patterns: dict[Cell, int] = field(default_factory=dict)
    dropped: list[Cell] = field(default_factory=list)
    attempts: int = 0
    backtracks: int = 0
    unfixed: int = 0
    replaced: int = 0
    repaired: int = 0
    widened: int = 0

    def count(self, tried: CellAttempt) -> None:
        """Add one attempt."""
        self.attempts += 1
        self.backtracks += tried.backtracks
        self.repaired += tried.reopened


class JoinContext:
    """A map as joins see it.

    patterns : {cell: pattern} of every populated cell; never write to it
    dropped : cells that no longer constrain their neighbours
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
        self.targets = None if fields is None else GridTargets(tiles, plan, fields)
        self._required = {
            cell: self.rules.words_for(find_patterns(tiles, tile)) for cell, tile in pins.items()
        }
        self._shared: dict[str, Any] = {}

    def get_or_make(self, name: str, make: Callable[[], Any]) -> Any:
        """A value a join needs again and again, made once per map."""
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    def list_populated(self, cells: Iterable[Cell]) -> list[Cell]:
        """Those of these cells that hold a pattern and were not dropped."""
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

    def region(
        self,
        free: Collection[Cell],
        fixed: Iterable[Cell],
        draft: Mapping[Cell, int] | None = None,
        **more: Any,
    ) -> CellRegion:
        """The region of these cells, with soft masks, weights and pins as they are here.

        draft : patterns that fixed cells have by now, where these are not those of the map
        """
        drafted = draft or {}
        patterns = {cell: drafted[cell] if cell in drafted else self.patterns[cell] for cell in fixed}
        inside = dict.fromkeys(free)
        required = {cell: words for cell, words in self._required.items() if cell in inside}
        if self.targets is not None:
            more["preferred"] = self.targets.masks_of(inside)
            more["weights"] = self.targets.weights_of(inside)
        return CellRegion(tuple(inside), patterns, required, **more)

    def solve(self, region: CellRegion, result: JoinResult, seeds: int, *position: int) -> CellAttempt:
        """Try a region with so many seeds; what is proved impossible is not tried again.

        Soft masks that can be applied one by one may have no solution together. Those near the conflict are
        dropped, more and more of them, and at last all. Where nothing fits even without them, none are tried.
        """
        for stage, radius in enumerate(DROPPED_RADII if region.preferred else ()):
            tried = self._attempt(region, result, stage, position)
            if tried.patterns is not None or tried.at_root:
                return tried
            region = region._replace(preferred=self._far_from(tried.conflict, radius, region.preferred))
        region = region._replace(preferred={})
        for attempt in range(seeds):
            tried = self._attempt(region, result, attempt, position)
            if tried.patterns is not None or tried.is_proof:
                break
        return tried

    def _attempt(
        self, region: CellRegion, result: JoinResult, attempt: int, position: tuple[int, ...]
    ) -> CellAttempt:
        without = getattr(self.tiles, "ground_pattern", None)
        tried = solve_cell_region(self.rules, region, mix(self.seed, *position), attempt, without)
        result.count(tried)
        return tried

    def _far_from(
        self, conflict: Cell | None, radius: int, masks: Mapping[Cell, NDArray[np.uint64]]
    ) -> dict[Cell, NDArray[np.uint64]]:
        """The soft masks that are not near a conflict."""
        if conflict is None:
            return {}
        distance = self.plan.distance
        return {cell: words for cell, words in masks.items() if distance(cell, conflict) > radius}


def find_patterns(tiles: TileSet, tile: Any) -> NDArray[np.int64]:
    """The patterns a name stands for, or a list of names."""
    if isinstance(tile, list | set | frozenset):
        return np.unique(np.concatenate([tiles.rules.patterns(each) for each in tile]))
    return tiles.rules.patterns(tile)
