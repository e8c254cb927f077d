"""The source of a DeBroglie configuration: a sample, or the pictures of tiles."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from wavefold.errors import FormatError
from wavefold.formats.debroglie.document import ConfigDocument
from wavefold.formats.debroglie.rotations import PlacedName
from wavefold.formats.nodes import read_bytes
from wavefold.formats.sheet import LARGEST_CELL
from wavefold.formats.tiled.document import read_document as read_tiled_document
from wavefold.formats.tiled.learn import SampleMap
from wavefold.formats.tiled.tileset import TiledTileSet
from wavefold.storage.files import note_read
from wavefold.tiles import Pixels
from wavefold.tiles.learning.samples import MOST_PIXELS

PICTURE_ENDINGS = (".png", ".bmp", ".gif", ".jpg", ".jpeg")
EMPTY_CELL = "0"  # the name of an empty cell of Tiled
MOST_TILES = 4096

Rows = list[list[PlacedName]]


class ConfigSource(NamedTuple):
    """The source of a configuration.

    kind : the kind of cells, "square" or "cube"
    rows : the sample; None if rules are listed
    pictures : {name: picture} of tiles; one pixel each, if tiles are colours
    names : {alternative name: name} of tiles
    coloured : whether tiles are colours such as `#70ac52`
    notes : sentences about unsupported parts
    """

    kind: str
    rows: Rows | None
    pictures: dict[str, Pixels]
    names: Mapping[str, str] = MappingProxyType({})
    coloured: bool = False
    notes: tuple[str, ...] = ()


def read_source(document: ConfigDocument, path: Path, folder: Path) -> ConfigSource:
    """Read the sample or tiles that the configuration at this path names, relative to this folder."""
    kind = document.src_type.lower()
    if kind == "bitmapset":
        return read_picture_set(document, path, folder)
    if kind == "voxset":
        note = "models of tiles (.vox) are not supported; each tile is drawn in one colour"
        return ConfigSource("cube", None, {}, notes=(note,))
    if kind != "sample":
        raise FormatError(f"{str(path)!r}, srcType: {document.src_type!r} is not sample, bitmapSet or voxSet")
    if document.src is None:
        raise FormatError(f"{str(path)!r}: field 'src', the sample, is missing")
    sample = find_file(folder / document.src)
    ending = sample.suffix.lower()
    readers = {
        ".tmx": read_tiled,
        ".tmj": read_tiled,
        ".tsx": read_tiles,
        ".tsj": read_tiles,
        ".csv": read_table,
    }
    if ending in readers:
        return readers[ending](sample)
    if ending in PICTURE_ENDINGS:
        return read_pixels(sample)
    raise FormatError(
        f"{str(path)!r}, src: {document.src!r} has an unsupported ending; known: "
        f"{', '.join([*PICTURE_ENDINGS, *readers])}; MagicaVoxel models (.vox) are not supported yet"
    )


def find_file(path: Path) -> Path:
    """The file at this path, or else the one whose name differs only in case."""
    if os.path.exists(path):
        return path
    found = [Path(path.anchor)]
    for part in path.parts[bool(path.anchor) :]:
        found = [place / name for place in found for name in match_name(place, part)]
    if len(found) > 1:
        listed = ", ".join(repr(str(each)) for each in found)
        raise FormatError(f"no file {str(path)!r}; several names differ only in case: {listed}")
    return found[0] if found else path


def match_name(folder: Path, name: str) -> list[str]:
    """The entries of a folder with this name, or else those whose names differ only in case."""
    if os.path.exists(folder / name):
        return [name]
    try:
        return sorted(each for each in os.listdir(folder) if each.lower() == name.lower())
    except OSError:
        return []  # not a folder, or not readable


def read_picture(path: Path, most: int) -> Pixels:
    """uint8 [row, column, RGBA] of a picture file with at most this many pixels."""
    note_read(path)
    try:
        with Image.open(path) as image:
            if image.width * image.height > most:
                raise FormatError(
                    f"{str(path)!r} has {image.width:,} x {image.height:,} pixels; "
                    f"at most {most:,} can be read"
                )
            return np.array(image.convert("RGBA"))
    except FormatError:
        raise
    except Exception as error:  # Pillow's readers raise anything for damaged files
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"cannot read the picture {str(path)!r}: {reason}") from error


def read_pixels(path: Path) -> ConfigSource:
    """Read a picture whose pixels are tiles."""
    pixels = read_picture(path, MOST_PIXELS)
    colours, numbers = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True)
    if len(colours) > MOST_TILES:
        raise FormatError(f"{str(path)!r} has {len(colours):,} colours; at most {MOST_TILES:,} can be tiles")
    listed: Any = colours.tolist()
    names = [name_colour(colour) for colour in listed]
    rows: Any = numbers.reshape(pixels.shape[:2]).tolist()
    placed = [PlacedName(name) for name in names]
    pictures = {name: colour[None, None] for name, colour in zip(names, colours, strict=True)}
    return ConfigSource("square", [[placed[each] for each in row] for row in rows], pictures, coloured=True)


def name_colour(colour: list[int]) -> str:
    """`#rrggbb`, or `#rrggbbaa` if the colour is not opaque."""
    return f"#{bytes(colour[:3] if colour[3] == 255 else colour).hex()}"


class ColourValue(tuple[int, ...]):
    """The value of a cell: red, green, blue and alpha, displayed in the notation of configurations."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(name_colour([*self]))


