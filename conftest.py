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


# Kernels run as plain Python to prove what they do; these tests call them in every way there is. What the
# others do with a map does not depend on how it was made, so their tests run once, compiled.
PLAIN = {"constraints", "guard", "kernels", "solver", "worlds", "test_determinism.py", "test_tiny.py"}
IN_WASM = {"guard", "kernels"}  # what calls every kernel in WebAssembly
if not COMPILED or wasm_kernels.IN_WASM:
    here = Path(__file__).parent
    kept = IN_WASM if wasm_kernels.IN_WASM else PLAIN
    entries = [*(here / "tests").iterdir(), *(here / "server/tests").iterdir()]
    others = (path for path in entries if path.is_dir() or path.match("test_*.py"))
    collect_ignore = [str(path) for path in others if path.name not in kept or "server" in path.parts]
