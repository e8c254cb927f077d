"""Results that take long to compute, kept on disk from one process to the next.

A file is named after a digest of its key and of all sources of this package, so a stale one is never read. It
begins with a checksum: a damaged one is removed, and written again. Where nothing can be written, nothing is
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
from threading import get_ident
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from wavefold.common.cache_folders import cache_home, temporary_home

FOLDER, ENDING = "results", ".npz"
CHECKSUM_BYTES = 16
ROOM = 64 << 20  # bytes of all files in a folder; those that were not used for longest are removed

Arrays = dict[str, NDArray[Any]]


class DiskCache:
    """Arrays by name, by key.

    folders : read in this order; written to the first that can be written
    """

    def __init__(self, folders: Sequence[Path], room: int = ROOM) -> None:
        self.folders, self.room = list(folders), room

    def get(self, key: Sequence[object], make: Callable[[], Arrays]) -> Arrays:
        """What was made for this key, now or by an earlier process.

        key : numbers, texts and bytes that say all that the result depends on, beside our sources
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
            with suppress(OSError):
                write_whole(folder / name, checksum(data) + data)
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
    """Remove files until the others fit; drafts of processes that were killed are files, too."""
    with suppress(OSError):  # another process may be at it, too
        files = [(path.stat(), path) for path in folder.iterdir()]
        for found, path in sorted(files, key=lambda each: -each[0].st_mtime_ns):
            room -= found.st_size
            if room < 0:
                path.unlink(missing_ok=True)


def checksum(data: bytes) -> bytes:
    """Of what a file holds."""
    return blake2b(data, digest_size=CHECKSUM_BYTES).digest()


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


@cache
def digest_sources() -> str:
    """Digest of all sources of the package, in hexadecimal."""
    package = Path(__file__).parent.parent
    digest = blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return digest.hexdigest()


RESULTS = DiskCache([home / FOLDER for home in (cache_home(), temporary_home()) if home is not None])
