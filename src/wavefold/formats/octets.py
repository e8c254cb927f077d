"""Reading a file that somebody else wrote: as bytes, and no more of them than is sensible."""

from __future__ import annotations

from pathlib import Path

from wavefold.errors import FormatError

__all__ = ["octets_of"]


def octets_of(source: Path, most: int, advice: str) -> bytes:
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
