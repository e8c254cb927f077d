"""witness: grids are cut from an endless world, which fits everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from wavefold.patchwork.join_context import JoinContext, JoinResult
from wavefold.patchwork.joins.base import Join
from wavefold.patchwork.plan import Cell, Key
from wavefold.world import World


@dataclass(frozen=True)
class Witness(Join):
    """The cells of `World(tiles, seed, chunk, fields=fields, pins=presets)`: joining never fails.

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
                context.tiles, context.seed, self.chunk, fields=context.fields, pins=context.pins or None
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
