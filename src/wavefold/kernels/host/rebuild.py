"""Rebuild the library of a checkout when the sources change, once for all processes that need it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

from wavefold.errors import InstallationError, describe_error
from wavefold.kernels.host.remedies import PYTHON_ADVICE, pip_install, show_command
from wavefold.kernels.host.sources import (
    CHECKOUT,
    FOLDER,
    digest_sources,
    is_library,
    library_name,
    module_path,
)

if TYPE_CHECKING:
    from packaging.requirements import Requirement

POLL_SECONDS = 0.1  # between two attempts to take the lock
COMPILERS = ("llvmlite", "numba")


def find_current_library(ending: str, target: str = "") -> Path:
    """Return a library that was built from the current sources, built if necessary.

    target : its platform; by default this one
    """
    digest = digest_sources()
    return find_built(digest, ending) or build_once(digest, ending, target)


def find_built(digest: str, ending: str) -> Path | None:
    """Return the newest library of these sources, or None."""
    found = [path for path in FOLDER.glob(library_name(digest, "*", ending)) if is_library(path)]
    return max(found, key=lambda path: path.stat().st_mtime_ns, default=None)


def build_once(digest: str, ending: str, target: str) -> Path:
    """Build the library, unless another process builds it while this one waits."""
    check_compilers()
    try:
        with lock(FOLDER / ".kernels.lock") as descriptor:
            return find_built(digest, ending) or build(digest, target, descriptor)
    except OSError as error:
        message = f"the compiled library cannot be built in {FOLDER}: {error}"
        raise InstallationError(f"{message}; make the folder writable, {PYTHON_ADVICE}") from None


def check_compilers() -> None:
    """Raise unless the compiler packages are installed in versions that pyproject.toml allows."""
    for needed in read_compilers():
        found = find_version(needed.name)
        if found is None or not needed.specifier.contains(found, prereleases=True):
            raise InstallationError(
                f"there is no compiled library for the sources in {FOLDER}, and building one needs {needed} "
                f"({'not installed' if found is None else f'{found} is installed'}); "
                f"run: {pip_install('--editable', f'{CHECKOUT}[dev]')}, {PYTHON_ADVICE}"
            )


def read_compilers() -> list[Requirement]:
    """Read the requirements of the compiler packages from pyproject.toml."""
    from packaging.requirements import Requirement

    path = CHECKOUT / "pyproject.toml"
    try:
        listed = tomllib.loads(path.read_text("utf-8"))["build-system"]["requires"]
        return [each for each in map(Requirement, listed) if each.name in COMPILERS]
    except (OSError, ValueError, KeyError) as error:
        what = f"there is no compiled library for the sources in {FOLDER}"
        unread = f"{path}, which lists the compiler packages, cannot be read ({describe_error(error)})"
        raise InstallationError(f"{what}, and {unread}; restore it, {PYTHON_ADVICE}") from None


def find_version(package: str) -> str | None:
    """Return the version of an installed package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def build(digest: str, target: str, descriptor: int) -> Path:
    """Build the library in a separate process, and remove those of other sources.

    descriptor : the file descriptor of the lock
    """
    print_notice("building the kernels, about a minute…")
    command = build_command(digest, target)
    code, printed, errors = run_builder(command, descriptor)
    if code:
        what = (errors.strip() or f"exit code {code}").splitlines()[-1]
        details = f"for details, run: {show_command(command)}"
        raise InstallationError(f"the kernels cannot be built: {what}; {details}, {PYTHON_ADVICE}")
    for path in FOLDER.glob("kernels-*"):
        if digest not in path.name:
            with suppress(OSError):  # Windows keeps files that are in use
                path.unlink()
    return Path(printed.strip())


def run_builder(command: list[str], descriptor: int) -> tuple[int, str, str]:
    """Run the builder; returns its exit code and its output. An interrupt ends it and its child processes.

    If the system supports it, the builder inherits the lock and continues if this process is killed.
    """
    builder = None
    try:
        with defer_signals():  # a signal before `builder` is set would leave a process behind
            builder = subprocess.Popen(
                command,
                env=os.environ | build_environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                start_new_session=True,
                pass_fds=() if sys.platform == "win32" else (descriptor,),
            )
        printed, errors = builder.communicate()
    except BaseException:
        if builder is not None:
            kill_group(builder)
        raise
    return builder.returncode, printed, errors


@contextmanager
def defer_signals() -> Iterator[None]:
    """Handle Ctrl-C and SIGTERM that arrive within the block at its end."""
    if current_thread() is not main_thread():  # only the main thread handles signals
        yield
        return
    arrived: list[int] = []
    handlers = {
        each: signal.signal(each, lambda number, _: arrived.append(number))
        for each in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
        for number in arrived:
            signal.raise_signal(number)


def kill_group(builder: subprocess.Popen[str]) -> None:
    """End a process and its children."""
    if sys.platform == "win32":
        builder.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(builder.pid, signal.SIGKILL)
    with builder:  # closes its pipes and waits for it
        pass


def print_notice(message: str) -> None:
    """Print a line for a waiting user."""
    print(f"wavefold: {message}", file=sys.stderr, flush=True)


def build_command(digest: str, target: str) -> list[str]:
    """Return the command that builds the library, including kernels for tests, and prints its path."""
    options = ["--probes", "--quiet", "--module", str(module_path(digest))]
    options += ["--target", target] if target else []
    return [sys.executable, "-m", "wavefold.kernels.compile", str(FOLDER), *options]


def build_environment() -> dict[str, str]:
    """Return environment variables with which a process builds from these sources."""
    source, path = str(FOLDER.parent.parent), os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": source + os.pathsep + path if path else source}


@contextmanager
def lock(path: Path) -> Iterator[int]:
    """Lock a file and yield its descriptor; the system releases the lock of a process that dies."""
    with open(path, "ab") as file:
        if not try_lock(file.fileno()):
            print_notice("waiting for another process that builds the kernels…")
            while not try_lock(file.fileno()):
                time.sleep(POLL_SECONDS)
        yield file.fileno()


def try_lock(descriptor: int) -> bool:
    """Try to lock an open file; returns True also on systems that cannot lock files."""
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
