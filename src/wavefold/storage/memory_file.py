"""Files in memory, with the part of the interface of `pathlib.Path` that format readers use.

So one reader works for files on disk and for received files, such as a zip archive or a store: names in them
are looked up in a mapping and never become paths on this machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from errno import ENOENT
from io import BytesIO
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import IO


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file, or a folder, among others in memory.

    files : {name: content}; names are relative, with "/" between folders
    path : its path among them
    """

    files: Mapping[str, bytes] = field(compare=False, repr=False)
    path: PurePosixPath

    @classmethod
    def of(cls, files: Mapping[str, bytes], name: str) -> MemoryFile:
        """The file of this name."""
        return cls(files, PurePosixPath(name))

    def __str__(self) -> str:
        return str(self.path)

    def __truediv__(self, name: str | PurePosixPath) -> MemoryFile:
        """The file with this name relative to a folder; ".." goes up, but not out of `files`."""
        return replace(self, path=PurePosixPath(normpath(self.path / name)))

    @property
    def parent(self) -> MemoryFile:
        """The folder it is in."""
        return replace(self, path=self.path.parent)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.name

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return self.path.stem

    @property
    def suffix(self) -> str:
        """The ending of its name, such as ".png"."""
        return self.path.suffix

    def with_suffix(self, suffix: str) -> MemoryFile:
        """The same with another ending."""
        return replace(self, path=self.path.with_suffix(suffix))

    def exists(self) -> bool:
        """Whether there is a file of this name, or one in a folder of this name."""
        return self.is_file() or self.is_dir()

    def is_file(self) -> bool:
        """Whether there is a file of this name."""
        return str(self.path) in self.files

    def is_dir(self) -> bool:
        """Whether there is a file in a folder of this name."""
        return any(name.startswith(f"{self.path}/") for name in self.files)

    def open(self, mode: str = "rb") -> IO[bytes]:
        """Its content, to be read."""
        if not self.is_file():
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(self))
        return BytesIO(self.files[str(self.path)])


AnyFile = Path | MemoryFile  # accepted by format readers
