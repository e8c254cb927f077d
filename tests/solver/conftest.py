"""Nothing here may hang."""

import signal

import pytest

import wavefold as wf
from support import WORLDS


@pytest.fixture(scope="session")
def compiled():
    """Kernels are compiled before anybody looks at the clock."""
    wf.Solver(WORLDS["chess"](), order="entropy").run()


@pytest.fixture(autouse=True)
def impatient(compiled):
    """A test that would hang for ever fails instead."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def give_up(*_):
        raise TimeoutError("this took too long")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(40)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
