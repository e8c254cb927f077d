"""The interface of joins: their view of the map, how they solve a part of it, and their result.

Also rebuilds a disk of a map.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from wavefold.errors import ConfigError, Contradiction, OutOfBudget, WavefoldError
from wavefold.fields import Fields
from wavefold.kernels.host.seeding import mix
from wavefold.options.values import parse_in_range
from wavefold.patchwork.arguments import Retries
from wavefold.patchwork.plan import Cell, GridPlan, Key
from wavefold.patchwork.region import CellAttempt, CellRegion, GridTargets, solve_cell_region
from wavefold.plugins.registry import find
from wavefold.tiles import TileSet

# Each attempt drops soft masks within this number of steps of the conflict; the last one drops all.
DROPPED_RADII = (2, 3, 4, 6, 8, 12)
MOST_PRESETS = 8  # in a message
LARGEST_REBUILD = 64  # radius
REBUILD = -1  # in the seeds of a rebuild; those of grids have only numbers from 0 after the key

Made = TypeVar("Made")


@dataclass
class JoinResult:
    """The result of a join.

    patterns : of new and changed cells; all others stay
    dropped : cells that keep their pattern but no longer constrain their neighbours
    attempts, … : counts, as `patchwork.state.Counts` describes them
    """

    patterns: dict[Cell, int] = field(default_factory=dict)
    dropped: list[Cell] = field(default_factory=list)
    attempts: int = 0
    backtracks: int = 0
    unfixed: int = 0
    replaced: int = 0
    repaired: int = 0
    widened: int = 0


class JoinContext:
    """The view of a map for joins, which must not change it.

    patterns : {cell: pattern} of all populated cells
    dropped : cells that no longer constrain their neighbours
    refine : sweeps for each grid, for joins that refine their grids themselves
    """

    def __init__(
        self,
        tiles: TileSet,
        plan: GridPlan,
        seed: int,
        retries: Retries,
        fields: Fields | None,
        pins: Mapping[Cell, Any],
        refine: int = 0,
    ) -> None:
        self.tiles, self.plan, self.seed, self.retries = tiles, plan, seed, retries
        self.rules = tiles.rules
        self.fields, self.pins, self.refine = fields, pins, refine
        self.patterns: dict[Cell, int] = {}
        self.dropped: dict[Cell, None] = {}
        self.targets = None if fields is None else GridTargets(tiles, plan, fields)
        self._required = {}  # {cell: [word]} the patterns of its preset
        for cell, tile in pins.items():
            names = tile if isinstance(tile, list | set | frozenset) else [tile]
            patterns = np.concatenate([self.rules.patterns(name) for name in names])
            self._required[cell] = self.rules.words_for(np.unique(patterns))
        self._shared: dict[str, Any] = {}

    def get_or_make(self, name: str, make: Callable[[], Made]) -> Made:
        """Return a value that a join needs repeatedly, created once per map."""
        if name not in self._shared:
            self._shared[name] = make()
        made: Made = self._shared[name]
        return made

    def list_populated(self, cells: Iterable[Cell]) -> list[Cell]:
        """List the populated cells among these that are not dropped."""
        return [cell for cell in cells if cell in self.patterns and cell not in self.dropped]

    def around(self, cells: Collection[Cell]) -> dict[Cell, None]:
        """Return the other populated cells that touch these cells, without dropped ones."""
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
        replacements: Mapping[Cell, int] | None = None,
        **more: Any,
    ) -> CellRegion:
        """Build a region with the soft masks, weights and pins of the map.

        replacements : patterns of fixed cells that differ from those of the map
        """
        replaced = replacements or {}
        patterns = {cell: replaced[cell] if cell in replaced else self.patterns[cell] for cell in fixed}
        inside = dict.fromkeys(free)
        required = {cell: words for cell, words in self._required.items() if cell in inside}
        if self.targets is not None:
            more["preferred"] = self.targets.masks_of(inside)
            more["weights"] = self.targets.weights_of(inside)
        return CellRegion(tuple(inside), patterns, required, **more)

    def solve(self, region: CellRegion, result: JoinResult, seeds: int, *position: int) -> CellAttempt:
        """Try to solve a region with this many seeds; ends after a proof that there is no solution.

        Soft masks that can be applied one by one may have no solution together. Then masks near the conflict
        are dropped, then more, and finally all. If nothing fits even without masks, this is skipped.
        """
        for stage, radius in enumerate(DROPPED_RADII if region.preferred else ()):
            tried = self._attempt(region, result, stage, position)
            if tried.patterns is not None or tried.at_root:
                return tried
            region = region._replace(
                preferred={
                    cell: words
                    for cell, words in region.preferred.items()
                    if tried.conflict is not None and self.plan.distance(cell, tried.conflict) > radius
                }
            )
        region = region._replace(preferred={})
        for attempt in range(seeds):
            tried = self._attempt(region, result, attempt, position)
            if tried.patterns is not None or tried.is_proof:
                break
        return tried

    def solve_differently(
        self,
        region: CellRegion,
        before: Mapping[Cell, int],
        result: JoinResult,
        seeds: int,
        *position: int,
    ) -> dict[Cell, int] | None:
        """Find a solution of a region that differs from the old patterns; None if no seed finds one."""
        for attempt in range(seeds):
            tried = self.solve(region, result, 1, *position, attempt)
            if tried.patterns is not None and tried.patterns != before:
                return tried.patterns
            if tried.is_proof:
                break
        return None

    def _attempt(
        self, region: CellRegion, result: JoinResult, attempt: int, position: tuple[int, ...]
    ) -> CellAttempt:
        without = getattr(self.tiles, "ground_pattern", None)
        tried = solve_cell_region(self.rules, region, mix(self.seed, *position), attempt, without)
        result.attempts += 1
        result.backtracks += tried.backtracks
        result.repaired += tried.reopened
        return tried

    def build_error(self, key: Key, why: str, is_proof: bool, cells: Collection[Cell]) -> WavefoldError:
        """Build the error of a grid that could not be joined; a proof never depends on a neighbour.

        cells : cells whose presets may be the reason
        """
        text = f"grid {key} could not be joined: {why}; the map is unchanged"
        if not is_proof:
            return OutOfBudget(f"{text}. Try another seed, more retries, or another join")
        inside = set(cells)
        presets = [f"{cell}: {tile!r}" for cell, tile in self.pins.items() if cell in inside]
        if not presets:
            return Contradiction(f"{text}. These tiles allow no such grid")
        more = f" and {len(presets) - MOST_PRESETS} more" if len(presets) > MOST_PRESETS else ""
        listed = ", ".join(presets[:MOST_PRESETS])
        return Contradiction(f"{text}. These tiles do not allow the presets {{{listed}}}{more}")


@dataclass(frozen=True)
class Join(ABC):
    """A way to join a grid to earlier grids. Instances are frozen and have no state.

    To add a join, register a subclass as an entry point of "wavefold.join", or pass an instance as
    `Patchwork(join=...)`. A join reads the map from the `JoinContext`, which it must not change.
    """

    name: ClassVar[str]
    islands: ClassVar[bool] = False  # whether a grid may touch no other grid
    grows_from_seed: ClassVar[bool] = False  # whether a grid depends only on the seed, not on neighbours

    @abstractmethod
    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        """Make one grid. Raises `WavefoldError` if that is not possible."""

    def populate_together(self, context: JoinContext, keys: Sequence[Key]) -> JoinResult | None:
        """Make several grids together, around those of the map; None if they must be made one by one."""
        return None

    def beyond(self, context: JoinContext, cells: Iterable[Cell]) -> dict[Cell, int]:
        """Return {cell: pattern} of the unpopulated cells among these whose pattern is already certain."""
        return {}

    @property
    def growth(self) -> Join:
        """The join for further grids of a map; `Whole` has a separate one."""
        return self


def resolve_join(join: Any, grow: Any = "overlap", argument: str = "join") -> Join:
    """Return a join by name, or a `Join` unchanged.

    grow : the join for further grids, for joins that have one
    argument : the name of the argument in messages
    """
    growing = grow if isinstance(grow, Join) or grow == "overlap" else resolve_join(grow, argument="grow")
    if isinstance(join, Join):
        if not isinstance(getattr(join, "name", None), str):
            raise ConfigError(
                f'the join {type(join).__name__} has no name; add one to its class, such as name = "mine"'
            )
        return join
    if not isinstance(join, str):
        raise ConfigError(f"{argument} must be a name, such as 'overlap', or a Join, not {join!r}")
    made = find("join", join)()
    if not isinstance(made, Join):
        raise ConfigError(f"the plugin {join!r} is not a Join: {made!r}")
    return replace(made, grow=resolve_join(growing)) if hasattr(made, "grow") else made  # type: ignore[call-arg]


def rebuild_disk(
    context: JoinContext, join: Join, cell: Cell, radius: object, number: int
) -> dict[Cell, int]:
    """Solve the populated cells of a disk again; returns {cell: pattern} with at least one change.

    number : the number of earlier rebuilds of the map
    """
    size = parse_in_range("the radius of a rebuild", radius, 0, LARGEST_REBUILD)
    if cell not in context.patterns:
        raise ConfigError(f"cell {cell} is not populated")
    inside = {
        each: context.patterns[each] for each in context.plan.disk(cell, size) if each in context.patterns
    }
    later = join.beyond(context, [each for each in context.plan.disk(cell, size + 1) if each not in inside])
    # Solve dropped cells with the disk if possible; otherwise all but the named one stay.
    sound = {each: old for each, old in inside.items() if each not in context.dropped or each == cell}
    for before in [inside, sound] if 0 < len(sound) < len(inside) else [inside]:
        region = context.region(before, [*context.around(before), *later], later)
        seeds, position = 2 * context.retries.replace, (*cell, REBUILD, number)
        found = context.solve_differently(region, before, JoinResult(), seeds, *position)
        if found is not None:
            return found
    if cell in context.dropped:
        raise OutOfBudget(
            f"no solution with a disk of radius {size} makes the dropped cell {cell} fit; nothing was "
            "changed. Try a larger radius"
        )
    raise OutOfBudget(
        f"no other solution was found for the disk of radius {size} around {cell}; nothing was changed. Try "
        "a larger radius"
    )
