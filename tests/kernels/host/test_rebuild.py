"""The library of a checkout is that of its sources: found by digest, built once if there is none."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread

import pytest

import wavefold as wf
from support import import_probes
from waiting import wait_until
from wasm_kernels import IN_WASM

import_probes()
from wavefold.kernels.host import rebuild, sources  # noqa: E402 - wheels have no `rebuild`
from wavefold.kernels.host.remedies import show_command  # noqa: E402

pytestmark = [pytest.mark.build, pytest.mark.skipif(IN_WASM, reason="builds nothing")]
ENDING = ".so"
CHECKSUM = sources.checksum_of(b"abc")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Kernels of two files, written long ago, without a library."""
    for name in ("compile", "host"):
        (tmp_path / name).mkdir()
    for name in ("search.py", "compile/units.py", "host/library.py"):
        (tmp_path / name).write_text(f"# {name}\n")
        os.utime(tmp_path / name, (1000, 1000))
    for module in (rebuild, sources):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def builds(folder, monkeypatch):
    """The digests of libraries that were built, instead of building them."""
    digests = []

    def build(digest, target, descriptor):
        digests.append(digest)
        return add_library(folder, digest)

    monkeypatch.setattr(rebuild, "build", build)
    return digests


def add_library(folder, digest):
    path = folder / sources.library_name(digest, CHECKSUM, ENDING)
    path.write_bytes(b"abc")
    return path


def test_a_library_of_these_sources_is_taken(folder, builds):
    path = add_library(folder, sources.digest_sources())
    assert rebuild.find_current_library(ENDING) == path
    assert builds == []


def test_a_newer_library_of_other_sources_is_not_taken(folder, builds):
    """Files may be changed without a new time: by cp -p, rsync or tar."""
    path = add_library(folder, sources.digest_sources())
    (folder / "search.py").write_text("# changed\n")
    os.utime(folder / "search.py", (1000, 1000))
    assert rebuild.find_current_library(ENDING) != path
    assert builds == [sources.digest_sources()]


@pytest.mark.parametrize("name", ["kernels-{} (1).so", "kernels-{}-0123abcd (1).so", "kernels-{}-copy-3.so"])
def test_copies_by_hand_are_left_alone(folder, builds, name):
    (folder / name.format(sources.digest_sources())).write_bytes(b"abc")
    assert sources.is_library(rebuild.find_current_library(ENDING))
    assert len(builds) == 1


def test_a_change_builds_another_library(folder, builds):
    first = rebuild.find_current_library(ENDING)
    (folder / "search.py").write_text("# changed\n")
    os.utime(folder / "search.py", (time.time() + 10,) * 2)
    second = rebuild.find_current_library(ENDING)
    assert first != second
    assert builds == [sources.parse_name(path)[0] for path in (first, second)]


def test_line_endings_and_the_loader_are_not_part_of_the_digest(folder):
    before = sources.digest_sources()
    (folder / "search.py").write_bytes(b"# search.py\r\n")
    (folder / "host/library.py").write_text("# changed\n")
    assert sources.digest_sources() == before
    (folder / "compile" / "units.py").write_text("# changed\n")
    assert sources.digest_sources() != before


def test_several_processes_build_once(folder, builds):
    """Threads stand in for processes: locks belong to open files."""
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: rebuild.find_current_library(ENDING), range(4)))
    assert len(set(found)) == len(builds) == 1


def find_error():
    """The message of a checkout that has no library and cannot build one: one line."""
    with pytest.raises(wf.InstallationError) as raised:
        rebuild.find_current_library(ENDING)
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize(
    ("package", "version", "found"),
    [
        ("numba", None, "not installed"),
        ("numba", "0.67.1", "0.67.1 is installed"),
        ("numba", "0.69.0", "0.69.0 is installed"),
        ("llvmlite", None, "not installed"),
        ("llvmlite", "0.47.0", "0.47.0 is installed"),
    ],
)
def test_without_the_right_compiler_an_error_says_what_to_run(
    folder, builds, package, version, found, monkeypatch
):
    usual = rebuild.find_version
    monkeypatch.setattr(rebuild, "find_version", lambda name: version if name == package else usual(name))
    message = find_error()
    assert message.startswith(f"there is no compiled library for the sources in {folder}, and building")
    assert re.search(rf"needs {package}\S+ \({re.escape(found)}\)", message)
    assert f"run: {shlex.join([sys.executable, '-m', 'pip', 'install', '--editable'])}" in message
    assert f"{sources.CHECKOUT}[dev]" in message
    assert builds == []


