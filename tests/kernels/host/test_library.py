"""The compiled library: refused with one sentence if anything is wrong with it; called from anywhere."""

import os
import runpy
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

import wavefold as wf
from support import CASTLE, PIPES, compiled_only
from wavefold.kernels.host import library, remedies, sources
from wavefold.kernels.search import advance
from wavefold.solver.engine.engine import Engine

pytestmark = compiled_only

SOLVE = """
import wavefold as wf
print(wf.generate(wf.TileSet.load("castle"), wf.SquareGrid(12, 12), seed=3, refine=False).array.sum())
"""


@pytest.fixture
def copied(tmp_path):
    """A copy of the library that may be damaged."""
    path = library.find_library()
    return Path(shutil.copy(path, tmp_path / path.name))


def check_refusal(path, *words):
    """Opening this library raises one sentence that says all of these."""
    with pytest.raises(wf.InstallationError) as raised:
        library.open_library(path)
    message = str(raised.value)
    assert "\n" not in message
    for word in (path.name, "install", "WAVEFOLD_KERNELS=python", *words):
        assert word in message


def test_a_sound_copy_is_loaded(copied):
    assert library.open_library(copied).table["kernels"]["advance"][:2] == ["Wave", "CellQueue"]


def test_a_missing_library_is_named(copied):
    copied.unlink()
    check_refusal(copied, "is missing")


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
def test_a_library_that_was_cut_off_is_not_loaded(copied, share):
    os.truncate(copied, int(copied.stat().st_size * share))
    check_refusal(copied, "is damaged (its checksum is ")


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
def test_a_library_with_other_bytes_is_not_loaded(copied, share):
    """The system would load most of these, and crash."""
    data = bytearray(copied.read_bytes())
    start = int(len(data) * share)
    data[start : start + 100] = bytes(255 - byte for byte in data[start : start + 100])
    copied.write_bytes(data)
    check_refusal(copied, "is damaged (its checksum is ")


def write_library(folder, content, digest="0" * 16):
    """A file that has the name of a sound library."""
    path = folder / sources.library_name(digest, sources.checksum_of(content), library.ENDING)
    path.write_bytes(content)
    return path


def test_a_file_that_is_no_library_is_refused(tmp_path):
    check_refusal(write_library(tmp_path, b"x" * 1000), "not a library for this system")


def test_a_library_of_another_machine_is_refused(copied, tmp_path):
    data = bytearray(copied.read_bytes())
    data[18] ^= 0x55  # e_machine, in an ELF file; any other file is damaged by it, too
    check_refusal(write_library(tmp_path, data), "not a library for this system")


def test_another_library_is_refused(tmp_path):
    import _ctypes  # an extension module: a library that lacks our table

    other = write_library(tmp_path, Path(_ctypes.__file__).read_bytes())
    check_refusal(other, "not a library for this system")


def test_a_library_of_other_sources_is_refused(copied, tmp_path):
    check_refusal(write_library(tmp_path, copied.read_bytes()), "other sources")


@pytest.fixture
def wheel(monkeypatch):
    """As if this were installed from a wheel."""
    for module in (library, remedies):
        monkeypatch.setattr(module, "IS_CHECKOUT", False)


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        bytes(50),
        b"LIBRARY = 'kernels",
        b"LIBRARY = 3",
        b"LIBRARY = ''",
        b"LIBRARY = 'kernels-1.so'",
        b"import no_such_module",
    ],
)
def test_a_wheel_that_does_not_name_its_library_is_refused(wheel, content, tmp_path, monkeypatch):
    def load(name):
        if content is None:
            raise ModuleNotFoundError(f"No module named {name!r}")
        (tmp_path / "_built.py").write_bytes(content)
        return SimpleNamespace(**runpy.run_path(str(tmp_path / "_built.py")))

    monkeypatch.setattr(library, "import_module", load)
    with pytest.raises(wf.InstallationError) as raised:
        library.find_library()
    message = str(raised.value)
    assert "\n" not in message
    assert message.endswith(f"; {remedies.describe_remedy()}")


def test_remedies_work_from_any_folder(wheel):
    python = shlex.join([sys.executable])
    again = f"{python} -m pip install --force-reinstall --no-deps wavefold, or set WAVEFOLD_KERNELS=python"
    assert again in remedies.describe_remedy()


