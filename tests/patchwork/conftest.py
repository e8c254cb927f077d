"""Maps in plain Python have a small base for endless worlds: a large one would take minutes."""

import pytest

from wavefold.kernels.jit import COMPILED
from wavefold.world import base


@pytest.fixture(autouse=True, scope="session")
def small_base():
    if not COMPILED:
        base.SIDES = (7,)
