"""A disk cache for results that take long to compute.

A file is named after a digest of its key and of all sources of this package, so a stale one is never read. It
begins with a checksum: a damaged file is removed and written again. If no folder is writable, results are not
kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.storage.cache_folders import cache_home, temporary_home
from wavefold.storage.checksums import CHECKSUM_BYTES, checksum
from wavefold.storage.files import write_atomically

FOLDER, ENDING = "results", ".npz"
ROOM = 64 << 20  # bytes of all files in a folder; the least recently used are removed

Arrays = dict[str, NDArray[Any]]


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
        name = blake2b(repr((digest_sources(), *key)).encode(), digest_size=16).hexdigest() + ENDING
        found = self._read(name)
        if found is None:
            found = make()
            self._write(name, found)
        return found

    def _read(self, name: str) -> Arrays | None:
        for folder in self.folders:
            path = folder / name
            with suppress(OSError):
                found = decode_arrays(path.read_bytes())
                if found is not None:
                    with suppress(OSError):  # in an image it may be read-only
                        os.utime(path)
                    return found
                path.unlink()
        return None

    def _write(self, name: str, arrays: Arrays) -> None:
        file = BytesIO()
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type] # arrays, never the flag allow_pickle
        data = file.getvalue()
        for folder in self.folders:
            with suppress(OSError, ConfigError):
                folder.mkdir(parents=True, exist_ok=True)
                with write_atomically(folder / name) as target:
                    target.write(checksum(data) + data)
                remove_oldest(folder, self.room)
                return


def decode_arrays(data: bytes) -> Arrays | None:
    """The arrays in a file; None if it is damaged."""
    if data[:CHECKSUM_BYTES] != checksum(data[CHECKSUM_BYTES:]):
        return None
    try:
        with np.load(BytesIO(data[CHECKSUM_BYTES:]), allow_pickle=False) as file:
            return dict(file)
    except (ValueError, OSError, BadZipFile):
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
def digest_sources() -> str:
    """Digest of all sources of the package, in hexadecimal."""
    package = Path(__file__).parent.parent
    digest = blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return digest.hexdigest()


RESULTS = DiskCache([home / FOLDER for home in (cache_home(), temporary_home()) if home is not None])
