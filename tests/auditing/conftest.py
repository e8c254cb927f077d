"""Smaller maps when kernels run as plain Python: the same laws, seen on less."""

import pytest

from wavefold.kernels.jit import COMPILED
from wavefold.topology import lattice_class

TRIALS = {"square": (5, 6, 7), "hex": (3, 5, 5), "cube": (2, 3, 3)}
WINDOWS = {"square": 6, "hex": 5, "cube": 3}


@pytest.fixture(scope="package", autouse=True)
def small_maps():
    with pytest.MonkeyPatch.context() as patch:
        if not COMPILED:
            for kind, widths in TRIALS.items():
                grid = lattice_class(kind)
                patch.setattr(grid, "sizes", grid.sizes._replace(trials=widths, window=WINDOWS[kind]))
        yield
