"""Tile sets from untrusted bytes: a zip archive, a TOML or JSON file, a sample picture.

The directory of an archive is checked before anything is decompressed, the content while it is. Names are
only looked up within the archive (`storage.memory_file`).

All work is done in memory and within limits. Possible mistakes are returned rather than warned about:
warnings belong to the whole process, and servers have threads.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from inspect import signature
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, NoReturn

from PIL import Image

from wavefold.constraints.tables import find_path
from wavefold.errors import ConfigError, FormatError, TileSetWarning, WavefoldError, suggest
from wavefold.formats.mxgmn import load_mxgmn
from wavefold.formats.tiled.learn import load_tiled_map
from wavefold.formats.tiled.wang import load_tiled_tileset
from wavefold.formats.toml.reader import load_toml
from wavefold.formats.toml.tables import decode_tables, is_json_text, parse_tables_file
from wavefold.options.values import LimitError, shorten
from wavefold.plugins.map_formats import MapFormat
from wavefold.storage.files import MemoryFile, read_limited
from wavefold.tiles import TileSet
from wavefold.tiles.learning.overlapping import learn_patterns
from wavefold.tiles.lint import lint

SIGNATURE = b"PK\x03\x04"  # a zip archive begins with it
EMPTY = b"PK\x05\x06"  # or with this, if it has no files
ENTRY_SIGNATURE = b"PK\x01\x02"  # each entry of its directory begins with it
ENCRYPTED = 0x1 | 0x40 | 0x2000  # flags of an entry
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python inflates these piece by piece, others whole
ARCHIVES = (".zip", ".jar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".zst")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputLimits:
    """Limits for reading untrusted bytes.

    Attributes
    ----------
    size : bytes of a file or an archive, as sent
    inflated : bytes of all files of an archive together, decompressed
    text : bytes of the file that describes a tile set
    ratio : of the size of a file to its compressed size
    entries : files and folders of an archive
    pixels : of one picture, and of all pictures of a tile set together
    patterns : of a tile set: tiles in all their orientations and at all heights, or windows of a sample
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
    """{name: content} of the files of a zip archive with these endings, in lower or upper case.

    Others are left out, and so are files whose names begin with a dot and those that macOS adds. Raises
    `FormatError`, naming the archive and the entry, for anything harmful.
    """
    check_limit(name, len(data), "bytes", "size", limits)
    check_limit(name, data.count(ENTRY_SIGNATURE), "entries", "entries", limits)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = archive.infolist()
            check_entries(entries, name, limits)
            wanted = [entry for entry in entries if is_wanted(entry, endings)]
            return {entry.filename: inflate(archive, entry, name) for entry in wanted}
    except WavefoldError:
        raise
    except Exception as error:  # zipfile raises anything for damaged files
        raise FormatError(f"{name} is not a complete zip archive: {error}") from error


def is_wanted(entry: zipfile.ZipInfo, endings: Collection[str]) -> bool:
    """Whether an entry is a file to be read."""
    *folders, last = entry.filename.split("/")
    is_hidden = last.startswith(".") or "__MACOSX" in folders
    return not is_hidden and f".{last.rpartition('.')[2].lower()}" in endings


