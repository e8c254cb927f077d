"""Worlds in plain Python have a small base: a large one would take minutes to make."""

import pytest

from wavefold.kernels.jit import COMPILED
from wavefold.world import base


@pytest.fixture(autouse=True, scope="session")
def small_base():
    if not COMPILED:
        base.SIDES = (7,)
