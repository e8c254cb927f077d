"""Smaller maps when kernels run as plain Python: the same laws, seen on less."""

import pytest

from wavefold.auditing import certificate, trials
from wavefold.kernels.jit import COMPILED


@pytest.fixture(scope="package", autouse=True)
def small_maps():
    with pytest.MonkeyPatch.context() as patch:
        if not COMPILED:
            for topology, sides in {"square": (5, 6, 7), "hex": (3, 5, 5), "cube": (2, 3, 3)}.items():
                patch.setitem(trials.SIDES, topology, sides)
            for topology, side in {"square": 6, "hex": 5, "cube": 3}.items():
                patch.setitem(certificate.WINDOW, topology, side)
        yield
