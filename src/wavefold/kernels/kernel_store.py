"""Compiled kernels on disk. Whatever is wrong with the disk, the worst that happens is another compilation.

A file takes its name only when it is complete, and begins with a checksum: a damaged one is removed. The
folder is named after a digest of all kernel sources, so nothing stale is ever found in it.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from threading import get_ident

from wavefold.errors import CacheWarning

ENDING = ".kernel"
CHECKSUM_BYTES = 16
DAY = 86_400
MOST_IDLE_DAYS, MOST_FOLDERS = 14, 12  # of other versions; several checkouts may share the parent folder
DRAFT_AGE = 3_600  # seconds after which an unfinished file was left by a process that was killed
LONGEST_WAIT = 60  # seconds for the lock of another process
POLL = 0.05


def cache_home() -> Path | None:
    """The cache folder of the user, by the rules of the platform; None without a home.

    Ten lines here instead of a dependency on platformdirs.
    """
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "wavefold"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "wavefold"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wavefold"
    except RuntimeError:  # a user without an entry in the list of users
        return None


def temporary_home() -> Path | None:
    """A folder of our own in the temporary directory; None if another user could write into it.

    Compiled code is loaded from there: it must be ours.
    """
    try:
        if not hasattr(os, "getuid"):
            return Path(tempfile.gettempdir()) / "wavefold"
        folder = Path(tempfile.gettempdir()) / f"wavefold-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return folder if is_ours else None


class KernelStore:
    """Named files of bytes in the first of several folders that works.

    folders : read in this order; written to the first that can be written
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = list(folders)
        self._warned = self._marked = self._swept = False

    def find(self, name: str) -> Path | None:
        """The file of this name, sound or not."""
        return next((path for folder in self.folders if is_file(path := folder / name)), None)

    def read(self, name: str) -> bytes | None:
        """What was written under this name; None if there is nothing, or nothing sound."""
        for folder in self.folders:
            try:
                data = (folder / name).read_bytes()
            except OSError:
                continue
            if data[:CHECKSUM_BYTES] == checksum(data[CHECKSUM_BYTES:]):
                self._mark_used(folder)
                return data[CHECKSUM_BYTES:]
            with suppress(OSError):
                (folder / name).unlink()
        return None

    def write(self, name: str, data: bytes) -> None:
        """Write a file, or say once why that is not possible."""
        failure: OSError | None = None
        for folder in self.folders:
            try:
                write_whole(folder / name, checksum(data) + data)
            except OSError as error:
                failure = failure or error
                continue
            if failure is not None:
                self._warn(f"{describe(self.folders[0], failure)}; they are kept in {folder}")
            elif not self._swept:
                self._swept = True
                sweep(folder)
            return
        why = describe(self.folders[0], failure) if failure else "there is no folder to keep kernels in"
        self._warn(f"{why}; every start compiles them again")

    def discard(self, name: str) -> None:
        """Remove a file that is sound but cannot be loaded."""
        for folder in self.folders:
            with suppress(OSError):
                (folder / name).unlink(missing_ok=True)

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Wait while another process compiles: until it ends, has written this file, or takes too long.

        The operating system releases the lock of a process that dies. Without a folder there is no lock.
        """
        file = None
        for folder in self.folders:
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                file = open(folder / "lock", "ab")  # noqa: SIM115 closed below, which releases the lock
                break
        if file is None:
            yield
            return
        with file:
            give_up_at = time.monotonic() + LONGEST_WAIT
            while not try_lock(file.fileno()) and self.find(name) is None and time.monotonic() < give_up_at:
                time.sleep(POLL)
            yield

    def usage(self) -> tuple[Path | None, int, int]:
        """The first folder that holds kernels, their number and their bytes."""
        for folder in self.folders:
            with suppress(OSError):
                sizes = [path.stat().st_size for path in folder.glob(f"*{ENDING}")]
                if sizes:
                    return folder, len(sizes), sum(sizes)
        return None, 0, 0

    def _mark_used(self, folder: Path) -> None:
        """Set the time of the folder, by which `sweep` sees that it is in use."""
        if not self._marked:
            self._marked = True
            with suppress(OSError):
                os.utime(folder)

    def _warn(self, message: str) -> None:
        if self._warned:
            return
        self._warned = True
        try:
            warnings.warn(message, CacheWarning, stacklevel=2)
        except CacheWarning as warning:  # where warnings are errors: a cache is no reason to have no map
            print(warning, file=sys.stderr)


def is_file(path: Path) -> bool:
    """Whether there is a file, as far as we may know."""
    try:
        return path.is_file()
    except OSError:
        return False


def checksum(data: bytes) -> bytes:
    """Of a kernel's file."""
    return blake2b(data, digest_size=CHECKSUM_BYTES).digest()


def describe(folder: Path, error: OSError) -> str:
    """Why kernels cannot be kept in a folder."""
    return f"compiled kernels cannot be written to {folder} ({(error.strerror or str(error)).lower()})"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that takes its name when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}")
    try:
        draft.write_bytes(data)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def sweep(current: Path) -> None:
    """Remove folders beside `current` that no version has used for long, and drafts of killed processes."""
    now = time.time()
    with suppress(OSError):
        for draft in current.glob(f".*{ENDING}.*"):
            if now - draft.stat().st_mtime > DRAFT_AGE:
                draft.unlink()
        others = [folder for folder in current.parent.glob("kernels-*") if folder != current]
        used = {folder: folder.stat().st_mtime for folder in others}
        for rank, folder in enumerate(sorted(others, key=lambda folder: -used[folder])):
            if rank >= MOST_FOLDERS or now - used[folder] > MOST_IDLE_DAYS * DAY:
                shutil.rmtree(folder, ignore_errors=True)


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
