"""Zip archives from untrusted sources, read in memory and within limits.

The directory of an archive is checked before decompressing, and the content while decompressing. File names
are looked up only within the archive (`storage.files.MemoryFile`).
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import NoReturn

from wavefold.errors import FormatError, WavefoldError
from wavefold.options.values import LimitError, shorten
from wavefold.storage.archive import METHODS, inflate, write_zip

ZIP_SIGNATURE = b"PK\x03\x04"  # the first bytes of a zip archive
EMPTY_ZIP_SIGNATURE = b"PK\x05\x06"  # the first bytes of an archive without files
ENTRY_SIGNATURE = b"PK\x01\x02"  # the first bytes of a directory entry
ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
ARCHIVE_ENDINGS = (".zip", ".jar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".zst")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputLimits:
    """Limits for reading untrusted bytes.

    Attributes
    ----------
    size : bytes of a file or an archive, as sent
    inflated : decompressed bytes of all files in an archive
    text : bytes of the file that describes a tile set
    ratio : ratio of the size of a file to its compressed size
    entries : files and folders in an archive
    pixels : pixels of one picture, and of all pictures of a tile set together
    patterns : patterns of a tile set: tiles in all orientations and at all heights, or windows of a sample
    """

    size: int = 8 << 20
    inflated: int = 32 << 20
    text: int = 4 << 20
    ratio: int = 200
    entries: int = 1000
    pixels: int = 4 << 20
    patterns: int = 4096


DEFAULT_LIMITS = InputLimits()


def check_limit(what: str, count: int, unit: str, limit: str, limits: InputLimits) -> None:
    """Raise if a count exceeds the limit of this name."""
    most = getattr(limits, limit)
    if count > most:
        raise LimitError(f"{what} has {count:,} {unit}; at most {most:,} are accepted", limit, most)


def read_archive(
    data: bytes, name: str, endings: Collection[str], limits: InputLimits = DEFAULT_LIMITS
) -> dict[str, bytes]:
    """{name: content} of the files in a zip archive that have these endings, in lower or upper case.

    Hidden files and those that macOS adds are left out. Raises `FormatError`, with the archive and the entry,
    for anything harmful.
    """
    check_limit(name, len(data), "bytes", "size", limits)
    check_limit(name, data.count(ENTRY_SIGNATURE), "entries", "entries", limits)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = archive.infolist()
            check_entries(entries, name, limits)
            wanted = [entry for entry in entries if is_wanted(entry, endings)]
            return {entry.filename: decompress_entry(archive, entry, name) for entry in wanted}
    except WavefoldError:
        raise
    except Exception as error:  # zipfile raises anything for damaged files
        raise FormatError(f"{name} is not a complete zip archive: {error}") from error


def is_wanted(entry: zipfile.ZipInfo, endings: Collection[str]) -> bool:
    """Whether to read an entry."""
    *folders, last = entry.filename.split("/")
    is_hidden = last.startswith(".") or "__MACOSX" in folders
    return not is_hidden and f".{last.rpartition('.')[2].lower()}" in endings


def decompress_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    """Decompress an entry; the zip module compares its checksum."""
    content = inflate(archive, entry, entry.file_size + 1)
    if len(content) != entry.file_size:
        refuse(name, entry, f"has {len(content):,} bytes, but declares {entry.file_size:,}")
    if content.startswith(ZIP_SIGNATURE):
        refuse(name, entry, "is an archive; put its files into the outer archive")
    return content


# --- checking the directory of an archive ---------------------------------------------------------


def check_entries(entries: Collection[zipfile.ZipInfo], name: str, limits: InputLimits) -> None:
    """Raise for too many entries or bytes, and for entries that must not be read."""
    check_limit(name, len(entries), "entries", "entries", limits)
    check_limit(name, sum(entry.file_size for entry in entries), "bytes, decompressed", "inflated", limits)
    seen: set[str] = set()
    for entry in entries:
        check_name(entry, name)
        if entry.filename in seen:
            refuse(name, entry, "occurs twice; names must differ")
        seen.add(entry.filename)
        check_entry(entry, name)
        if entry.file_size > limits.ratio * max(1, entry.compress_size):
            message = (
                f"{name}: {shorten(entry.filename)} is {entry.file_size / max(1, entry.compress_size):,.0f} "
                f"times its compressed size; at most {limits.ratio:,} times is accepted"
            )
            raise LimitError(message, "ratio", limits.ratio)


def check_name(entry: zipfile.ZipInfo, name: str) -> None:
    """Raise for a name that could lead out of a folder, although files are never opened by these names."""
    given = entry.orig_filename  # Python cuts a name at a null byte
    parts = given.removesuffix("/").split("/")
    if "\\" in given or "\0" in given or ":" in given:
        refuse(name, entry, r"has '\', ':' or a null byte in its name; separate folders by '/'", given)
    if given.startswith("/") or any(part in ("", ".", "..") for part in parts):
        refuse(name, entry, "is not a path inside the archive, such as 'art/lawn.png'", given)


def check_entry(entry: zipfile.ZipInfo, name: str) -> None:
    """Raise for an entry that is neither a plain file nor a folder."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        refuse(name, entry, "is a link or a device; include the file itself")
    if entry.flag_bits & ENCRYPTED_FLAGS:
        refuse(name, entry, "is encrypted; create the archive without a password")
    if entry.compress_type not in METHODS:
        refuse(name, entry, "has an unsupported compression; use deflate, the default of zip")
    if entry.filename.lower().endswith(ARCHIVE_ENDINGS):
        refuse(name, entry, "is an archive; put its files into the outer archive")


def refuse(name: str, entry: zipfile.ZipInfo, problem: str, given: str | None = None) -> NoReturn:
    """Raise with the archive, the entry and the problem."""
    raise FormatError(f"{name}: {shorten(given or entry.filename)} {problem}")


def write_archive(files: Mapping[str, bytes]) -> bytes:
    """Write a zip archive. The same files give the same bytes."""
    content = BytesIO()
    write_zip(content, files.items(), zipfile.ZIP_DEFLATED)
    return content.getvalue()
