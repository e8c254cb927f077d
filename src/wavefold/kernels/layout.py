"""The arrays kernels work on: names, axes and units, once and for all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NOWHERE = -1  # in CellGraph.neighbour: there is no cell on that side


class CellGraph(NamedTuple):
    """Who touches whom. Read-only, C order, the same types for every topology."""

    neighbour: NDArray[np.int32]  # [cell, direction] -> cell, or NOWHERE
    opposite: NDArray[np.int32]  # [direction] -> the direction that leads back
    rule: NDArray[np.int32]  # [direction] -> which relation of the rules holds on that side
