"""Compiling ahead of time: afterwards, nothing is left to compile."""

import json
import os
import subprocess
import sys

import pytest

import wavefold as wf
from support import compiled_only
from wavefold.kernels.jit import COMPILED

LIST_MISSING = """
from importlib import import_module
from pkgutil import iter_modules
from wavefold import kernels
from wavefold.kernels import on_demand
from wavefold.kernels.jit import STORE
from wavefold.kernels.kernel_dispatcher import KernelDispatcher

folder, _, _ = STORE.usage()
stored = {path.name.split("-")[0] for path in folder.iterdir()}
names = {part.symbol.removeprefix("wavefold.kernels.") for part in on_demand._parts.values()}
for module in iter_modules(kernels.__path__):
    for name, value in vars(import_module(f"wavefold.kernels.{module.name}")).items():
        if isinstance(value, KernelDispatcher):
            names.add(f"{value.__module__.rpartition('.')[2]}.{name}")
print(sorted(names - stored))
"""


@compiled_only
def test_a_second_warmup_has_nothing_to_do():
    wf.warmup()
    report = wf.warmup()
    assert report.compiled == ()
    assert report.kernels > 10
    assert json.dumps(report.to_dict())


@pytest.mark.skipif(COMPILED, reason="only without Numba")
def test_without_numba_there_is_nothing_to_compile():
    with pytest.raises(wf.ConfigError, match="NUMBA_DISABLE_JIT"):
        wf.warmup()


@pytest.mark.slow
@compiled_only
def test_a_complete_warmup_compiles_every_kernel(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    warm = [sys.executable, "-m", "wavefold", "warmup", "--all"]
    said = subprocess.run(warm, env=environment, capture_output=True, text=True, check=True)
    assert str(tmp_path) in said.stdout
    assert said.stderr.startswith("compiling the kernels, once")
    missing = subprocess.run(
        [sys.executable, "-c", LIST_MISSING], env=environment, capture_output=True, text=True, check=True
    )
    assert missing.stdout.strip() == "[]"


@pytest.mark.slow
@compiled_only
def test_cold_starts_at_the_same_time_compile_once(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    script = (
        "import wavefold as wf; from wavefold.kernels.jit import numba\n"
        "from wavefold.kernels.search import advance\n"
        "wf.generate(wf.TileSet.load('pipes'), wf.SquareGrid(6, 6))\n"
        "print(sum(advance.stats.cache_misses.values()))"
    )
    starts = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert sorted(start.communicate()[0].strip() for start in starts) == ["0", "0", "1"]
