"""Kernels compile once, whatever the topology, and are kept where nothing stale can be found."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from support import WORLDS, compiled_only

import wavefold as wf
from wavefold import kernels
from wavefold.kernels import jit


def dispatchers():
    """Every compiled function of the kernels, by name."""
    found = {}
    for module in iter_modules(kernels.__path__):
        for name, value in vars(import_module(f"wavefold.kernels.{module.name}")).items():
            if hasattr(value, "signatures") and value.__module__.startswith("wavefold.kernels"):
                found[f"{value.__module__}.{name}"] = value
    return found


@compiled_only
def test_every_kernel_has_one_signature_after_solving_on_many_topologies():
    for world in WORLDS.values():
        problem = world()
        for propagation in ("ac3", "ac4", "naive"):
            for undo in ("delta", "snapshot"):
                wf.Solver(problem, 1, "entropy", propagation, undo=undo).run(3000)
        wf.Solver(problem, 1, wf.Heuristics(order="both", central=True, degree=1.0)).run(3000)
        wf.Solver(problem, 1, order=lambda *numbers: numbers[1], choice=lambda *numbers: numbers[2]).run(3000)
    used = {name: len(each.signatures) for name, each in dispatchers().items()}
    assert {name: count for name, count in used.items() if count > 1} == {}
    assert used["wavefold.kernels.search.advance"] == 1


def test_the_cache_is_named_after_all_kernel_sources(tmp_path, monkeypatch):
    copies = tmp_path / "kernels"
    copies.mkdir()
    for source in Path(jit.__file__).parent.glob("*.py"):
        (copies / source.name).write_bytes(source.read_bytes())
    monkeypatch.setattr(jit, "__file__", str(copies / "jit.py"))
    before = jit.source_digest()
    assert before in jit.KERNEL_CACHE.name
    (copies / "bits.py").write_text("# changed")
    assert jit.source_digest() != before


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", ("wavefold",)),
        ("win32", "LOCALAPPDATA", ("wavefold",)),
        ("darwin", None, ("Library", "Caches", "wavefold")),
    ],
)
def test_the_cache_lies_where_the_platform_likes_it(monkeypatch, tmp_path, platform, variable, expected):
    monkeypatch.setattr(jit.sys, "platform", platform)
    monkeypatch.setattr(jit.numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(jit.Path, "home", lambda: tmp_path)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path))
    assert jit.cache_home() == tmp_path.joinpath(*expected)


def test_a_chosen_cache_folder_is_respected(monkeypatch, tmp_path):
    monkeypatch.setattr(jit.numba.config, "CACHE_DIR", str(tmp_path))
    assert jit.cache_home() == tmp_path


@compiled_only
def test_after_a_solve_the_kernels_are_warm():
    wf.Solver(WORLDS["chess"]()).run()
    assert jit.is_warm()
