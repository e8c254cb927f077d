"""Values of fields at whole blocks of cells, cached for all worlds and patchworks with the same fields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.common.cache import BoundedCache, array_bytes
from wavefold.errors import ConfigError
from wavefold.fields.fields import Fields, describe_field
from wavefold.fields.positions import CellPositions
from wavefold.fields.sampled import SampledFields
from wavefold.fields.sources import Source, freeze
from wavefold.fields.user_functions import Values
from wavefold.topology import Lattice

MEMORY = 32 << 20  # bytes: 1,000 blocks of 64 x 64 cells

# {(field, grid, x, y): float64 [cell]}. A field is identified by its digest: if its parameters change it is
# another field, and those beside it that did not change are not sampled again.
SAMPLES: BoundedCache[NDArray[np.float64]] = BoundedCache(MEMORY, array_bytes)


class SampleCache:
    """The values of fields at blocks of cells, each block a copy of `grid` somewhere in the plane."""

    def __init__(self, fields: Fields, grid: Lattice) -> None:
        self.fields, self.grid, self._shape = fields, grid, repr(grid)
        self._identity = {name: identify(name, source) for name, source in fields.sources.items()}

    def block(self, x: int, y: int) -> SampledFields:
        """Every field at the cells of the grid when its cell (0, 0) lies at (x, y)."""
        places = CellPositions(self.grid, (x, y))
        values = Values()
        for name, source in self.fields.sources.items():
            key = (self._identity[name], self._shape, x, y)
            values[name] = SAMPLES.get(key, lambda s=source, n=name: freeze(s.at(places, describe_field(n))))  # type: ignore[misc]
        return SampledFields(self.fields, places, values)


def identify(name: str, source: Source) -> object:
    """The digest of a field. A function has none, as it may change at any time: it is a key of its own."""
    try:
        return source.digest(describe_field(name))
    except ConfigError:
        return object()