def test_remedies_of_a_checkout_work_from_any_folder(monkeypatch):
    monkeypatch.setattr(remedies, "IS_CHECKOUT", True)
    monkeypatch.setattr(remedies, "CHECKOUT", Path("/two words/wavefold"))
    again = f"{shlex.join([sys.executable])} -m pip install --editable '/two words/wavefold', or"
    assert again in remedies.describe_remedy()


class OldProcessor:
    """A library on a processor that cannot do anything new."""

    class wf_processor:
        def __new__(cls):
            return 0


def test_an_old_processor_is_named():
    with pytest.raises(wf.InstallationError, match=r"too old .* x86-64-v2; set WAVEFOLD_KERNELS=python"):
        library.choose_suffix(OldProcessor, ["x86-64-v2", "x86-64-v3"])


@pytest.mark.parametrize(("level", "suffix"), [(1, ""), (2, "_1"), (3, "_1")])
def test_the_best_variant_for_the_processor_is_taken(level, suffix):
    class Functions:
        class wf_processor:
            def __new__(cls):
                return level

    assert library.choose_suffix(Functions, ["x86-64-v2", "x86-64-v3"]) == suffix


def test_a_struct_of_another_class_is_refused_before_the_call():
    engine = Engine(wf.Problem(CASTLE, wf.SquareGrid(3, 3)), wf.Heuristics.of("entropy"))
    engine.begin(1)
    with pytest.raises(TypeError, match="advance: queue must be a CellQueue, not Wave"):
        advance(engine.wave, engine.wave, engine.table, engine.graph)
    with pytest.raises(TypeError, match="advance: graph must be a KernelGraph, not int"):
        advance(engine.wave, engine.queue, engine.table, 5)


def test_a_kernel_that_the_library_lacks_is_named():
    def no_such_kernel() -> None:
        """Never compiled."""

    with pytest.raises(wf.InstallationError, match="no kernel no_such_kernel"):
        library.bind(no_such_kernel)


def run_python(code, folder, **variables):
    """What a program prints in a process without a home or any other place to write."""
    kept = {
        name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ
    }
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env=kept | {"TMPDIR": "/nonexistent"} | variables,
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


EXPECTED = str(
    wf.generate(wf.TileSet.load("castle"), wf.SquareGrid(12, 12), seed=3, refine=False).array.sum()
)


def test_no_home_is_needed(tmp_path):
    assert run_python(SOLVE, tmp_path, HOME="/nonexistent") == EXPECTED


READ_ONLY = """
mount --bind {source} {source} && mount -o remount,ro,bind {source} && exec {python} -B -c '{code}'
"""


def test_a_read_only_file_system_is_enough(tmp_path):
    """In a mount namespace of its own; needs the rights to make one."""
    source = Path(wf.__file__).parent
    script = READ_ONLY.format(source=source, python=sys.executable, code=SOLVE.replace("'", '"'))
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        pytest.skip("needs the right to mount: run as root on Linux")
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == EXPECTED, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of fork, where there are threads
def test_kernels_run_in_a_forked_process():
    problem = wf.Problem(PIPES, wf.SquareGrid(10, 10))
    expected = int(wf.Solver(problem, 1).run().patterns.sum()) % 251
    child = os.fork()
    if child == 0:
        os._exit(int(wf.Solver(problem, 1).run().patterns.sum()) % 251)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == expected


def test_kernels_run_in_eight_threads():
    problem = wf.Problem(PIPES, wf.SquareGrid(20, 20))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda seed: wf.Solver(problem, seed).run().patterns.tolist(), [*range(8)] * 4))
    assert found[:8] == found[8:16] == found[16:24] == found[24:]
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"WAVEFOLD_KERNELS": "fast"}, "WAVEFOLD_KERNELS must be compiled or python, not 'fast'"),
        ({"WAVEFOLD_KERNELS": "python"}, EXPECTED),
        ({"WAVEFOLD_KERNELS": ""}, EXPECTED),
    ],
)
def test_the_back_end_is_chosen_by_a_variable(tmp_path, variables, words):
    assert words in run_python(SOLVE, tmp_path, **variables)
