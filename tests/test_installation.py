"""Installations in environments of their own: from a wheel, from a fresh clone, without a linker."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

import wavefold as wf
from installing import ROOT, build, clone_to, create_environment, run
from support import compiled_only

pytestmark = [pytest.mark.build, pytest.mark.slow, compiled_only]

COMPILERS = {"cc", "gcc", "c99", "clang", "tcc"}
SOLVE = """
import sys
import wavefold as wf
print(wf.generate(wf.TileSet.load("terrain"), wf.SquareGrid(20, 20), seed=3, refine=3).array.sum())
assert not {"numba", "llvmlite", "pydantic", "rich", "typer"} & set(sys.modules)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel for this platform."""
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Python in an environment that has nothing but the wheel and what it needs."""
    return create_environment(tmp_path_factory.mktemp("environment"), wheel)


@pytest.fixture
def library(installed):
    """The library in that environment; a test may damage it, and the file that names it."""
    code = "from wavefold.kernels.host.library import find_library; print(find_library())"
    path = Path(run(installed, "-c", code))
    kept = {file: file.read_bytes() for file in (path, path.with_name("_built.py"))}
    yield path
    for file, content in kept.items():
        file.unlink(missing_ok=True)
        file.write_bytes(content)


def test_a_wheel_is_for_a_platform_and_any_python(wheel):
    assert "-py3-none-" in wheel.name
    assert "-any." not in wheel.name
    names = ZipFile(wheel).namelist()
    assert sum(name.startswith("wavefold/kernels/kernels-") for name in names) == 1
    assert "wavefold/kernels/_built.py" in names
    assert not any("/compile/" in name or name.endswith("rebuild.py") for name in names)


def test_a_wheel_has_the_library_and_nothing_of_the_server(wheel):
    names = ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"wavefold"}
    assert not any(word in name for name in names for word in ("server", "studio", "notebook", ".bundle."))


def test_a_source_distribution_has_no_library_and_all_that_builds_one(tmp_path):
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert not any("kernels-" in name for name in names)
    assert {"hatch_build.py", "src/wavefold/kernels/compile/__main__.py", "tools/build_wheels.py"} <= names


def test_an_installed_wheel_solves_without_a_compiler(installed, tmp_path):
    solution = wf.generate(wf.TileSet.load("terrain"), wf.SquareGrid(20, 20), seed=3, refine=3)
    found = run(installed, "-c", SOLVE, cwd=tmp_path)
    assert found == str(solution.array.sum())
    assert "numba" not in run(installed, "-m", "pip", "list").lower()


@pytest.mark.parametrize("damage", ["missing", "cut off", "other bytes", "not named"])
def test_a_damaged_installation_says_what_to_do(installed, library, damage, tmp_path):
    data = library.read_bytes()
    if damage == "missing":
        library.unlink()
    elif damage == "cut off":
        library.write_bytes(data[: len(data) // 2])
    elif damage == "not named":
        library.with_name("_built.py").write_bytes(b"")
    else:
        middle = len(data) // 2
        library.write_bytes(data[:middle] + bytes(1000) + data[middle + 1000 :])
    command = [installed, "-m", "wavefold", "generate", "pipes", "-o", tmp_path / "map.png"]
    done = subprocess.run([*map(str, command)], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert (
        f"reinstall wavefold: {installed} -m pip install --force-reinstall --no-deps wavefold" in done.stderr
    )
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_checkout_whose_kernels_cannot_be_compiled_says_so_in_one_line(tmp_path):
    ignored = shutil.ignore_patterns("kernels-*", "__pycache__", "studio")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    changed = tmp_path / "src/wavefold/kernels/propagate/classes.py"
    with changed.open("a") as source:
        source.write("\n\n@kernel_part\ndef fail(count: int) -> int:\n    return count + no_such_name\n")
    command = [sys.executable, "-m", "wavefold", "generate", "pipes", "-o", tmp_path / "map.png"]
    variables = os.environ | {"PYTHONPATH": str(tmp_path / "src")}
    done = subprocess.run(command, env=variables, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    progress, message = done.stderr.splitlines()
    assert progress == "wavefold: building the kernels, about a minute…"
    assert message.startswith(f"wavefold: the kernels cannot be built: {changed}, line ")
    assert ": fail cannot be compiled (TypingError: NameError: name 'no_such_name' is not defined)" in message
    assert f"for details, run: {sys.executable} -m wavefold.kernels.compile" in message
    assert not list(changed.parent.glob("kernels-*"))


@pytest.mark.skipif(sys.platform != "linux", reason="links with cc on Linux only")
@pytest.mark.parametrize("has_compiler", [True, False])
def test_make_demo_in_a_fresh_clone_draws_a_map(has_compiler, tmp_path):
    """Without a compiler, the package ziglang links."""
    clone = clone_to(tmp_path / "clone")
    programs = tmp_path / "bin"
    programs.mkdir()
    for folder in filter(os.path.isdir, reversed(os.environ["PATH"].split(os.pathsep))):
        for program in Path(folder).iterdir():
            if has_compiler or program.name not in COMPILERS:
                (programs / program.name).unlink(missing_ok=True)
                (programs / program.name).symlink_to(program)
    variables = {"PATH": str(programs), "PYTHON": getattr(sys, "_base_executable", sys.executable)}
    run("make", "demo", cwd=clone, env=os.environ | variables)
    assert (clone / "map.png").stat().st_size > 10_000
    python = clone / ".venv/bin/python"
    assert "wavefold-server" not in run(python, "-m", "pip", "list")
    if has_compiler:  # the same again, after a change
        (before,) = (clone / "src/wavefold/kernels").glob("kernels-*.so")
        with (clone / "src/wavefold/kernels/choose/cell_tree.py").open("a") as source:
            source.write("# changed\n")
        run("make", "demo", cwd=clone, env=os.environ | variables)
        (after,) = (clone / "src/wavefold/kernels").glob("kernels-*.so")
        assert after != before
