"""The objects of a tile set file: tables [objects.NAME], whose pictures may be parts of one PNG file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wavefold.errors import FormatError, TileSetError
from wavefold.formats.sheet import LARGEST_CELL, MOST_PIXELS, with_alpha
from wavefold.formats.toml.document import Document, key, literal
from wavefold.formats.toml.pictures import Gallery
from wavefold.tiles import MapObject, Pixels, TileSet
from wavefold.tiles.map_object import MOST_OBJECTS, check_objects

if TYPE_CHECKING:
    from wavefold.formats.toml.models import FileTable, ObjectTable

OBJECTS_ENDING = "-objects.png"


# --- reading ------------------------------------------------------------------------------------


def add_objects(document: Document, file: FileTable, gallery: Gallery, tiles: TileSet) -> None:
    """Give a tile set the objects of its file; errors name the table."""
    if not file.objects:
        return
    if len(file.objects) > MOST_OBJECTS:
        document.fail(
            f"there are {len(file.objects):,} objects; at most {MOST_OBJECTS} can be used", "objects"
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
    """The picture of an object: a file, or the part of it that `cut` names; None without one."""
    if table.picture is None:
        if table.cut is not None:
            raise FormatError('cut is a part of a picture, but there is none: add picture = "objects.png"')
        return None
    pixels = gallery.file(table.picture)
    height, width = pixels.shape[:2]
    left, top, across, down = (0, 0, width, height) if table.cut is None else table.cut
    if left + across > width or top + down > height:
        raise FormatError(
            f"cut = {list(table.cut)} is outside the picture {table.picture!r}, which has {width} x {height} "
            "pixels; it is [left, top, width, height]"
        )
    if max(across, down) > LARGEST_CELL:
        raise FormatError(f"the picture of an object is at most {LARGEST_CELL:,} pixels across")
    gallery.count_copy(across * down)
    return pixels[top : top + down, left : left + across].copy()


# --- writing ------------------------------------------------------------------------------------


class ObjectSheet(NamedTuple):
    """The pictures of objects side by side."""

    pixels: Pixels
    cuts: dict[str, tuple[int, int, int, int]]  # by object: left, top, width, height


def pack_objects(objects: Sequence[MapObject]) -> ObjectSheet | None:
    """All pictures of objects in one; None if there are none."""
    drawn = {
        each.name: with_alpha(each.picture, each.name, "square")
        for each in objects
        if each.picture is not None
    }
    if not drawn:
        return None
    shapes = [picture.shape[:2] for picture in drawn.values()]
    height, width = max(high for high, _ in shapes), sum(wide for _, wide in shapes)
    if max(max(shape) for shape in shapes) > LARGEST_CELL or height * width > MOST_PIXELS:
        raise TileSetError(
            f"the pictures of objects are too large to be saved; they may be {LARGEST_CELL:,} pixels across, "
            f"and {MOST_PIXELS:,} in all"
        )
    pixels = np.zeros((height, width, 4), np.uint8)
    cuts, left = {}, 0
    for name, picture in drawn.items():
        high, wide = picture.shape[:2]
        pixels[:high, left : left + wide] = picture
        cuts[name] = (left, 0, wide, high)
        left += wide
    return ObjectSheet(pixels, cuts)


def object_lines(objects: Sequence[MapObject], sheet: ObjectSheet | None, stem: str) -> Iterator[str]:
    """The tables of objects, without the keys that have their default."""
    for each in objects:
        yield f"\n[objects.{key(each.name)}]"
        cut = None if sheet is None else sheet.cuts.get(each.name)
        values: dict[str, Any] = {"on": each.on, "density": float(each.density)}
        values |= {"apart": each.apart} if each.apart != 1 else {}
        values |= {} if cut is None else {"picture": stem + OBJECTS_ENDING, "cut": cut}
        values |= {"colour": each.colour} if each.colour is not None else {}
        values |= {"size": float(each.size)} if each.size is not None else {}
        values |= {"anchor": each.anchor} if each.anchor != (0.5, 0.5) else {}
        values |= {"jitter": float(each.jitter)} if each.jitter else {}
        yield from (f"{name} = {literal(value)}" for name, value in values.items())
