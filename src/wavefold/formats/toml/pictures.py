"""Pictures of a tile set file: from its keys to pixels, and back.

`at` is a cell of the sheet, `model` a cell for each layer, `picture` a file, `colour` a picture of one pixel;
`flat_at` is a cell of the flat sheet, for flat-top hexagons. Each is one, turned with its tile, or a list
with one for each pattern, drawn as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wavefold.errors import FormatError, TileSetError
from wavefold.formats.toml.sheet import (
    LARGEST_CELL,
    MOST_PIXELS,
    Cell,
    Packed,
    Sheet,
    StoredSheet,
    beside_file,
    pack,
    read_picture,
    with_alpha,
)
from wavefold.tiles import Art, Pixels, TileSet
from wavefold.tiles.tile import flat_art

if TYPE_CHECKING:
    from wavefold.formats.toml.models import SheetTable, TileTable


# --- reading ------------------------------------------------------------------------------------


class Sized(NamedTuple):
    """The size of all pictures, and which was the first."""

    size: tuple[int, int]
    by: str


class Gallery:
    """The pictures of a tile set: all of one size, but for plain colours."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.sheet: Sheet | StoredSheet | None = None
        self.flat_sheet: Sheet | StoredSheet | None = None
        self.files: dict[str, Pixels] = {}
        self.left = MOST_PIXELS
        self.sized: Sized | None = None

    def open(self, table: SheetTable) -> Sheet | StoredSheet:
        """Read a sheet."""
        if max(table.size) > LARGEST_CELL or max(table.margin, table.spacing) > MOST_PIXELS:
            raise FormatError(f"cells of a sheet are at most {LARGEST_CELL:,} pixels across")
        return Sheet(self.file(table.file), table.size, table.margin, table.spacing)

    def file(self, name: str) -> Pixels:
        """The picture in a file, read once."""
        if name not in self.files:
            self.files[name] = read_picture(beside_file(self.source, name), self.left)
            self.left -= self.files[name].size // 4
        return self.files[name]

    def art(self, table: TileTable, patterns: int) -> Art | None:
        """What a tile looks like: one picture, or as many as it has patterns."""
        ways: dict[str, Callable[[Any], Pixels]] = {
            "at": self.cell,
            "model": self.model,
            "picture": self.picture,
            "colour": plain_colour,
        }
        used = keys_used(table)
        if not used:
            return None
        if len(used) > 1:
            raise FormatError(f"a tile has one kind of picture, not {' and '.join(used)}")
        return one_or_each(used[0], getattr(table, used[0]), ways[used[0]], patterns)

    def flat_art(self, table: TileTable, patterns: int) -> Art | None:
        """What a tile looks like on flat-top hexagons, if that is another picture."""
        if table.flat_at is None:
            return None
        if self.flat_sheet is None:
            raise FormatError("flat_at is a cell of the flat sheet, but there is no table [flat_sheet]")
        return one_or_each("flat_at", table.flat_at, self.flat_sheet.cut, patterns)

    def cell(self, at: tuple[int, int]) -> Pixels:
        """The picture in a cell of the sheet."""
        if self.sheet is None:
            raise FormatError("at is a cell of a sheet, but there is no table [sheet]")
        return self.check_size(self.sheet.cut(at), f"a cell of the sheet has {{}}: cell {list(at)}")

    def model(self, layers: tuple[tuple[int, int], ...]) -> Pixels:
        """[layer, row, column, RGBA] from a cell for each layer."""
        return np.stack([self.cell(each) for each in layers])

    def picture(self, name: str) -> Pixels:
        """The picture in a file of its own."""
        pixels = self.file(name)
        if max(pixels.shape[:2]) > LARGEST_CELL:
            raise FormatError(f"the picture {name!r} is more than {LARGEST_CELL:,} pixels across")
        return self.check_size(pixels, f"the picture {name!r} has {{}}")

    def check_size(self, pixels: Pixels, what: str) -> Pixels:
        """Raise unless a picture is as large as those before it; one pixel is a colour, and always fits."""
        height, width = pixels.shape[:2]
        picture_keys = what.format(f"{width} x {height} pixels")
        if self.sized is None and (width, height) != (1, 1):
            self.sized = Sized((width, height), picture_keys)
        if self.sized is not None and (width, height) not in (self.sized.size, (1, 1)):
            raise FormatError(f"{picture_keys}, but {self.sized.by}; all must be of one size")
        return pixels


def one_or_each(
    key: str, value: Any, draw: Callable[[Any], Pixels], patterns: int
) -> Pixels | tuple[Pixels, ...]:
    """The picture that a key of a tile names, or as many as the tile has patterns."""
    if depth(value) == {"at": 1, "flat_at": 1, "model": 2}.get(key, 0):
        return draw(value)
    if len(value) != patterns:
        raise FormatError(f"{key} lists {len(value)} pictures, and the tile has {patterns} patterns")
    return tuple(draw(each) for each in value)


def keys_used(table: TileTable) -> list[str]:
    """The keys for the picture of a tile; there should be one at most."""
    return [key for key in ("at", "model", "picture", "colour") if getattr(table, key) is not None]


