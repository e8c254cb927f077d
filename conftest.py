"""How the suite runs: the same examples every time, fewer of them in plain Python, and nothing hangs."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from running import run_here

import wasm_kernels
from time_limits import pytest_runtest_teardown, pytest_unconfigure  # noqa: F401 hooks of this suite

if wasm_kernels.IN_WASM:
    wasm_kernels.use_wasm()

from wavefold.kernels.units import COMPILED
from wavefold.storage.cache import RESULTS
from wavefold.worlds import base, refined_base

pytest.register_assert_rewrite("wavefold.testing", "support")

# `make test-slow` tries more.
EXAMPLES = int(os.environ.get("WAVEFOLD_TEST_EXAMPLES", "25" if COMPILED else "6"))
settings.register_profile(
    "wavefold",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("wavefold")


RESULTS.folders.clear()  # what a test computes is never that of an earlier run

if not COMPILED:  # small bases of worlds, refined little: others would take minutes
    base.SIDES = (7,)
    refined_base.WINDOW_SIDE, refined_base.ROUNDS, refined_base.WINDOWS = 6, 2, 1
    refined_base.SWEEPS_DIVISOR = 20  # two sweeps


@pytest.fixture
def wavefold(tmp_path):
    """Run the command in an empty folder: wavefold("generate", "pipes", WAVEFOLD_WORLD_SEED="9")."""

    def run(*arguments, **environment):
        return run_here(arguments, tmp_path, environment)

    return run


@pytest.fixture
def site(tmp_path, monkeypatch):
    """An empty folder for packages (see `support.install`); what is imported from it is forgotten."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(folder)):
            del sys.modules[name]


# Kernels run as plain Python to prove what they do. These tests call them in every way there is. What others
# do with a map does not depend on how it was made, so they run once, compiled.
TESTS = Path(__file__).parent / "tests"
KERNELS = ["guard/test_digests.py", *(f"kernels/{path.name}" for path in (TESTS / "kernels").iterdir())]
KERNELS = [path for path in KERNELS if path not in ("kernels/compile", "kernels/host")]
WORLDS = [f"worlds/test_{name}.py" for name in ("base", "chunk_borders", "refined_base", "world")]
PLAIN = [*KERNELS, *WORLDS, "constraints", "solver", "test_determinism.py", "test_tiny.py"]
CALLING = KERNELS if wasm_kernels.IN_WASM else PLAIN


def pytest_ignore_collect(collection_path):
    """Leave out files that do not call kernels, unless those are compiled."""
    if (COMPILED and not wasm_kernels.IN_WASM) or not collection_path.match("test_*.py"):
        return None
    return not any(collection_path.is_relative_to(TESTS / each) for each in CALLING) or None
