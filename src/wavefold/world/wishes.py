"""What fields wish for: which patterns each cell of a world should be one of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.fields import Fields
from wavefold.tiles import TileSet
from wavefold.tiles.relation import packed
from wavefold.topology import HexGrid, SquareGrid
from wavefold.world.shelf import Shelf

__all__ = ["FieldWishes"]

ROOM = 512  # blocks


class FieldWishes:
    """The limits of tiles, looked up in fields; block by block, so that no cell is asked about twice."""

    def __init__(self, tiles: TileSet, fields: Fields, block: int) -> None:
        self.tiles, self.fields, self.block = tiles, fields, block
        self.blocks: Shelf[NDArray[np.uint64]] = Shelf(ROOM)
        self._grid: Any = (HexGrid.rhombus if tiles.topology == "hex" else SquareGrid)(block, block)

    def at(self, x: int, y: int, width: int, height: int) -> NDArray[np.uint64]:
        """uint64 [row, column, word] for the rectangle whose first cell is (x, y)."""
        side = self.block
        wishes = np.empty((height, width, self.tiles.rules.words), np.uint64)
        for j in range(y // side, (y + height - 1) // side + 1):
            for i in range(x // side, (x + width - 1) // side + 1):
                block = self.blocks.get((i, j), lambda i=i, j=j: self._sampled(i, j))  # type: ignore[misc]
                from_x, to_x = max(x, i * side), min(x + width, (i + 1) * side)
                from_y, to_y = max(y, j * side), min(y + height, (j + 1) * side)
                wishes[from_y - y : to_y - y, from_x - x : to_x - x] = block[
                    from_y - j * side : to_y - j * side, from_x - i * side : to_x - i * side
                ]
        return wishes

    def _sampled(self, i: int, j: int) -> NDArray[np.uint64]:
        masks = self.fields.masks(self.tiles, self._grid, origin=(i * self.block, j * self.block))
        return packed(masks).reshape(self.block, self.block, -1)
