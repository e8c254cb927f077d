"""Files: written whole or not at all, and read up to a limit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from wavefold.errors import ConfigError, FormatError


@contextmanager
def write_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write that takes its name only when everything went well.

    Until then it has another name in the same folder; whatever goes wrong, nothing is left behind and
    a file that was there before is still what it was.
    """
    place = Path(path)
    check_writable(place)
    draft = place.with_name(f".{place.name[:64]}.{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            yield file
        os.replace(draft, place)
    except OSError as error:
        raise cannot_write(place, error) from error
    finally:
        draft.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise now if a file could not be written there later: before the work, not after it."""
    place = Path(path)
    if "\0" in str(place):
        raise ConfigError(f"cannot write {str(path)!r}: a path has no zero byte in it; choose another name")
    try:
        taken, folder = place.is_dir(), place.parent.is_dir()
    except OSError as error:  # such as a name that is too long
        raise cannot_write(place, error) from error
    if taken:
        raise ConfigError(f"cannot write {str(path)!r}: it is a folder; give a file name")
    if not folder:
        raise ConfigError(
            f"cannot write {str(path)!r}: there is no folder {str(place.parent)!r}; create it first"
        )
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise ConfigError(
            f"cannot write {str(path)!r}: no permission in the folder {str(place.parent)!r}; choose another"
        )


def cannot_write(place: Path, error: OSError) -> ConfigError:
    """What the operating system said, as one sentence."""
    reason = (error.strerror or str(error)).lower()
    return ConfigError(f"cannot write {str(place)!r}: {reason}; choose another place")


def read_limited(source: Path, most: int, advice: str) -> bytes:
    """What a file holds; one with more than `most` bytes is refused, with advice."""
    try:
        if source.exists() and not (source.is_file() or source.is_dir()):  # a pipe would wait for ever
            raise FormatError(f"cannot read {str(source)!r}: it is not a file")
        with open(source, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise FormatError(f"cannot read {str(source)!r}: {reason}") from error
    if len(data) > most:
        raise FormatError(f"{source} is larger than {most:,} bytes; {advice}")
    return data
