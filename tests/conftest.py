"""How the suite runs: the same examples every time, fewer of them when kernels run as plain Python."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import wasm_kernels

if wasm_kernels.IN_WASM:
    wasm_kernels.use_wasm()

from wavefold.common.disk_cache import RESULTS
from wavefold.kernels.units import COMPILED
from wavefold.solver.refining import refine

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

# Maps of tests are not refined, so that they stay quick, unless a test asks for it or takes `refined`.
RECOMMENDED = refine.recommend_sweeps
refine.recommend_sweeps = lambda _tiles: 0


RESULTS.folders.clear()  # what a test computes is never that of an earlier run


@pytest.fixture
def refined(monkeypatch):
    """Maps have the number of sweeps that their tile set recommends."""
    monkeypatch.setattr(refine, "recommend_sweeps", RECOMMENDED)


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
PLAIN = {"constraints", "guard", "kernels", "solver", "world", "test_determinism.py", "test_tiny.py"}
IN_WASM = {"guard", "kernels"}  # what calls every kernel in WebAssembly
if not COMPILED or wasm_kernels.IN_WASM:
    kept = IN_WASM if wasm_kernels.IN_WASM else PLAIN
    others = (path for path in Path(__file__).parent.iterdir() if path.is_dir() or path.match("test_*.py"))
    collect_ignore = [str(path) for path in others if path.name not in kept]