def plain_colour(text: str) -> Pixels:
    """A picture of one pixel."""
    channels = bytes.fromhex(text[1:])
    return np.array([[(*channels, 255)[:4]]], np.uint8)


def depth(value: Any) -> int:
    """How many lists are around the first value."""
    return 1 + depth(value[0]) if isinstance(value, tuple) else 0


# --- writing ------------------------------------------------------------------------------------


class CollectedPictures(NamedTuple):
    """What the file says of each tile's pictures, and the sheet that holds them."""

    keys: list[dict[str, Any]]  # [tile] {key: value}; {} without a picture
    packed: Packed | None
    flat: Packed | None = None  # the sheet for flat-top hexagons


def collect_pictures(tiles: TileSet) -> CollectedPictures:
    """Every picture in its place. A function's are taken one by one, for every pattern."""
    groups = list(pictures_by_tile(tiles))
    flat_groups = [TilePictures(group.tile, (), False) for group in groups]
    if tiles.topology == "hex":
        flat_groups = list(pictures_by_tile(tiles, flat=True))
    layers = [layer for group in groups for picture in group.pictures for layer in in_sheet(picture)]
    check_sizes(groups)
    check_sizes(flat_groups)
    packed = pack(layers) if layers else None
    flat_layers = [picture for group in flat_groups for picture in group.pictures]
    flat = pack(flat_layers) if flat_layers else None
    cells, flat_cells = iter(packed.cells if packed else ()), iter(flat.cells if flat else ())
    keys = [
        picture_keys(group, cells) | flat_key(flat_group, flat_cells)
        for group, flat_group in zip(groups, flat_groups, strict=True)
    ]
    return CollectedPictures(keys, packed, flat)


class TilePictures(NamedTuple):
    """The pictures of one tile, RGBA: one for all patterns, or one for each, or none."""

    tile: str
    pictures: Sequence[Pixels]
    each: bool  # one for each pattern


def pictures_by_tile(tiles: TileSet, flat: bool = False) -> Iterator[TilePictures]:
    """What each tile looks like, with an alpha channel; with `flat`, on flat-top hexagons."""
    count = Counter(pattern.tile.name for pattern in tiles.patterns)
    start = 0
    for tile in tiles.tiles:
        patterns = range(start, start + count[tile.name])
        start = patterns.stop
        picture = flat_art(tile) if flat else tile.picture
        each = callable(picture) or isinstance(picture, tuple)
        if isinstance(picture, tuple) and len(picture) != len(patterns):
            raise TileSetError(
                f"tile {tile.name!r} has {len(picture)} pictures, and {len(patterns)} patterns"
            )
        shown: Sequence[Any] = [tiles.art(number, flat)[0] for number in patterns] if each else [picture]
        if all(one is None for one in shown):
            shown = []
        yield TilePictures(tile.name, [with_alpha(one, tile.name, tiles.topology) for one in shown], each)


def in_sheet(picture: Pixels) -> Sequence[Pixels]:
    """What of a picture goes into the sheet: the layers of a model; nothing of a single pixel."""
    if picture.ndim == 4:
        return list(picture)
    return [] if picture.shape[:2] == (1, 1) else [picture]


def check_sizes(groups: Sequence[TilePictures]) -> None:
    """Raise unless everything that goes into the sheet is of one size."""
    first: tuple[str, tuple[int, ...]] | None = None
    for group in groups:
        for size in {layer.shape for picture in group.pictures for layer in in_sheet(picture)}:
            first = first or (group.tile, size)
            if size != first[1]:
                raise TileSetError(
                    f"the picture of tile {group.tile!r} has {size[1]} x {size[0]} pixels, that of "
                    f"{first[0]!r} {first[1][1]} x {first[1][0]}; to be saved, all must be of one size"
                )


def picture_keys(group: TilePictures, cells: Iterator[Cell]) -> dict[str, Any]:
    """The key and value for the pictures of a tile."""
    found: list[tuple[str, Any]] = []
    for picture in group.pictures:
        if picture.ndim == 4:
            found.append(("model", [next(cells) for _ in picture]))
        elif picture.shape[:2] == (1, 1):
            found.append(("colour", colour_text(picture[0, 0].tolist())))
        else:
            found.append(("at", next(cells)))
    if len({key for key, _ in found}) > 1:
        raise TileSetError(f"the pictures of tile {group.tile!r} must all be of one size to be saved")
    values = [value for _, value in found]
    return {found[0][0]: values if group.each else values[0]} if found else {}


def flat_key(group: TilePictures, cells: Iterator[Cell]) -> dict[str, Any]:
    """The key and value for the pictures of a tile on flat-top hexagons."""
    found = [next(cells) for _ in group.pictures]
    return {"flat_at": found if group.each else found[0]} if found else {}


def colour_text(channels: Sequence[int]) -> str:
    """`#rrggbb`, or `#rrggbbaa` where it is not opaque."""
    return "#" + bytes(channels[:3] if channels[3:] == [255] else channels).hex()
