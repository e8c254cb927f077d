"""What fields wish for, grid by grid: sampled in coordinates of the map, so it goes on over borders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import pack_bits
from wavefold.common.cache import BoundedCache
from wavefold.fields import Fields
from wavefold.patchwork.plan import Cell, GridPlan, Key
from wavefold.tiles import TileSet
from wavefold.topology import HexGrid, SquareGrid

ROOM, FEW = 512, 16  # grids whose wishes are kept, and whose weights are: these are large

Words = NDArray[np.uint64]


class FieldWishes:
    """The limits and factors of tiles, looked up in fields."""

    def __init__(self, tiles: TileSet, plan: GridPlan, fields: Fields) -> None:
        self.tiles, self.plan, self.fields = tiles, plan, fields
        self._grids: BoundedCache[dict[Cell, Words]] = BoundedCache(ROOM)
        self._weights: BoundedCache[dict[Cell, NDArray[np.float64]]] = BoundedCache(FEW)
        side = 2 * plan.radius + 1
        make: Any = HexGrid(plan.radius) if plan.kind == "hex" else SquareGrid(side, side)
        self._topology: Any = make
        self._every = pack_bits(np.ones(len(tiles.rules), bool))

    def of_grid(self, key: Key) -> dict[Cell, Words]:
        """{cell: [word]} for the cells of a grid whose fields leave out some pattern, middle first."""
        return self._grids.get(key, lambda: self._sampled(key))

    def of(self, cells: Iterable[Cell]) -> dict[Cell, Words]:
        """The same for any cells, each grid's from its middle outwards."""
        inside = dict.fromkeys(cells)
        found: dict[Cell, Words] = {}
        left = dict(inside)
        while left:
            key = self.plan.owner(next(iter(left)))
            found |= {cell: words for cell, words in self.of_grid(key).items() if cell in inside}
            for cell in self.plan.cells(key):
                left.pop(cell, None)
        return found

    def weights_of(self, cells: Iterable[Cell]) -> dict[Cell, NDArray[np.float64]]:
        """{cell: [pattern]} what patterns weigh in these cells; nothing if the fields have no factors."""
        if not self.fields.factors:
            return {}
        grids = {cell: self.plan.owner(cell) for cell in cells}
        weights = {key: self._weights.get(key, partial(self._weighed, key)) for key in set(grids.values())}
        return {cell: weights[key][cell] for cell, key in grids.items()}

    def met(self, key: Key, patterns: Mapping[Cell, int]) -> tuple[int, int]:
        """How many cells of a grid have a wish, and how many of these follow it."""
        wishes = self.of_grid(key)
        followed = sum(
            bool(int(words[patterns[cell] >> 6]) >> (patterns[cell] & 63) & 1)
            for cell, words in wishes.items()
        )
        return len(wishes), followed

    def _origin(self, key: Key) -> Cell:
        """Where the topology of a grid begins."""
        x, y = self.plan.centre(key)
        if self.plan.kind == "square":  # whose first cell is its corner
            x, y = x - self.plan.radius, y - self.plan.radius
        return x, y

    def _weighed(self, key: Key) -> dict[Cell, NDArray[np.float64]]:
        origin = self._origin(key)
        weights = self.fields.weights(self.tiles, self._topology, origin=origin)
        places = (self._topology.coordinates + np.array(origin)).tolist()
        return {(place[0], place[1]): row for place, row in zip(places, weights, strict=True)}

    def _sampled(self, key: Key) -> dict[Cell, Words]:
        topology, (x, y) = self._topology, self._origin(key)
        words = pack_bits(self.fields.masks(self.tiles, topology, origin=(x, y)))
        asked = (words != self._every).any(axis=1)
        inwards = topology.spiral()
        asking = inwards[asked[inwards]]
        places = (topology.coordinates[asking] + np.array([x, y])).tolist()
        return {(place[0], place[1]): words[cell] for place, cell in zip(places, asking, strict=True)}
