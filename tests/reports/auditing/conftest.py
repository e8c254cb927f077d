"""Smaller maps when kernels run as plain Python: the same laws, seen on less."""

import pytest

from wavefold.kernels.units import COMPILED
from wavefold.topology import get_lattice_class

SMALL = {"square": ((5, 6, 7), 6), "hex": ((3, 5, 5), 5), "cube": ((2, 3, 3), 3)}


@pytest.fixture(scope="package", autouse=True)
def small_maps():
    with pytest.MonkeyPatch.context() as patch:
        if not COMPILED:
            for topology, (trials, window) in SMALL.items():
                grid = get_lattice_class(topology)
                patch.setattr(grid, "sizes", grid.sizes._replace(trials=trials, window=window))
        yield
