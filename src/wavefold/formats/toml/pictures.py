"""Pictures and objects of a tile set file: from keys to pixels, and back.

`at` is a cell of the sheet, `model` a cell for each layer, `picture` a file, and `colour` a picture of one
pixel. `flat_at` is a cell of the flat sheet, for flat-top hexagons. The value is one picture, which is turned
with its tile, or a list with one picture per pattern, which are drawn unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wavefold.errors import FormatError, TileSetError
from wavefold.formats.sheet import (
    LARGEST_CELL,
    MOST_PIXELS,
    Cell,
    Packed,
    Sheet,
    StoredSheet,
    add_alpha,
    pack,
    read_picture,
    resolve_beside,
)
from wavefold.formats.toml.document import Document, format_key, format_value
from wavefold.options.values import parse_colour
from wavefold.storage.files import AnyFile
from wavefold.tiles import Art, MapObject, Pixels, Tile, TileSet
from wavefold.tiles.map_object import MOST_OBJECTS, check_objects
from wavefold.tiles.tile import choose_flat_art

if TYPE_CHECKING:
    from wavefold.formats.toml.models import FileTable, ObjectTable, SheetTable, TileTable


OBJECTS_ENDING = "-objects.png"


# --- reading objects ----------------------------------------------------------------------------


def add_objects(document: Document, file: FileTable, gallery: Gallery, tiles: TileSet) -> None:
    """Add the objects of the file to a tile set; errors name the table."""
    if not file.objects:
        return
    if len(file.objects) > MOST_OBJECTS:
        document.fail(
            f"there are {len(file.objects):,} objects; at most {MOST_OBJECTS} are allowed", "objects"
        )
    found = []
    for name, table in file.objects.items():
        with document.at("objects", name):
            given = {field: getattr(table, field) for field in table.model_fields_set - {"picture", "cut"}}
            each = MapObject(name, **given, picture=cut_picture(table, gallery))
            with document.at("objects", name, "on"):
                each.patterns(tiles.rules)
            found.append(each)
    document.check()
    tiles.objects = document.attempt(lambda: check_objects(found, tiles.rules), "objects")


def cut_picture(table: ObjectTable, gallery: Gallery) -> Pixels | None:
    """The picture of an object: a file, or the part of it given by `cut`; or None."""
    if table.picture is None:
        if table.cut is not None:
            raise FormatError('cut needs a picture; add picture = "objects.png"')
        return None
    pixels = gallery.file(table.picture)
    height, width = pixels.shape[:2]
    left, top, across, down = (0, 0, width, height) if table.cut is None else table.cut
    if left + across > width or top + down > height:
        raise FormatError(
            f"cut = {list(table.cut)} is outside the picture {table.picture!r} of {width} x {height} "
            "pixels; cut is [left, top, width, height]"
        )
    if max(across, down) > LARGEST_CELL:
        raise FormatError(f"the picture of an object must be at most {LARGEST_CELL:,} pixels across")
    gallery.count_copy(across * down)
    return pixels[top : top + down, left : left + across].copy()


# --- writing ------------------------------------------------------------------------------------


class ObjectSheet(NamedTuple):
    """The pictures of objects, side by side."""

    pixels: Pixels
    cuts: dict[str, tuple[int, int, int, int]]  # by object: left, top, width, height


def pack_objects(objects: Sequence[MapObject]) -> ObjectSheet | None:
    """Arrange the pictures of objects in one sheet; None if there are none."""
    drawn = {
        each.name: add_alpha(each.picture, each.name, "square")
        for each in objects
        if each.picture is not None
    }
    if not drawn:
        return None
    shapes = [picture.shape[:2] for picture in drawn.values()]
    height, width = max(high for high, _ in shapes), sum(wide for _, wide in shapes)
    if max(max(shape) for shape in shapes) > LARGEST_CELL or height * width > MOST_PIXELS:
        raise TileSetError(
            f"the pictures of objects are too large; one may be {LARGEST_CELL:,} pixels across, "
            f"and all together may have {MOST_PIXELS:,} pixels"
        )
    pixels = np.zeros((height, width, 4), np.uint8)
    cuts, left = {}, 0
    for name, picture in drawn.items():
        high, wide = picture.shape[:2]
        pixels[:high, left : left + wide] = picture
        cuts[name] = (left, 0, wide, high)
        left += wide
    return ObjectSheet(pixels, cuts)


def format_objects(objects: Sequence[MapObject], sheet: ObjectSheet | None, stem: str) -> Iterator[str]:
    """The tables of objects, without keys that have their default value."""
    for each in objects:
        yield f"\n[objects.{format_key(each.name)}]"
        cut = None if sheet is None else sheet.cuts.get(each.name)
        values: dict[str, Any] = {"on": each.on, "density": float(each.density)}
        values |= {"apart": each.apart} if each.apart != 1 else {}
        values |= {} if cut is None else {"picture": stem + OBJECTS_ENDING, "cut": cut}
        values |= {"colour": each.colour} if each.colour is not None else {}
        values |= {"size": float(each.size)} if each.size is not None else {}
        values |= {"anchor": each.anchor} if each.anchor != (0.5, 0.5) else {}
        values |= {"jitter": float(each.jitter)} if each.jitter else {}
        yield from (f"{name} = {format_value(value)}" for name, value in values.items())


# --- reading ------------------------------------------------------------------------------------


class Sized(NamedTuple):
    """The size of all pictures, and a description of the first one."""

    size: tuple[int, int]
    by: str


class Gallery:
    """The pictures of a tile set: all of one size, except for plain colours."""

    def __init__(self, source: AnyFile) -> None:
        self.source = source
        self.sheet: Sheet | StoredSheet | None = None
        self.flat_sheet: Sheet | StoredSheet | None = None
        self.files: dict[str, Pixels] = {}
        self.cells: dict[tuple[bool, Cell], Pixels] = {}  # cut out so far; True: of the flat sheet
        self.left = self.left_to_copy = MOST_PIXELS
        self.sized: Sized | None = None

    def open(self, table: SheetTable) -> Sheet | StoredSheet:
        """Read a sheet."""
        if max(table.size) > LARGEST_CELL or max(table.margin, table.spacing) > MOST_PIXELS:
            raise FormatError(f"cells of a sheet must be at most {LARGEST_CELL:,} pixels across")
        return Sheet(self.file(table.file), table.size, table.margin, table.spacing)

    def file(self, name: str) -> Pixels:
        """Read the picture in a file; each file is read once."""
        if name not in self.files:
            self.files[name] = read_picture(resolve_beside(self.source, name), self.left)
            self.left -= self.files[name].size // 4
        return self.files[name]

    def art(self, table: TileTable, patterns: int) -> Art | None:
        """The picture of a tile, or one for each pattern."""
        ways: dict[str, Callable[[Any], Pixels]] = {
            "at": self.cell,
            "model": self.model,
            "picture": self.picture,
            "colour": draw_colour,
        }
        used = list_picture_keys(table)
        if not used:
            return None
        if len(used) > 1:
            raise FormatError(f"a tile may have only one kind of picture, not {' and '.join(used)}")
        return draw_one_or_each(used[0], getattr(table, used[0]), ways[used[0]], patterns)

    def choose_flat_art(self, table: TileTable, patterns: int) -> Art | None:
        """The separate pictures of a tile for flat-top hexagons, or None."""
        if table.flat_at is None:
            return None
        if self.flat_sheet is None:
            raise FormatError("flat_at needs a table [flat_sheet]")
        return draw_one_or_each("flat_at", table.flat_at, partial(self.cut, self.flat_sheet), patterns)

    def cell(self, at: tuple[int, int]) -> Pixels:
        """The picture in a cell of the sheet."""
        if self.sheet is None:
            raise FormatError("at needs a table [sheet]")
        return self.check_size(self.cut(self.sheet, at), f"a cell of the sheet has {{}}: cell {list(at)}")

    def cut(self, sheet: Sheet | StoredSheet, at: Cell) -> Pixels:
        """The picture in a cell of a sheet. A cell is cut out once, to save memory."""
        key = sheet is self.flat_sheet, at
        if key not in self.cells:
            self.cells[key] = sheet.cut(at)
        return self.cells[key]

    def count_copy(self, pixels: int) -> None:
        """Count copied pixels, and raise for too many: a short file may name a picture many times."""
        self.left_to_copy -= pixels
        if self.left_to_copy < 0:
            raise FormatError(
                f"all models and pictures of objects together may have at most {MOST_PIXELS:,} pixels"
            )

    def model(self, layers: tuple[tuple[int, int], ...]) -> Pixels:
        """[layer, row, column, RGBA] from a cell for each layer."""
        found = [self.cell(each) for each in layers]
        self.count_copy(sum(each.size // 4 for each in found))
        return np.stack(found)

    def picture(self, name: str) -> Pixels:
        """The picture in a separate file."""
        pixels = self.file(name)
        if max(pixels.shape[:2]) > LARGEST_CELL:
            raise FormatError(f"the picture {name!r} is more than {LARGEST_CELL:,} pixels across")
        return self.check_size(pixels, f"the picture {name!r} has {{}}")

    def check_size(self, pixels: Pixels, what: str) -> Pixels:
        """Raise unless a picture has the size of earlier ones. One pixel is a colour, which always fits."""
        height, width = pixels.shape[:2]
        described = what.format(f"{width} x {height} pixels")
        if self.sized is None and (width, height) != (1, 1):
            self.sized = Sized((width, height), described)
        if self.sized is not None and (width, height) not in (self.sized.size, (1, 1)):
            raise FormatError(f"{described}, but {self.sized.by}; all must have the same size")
        return pixels


def draw_one_or_each(
    key: str, value: Any, draw: Callable[[Any], Pixels], patterns: int
) -> Pixels | tuple[Pixels, ...]:
    """The picture that a key of a tile names, or a tuple with one per pattern."""
    if count_nesting(value) == {"at": 1, "flat_at": 1, "model": 2}.get(key, 0):
        return draw(value)
    if len(value) != patterns:
        raise FormatError(f"{key} lists {len(value)} pictures, but the tile has {patterns} patterns")
    return tuple(draw(each) for each in value)


def list_picture_keys(table: TileTable) -> list[str]:
    """The keys of a tile that name a picture; more than one is an error."""
    return [key for key in ("at", "model", "picture", "colour") if getattr(table, key) is not None]


def draw_colour(text: str) -> Pixels:
    """Draw a picture of one pixel."""
    channels = parse_colour(text) or b""
    return np.array([[(*channels, 255)[:4]]], np.uint8)


def count_nesting(value: Any) -> int:
    """The number of lists around the first value."""
    return 1 + count_nesting(value[0]) if isinstance(value, tuple) else 0


# --- writing ------------------------------------------------------------------------------------


class CollectedPictures(NamedTuple):
    """The keys for the pictures of each tile, and the sheets with these pictures."""

    keys: list[dict[str, Any]]  # [tile] {key: value}; {} without a picture
    packed: Packed | None
    flat: Packed | None = None  # the sheet for flat-top hexagons


def collect_pictures(tiles: TileSet) -> CollectedPictures:
    """Arrange all pictures in sheets. A function is called once per pattern."""
    sheet, flat_sheet = SheetPictures(tiles), SheetPictures(tiles, flat=True)
    by_tile: dict[str, list[int]] = {}
    for number, pattern in enumerate(tiles.patterns):
        by_tile.setdefault(pattern.tile.name, []).append(number)
    found = [sheet.add_tile(tile, by_tile[tile.name]) for tile in tiles.tiles]
    flat_found: list[dict[str, Any]] = [{} for _ in tiles.tiles]
    if tiles.topology == "hex":
        flat_found = [flat_sheet.add_tile(tile, by_tile[tile.name]) for tile in tiles.tiles]
    packed, flat = sheet.pack(), flat_sheet.pack()
    keys = [
        replace_indices(own, packed) | replace_indices(other, flat)
        for own, other in zip(found, flat_found, strict=True)
    ]
    return CollectedPictures(keys, packed, flat)


class SheetPictures:
    """Collects pictures of one size for a sheet; with `flat`, those for flat-top hexagons."""

    def __init__(self, tiles: TileSet, flat: bool = False) -> None:
        self.tiles, self.flat = tiles, flat
        self.pictures: list[Pixels] = []
        self.first = ""  # the tile of the first picture

    def add_tile(self, tile: Tile, patterns: Sequence[int]) -> dict[str, Any]:
        """{key: value} for the pictures of a tile, with indices into `pictures` in place of cells."""
        art = choose_flat_art(tile) if self.flat else tile.picture
        each = callable(art) or isinstance(art, tuple)  # one for each pattern
        shown: list[Any] = [self.tiles.art(number, self.flat)[0] for number in patterns] if each else [art]
        if all(picture is None for picture in shown):
            return {}
        found = [self.add(add_alpha(one, tile.name, self.tiles.topology), tile.name) for one in shown]
        if len({key for key, _ in found}) > 1:
            raise TileSetError(f"cannot save the tile {tile.name!r}: its pictures differ in size")
        values = [value for _, value in found]
        return {found[0][0]: values if each else values[0]}

    def add(self, picture: Pixels, tile: str) -> tuple[str, Any]:
        """The key and the value for one picture. A single pixel becomes a colour, without a cell."""
        if self.flat:
            return "flat_at", self.add_layer(picture, tile)
        if picture.ndim == 4:
            return "model", [self.add_layer(layer, tile) for layer in picture]
        if picture.shape[:2] == (1, 1):
            return "colour", format_colour(picture[0, 0].tolist())
        return "at", self.add_layer(picture, tile)

    def add_layer(self, picture: Pixels, tile: str) -> int:
        """Add a picture to the sheet, and return its index."""
        self.first = self.first or tile
        self.pictures.append(picture)
        (height, width), (high, wide) = picture.shape[:2], self.pictures[0].shape[:2]
        if (height, width) != (high, wide):
            raise TileSetError(
                f"the picture of tile {tile!r} has {width} x {height} pixels, that of {self.first!r} "
                f"{wide} x {high}; pictures must have the same size to be saved"
            )
        return len(self.pictures) - 1

    def pack(self) -> Packed | None:
        """The sheet; None without pictures."""
        return pack(self.pictures) if self.pictures else None


def replace_indices(value: Any, packed: Packed | None) -> Any:
    """Replace indices by cells of the sheet, in a value or in a table of keys."""
    if isinstance(value, dict):
        return {key: replace_indices(each, packed) for key, each in value.items()}
    if isinstance(value, list):
        return [replace_indices(each, packed) for each in value]
    return packed.cells[value] if packed is not None and isinstance(value, int) else value


def format_colour(channels: Sequence[int]) -> str:
    """`#rrggbb`, or `#rrggbbaa` if the colour is not opaque."""
    return "#" + bytes(channels[:3] if channels[3:] == [255] else channels).hex()
