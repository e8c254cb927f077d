"""Worlds in plain Python have a small base: a large one would take minutes to make."""

import pytest
from slow_worlds import FakeGenerator

from wavefold.kernels.units import COMPILED
from wavefold.worlds import base, refined_base
from wavefold.worlds.streaming.budget import BudgetManager
from wavefold.worlds.streaming.scheduler import Scheduler


@pytest.fixture(autouse=True, scope="session")
def small_base():
    if not COMPILED:
        base.SIDES = (7,)
        refined_base.SIDE, refined_base.ROUNDS, refined_base.WINDOWS = 6, 2, 1


@pytest.fixture
def scheduler():
    """A scheduler without threads, with a generator that solves nothing."""
    return Scheduler(FakeGenerator(), BudgetManager(), threads=0)
