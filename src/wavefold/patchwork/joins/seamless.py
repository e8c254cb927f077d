"""Joins without seams: whole makes all grids in one solve, witness cuts them from an endless world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from wavefold.errors import ConfigError
from wavefold.patchwork.join import Join, JoinContext, JoinResult
from wavefold.patchwork.joins.overlap import Overlap
from wavefold.patchwork.plan import Cell, GridPlan, Key
from wavefold.world import World


@dataclass(frozen=True)
class Whole(Join):
    """Grids that are populated together on an empty map are solved as one, then handed to their owners.

    grow : the join for further grids
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
        return self.grow.populate(context, key) if context.patterns else self._together(context, [key])

    def populate_together(self, context: JoinContext, keys: Sequence[Key]) -> JoinResult | None:
        return self._together(context, keys)

    def _together(self, context: JoinContext, keys: Sequence[Key]) -> JoinResult:
        result = JoinResult()
        for island in islands(context.plan, keys):
            cells = [cell for key in island for cell in context.plan.cells(key)]
            tried = context.solve(context.region(cells, ()), result, context.retries.attempts, *island[0])
            if tried.patterns is None:
                why = "nothing fits there at all" if tried.is_proof else "no map was found"
                why = f"in one solve of {len(cells):,} cells {why}"
                raise context.failure(island[0], why, tried.is_proof, cells)
            result.patterns |= tried.patterns
        return result


def islands(plan: GridPlan, keys: Sequence[Key]) -> list[list[Key]]:
    """Groups of keys that touch: what does not touch need not be solved together.

    The result does not depend on the order of the keys.
    """
    left, found = dict.fromkeys(sorted(keys)), []
    while left:
        island = [left.popitem()[0]]
        for key in island:  # which grows meanwhile
            for other in plan.neighbours(key):
                if other in left:
                    del left[other]
                    island.append(other)
        found.append(sorted(island))
    return found


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
        """The world the grids are cut from, made once."""
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
