"""Libraries of all platforms, built on this machine: what they need, and what they answer."""

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from support import compiled_only, import_probes

import_probes()
from wavefold.kernels.compile.targets import TARGETS, host_target  # noqa: E402
from wavefold.kernels.host import rebuild, sources  # noqa: E402 - wheels have no `rebuild`

pytestmark = [pytest.mark.build, pytest.mark.slow, compiled_only]

TESTS = Path(__file__).parents[2]
ARM_LOADER = Path("/usr/aarch64-linux-gnu")  # of Debian's libc6-arm64-cross
ZIG = [sys.executable, "-m", "ziglang", "cc", "-O1", str(TESTS / "kernel_driver.c")]


def run(*command, **options):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, **options).stdout


@pytest.fixture(scope="session")
def libraries(tmp_path_factory):
    """{target: library}"""
    folder = tmp_path_factory.mktemp("libraries")
    named = [option for name in TARGETS for option in ("--target", name)]
    module = sources.module_path(sources.digest_sources())
    options = [*named, "--probes", "--module", module]
    command = [sys.executable, "-m", "wavefold.kernels.compile", folder, *options]
    printed = run(*command, env=rebuild.os.environ | rebuild.build_environment()).decode()
    return dict(zip(TARGETS, map(Path, printed.splitlines()), strict=True))


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """Calls of all kernels, and the answers of plain Python."""
    calls, answers = (tmp_path_factory.mktemp("calls") / name for name in ("calls", "answers"))
    names = run(sys.executable, TESTS / "record_calls.py", calls, answers).decode().split()
    from wavefold.kernels.host.library import load_library
    from wavefold.kernels.units import UNITS

    tested = {name for name in load_library().table["kernels"] if "probes" in UNITS[f"wf_{name}"].__module__}
    assert set(names) == set(load_library().table["kernels"]) - tested
    return calls.read_bytes(), answers.read_bytes()


def need(*programs):
    for program in programs:
        if not (shutil.which(str(program)) or Path(program).exists()):
            pytest.skip(f"needs {program}")


# --- what libraries need ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in TARGETS if name.startswith("linux")])
def test_linux_libraries_need_no_other_library(libraries, name):
    need("readelf")
    printed = run("readelf", "--dynamic", "--dyn-syms", "--wide", libraries[name]).decode()
    assert "(NEEDED)" not in printed
    symbols = [line.split() for line in printed.splitlines() if " GLOBAL " in line]
    assert any(symbol[-1] == "wf_advance" for symbol in symbols)
    assert not any("UND" in symbol for symbol in symbols)


@pytest.mark.parametrize("name", [name for name in TARGETS if name.startswith("macos")])
def test_macos_libraries_are_signed_and_need_no_other_library(libraries, name):
    data = libraries[name].read_bytes()
    commands = list(read_load_commands(data))
    assert CODE_SIGNATURE in [kind for kind, _ in commands]
    needed = [command for kind, command in commands if kind == LOAD_DYLIB]
    assert all(b"/usr/lib/libSystem.B.dylib" in command for command in needed)  # of every macOS program
    assert b"\0_wf_advance\0" in data


LOAD_DYLIB, CODE_SIGNATURE = 0xC, 0x1D


def read_load_commands(data):
    """The kinds of the load commands of a Mach-O file, and what is in them."""
    magic, _, _, _, count, _, _, _ = struct.unpack_from("<8I", data)
    assert magic == 0xFEEDFACF
    at = 32
    for _ in range(count):
        kind, size = struct.unpack_from("<2I", data, at)
        yield kind, data[at + 8 : at + size]
        at += size


def test_the_windows_library_imports_nothing(libraries):
    data = libraries["windows-x86_64"].read_bytes()
    (header,) = struct.unpack_from("<I", data, 0x3C)
    assert data[header : header + 4] == b"PE\0\0"
    directories = header + 24 + 112  # of PE32+
    address, size = struct.unpack_from("<2I", data, directories + 8)  # the second: imports
    assert (address, size) == (0, 0)


def test_webassembly_imports_only_its_memory(libraries):
    need("node")
    code = (
        "const fs = require('fs');"
        "const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));"
        "console.log(WebAssembly.Module.imports(module).map((each) => each.kind).join())"
    )
    assert run("node", "-e", code, libraries["wasm32"]).decode().strip() == "memory"


# --- what they answer ---------------------------------------------------------------------------


def check_answers(recorded, command):
    calls, answers = recorded
    assert run(*command, input=calls) == answers


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="compiles the driver for Linux")
@pytest.mark.parametrize("suffix", ["", "_1"])
def test_both_variants_answer_as_recorded(libraries, recorded, suffix, tmp_path):
    need("cc")
    name = host_target()
    if len(TARGETS[name].processors) <= int(suffix.lstrip("_") or 0):
        pytest.skip(f"{name} has one variant")
    run("cc", "-O1", TESTS / "kernel_driver.c", "-o", tmp_path / "driver", "-ldl")
    check_answers(recorded, [tmp_path / "driver", libraries[name], suffix])


def test_arm_answers_as_recorded(libraries, recorded, tmp_path):
    need("qemu-aarch64", ARM_LOADER)
    run(*ZIG, "-target", "aarch64-linux-gnu", "-o", tmp_path / "driver")
    command = ["qemu-aarch64", "-L", ARM_LOADER, tmp_path / "driver", libraries["linux-aarch64"], ""]
    check_answers(recorded, command)


def test_windows_answers_as_recorded(libraries, recorded, tmp_path, monkeypatch):
    need("wine")
    monkeypatch.setenv("WINEPREFIX", str(tmp_path / "wine"))
    monkeypatch.setenv("WINEDEBUG", "-all")
    run(*ZIG, "-target", "x86_64-windows-gnu", "-o", tmp_path / "driver.exe")
    check_answers(recorded, ["wine", tmp_path / "driver.exe", libraries["windows-x86_64"], ""])


def test_webassembly_answers_as_recorded(libraries, recorded):
    need("node")
    check_answers(recorded, ["node", TESTS / "wasm_host.mjs", libraries["wasm32"]])


# --- builds that repeat -------------------------------------------------------------------------


def test_two_builds_are_equal_byte_for_byte(tmp_path):
    """In two folders, by one process and by two."""
    found = []
    for folder, processes in (("one", 1), ("another/place", 2)):
        source = tmp_path / folder / "src"
        ignored = shutil.ignore_patterns("kernels-*", "__pycache__", "studio", "tilesets")
        shutil.copytree(sources.FOLDER.parent, source / "wavefold", ignore=ignored)
        targets = ["--target", host_target(), "--target", "macos-arm64"]
        command = [sys.executable, "-m", "wavefold.kernels.compile", tmp_path / folder / "out", *targets]
        environment = rebuild.os.environ | {"PYTHONPATH": str(source)}
        printed = run(*command, "--processes", processes, env=environment, cwd=tmp_path).decode()
        found.append([Path(line) for line in printed.splitlines()])
    for one, other in zip(*found, strict=True):
        assert one.name == other.name
        assert one.read_bytes() == other.read_bytes()
