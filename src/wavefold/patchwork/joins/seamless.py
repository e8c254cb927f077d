"""Joins without seams: whole makes all grids in one solve, witness cuts them from an endless world."""

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

MOST_UNFIXED = 32  # of the cells around grids, beside those that conflict before the search begins


@dataclass(frozen=True)
class Whole(Join):
    """Grids that are populated together are solved as one, around those that are there already.

    Cells of these stay. Only where it is proved that nothing fits around them, the cells nearest to the
    conflict are *un-fixed*, one after another, and solved along. If that is not enough, or if the search
    gives up, all are made one by one, with `grow`.

    grow : the join for grids that are populated one by one
    """

    name: ClassVar[str] = "whole"
    islands: ClassVar[bool] = True

    grow: Join = field(default_factory=Overlap)

    def __post_init__(self) -> None:
        if not isinstance(self.grow, Join):
            raise ConfigError(f"grow must be a Join, as Overlap(), not {self.grow!r}")
        if self.grow.grows_from_seed:
            raise ConfigError(
                f"a map made whole cannot grow with {self.grow.name!r}: its grids ignore their neighbours "
                "and would not fit; grow with 'overlap', 'editable' or 'fixed'"
            )

    @property
    def growth(self) -> Join:
        return self.grow.growth

    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        alone = None if context.patterns else self.populate_together(context, [key])
        return self.grow.populate(context, key) if alone is None else alone

    def populate_together(self, context: JoinContext, keys: Sequence[Key]) -> JoinResult | None:
        """All grids in one solve for each part of the map; None if they do not fit the existing cells."""
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
                why = "nothing fits there at all" if tried.is_proof else "no map was found"
                why = f"in one solve of {len(joining.new):,} cells {why}"
                raise context.failure(own[0], why, tried.is_proof, joining.new)
            result.patterns |= tried.patterns
        return result


@dataclass(frozen=True)
class Witness(Join):
    """The cells of `World(tiles, seed, chunk, fields=fields, pins=presets, refine=refine)`: never fails.

    Every grid is a function of its position alone. The tiles must have a certificate for an endless world.

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
        """The world that the grids are cut from, made once."""
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
