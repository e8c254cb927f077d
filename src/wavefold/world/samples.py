"""Samples of fields: whole blocks at once, kept for all worlds that have the same field."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.common.cache import BoundedCache, array_bytes
from wavefold.errors import ConfigError
from wavefold.fields import Fields, SampledFields
from wavefold.fields.fields import describe_field
from wavefold.fields.positions import CellPositions
from wavefold.fields.sources import Source, freeze
from wavefold.fields.user_functions import Values
from wavefold.topology import Lattice

MEMORY = 32 << 20  # bytes: 1,000 blocks of 64 x 64 cells

# By field, size of the blocks and place. A field is known by its content, so one whose parameters changed is
# another field, and those beside it that did not change are not sampled again.
SAMPLES: BoundedCache[NDArray[np.float64]] = BoundedCache(MEMORY, array_bytes)


class Samples:
    """The values of fields, block by block."""

    def __init__(self, fields: Fields, grid: Lattice) -> None:
        self.fields, self.grid, self._shape = fields, grid, repr(grid)
        self._content = {name: self._known_by(name, source) for name, source in fields.sources.items()}

    def block(self, x: int, y: int) -> SampledFields:
        """Every field at the cells of the grid when its first cell is (x, y)."""
        places = CellPositions(self.grid, (x, y))
        values = Values()
        for name, source in self.fields.sources.items():
            key = (self._content[name], self._shape, x, y)
            values[name] = SAMPLES.get(key, lambda s=source, n=name: freeze(s.at(places, describe_field(n))))  # type: ignore[misc]
        return SampledFields(self.fields, places, values)

    @staticmethod
    def _known_by(name: str, source: Source) -> object:
        """Its digest. A function has none, for it may do something else tomorrow: it is this world's own."""
        try:
            return source.digest(describe_field(name))
        except ConfigError:
            return object()
