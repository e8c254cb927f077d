"""Files: written whole or not at all, read up to a limit, noted when read; and files in memory.

So one reader works for files on disk and for received files, such as a zip archive or a store: names in them
are looked up in a mapping and never become paths on this machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from errno import ENOENT
from io import BytesIO
from pathlib import Path, PurePosixPath, PureWindowsPath
from posixpath import normpath
from threading import get_ident
from typing import IO

from wavefold.errors import ConfigError, FormatError

_noted: ContextVar[list[Path] | None] = ContextVar("noted", default=None)


@contextmanager
def write_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file to write; it gets its name only if everything succeeds.

    Until then it has a temporary name in the same folder. On failure nothing is left behind, and an existing
    file is unchanged.
    """
    target = resolve_link(path)
    check_writable(target)
    temporary_path = hidden_path(target, "part")
    try:
        with open(temporary_path, "wb") as file:
            yield file
        os.replace(temporary_path, target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        temporary_path.unlink(missing_ok=True)


def write_files_atomically(files: Mapping[Path, bytes]) -> None:
    """Write several files that appear together or not at all.

    All are written under temporary names first, then renamed in order. On failure no new file is left behind,
    and existing files are restored.
    """
    files = {resolve_link(path): data for path, data in files.items()}
    for path in files:
        check_writable(path)
    temporary_paths = {path: hidden_path(path, f"{number}.part") for number, path in enumerate(files)}
    copies = {path: hidden_path(path, f"{number}.before") for number, path in enumerate(files)}
    renamed: list[Path] = []
    current = next(iter(files))
    try:
        for current, data in files.items():
            temporary_paths[current].write_bytes(data)
            if current.exists():
                copies[current].write_bytes(current.read_bytes())
        for current in files:
            os.replace(temporary_paths[current], current)
            renamed.append(current)
    except BaseException as error:
        for path in renamed:
            restore(path, copies[path])
        if isinstance(error, OSError):
            raise cannot_write(current, error) from error
        raise
    finally:
        for left in (*temporary_paths.values(), *copies.values()):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def find_inside(name: str, *files: AnyFile) -> AnyFile | None:
    """The file of this name beside the first of these; None if it is outside the folders of all of them.

    Links are resolved first, so a file from elsewhere cannot refer to other places on this machine. The
    folder of files in memory is the whole archive.
    """
    if PureWindowsPath(name).anchor or "\0" in name:
        return None
    path = files[0].parent / PurePosixPath(name)
    if isinstance(path, MemoryFile):
        return path
    folders = {folder for file in files for folder in (realpath(file.parent), realpath(file).parent)}
    return path if any(realpath(path).is_relative_to(folder) for folder in folders) else None


def realpath(path: AnyFile) -> Path:
    """Resolve a path. Unlike `Path.resolve`, does not raise if it leads nowhere."""
    return Path(os.path.realpath(str(path)))


def hidden_path(path: Path, ending: str) -> Path:
    """A temporary name in the same folder, unique to this thread."""
    return path.with_name(f".{path.name[:64]}.{os.getpid()}.{get_ident()}.{ending}")


def restore(path: Path, copy: Path) -> None:
    """Put the copy of a file back; remove the file if there is no copy."""
    with suppress(OSError):
        if copy.exists():
            os.replace(copy, path)
        else:
            path.unlink(missing_ok=True)


def resolve_link(path: str | os.PathLike[str]) -> Path:
    """Return the file that a symbolic link leads to, so that writing replaces the file and not the link."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise now if a file could not be written there later: before the work, not after it."""
    target = Path(path)
    if "\0" in str(target):
        raise ConfigError(f"cannot write {str(path)!r}: the path contains a null byte; choose another name")
    try:
        is_folder, has_parent = target.is_dir(), target.parent.is_dir()
        is_special = target.exists() and not target.is_file()
    except OSError as error:  # such as a name that is too long
        raise cannot_write(target, error) from error
    if is_folder:
        raise ConfigError(f"cannot write {str(path)!r}: it is a folder; give a file name")
    if is_special:
        raise ConfigError(f"cannot write {str(path)!r}: it is a device or a pipe; give a file name")
    if not has_parent:
        nearest = next((each for each in target.parents if each.exists()), target.parent)
        if nearest.is_file():
            raise ConfigError(
                f"cannot write {str(path)!r}: {str(nearest)!r} is a file, not a folder; choose another path"
            )
        raise ConfigError(
            f"cannot write {str(path)!r}: there is no folder {str(target.parent)!r}; create it first"
        )
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise ConfigError(
            f"cannot write {str(path)!r}: no permission in the folder {str(target.parent)!r}; choose another"
        )


def cannot_write(path: Path, error: OSError) -> ConfigError:
    """An error with the message of the operating system as one sentence."""
    reason = (error.strerror or str(error)).lower()
    return ConfigError(f"cannot write {str(path)!r}: {reason}; choose another path")


@contextmanager
def collect_reads() -> Iterator[list[Path]]:
    """Yield a list of the files that are read in this block: a command must not overwrite its inputs."""
    files: list[Path] = []
    token = _noted.set(files)
    try:
        yield files
    finally:
        _noted.reset(token)


def note_read(source: str | os.PathLike[str] | MemoryFile) -> None:
    """Add a file to the list of `collect_reads`. Readers call this, or `open_to_read`, for each file."""
    files = _noted.get()
    if files is not None and not isinstance(source, MemoryFile):
        files.append(Path(source))


@contextmanager
def open_to_read(source: AnyFile) -> Iterator[IO[bytes]]:
    """Open a file to read; an error of the operating system, now or later, becomes a `FormatError`."""
    note_read(source)
    try:
        if source.exists() and not (source.is_file() or source.is_dir()):  # a pipe would block
            raise FormatError(f"cannot read {str(source)!r}: it is not a file")
        with source.open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise FormatError(f"cannot read {str(source)!r}: {reason}") from error


def read_limited(source: AnyFile, most: int, advice: str) -> bytes:
    """The content of a file; raises `FormatError` with this advice if it has more than `most` bytes."""
    with open_to_read(source) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise FormatError(f"{source} is larger than {most:,} bytes; {advice}")
    return data


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