def inflate(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    """The content of an entry. Python inflates no more bytes than it declares, and compares checksums."""
    with archive.open(entry) as file:
        content = file.read()
    if len(content) != entry.file_size:
        refuse(name, entry, f"has {len(content):,} bytes but declares {entry.file_size:,}")
    if content.startswith(SIGNATURE):
        refuse(name, entry, "is an archive itself; put its files into one archive")
    return content


# --- checking the directory of an archive ---------------------------------------------------------


def check_entries(entries: Collection[zipfile.ZipInfo], name: str, limits: InputLimits) -> None:
    """Raise for too many entries or bytes, and for an entry that should not be read."""
    check_limit(name, len(entries), "entries", "entries", limits)
    check_limit(name, sum(entry.file_size for entry in entries), "bytes, decompressed", "inflated", limits)
    seen: set[str] = set()
    for entry in entries:
        check_name(entry, name)
        if entry.filename in seen:
            refuse(name, entry, "is there twice; names must differ")
        seen.add(entry.filename)
        check_entry(entry, name)
        if entry.file_size > limits.ratio * max(1, entry.compress_size):
            message = (
                f"{name}: {shorten(entry.filename)} is {entry.file_size / max(1, entry.compress_size):,.0f} "
                f"times its compressed size; at most {limits.ratio:,} times is accepted"
            )
            raise LimitError(message, "ratio", limits.ratio)


def check_name(entry: zipfile.ZipInfo, name: str) -> None:
    """Raise for a name that could lead out of a folder, though none is ever opened by it."""
    given = entry.orig_filename  # Python cuts a name at a null byte
    parts = given.removesuffix("/").split("/")
    if "\\" in given or "\0" in given or ":" in given:
        refuse(name, entry, r"has a '\', a ':' or a null byte in its name; use '/' between folders", given)
    if given.startswith("/") or any(part in ("", ".", "..") for part in parts):
        refuse(name, entry, "is not the name of a file inside the archive, such as 'art/lawn.png'", given)


def check_entry(entry: zipfile.ZipInfo, name: str) -> None:
    """Raise for an entry that is neither a plain file nor a folder."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        refuse(name, entry, "is a link or a device; put the file itself into the archive")
    if entry.flag_bits & ENCRYPTED:
        refuse(name, entry, "is encrypted; make the archive without a password")
    if entry.compress_type not in METHODS:
        refuse(name, entry, "is compressed in an unusual way; use deflate, which zip uses by default")
    if entry.filename.lower().endswith(ARCHIVES):
        refuse(name, entry, "is an archive itself; put its files into one archive")


def refuse(name: str, entry: zipfile.ZipInfo, problem: str, given: str | None = None) -> NoReturn:
    """Raise with the archive, the entry and the problem."""
    raise FormatError(f"{name}: {shorten(given or entry.filename)} {problem}")


def write_archive(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of these files; the same bytes for the same files."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()


READERS: dict[str, Callable[..., TileSet]] = {
    ".toml": load_toml,
    ".xml": load_mxgmn,
    ".tmx": load_tiled_map,
    ".tmj": load_tiled_map,
    ".tsx": load_tiled_tileset,
    ".tsj": load_tiled_tileset,
}
OWN_ARGUMENTS = ("source", "most_patterns", "advise")  # of readers; not available to senders
COMPANIONS = (".tsx", ".tsj")  # beside a map, tile sets belong to it
PICTURE_FORMATS = ("PNG", "JPEG", "BMP")  # kinds whose headers can be read without decoding anything
ENDINGS = (".png", ".jpg", ".jpeg", ".bmp")


class ReceivedTiles(NamedTuple):
    """A tile set and its possible mistakes, a sentence each."""

    tiles: TileSet
    findings: tuple[str, ...]


def read_received_tiles(
    data: bytes, name: str = "the file", limits: InputLimits = DEFAULT_LIMITS, **options: Any
) -> ReceivedTiles:
    """The tile set in a zip archive with one description and its pictures, or in a TOML or JSON file.

    Descriptions are TOML, mxgmn's .xml, Tiled's .tsx and .tsj, and its maps .tmx and .tmj, with the options
    of `TileSet.load`. `name` is for messages; it is not a path.
    """
    check_limit(name, len(data), "bytes", "size", limits)
    if is_json_text(data):
        return read_received_tables(data, name, limits, options)
    files = {"tiles.toml": data}
    if data.startswith((SIGNATURE, EMPTY)):
        files = read_archive(data, name, (*READERS, *ENDINGS), limits)
    elif data.lstrip()[:1] == b"<":
        raise FormatError(f"{name} is XML; send it in a zip archive, together with its pictures")
    elif not is_text(data):
        raise FormatError(f"{name} is neither a ZIP archive nor text in UTF-8; it may be damaged")
    description = find_description(files, name)
    check_limit(f"{name}: {shorten(description)}", len(files[description]), "bytes", "text", limits)
    check_pictures(files, name, limits)
    read = READERS[PurePosixPath(description).suffix.lower()]
    check_options(read, options, description)
    tiles = read(MemoryFile.of(files, description), **options, most_patterns=limits.patterns)
    check_areas(tiles, name)
    return ReceivedTiles(tiles, tuple(lint(tiles)))


def read_received_tables(
    data: bytes, name: str, limits: InputLimits, options: Mapping[str, Any]
) -> ReceivedTiles:
    """The tile set in a JSON file with tables and pictures."""
    check_options(lambda: None, options, name)
    tables, files = parse_tables_file(data, name)
    check_pictures(files, name, limits)
    tiles = decode_tables(tables, files, limits.patterns)
    check_areas(tiles, name)
    return ReceivedTiles(tiles, tuple(lint(tiles)))


def is_text(data: bytes) -> bool:
    """Whether these bytes are text in UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_areas(tiles: TileSet, name: str) -> None:
    """Raise for a constraint whose area is a picture, which would be a path on this machine."""
    for constraint in tiles.constraints:
        if path := find_path(constraint):
            raise FormatError(f"{name}: a constraint names the file {shorten(path)}; give the area itself")


def find_description(files: Mapping[str, bytes], name: str) -> str:
    """The name of the only file that describes a tile set."""
    found = [each for each in files if PurePosixPath(each).suffix.lower() in READERS]
    alone = [each for each in found if PurePosixPath(each).suffix.lower() not in COMPANIONS] or found
    if len(alone) != 1:
        shown = ", ".join(map(shorten, alone[:3]))
        count = (
            f"{len(alone)} descriptions of tile sets ({shown})" if alone else "no description of a tile set"
        )
        raise FormatError(f"{name} has {count}; expected one file that ends in {', '.join(READERS)}")
    return alone[0]


def check_options(read: Callable[..., Any], options: Mapping[str, Any], what: str) -> None:
    """Raise for an option that a reader does not have."""
    known = [each for each in signature(read).parameters if each not in OWN_ARGUMENTS]
    for option in options:
        if option not in known:
            hint = suggest(option, known) if known else "there are none"
            raise ConfigError(f"{what} cannot be read with an option {option!r}; {hint}")


# --- samples --------------------------------------------------------------------------------------


def learn_received(
    data: bytes, name: str = "the picture", limits: InputLimits = DEFAULT_LIMITS, **options: Any
) -> ReceivedTiles:
    """What `wavefold.learn` finds in a picture, PNG, JPEG or BMP, with its options."""
    check_options(learn_patterns, options, name)
    check_limit(name, len(data), "bytes", "size", limits)
    width, height = measure_picture(data, name)
    check_limit(name, width * height, "pixels", "pixels", limits)
    advice: list[TileSetWarning] = []
    with Image.open(BytesIO(data), formats=PICTURE_FORMATS) as image:
        tiles = learn_patterns(image, **options, most_patterns=limits.patterns, advise=advice.append)
    return ReceivedTiles(tiles, tuple(map(str, advice)))


# --- pictures -------------------------------------------------------------------------------------


def check_pictures(files: Mapping[str, bytes], name: str, limits: InputLimits) -> None:
    """Raise if all pictures together have too many pixels, before one is decoded."""
    total = 0
    for each, content in files.items():
        if PurePosixPath(each).suffix.lower() in ENDINGS:
            width, height = measure_picture(content, f"{name}: {shorten(each)}")
            total += width * height
            so_far = (
                f"{name}: up to {shorten(each)}, with {width:,} x {height:,} pixels, all pictures together"
            )
            check_limit(so_far, total, "pixels", "pixels", limits)


def is_picture(data: bytes) -> bool:
    """Whether these bytes begin like a picture of a kind that is accepted."""
    Image.preinit()
    return any(accepts(kind, data) for kind in PICTURE_FORMATS)


def accepts(kind: str, data: bytes) -> bool:
    """Whether these bytes begin like a picture of this kind."""
    accept = Image.OPEN[kind][1]
    return accept is not None and accept(data[:16]) is True


def measure_picture(data: bytes, name: str) -> tuple[int, int]:
    """The width and height that the header of a picture declares.

    `Image.open` would warn of large pictures, by a measure of its own, before it returns.
    """
    Image.preinit()
    for kind in PICTURE_FORMATS:
        if accepts(kind, data):
            try:
                with Image.OPEN[kind][0](BytesIO(data), "") as image:
                    return image.size
            except Exception as error:  # Pillow's readers raise anything for damaged files
                raise FormatError(f"{name} is not a complete picture: {error}") from error
    raise FormatError(f"{name} is not a picture of a kind that is accepted; save it as PNG")


def load_archive(path: str | PathLike[str], **options: Any) -> TileSet:
    """The tile set in a zip archive; the options are those of the format of its description."""
    content = read_limited(Path(path), DEFAULT_LIMITS.size, "unpack it, and load the description in it")
    return read_received_tiles(content, repr(fspath(path)), **options).tiles


ARCHIVE = MapFormat(description="Tile sets in a zip archive.", endings=(".zip",), read_tiles=load_archive)