@pytest.mark.parametrize(
    "content", [None, b"", b"[build-system", b"[build-system]\nrequires = ['numba >> 3']"]
)
def test_a_checkout_that_does_not_say_what_builds_it_is_refused(folder, builds, content, monkeypatch):
    monkeypatch.setattr(rebuild, "CHECKOUT", folder)
    if content is not None:
        (folder / "pyproject.toml").write_bytes(content)
    message = find_error()
    assert f"{folder / 'pyproject.toml'}, which lists the compiler packages, cannot be read" in message
    assert builds == []


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import sys; sys.exit('pages\\nof details\\nno such instruction')", "no such instruction"),
        ("import os; os._exit(3)", "exit code 3"),
        ("import os; os.write(2, bytes([255, 10])); os._exit(3)", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_build_that_fails_says_why_in_one_line(folder, monkeypatch, code, why):
    failing = [sys.executable, "-c", code]
    monkeypatch.setattr(rebuild, "build_command", lambda *_: failing)
    message = find_error()
    assert f"the kernels cannot be built: {why}; for details, run: {show_command(failing)}, or" in message


@pytest.mark.skipif(sys.platform != "linux", reason="kills processes, looks in /proc")
def test_the_builder_has_the_lock_until_it_ends(folder):
    """The process that started it may be killed before; a second builder waits."""
    code = """
import sys
from pathlib import Path
from wavefold.kernels.host import rebuild

rebuild.FOLDER = Path(sys.argv[1])
wait = "import os, time; open('processes', 'w').write(f'{os.getpid()} '); time.sleep(300)"
rebuild.build_command = lambda *_: [sys.executable, "-c", wait]
rebuild.build_once("0" * 16, ".so", "")
"""
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], cwd=folder) as parent:
        wait_until(lambda: read_processes(folder))
        parent.kill()
    (builder,) = read_processes(folder)
    with open(folder / ".kernels.lock", "ab") as file:
        is_free = rebuild.try_lock(file.fileno())
        os.kill(builder, signal.SIGKILL)
        assert not is_free
        wait_until(lambda: rebuild.try_lock(file.fileno()))


@pytest.mark.skipif(sys.platform != "linux", reason="kills processes, looks in /proc")
def test_processes_of_a_builder_that_is_killed_end(tmp_path):
    """They would wait for work forever, and keep the lock."""
    pytest.importorskip("numba")
    code = """
import time
from wavefold.kernels.compile.units import open_pool

if __name__ == "__main__":
    pool = open_pool(2)
    for _ in range(2):
        pool.submit(exec, "import os, time; open('processes', 'a').write(f'{os.getpid()} '); time.sleep(300)")
    time.sleep(300)
"""
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path) as builder:
        wait_until(lambda: len(read_processes(tmp_path)) == 2)
        assert all(map(is_running, read_processes(tmp_path)))
        builder.kill()
    wait_until(lambda: not any(map(is_running, read_processes(tmp_path))))


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_an_interrupt_ends_the_builder_and_its_processes(tmp_path, monkeypatch):
    code = """
import os, time
child = os.fork()
open("processes", "a").write(f"{os.getpid()} ")
time.sleep(300)
"""
    monkeypatch.chdir(tmp_path)

    def interrupt():
        wait_until(lambda: len(read_processes(tmp_path)) == 2)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs of a shell
    try:
        Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt), rebuild.lock(tmp_path / ".kernels.lock") as descriptor:
            rebuild.run_builder([sys.executable, "-c", code], descriptor)
    finally:
        signal.signal(signal.SIGINT, before)
    wait_until(lambda: not any(map(is_running, read_processes(tmp_path))))


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_an_interrupt_while_the_builder_starts_ends_it(tmp_path, monkeypatch):
    started = []

    class Interrupted(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            started.append(self.pid)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(rebuild.subprocess, "Popen", Interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), rebuild.lock(tmp_path / ".kernels.lock") as descriptor:
            rebuild.run_builder([sys.executable, "-c", "import time; time.sleep(300)"], descriptor)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert not any(map(is_running, started))


def read_processes(folder):
    path = folder / "processes"
    return list(map(int, path.read_text().split())) if path.exists() else []


def is_running(process):
    """Whether it runs; one that has ended may wait for its parent."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().split()[2]
    except OSError:
        return False
    return state != "Z"


def test_a_second_process_says_that_it_waits(folder, monkeypatch):
    said, waits = [], Event()

    def build(digest, target, descriptor):
        assert waits.wait(300)
        return add_library(folder, digest)

    monkeypatch.setattr(rebuild, "build", build)
    monkeypatch.setattr(rebuild, "print_notice", lambda message: (said.append(message), waits.set()))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: rebuild.find_current_library(ENDING), range(2)))
    assert said == ["waiting for another process that builds the kernels…"]


def test_files_of_other_sources_are_removed_after_a_build(folder, monkeypatch):
    old = [add_library(folder, "0" * 16), folder / f"kernels-{'0' * 16}.ll"]
    old[1].write_text("")
    os.utime(old[0], (500, 500))
    digest = sources.digest_sources()
    built = folder / sources.library_name(digest, CHECKSUM, ENDING)
    code = f"open({str(built)!r}, 'wb').write(b'abc'); print({str(built)!r})"
    monkeypatch.setattr(rebuild, "build_command", lambda *_: [sys.executable, "-c", code])
    assert rebuild.find_current_library(ENDING) == built
    assert not any(path.exists() for path in old)


def test_a_folder_that_cannot_be_written_is_named(folder, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(rebuild, "lock", refuse)
    with pytest.raises(
        wf.InstallationError, match=r"cannot be built in .*Permission denied.*WAVEFOLD_KERNELS=python"
    ):
        rebuild.find_current_library(ENDING)


def test_the_library_in_use_is_that_of_the_sources():
    from wavefold.kernels.host.library import ENDING, load_library

    assert load_library().table["digest"] == sources.digest_sources()
    assert Path(load_library().functions._name).suffix == ENDING
