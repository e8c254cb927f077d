"""Caches in memory and on disk, bounded and safe for threads.

`BoundedCache` never computes one value twice at the same time. `DiskCache` may: then the last result is kept.

A file is named after a digest of its key and of all sources of this package, so a stale one is never read. It
is an archive: a damaged file is removed and written again. If no folder is writable, results are not
kept.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from wavefold.errors import ConfigError, FormatError
from wavefold.kernels.host.checkpoint import Stopped, wait_for
from wavefold.storage.archive import ArchiveKind, Section
from wavefold.storage.files import write_atomically
from wavefold.storage.parsing import encode_array, parse_array

OVERHEAD = 256  # bytes of an array object and its entry in a cache
FOLDER, ENDING = "results", ".zip"
RESULT = ArchiveKind("wavefold result", (Section("arrays", (), prefix=""),), FormatError)
ROOM = 64 << 20  # bytes of all files in a folder; the least recently used are removed

Value = TypeVar("Value")
Arrays = dict[str, NDArray[Any]]


def cache_home() -> Path | None:
    """The user's cache folder, by the rules of the platform; None without a home.

    This replaces a dependency on platformdirs by ten lines.
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
    """A private folder in the temporary directory; None if another user could write into it.

    Results are read from there, so only this user may write them.
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


def array_bytes(array: Any) -> int:
    """The memory that an array takes."""
    return int(array.nbytes) + OVERHEAD


def weigh_one(_: Any) -> int:
    """Every value counts as 1."""
    return 1


class BoundedCache(Generic[Value]):
    """Keeps the most recently used values.

    room : limit on the total size; the latest value is always kept
    weigh : returns the size of a value; 1 by default, so that `room` counts values; `array_bytes` for arrays
    most : limit on the number of values, whatever their size
    """

    def __init__(self, room: int, weigh: Callable[[Value], int] = weigh_one, most: int = sys.maxsize) -> None:
        self.room = room
        self.most = most
        self.made = 0
        self.found = 0
        self.taken = 0  # of the room
        self._weigh = weigh
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._making: dict[Hashable, Future[Value]] = {}
        self._lock = threading.Lock()

    def get(self, name: Hashable, make: Callable[[], Value]) -> Value:
        """The value of this name. The first caller computes it; other callers wait for the result."""
        with self._lock:
            if name in self._values:
                self._values.move_to_end(name)
                self.found += 1
                return self._values[name]
            future = self._making.get(name)
            mine = future is None
            if future is None:
                future = self._making[name] = Future()
        if not mine:
            wait_for(future)
            if isinstance(future.exception(), Stopped | KeyboardInterrupt):  # only that caller was stopped
                return self.get(name, make)
            return future.result()
        try:
            value = make()
        except BaseException as error:
            with self._lock:
                del self._making[name]
            future.set_exception(error)
            raise
        with self._lock:
            self.made += 1
            del self._making[name]
            self._put(name, value)
        future.set_result(value)
        return value

    def peek(self, name: Hashable) -> Value | None:
        """The value of this name, or None if it is not cached."""
        with self._lock:
            return self._values.get(name)

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._values.clear()
            self.taken = 0

    def _put(self, name: Hashable, value: Value) -> None:
        self._values[name] = value
        self.taken += self._weigh(value)
        while (self.taken > self.room or len(self._values) > self.most) and len(self._values) > 1:
            _, oldest = self._values.popitem(last=False)
            self.taken -= self._weigh(oldest)


class DiskCache:
    """Caches named arrays by key.

    folders : read in this order; files are written to the first writable one
    """

    def __init__(self, folders: Sequence[Path], room: int = ROOM) -> None:
        self.folders, self.room = list(folders), room

    def get(self, key: Sequence[object], make: Callable[[], Arrays]) -> Arrays:
        """The arrays for this key, computed now or by an earlier process.

        key : numbers, texts and bytes: everything the result depends on, except the package's sources
        """
        if not self.folders:
            return make()
        name = blake2b(repr((digest_package(), *key)).encode(), digest_size=16).hexdigest() + ENDING
        found = self._read(name)
        if found is None:
            found = make()
            self._write(name, found)
        return found

    def _read(self, name: str) -> Arrays | None:
        for folder in self.folders:
            path = folder / name
            with suppress(OSError):
                found = decode_arrays(path.read_bytes(), path)
                if found is not None:
                    with suppress(OSError):  # in an image it may be read-only
                        os.utime(path)
                    return found
                path.unlink()
        return None

    def _write(self, name: str, arrays: Arrays) -> None:
        result = RESULT.create({}, {name: encode_array(array) for name, array in arrays.items()})
        for folder in self.folders:
            with suppress(OSError, ConfigError):
                folder.mkdir(parents=True, exist_ok=True)
                with write_atomically(folder / name) as target:
                    target.write(result.pack())
                remove_oldest(folder, self.room)
                return


def decode_arrays(data: bytes, path: Path) -> Arrays | None:
    """The arrays in a file; None if it is damaged."""
    try:
        archive = RESULT.unpack(data, path)
        return {name: parse_array(archive.entries[name]).copy("K") for name in archive.header["sections"]}
    except (FormatError, ValueError):
        return None


def remove_oldest(folder: Path, room: int) -> None:
    """Remove files until the others fit, including temporary files that killed processes left behind."""
    with suppress(OSError):  # another process may remove files at the same time
        files = [(path.stat(), path) for path in folder.iterdir()]
        for found, path in sorted(files, key=lambda each: -each[0].st_mtime_ns):
            room -= found.st_size
            if room < 0:
                path.unlink(missing_ok=True)


@cache
def digest_package() -> str:
    """Digest of all sources of the package, in hexadecimal."""
    package = Path(__file__).parent.parent
    digest = blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return digest.hexdigest()


RESULTS = DiskCache([home / FOLDER for home in (cache_home(), temporary_home()) if home is not None])
