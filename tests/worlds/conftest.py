"""Fixtures of the tests of worlds."""

import pytest
from slow_worlds import FakeGenerator

from wavefold.worlds.streaming.budget import BudgetManager
from wavefold.worlds.streaming.scheduler import Scheduler


@pytest.fixture
def scheduler():
    """A scheduler without threads, with a generator that solves nothing."""
    return Scheduler(FakeGenerator(), BudgetManager(), threads=0)
