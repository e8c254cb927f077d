"""The library in a checkout: built again when the sources have changed, once, whatever processes need it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from wavefold.errors import InstallationError
from wavefold.kernels.remedies import WITHOUT
from wavefold.kernels.sources import FOLDER, digest_sources, is_library, library_name, module_path

POLL = 0.1  # seconds between two looks at the lock of another process


def find_current_library(ending: str, target: str = "") -> Path:
    """A library that was built from the sources that are here now.

    target : a platform that it is for; this one, if not given
    """
    digest = digest_sources()
    return find_built(digest, ending) or build_once(digest, ending, target)


def find_built(digest: str, ending: str) -> Path | None:
    """The newest library of these sources, if there is one."""
    found = [path for path in FOLDER.glob(library_name(digest, "*", ending)) if is_library(path)]
    return max(found, key=lambda path: path.stat().st_mtime_ns, default=None)


def build_once(digest: str, ending: str, target: str) -> Path:
    """Build the library, unless another process does so meanwhile."""
    if find_spec("numba") is None:
        raise InstallationError(
            "the kernels have changed since the compiled library was built, or it was never built; "
            f"run: pip install --editable . ({WITHOUT})"
        )
    try:
        with lock(FOLDER / ".kernels.lock"):
            return find_built(digest, ending) or build(digest, target)
    except OSError as error:
        message = f"the compiled library cannot be built in {FOLDER}: {error}"
        raise InstallationError(f"{message}; make the folder writable, {WITHOUT}") from None


def build(digest: str, target: str) -> Path:
    """Build the library in a process of its own, and remove those of other sources."""
    tell("building the kernels, about a minute…")
    code, printed, errors = run_builder(build_command(digest, target))
    if code:
        raise InstallationError(f"the kernels cannot be compiled (exit code {code}):\n{errors.strip()}")
    for path in FOLDER.glob("kernels-*"):
        if digest not in path.name:
            with suppress(OSError):  # Windows keeps files that are in use
                path.unlink()
    return Path(printed.strip())


def run_builder(command: list[str]) -> tuple[int, str, str]:
    """Run the builder; its exit code, and what it printed. An interrupt ends it with all of its processes."""
    with subprocess.Popen(
        command,
        env=os.environ | build_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as builder:
        try:
            printed, errors = builder.communicate()
        except BaseException:
            if sys.platform == "win32":
                builder.kill()
            else:
                os.killpg(builder.pid, signal.SIGKILL)
            builder.wait()
            raise
    return builder.returncode, printed, errors


def tell(message: str) -> None:
    """Print a line for a person who waits."""
    print(f"wavefold: {message}", file=sys.stderr, flush=True)


def build_command(digest: str, target: str) -> list[str]:
    """The program that builds the library, with the kernels that only tests call, and prints its path."""
    options = ["--probes", "--quiet", "--module", str(module_path(digest))]
    options += ["--target", target] if target else []
    return [sys.executable, "-m", "wavefold.kernels.compile", str(FOLDER), *options]


def build_environment() -> dict[str, str]:
    """Variables for a process that builds: kernels as plain Python, from these sources."""
    source = FOLDER.parent.parent
    path = os.environ.get("PYTHONPATH")
    return {
        "WAVEFOLD_KERNELS": "python",
        "PYTHONPATH": str(source) + (os.pathsep + path if path else ""),
    }


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file; the system releases that of a process that dies."""
    with open(path, "ab") as file:
        if not try_lock(file.fileno()):
            tell("waiting for another process that builds the kernels…")
            while not try_lock(file.fileno()):
                time.sleep(POLL)
        yield


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file if no other process has it. True also where files cannot be locked."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True
