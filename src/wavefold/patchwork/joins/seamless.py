"""Joins without seams: "whole" solves all grids together, "witness" cuts them from an endless world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from wavefold.errors import ConfigError
from wavefold.patchwork.join import Join, JoinContext, JoinResult
from wavefold.patchwork.joins.fixed import Joining
from wavefold.patchwork.joins.overlap import Overlap
from wavefold.patchwork.plan import Cell, Key
from wavefold.worlds import World

MOST_UNFIXED = 32  # cells around grids, in addition to those in conflicts before the search begins


@dataclass(frozen=True)
class Whole(Join):
    """Solve grids that are populated together as one map, around existing grids.

    The cells of existing grids stay. If it is proved that nothing fits around them, the cells nearest to the
    conflict are *un-fixed* one by one. If there is still no solution, the grids are made one by one, with
    `grow`.

    grow : the join for grids that are populated one by one
    """

    name: ClassVar[str] = "whole"
    islands: ClassVar[bool] = True

    grow: Join = field(default_factory=Overlap)

    def __post_init__(self) -> None:
        if not isinstance(self.grow, Join):
            raise ConfigError(f"grow must be a Join, such as Overlap(), not {self.grow!r}")
        if self.grow.grows_from_seed:
            raise ConfigError(
                f"the join 'whole' cannot grow with {self.grow.name!r}, whose grids ignore their neighbours; "
                "use grow='overlap', 'editable' or 'fixed'"
            )

    @property
    def growth(self) -> Join:
        return self.grow.growth

    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        alone = None if context.patterns else self.populate_together(context, [key])
        return self.grow.populate(context, key) if alone is None else alone

    def populate_together(self, context: JoinContext, keys: Sequence[Key]) -> JoinResult | None:
        """Solve the grids of each part of the map together; None if they do not fit the existing cells."""
        result = JoinResult()
        new = dict.fromkeys(keys)
        there = dict.fromkeys(map(context.plan.owner, context.patterns))
        for island in context.plan.islands([*new, *there]):
            own = [key for key in island if key in new]
            if not own:
                continue
            joining = Joining(context, own, result)
            tried = joining.attempt(context.retries.attempts, *own[0])
            for _ in range(MOST_UNFIXED):
                if not tried.is_proof or not joining.unfix_nearest(tried.conflict):
                    break
                tried = joining.attempt(context.retries.attempts, *own[0])
            if tried.patterns is None:
                if context.list_populated(joining.ring):
                    return None
                why = "there is no solution" if tried.is_proof else "no solution was found"
                why = f"{why} for {len(joining.new):,} cells together"
                raise context.build_error(own[0], why, tried.is_proof, joining.new)
            result.patterns |= tried.patterns
        return result


@dataclass(frozen=True)
class Witness(Join):
    """Cut grids from `World(tiles, seed, chunk, fields=fields, pins=presets, refine=refine)`; never fails.

    A grid depends only on its position. The tiles must have a certificate for an endless world.

    chunk : cells along the side of a chunk of that world
    """

    name: ClassVar[str] = "witness"
    islands: ClassVar[bool] = True
    grows_from_seed: ClassVar[bool] = True

    chunk: int = 64

    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        return JoinResult(self._read(context, context.plan.cells(key)), attempts=1)

    def beyond(self, context: JoinContext, cells: Iterable[Cell]) -> dict[Cell, int]:
        return self._read(context, [cell for cell in cells if cell not in context.patterns])

    def world(self, context: JoinContext) -> World:
        """Return the world from which the grids are cut, created once per map."""
        made: World = context.get_or_make(
            "world",
            lambda: World(
                context.tiles,
                context.seed,
                self.chunk,
                fields=context.fields,
                pins=context.pins or None,
                refine=context.refine,
            ),
        )
        return made

    def _read(self, context: JoinContext, cells: list[Cell]) -> dict[Cell, int]:
        if not cells:
            return {}
        x, y = min(cell[0] for cell in cells), min(cell[1] for cell in cells)
        width, height = max(cell[0] for cell in cells) - x + 1, max(cell[1] for cell in cells) - y + 1
        region = self.world(context).region(x, y, width, height)
        return {cell: int(region[cell[1] - y, cell[0] - x]) for cell in cells}