def read_picture_set(document: ConfigDocument, path: Path, folder: Path) -> ConfigSource:
    """Read a picture for each tile."""
    if not document.tiles:
        raise FormatError(
            f"{str(path)!r}: field 'tiles' is missing; a bitmapSet lists a picture for each tile"
        )
    pictures = {}
    for index, tile in enumerate(document.tiles):
        if tile.src is None or tile.value is None:
            raise FormatError(f"{str(path)!r}, tiles[{index}]: needs 'value' (a name) and 'src' (a picture)")
        pictures[str(tile.value)] = read_picture(find_file(folder / tile.src), LARGEST_CELL * LARGEST_CELL)
    return ConfigSource("square", None, pictures)


def read_tiled(path: Path) -> ConfigSource:
    """Read a map of Tiled. Tiles are named by number or by their property `name`."""
    sample = SampleMap(path)
    layers = [layer for layer in sample.layers if layer not in sample.never]
    numbers = sample.read(sample.examples(None)[0])
    note = "samples of several layers are not supported; only the lowest visible layer is used"
    placed = {-1: PlacedName(EMPTY_CELL)}
    for tile, number in sample.met.items():
        placed[number] = PlacedName(str(tile.first + tile.number), tile.orientation)
    pictures: dict[str, Pixels] = {}
    names: dict[str, str] = {}
    for first in sample.set_nodes:
        more, words = read_tile_pictures(sample.tileset_at(first), first)
        pictures, names = pictures | more, words | names
    rows = [[placed[each] for each in row] for row in numbers.tolist()]
    return ConfigSource("square", rows, add_empty(pictures), names, notes=(note,) if len(layers) > 1 else ())


def read_tiles(path: Path) -> ConfigSource:
    """Read a tile set of Tiled, whose tiles are numbered from 1."""
    pictures, names = read_tile_pictures(TiledTileSet(read_tiled_document(path, "tileset")), 1)
    return ConfigSource("square", None, add_empty(pictures), names)


def read_tile_pictures(tileset: TiledTileSet, first: int) -> tuple[dict[str, Pixels], dict[str, str]]:
    """{tile number: picture} and {author's name: tile number} of a tile set."""
    count = tileset.node.whole("tilecount", max(tileset.tiles, default=-1) + 1, most=MOST_TILES)
    found = [number for number in range(count) if number in tileset.pictures]
    pictures = {str(first + number): tileset.pictures.read(number) for number in found}
    return pictures, {word: str(first + number) for number, word in tileset.words.items()}


def add_empty(pictures: dict[str, Pixels]) -> dict[str, Pixels]:
    """Add a transparent picture for cells without a tile."""
    empty = next((np.zeros_like(each) for each in pictures.values()), np.zeros((8, 8, 4), np.uint8))
    return {EMPTY_CELL: empty} | pictures


def read_table(path: Path) -> ConfigSource:
    """Read rows of names, separated by commas."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{str(path)!r}: not valid UTF-8: {error.reason}") from None
    rows = [
        [cell.strip() for cell in row] for row in csv.reader(StringIO(text.strip()), skipinitialspace=True)
    ]
    if not all(rows):
        raise FormatError(f"{str(path)!r} has several layers; only one is supported")
    if len({len(row) for row in rows}) != 1:
        raise FormatError(f"{str(path)!r}: all rows must have the same number of cells")
    return ConfigSource("square", [[PlacedName(cell) for cell in row] for row in rows], {})
