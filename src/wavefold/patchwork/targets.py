"""Soft masks and weights from fields for a patchwork: `FieldTargets` with a grid as a block, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from wavefold.fields import Fields
from wavefold.fields.targets import FieldTargets, MaskWords, allows
from wavefold.patchwork.plan import Cell, GridPlan, Key
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import TileSet

GRIDS = 512  # whose soft masks are cached cell by cell


class GridTargets:
    """Soft masks and weights for the cells of a patchwork, in coordinates of the whole map."""

    def __init__(self, tiles: TileSet, plan: GridPlan, fields: Fields) -> None:
        self.plan = plan
        self._targets = FieldTargets(tiles, fields, plan.grid)
        self._offsets: NDArray[np.int64] = plan.grid.coordinates.astype(np.int64)  # [cell, axis]
        self._index = {(x, y): cell for cell, (x, y) in enumerate(self._offsets.tolist())}
        self._masks: BoundedCache[dict[Cell, MaskWords]] = BoundedCache(GRIDS)

    def masks_of_grid(self, key: Key) -> dict[Cell, MaskWords]:
        """{cell: [word]} for the cells of a grid whose fields exclude some pattern, middle first."""
        return self._masks.get(key, lambda: self._compute_masks(key))

    def masks_of(self, cells: Iterable[Cell]) -> dict[Cell, MaskWords]:
        """The same for any cells, those of each grid from its middle outwards."""
        inside = dict.fromkeys(cells)
        found: dict[Cell, MaskWords] = {}
        left = dict(inside)
        while left:
            key = self.plan.owner(next(iter(left)))
            found |= {cell: words for cell, words in self.masks_of_grid(key).items() if cell in inside}
            for cell in self.plan.cells(key):
                left.pop(cell, None)
        return found

    def weights_of(self, cells: Iterable[Cell]) -> dict[Cell, NDArray[np.float64]]:
        """{cell: [pattern]} the weights of patterns in these cells; empty if the fields have no factors."""
        if not self._targets.fields.factors:
            return {}
        owners = {cell: self.plan.owner(cell) for cell in cells}
        origins = {key: self._origin(key) for key in owners.values()}
        weights = {key: self._targets.weights(*origin) for key, origin in origins.items()}
        return {
            (x, y): weights[key][self._index[x - origins[key][0], y - origins[key][1]]]
            for (x, y), key in owners.items()
        }

    def count_met(self, key: Key, patterns: Mapping[Cell, int]) -> tuple[int, int]:
        """How many cells of a grid have a soft mask, and how many of these meet it."""
        masks = self.masks_of_grid(key)
        if not masks:
            return 0, 0
        found = np.array([patterns[cell] for cell in masks], np.int32)
        return len(masks), int(allows(np.stack(list(masks.values())), found).sum())

    def _origin(self, key: Key) -> Cell:
        """The cell where (0, 0) of the block of a grid lies."""
        (x, y), (across, down) = self.plan.centre(key), self.plan.grid_centre
        return x - across, y - down

    def _compute_masks(self, key: Key) -> dict[Cell, MaskWords]:
        x, y = self._origin(key)
        words = self._targets.words(x, y)
        asked = (words != self._targets.every_pattern).any(axis=1)
        inwards = self._targets.grid.spiral()
        cells = inwards[asked[inwards]]
        positions = (self._offsets[cells] + np.array([x, y])).tolist()
        return {(at[0], at[1]): words[cell] for at, cell in zip(positions, cells, strict=True)}
