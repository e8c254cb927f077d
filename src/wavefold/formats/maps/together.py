"""Several files that appear together or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from wavefold.common.files import cannot_write, check_writable


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write these files: all under temporary names first, then each takes its own, in their order.

    Whatever goes wrong, nothing new is left behind, and what was there before is there again.
    """
    for place in files:
        check_writable(place)
    drafts = {place: hidden(place, f"{number}.part") for number, place in enumerate(files)}
    copies = {place: hidden(place, f"{number}.before") for number, place in enumerate(files)}
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
        for place in renamed:
            restore(place, copies[place])
        if isinstance(error, OSError):
            raise cannot_write(current, error) from error
        raise
    finally:
        for left in (*drafts.values(), *copies.values()):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def hidden(place: Path, ending: str) -> Path:
    """A name of our own beside a file."""
    return place.with_name(f".{place.name[:64]}.{os.getpid()}.{ending}")


def restore(place: Path, copy: Path) -> None:
    """What was there before, or nothing."""
    with suppress(OSError):
        if copy.exists():
            os.replace(copy, place)
        else:
            place.unlink(missing_ok=True)
