"""Files: written whole or not at all, one or several together, and read up to a limit."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from wavefold.common.memory_file import AnyFile
from wavefold.errors import ConfigError, FormatError


@contextmanager
def write_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write that takes its name only when everything went well.

    Until then it has another name in the same folder. If anything goes wrong, nothing is left behind and a
    file that was there before is unchanged.
    """
    target = Path(path)
    check_writable(target)
    draft = hidden_path(target, "part")
    try:
        with open(draft, "wb") as file:
            yield file
        os.replace(draft, target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        draft.unlink(missing_ok=True)


def write_files_atomically(files: Mapping[Path, bytes]) -> None:
    """Write several files that appear together or not at all.

    All are written under temporary names first, then renamed in their order. If anything goes wrong, nothing
    new is left behind, and files that were there before are restored.
    """
    for path in files:
        check_writable(path)
    drafts = {path: hidden_path(path, f"{number}.part") for number, path in enumerate(files)}
    copies = {path: hidden_path(path, f"{number}.before") for number, path in enumerate(files)}
    renamed: list[Path] = []
    current = next(iter(files))
    try:
        for current, data in files.items():
            drafts[current].write_bytes(data)
            if current.exists():
                copies[current].write_bytes(current.read_bytes())
        for current in files:
            os.replace(drafts[current], current)
            renamed.append(current)
    except BaseException as error:
        for path in renamed:
            restore(path, copies[path])
        if isinstance(error, OSError):
            raise cannot_write(current, error) from error
        raise
    finally:
        for left in (*drafts.values(), *copies.values()):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def hidden_path(path: Path, ending: str) -> Path:
    """A temporary name in the same folder."""
    return path.with_name(f".{path.name[:64]}.{os.getpid()}.{ending}")


def restore(path: Path, copy: Path) -> None:
    """Put the copy of a file back; remove the file if there is no copy."""
    with suppress(OSError):
        if copy.exists():
            os.replace(copy, path)
        else:
            path.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise now if a file could not be written there later: before the work, not after it."""
    target = Path(path)
    if "\0" in str(target):
        raise ConfigError(f"cannot write {str(path)!r}: the path contains a null byte; choose another name")
    try:
        is_folder, has_parent = target.is_dir(), target.parent.is_dir()
    except OSError as error:  # such as a name that is too long
        raise cannot_write(target, error) from error
    if is_folder:
        raise ConfigError(f"cannot write {str(path)!r}: it is a folder; give a file name")
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
    """What the operating system said, as one sentence."""
    reason = (error.strerror or str(error)).lower()
    return ConfigError(f"cannot write {str(path)!r}: {reason}; choose another path")


@contextmanager
def open_to_read(source: AnyFile) -> Iterator[IO[bytes]]:
    """A file to read; what the operating system refuses, now or while it is read, is a `FormatError`."""
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
