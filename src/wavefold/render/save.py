"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from PIL import Image

from wavefold.errors import ConfigError
from wavefold.render.draw import Map, draw

__all__ = ["check_place", "save_picture", "whole_file", "write_image"]


def save_picture(solution: Map, path: str | os.PathLike[str], **options: Any) -> None:
    """Draw the map into a PNG file; the options are those of `draw`."""
    check_place(path)
    write_image(draw(solution, **options), path)


def write_image(image: Image.Image, path: str | os.PathLike[str]) -> None:
    """Write a picture into a PNG file."""
    with whole_file(path) as file:
        image.save(file, "PNG", optimize=image.width * image.height < 1 << 21)


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write that takes its name only when everything went well.

    Until then it has another name in the same folder; whatever goes wrong, nothing is left behind and
    a file that was there before is still what it was.
    """
    place = Path(path)
    check_place(place)
    draft = place.with_name(f".{place.name[:64]}.{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            yield file
        os.replace(draft, place)
    except OSError as error:
        raise cannot_write(place, error) from error
    finally:
        draft.unlink(missing_ok=True)


def check_place(path: str | os.PathLike[str]) -> None:
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
