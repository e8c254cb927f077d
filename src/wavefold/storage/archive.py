"""Archives: the header and the named sections of a saved object, each entry with a checksum.

An entry is a name and bytes. There are two containers: a table in an SQLite file, for worlds, which are
written while they are used; and a zip file, for objects that are written at once. A reader lists the sections
it can read. An archive with any other section is refused, because without it this would be another object.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple

from wavefold._version import __version__
from wavefold.errors import ConfigError, WavefoldError
from wavefold.storage.parsing import parse_limited_json

FORMAT_VERSION = 1  # of all archives; a new section does not change it
ENTRIES, HEADER = "entries", "header"
CHECKSUM_BYTES = 16
MOST_BYTES = 256 << 20  # of a zip file, and of its entries, unpacked
MOST_ENTRIES = 4096  # of a zip file
ENTRY_SIGNATURE = b"PK\x01\x02"  # each entry of a zip file's directory begins with it
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python inflates these piece by piece, others whole
UNIX = 3

Entry = tuple[str, bytes | None]  # name, content; None if that is not what was written


def checksum(*values: bytes | str | float | None) -> bytes:
    """Return the checksum of values and their types, which depends on their order and division."""
    digest = blake2b(digest_size=CHECKSUM_BYTES)
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode(errors="surrogatepass")
        digest.update(b"%s %d " % (type(value).__name__.encode(), len(data)))
        digest.update(data)
    return digest.digest()


class Section(NamedTuple):
    """A named part of a saved object.

    entries : the names of its entries
    prefix : entries that begin with this belong to it, too: one for each of several items
    """

    name: str
    entries: tuple[str, ...]
    prefix: str | None = None

    def owns(self, entry: str) -> bool:
        """Return whether an entry belongs to this section."""
        return entry in self.entries or (self.prefix is not None and entry.startswith(self.prefix))


# Text, sheet, flat sheet, pictures of objects.
TILES = Section("tiles", ("tiles.toml", "tiles.png", "tiles-flat.png", "tiles-objects.png"))
FIELDS = Section("fields", ("fields", "meaning of fields"), prefix="field ")


class ArchiveKind(NamedTuple):
    """A kind of saved object.

    name : in its header and in messages, such as "wavefold world"
    sections : those that this version reads
    error : raised for files that cannot be read
    """

    name: str
    sections: tuple[Section, ...]
    error: type[WavefoldError]

    def create(self, header: Mapping[str, Any], entries: Mapping[str, bytes]) -> Archive:
        """Create an archive. Its header lists the entries, so that a lost one is noticed."""
        own = {"format": self.name, "version": FORMAT_VERSION, "wavefold": __version__}
        try:
            content = json.dumps({**own, **header, "sections": sorted(entries)}).encode()
        except TypeError as error:
            raise ConfigError(
                f"this {self.name} cannot be saved: {error}; use text, numbers and lists of these"
            ) from error
        return Archive(self, Path("the new file"), json.loads(content), {HEADER: content, **entries})

    def read(self, entries: Iterable[Entry], path: Path, expendable: Collection[str] = ()) -> Archive:
        """Read an archive from the entries of a container.

        Raises `error` for damage, except of `expendable` entries, and for another format, version or section.
        """
        found = {str(name): content for name, content in entries}
        intact = {name: content for name, content in found.items() if content is not None}
        if HEADER not in found:
            raise self.error(
                f"{path} is not a {self.name}: it has no header; use a file that wavefold wrote, or a backup"
            )
        with self.decoding(path):
            header = dict(parse_limited_json(intact.get(HEADER, b"{}")))
            lost = sorted({*found, *map(str, header.get("sections", ()))} - intact.keys())
        for name in lost:
            if name not in expendable:
                raise self.damage(path, f"its {name!r} is not what was written")
        self.check_format(path, header.get("format") == self.name, header.get("version"))
        for name in sorted(intact.keys() - {HEADER}):
            if not any(section.owns(name) for section in self.sections):
                raise self.error(
                    f"{path} has a section {name!r}, which wavefold {__version__} cannot read; open it with "
                    f"the version that wrote it (wavefold {header.get('wavefold')})"
                )
        return Archive(self, path, header, intact, tuple(lost))

    def check_format(self, path: Path, is_own: bool, version: Any) -> None:
        """Raise for a file of another program, or of another version of the format."""
        if not is_own:
            raise self.error(f"{path} is not a {self.name}: another program made it")
        if version != FORMAT_VERSION:
            age = "newer" if isinstance(version, int) and version > FORMAT_VERSION else "older"
            raise self.error(
                f"{path} has format {version}, and this wavefold reads format {FORMAT_VERSION}; open it with "
                f"the version that wrote it, which is {age}"
            )

    def damage(self, path: Path, what: str) -> WavefoldError:
        """Return the error for a damaged file."""
        return self.error(f"{path} is damaged: {what}; use a backup")

    @contextmanager
    def decoding(self, path: Path) -> Iterator[None]:
        """Raise `error`, with the path, for intact content that cannot be decoded."""
        try:
            yield
        except KeyError as error:
            raise self.error(f"{path} is not a valid {self.name}: {error} is missing") from error
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError) as error:
            raise self.error(f"{path} is not a valid {self.name}: {error!r}") from error
        except WavefoldError as error:
            raise self.error(f"wavefold {__version__} cannot read {path}: {error}") from error

    def unpack(self, data: bytes, path: Path, expendable: Collection[str] = ()) -> Archive:
        """Read the archive in a zip file."""
        try:
            entries = unpack_entries(data)
        except ValueError as error:
            raise self.error(f"{path} is not a {self.name}, or is damaged: {error}") from error
        return self.read(entries, path, expendable)


@dataclass(frozen=True, slots=True)
class Archive:
    """A header and entries, those of a file or new ones.

    entries : {name: content}, with the header
    lost : expendable entries that are damaged
    """

    kind: ArchiveKind
    path: Path
    header: dict[str, Any]
    entries: dict[str, bytes]
    lost: tuple[str, ...] = ()

    def pack(self) -> bytes:
        """Return a zip file with this archive. Raises ConfigError if it would be too large to read."""
        data = BytesIO()
        write_zip(data, self.entries.items(), zipfile.ZIP_DEFLATED, sealed=True)
        if max(sum(map(len, self.entries.values())), data.tell()) > MOST_BYTES:
            raise ConfigError(f"this {self.kind.name} is too large: a file can have {MOST_BYTES:,} bytes")
        return data.getvalue()

    def decoding(self) -> Any:
        """See `ArchiveKind.decoding`."""
        return self.kind.decoding(self.path)

    def check_content(self, current: int, advice: str, migrate: bool = False) -> None:
        """Raise unless this version makes the same content, or the content is older and can be migrated.

        advice : what to do if it is older
        """
        version = self.header.get("content_version")
        is_older = isinstance(version, int) and version < current
        if version != current and not (is_older and migrate):
            raise self.kind.error(
                f"{self.path} was made by {'an older' if is_older else 'a newer'} wavefold: its content has "
                f"version {version}, and this one makes version {current}, in which the same seed gives "
                "other chunks. " + (advice if is_older else "Install the newer one")
            )


# --- zip files ------------------------------------------------------------------------------------


def write_zip(
    file: IO[bytes], entries: Iterable[tuple[str, bytes]], method: int, sealed: bool = False
) -> None:
    """Write a zip file without times: the same entries give the same bytes.

    method : if it compresses, the bytes differ from machine to machine
    sealed : whether each entry has its checksum as its comment
    """
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in entries:
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.compress_type = UNIX, method
            if sealed:
                entry.comment = checksum(ENTRIES, name, content)
            archive.writestr(entry, content)


def unpack_entries(data: bytes) -> list[Entry]:
    """Read the entries of a sealed zip file. Raises ValueError for another file, or if it is too large."""
    if len(data) > MOST_BYTES or data.count(ENTRY_SIGNATURE) > MOST_ENTRIES:
        raise ValueError("it is too large, or has too many entries")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            listed = archive.infolist()
            if len({each.filename for each in listed}) < len(listed):
                raise ValueError("it has two entries of one name")
            if listed and listed[0].header_offset:
                raise ValueError("it does not begin with an entry")
            if sum(each.file_size for each in listed) > MOST_BYTES:
                raise ValueError(f"it has more than {MOST_BYTES:,} bytes, unpacked")
            return [(each.filename, read_intact(archive, each)) for each in listed]
    except Exception as error:  # zipfile raises anything for damaged files
        raise ValueError(str(error).lower()) from error


def read_intact(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
    """Return the content of a sealed entry; None if it is not what was written."""
    try:
        content = inflate(archive, entry, entry.file_size + 1)
    except Exception:  # zipfile raises anything for damaged files
        return None
    return content if checksum(ENTRIES, entry.filename, content) == entry.comment else None


def inflate(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    """Decompress an entry, up to this number of bytes, whatever size it declares."""
    if entry.compress_type not in METHODS:
        raise ValueError("it is compressed with an unsupported method; use deflate")
    with archive.open(entry) as file:
        return file.read(most)
