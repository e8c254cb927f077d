"""The library in a checkout: built again when the sources have changed, once, whatever processes need it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from wavefold.errors import InstallationError
from wavefold.kernels.sources import FOLDER, digest_sources, library_name, list_sources, module_path

POLL = 0.1  # seconds between two looks at the lock of another process


def find_current_library(ending: str, target: str = "") -> Path:
    """A library that was built from the sources that are here now.

    target : a platform that it is for; this one, if not given
    """
    libraries = list_libraries(ending)
    changed = max(path.stat().st_mtime_ns for path in list_sources())
    if libraries and libraries[0].stat().st_mtime_ns > changed:
        return libraries[0]
    digest = digest_sources()
    return find_built(digest, ending) or build_once(digest, ending, target)


def list_libraries(ending: str, digest: str = "*") -> list[Path]:
    """Libraries in this folder, the newest first."""
    found = FOLDER.glob(library_name(digest, "*", ending))
    return sorted(found, key=lambda path: -path.stat().st_mtime_ns)


def find_built(digest: str, ending: str) -> Path | None:
    """The library of these sources, if there is one; its time says from now on that it is current."""
    found = list_libraries(ending, digest)
    if not found:
        return None
    with suppress(OSError):  # where nothing can be written, digests are compared each time
        os.utime(found[0])
    return found[0]


def build_once(digest: str, ending: str, target: str) -> Path:
    """Build the library, unless another process does so meanwhile."""
    if find_spec("numba") is None:
        raise InstallationError(
            "the kernels have changed since the compiled library was built, or it was never built; "
            "run: pip install --editable . (or set WAVEFOLD_KERNELS=python to run without it, slowly)"
        )
    try:
        with lock(FOLDER / ".kernels.lock"):
            return find_built(digest, ending) or build(digest, target)
    except OSError as error:
        raise InstallationError(f"the compiled library cannot be built in {FOLDER}: {error}") from None


def build(digest: str, target: str) -> Path:
    """Build the library in a process of its own, and remove those of other sources."""
    print("wavefold: building the kernels, about 40 seconds…", file=sys.stderr, flush=True)
    environment = os.environ | build_environment()
    done = subprocess.run(
        build_command(digest, target), env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise InstallationError(f"the kernels cannot be compiled:\n{done.stderr.strip()}")
    library = Path(done.stdout.strip())
    for path in FOLDER.glob("kernels-*"):
        if digest not in path.name:
            with suppress(OSError):  # Windows keeps files that are in use
                path.unlink()
    return library


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
