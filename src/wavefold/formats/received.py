"""Tile sets from untrusted bytes: a zip archive, a TOML or JSON file, or a sample picture.

All work is done in memory and within limits. Likely mistakes are returned instead of issued as warnings,
because warnings are global to the process and servers have threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from PIL import Image

from wavefold.constraints.tables import find_path
from wavefold.errors import ConfigError, FormatError, TileSetWarning, suggest
from wavefold.formats.archive import (
    DEFAULT_LIMITS,
    EMPTY_ZIP_SIGNATURE,
    ZIP_SIGNATURE,
    InputLimits,
    check_limit,
    read_archive,
)
from wavefold.formats.mxgmn import load_mxgmn
from wavefold.formats.tiled.learn import load_tiled_map
from wavefold.formats.tiled.wang import load_tiled_tileset
from wavefold.formats.toml.reader import load_toml
from wavefold.formats.toml.tables import decode_tables, is_json_text, parse_tables_file
from wavefold.options.values import shorten
from wavefold.plugins.map_formats import MapFormat
from wavefold.storage.files import MemoryFile, read_limited
from wavefold.tiles import TileSet
from wavefold.tiles.learning.overlapping import learn_patterns
from wavefold.tiles.lint import lint

READERS: dict[str, Callable[..., TileSet]] = {
    ".toml": load_toml,
    ".xml": load_mxgmn,
    ".tmx": load_tiled_map,
    ".tmj": load_tiled_map,
    ".tsx": load_tiled_tileset,
    ".tsj": load_tiled_tileset,
}
INTERNAL_ARGUMENTS = ("source", "most_patterns", "advise")  # arguments of readers that are not options
MAP_COMPANION_ENDINGS = (".tsx", ".tsj")  # tile sets that belong to the map in the same archive
PICTURE_FORMATS = ("PNG", "JPEG", "BMP")  # Pillow reads their headers without decoding pixels
PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".bmp")


class ReceivedTiles(NamedTuple):
    """A tile set, and a sentence for each likely mistake in it."""

    tiles: TileSet
    findings: tuple[str, ...]


def read_received_tiles(
    data: bytes, name: str = "the file", limits: InputLimits = DEFAULT_LIMITS, **options: Any
) -> ReceivedTiles:
    """Read the tile set in a zip archive of one description and its pictures, or in a TOML or JSON file.

    A description is a TOML file, an .xml file of mxgmn, or a .tsx, .tsj, .tmx or .tmj file of Tiled. The
    options are those of `TileSet.load`. `name` is used in messages; it is not a path.
    """
    check_limit(name, len(data), "bytes", "size", limits)
    if is_json_text(data):
        return read_received_tables(data, name, limits, options)
    files = {"tiles.toml": data}
    if data.startswith((ZIP_SIGNATURE, EMPTY_ZIP_SIGNATURE)):
        files = read_archive(data, name, (*READERS, *PICTURE_ENDINGS), limits)
    elif data.lstrip()[:1] == b"<":
        raise FormatError(f"{name} is XML; send a zip archive with the file and its pictures")
    elif not is_text(data):
        raise FormatError(f"{name} is neither a zip archive nor UTF-8 text; it may be damaged")
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
    """Read the tile set in a JSON file of tables and pictures."""
    check_options(lambda: None, options, name)
    tables, files = parse_tables_file(data, name)
    check_pictures(files, name, limits)
    tiles = decode_tables(tables, files, limits.patterns)
    check_areas(tiles, name)
    return ReceivedTiles(tiles, tuple(lint(tiles)))


def is_text(data: bytes) -> bool:
    """Whether these bytes are UTF-8 text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_areas(tiles: TileSet, name: str) -> None:
    """Raise if the area of a constraint is a picture, because that is a path on this machine."""
    for constraint in tiles.constraints:
        if path := find_path(constraint):
            raise FormatError(f"{name}: a constraint names the file {shorten(path)}; list its area instead")


def find_description(files: Mapping[str, bytes], name: str) -> str:
    """The name of the only file that describes a tile set."""
    found = [each for each in files if PurePosixPath(each).suffix.lower() in READERS]
    alone = [
        each for each in found if PurePosixPath(each).suffix.lower() not in MAP_COMPANION_ENDINGS
    ] or found
    if len(alone) != 1:
        shown = ", ".join(map(shorten, alone[:3]))
        count = (
            f"{len(alone)} descriptions of tile sets ({shown})" if alone else "no description of a tile set"
        )
        raise FormatError(f"{name} has {count}; expected one file with the ending {', '.join(READERS)}")
    return alone[0]


def check_options(read: Callable[..., Any], options: Mapping[str, Any], what: str) -> None:
    """Raise for an unknown option of a reader."""
    known = [each for each in signature(read).parameters if each not in INTERNAL_ARGUMENTS]
    for option in options:
        if option not in known:
            hint = suggest(option, known) if known else "known: none"
            raise ConfigError(f"{what}: unknown option {option!r}; {hint}")


# --- samples --------------------------------------------------------------------------------------


def learn_received(
    data: bytes, name: str = "the picture", limits: InputLimits = DEFAULT_LIMITS, **options: Any
) -> ReceivedTiles:
    """Learn a tile set from a PNG, JPEG or BMP picture; the options are those of `wavefold.learn`."""
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
    """Raise before decoding if the pictures have too many pixels in total."""
    total = 0
    for each, content in files.items():
        if PurePosixPath(each).suffix.lower() in PICTURE_ENDINGS:
            width, height = measure_picture(content, f"{name}: {shorten(each)}")
            total += width * height
            so_far = (
                f"{name}: up to {shorten(each)}, with {width:,} x {height:,} pixels, all pictures together"
            )
            check_limit(so_far, total, "pixels", "pixels", limits)


def is_picture(data: bytes) -> bool:
    """Whether these bytes begin with the signature of an accepted picture format."""
    Image.preinit()
    return any(has_signature(kind, data) for kind in PICTURE_FORMATS)


def has_signature(kind: str, data: bytes) -> bool:
    """Whether these bytes begin with the signature of this picture format."""
    accept = Image.OPEN[kind][1]
    return accept is not None and accept(data[:16]) is True


def measure_picture(data: bytes, name: str) -> tuple[int, int]:
    """The width and height in the header of a picture.

    `Image.open` is not used here, because it warns about large pictures by a limit of its own.
    """
    Image.preinit()
    for kind in PICTURE_FORMATS:
        if has_signature(kind, data):
            try:
                with Image.OPEN[kind][0](BytesIO(data), "") as image:
                    return image.size
            except Exception as error:  # Pillow's readers raise anything for damaged files
                raise FormatError(f"{name} is not a complete picture: {error}") from error
    raise FormatError(f"{name} has an unsupported picture format; save it as PNG")


def load_archive(path: str | PathLike[str], **options: Any) -> TileSet:
    """Read the tile set in a zip archive; the options are those of the format of its description."""
    content = read_limited(Path(path), DEFAULT_LIMITS.size, "unpack it and load its description")
    return read_received_tiles(content, repr(fspath(path)), **options).tiles


ARCHIVE = MapFormat(description="Tile sets in a zip archive.", endings=(".zip",), read_tiles=load_archive)
