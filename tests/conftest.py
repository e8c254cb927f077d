"""How the suite runs: the same examples every time, fewer of them when kernels run as plain Python."""

import signal

import pytest
from hypothesis import HealthCheck, settings

from wavefold.kernels.jit import COMPILED

pytest.register_assert_rewrite("wavefold.testing", "support")

settings.register_profile(
    "wavefold",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60 if COMPILED else 12,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("wavefold")


@pytest.fixture
def impatient():
    """A test that would hang for ever fails instead."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def give_up(*_):
        raise TimeoutError("this took too long")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
