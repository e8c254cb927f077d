"""Kernels compile once, whatever the topology, and are kept where nothing stale can be found."""

import subprocess
import sys
from pathlib import Path

from support import compiled_only
from wavefold.kernels import jit

SOLVE_EVERYWHERE = """
from importlib import import_module
from pkgutil import iter_modules
from numba.core.dispatcher import Dispatcher
from support import WORLDS
import wavefold as wf
from wavefold import kernels
from wavefold.kernels import on_demand

for world in WORLDS.values():
    problem = world()
    for propagation in ("ac3", "ac4", "naive"):
        for undo in ("delta", "snapshot"):
            wf.Solver(problem, 1, "entropy", propagation, undo=undo).run(3000)
    many = wf.Heuristics(order="both", central=True, degree=1.0)
    for order in (many, "scanline", lambda *numbers: numbers[1]):
        solver = wf.Solver(problem, 1, order, choice=lambda *numbers: numbers[2])
        solver.step()
        solver.undo()
        solver.pin(problem.topology.coordinate(0), solver.domain(problem.topology.coordinate(0))[0])
        solver.run(3000)
castle = WORLDS["castle"]()
wf.Solver(castle, 1, "entropy", search=wf.Ladder(patience=0, jumps=1, repairs=1, restarts=99)).run(3000)
for module in iter_modules(kernels.__path__):
    for name, value in vars(import_module(f"wavefold.kernels.{module.name}")).items():
        if isinstance(value, Dispatcher) and value.__module__ == f"wavefold.kernels.{module.name}":
            print(f"{module.name}.{name}", len(value.signatures))
for part in on_demand._parts.values():
    print(part.symbol, len(part.dispatcher.signatures))
    assert not part.was_late, part.symbol
"""


@compiled_only
def test_every_kernel_has_one_signature_after_solving_on_many_topologies():
    """In a process of its own, so that no other test has called a kernel."""
    folder = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", SOLVE_EVERYWHERE], capture_output=True, text=True, check=True, cwd=folder
    )
    used = {name: int(number) for name, number in map(str.split, done.stdout.splitlines())}
    assert {name: number for name, number in used.items() if number > 1} == {}
    assert used["search.advance"] == 1
    assert used["wavefold.kernels.ac4.propagate_ac4"] == 1


def test_the_cache_is_named_after_all_kernel_sources(tmp_path, monkeypatch):
    copies = tmp_path / "kernels"
    copies.mkdir()
    for source in Path(jit.__file__).parent.glob("*.py"):
        (copies / source.name).write_bytes(source.read_bytes())
    monkeypatch.setattr(jit, "__file__", str(copies / "jit.py"))
    before = jit.source_digest()
    assert {folder.name for folder in jit.kernel_folders()} == {f"kernels-{before}"}
    (copies / "bits.py").write_text("# changed")
    assert jit.source_digest() != before


def test_a_chosen_cache_folder_comes_first(monkeypatch, tmp_path):
    monkeypatch.setattr(jit.numba.config, "CACHE_DIR", str(tmp_path))
    assert jit.kernel_folders()[0] == tmp_path / f"kernels-{jit.source_digest()}"
