"""Pictures of drafts: tiles cut from files, with sockets found by their edges; and tiles that were drawn."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import FormatError
from wavefold.formats import (
    PICTURE_FORMATS,
    InputLimits,
    Tables,
    check_limit,
    list_tiles,
    measure_picture,
    pack,
    read_picture,
)
from wavefold.options import parse_colour, shorten
from wavefold.solver import checkpoint, each_checked
from wavefold.storage import MemoryFile, encode_png
from wavefold.tiles import Pixels, Tile, TileSet
from wavefold.topology import list_drawn_directions
from wavefold_server.drafts.models import LARGEST_TILE, DrawnPicture, PicturesRequest

MOST_TILES = 512
MOST_COLOURS = 23  # of a palette
ALIKE = 48  # channels that differ by less than this are the same along an edge
PLACES = (-0.8, -0.4, 0.0, 0.4, 0.8)  # where an edge is looked at, from the middle to its ends
SHEET = "tiles.png"

Edges = NDArray[np.int16]  # [edge, place, RGB], clockwise


def cut_tiles(request: PicturesRequest, limits: InputLimits) -> TileSet:
    """A tile for each picture, or for each cell of a sheet; sides that look alike have the same socket."""
    tiles: dict[str, Pixels] = {}
    total = 0  # pixels so far
    for name, text in each_checked(request.pictures.items(), 1):
        pixels = decode_picture(name, text, total, limits)
        height, width = pixels.shape[:2]
        total += height * width
        if request.width is not None and request.height is not None:
            cells = list_cells(pixels, request.width, request.height)
            tiles |= {f"{name} {number + 1}": cell for number, cell in enumerate(cells)}
        elif max(width, height) > LARGEST_TILE:
            raise FormatError(
                f"{shorten(name)} has {width} x {height} pixels, and a tile at most {LARGEST_TILE} across; "
                "shrink it, or cut it into tiles"
            )
        else:
            tiles[name] = pixels
        if len(tiles) > MOST_TILES:
            raise FormatError(f"there are more than {MOST_TILES} tiles in these pictures; send fewer")
    if not tiles:
        raise FormatError(f"there are 0 tiles in these pictures; expected 1 to {MOST_TILES}")
    first = next(iter(tiles.values())).shape[:2]
    names = EdgeNames(request.topology)
    return TileSet(
        [
            Tile(
                name.replace("@", " "),
                names.of_sides(pixels),
                picture=pixels if pixels.shape[:2] == first else fit_picture(pixels, *first),
            )
            for name, pixels in each_checked(tiles.items(), 1)
        ],
        request.topology,
    )


def decode_picture(name: str, text: str, before: int, limits: InputLimits) -> Pixels:
    """uint8 [row, column, RGBA] of a picture in base64; refused before it is decoded if it is too large.

    before : pixels of other pictures, which count, too
    """
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        raise FormatError(f"{shorten(name)} is not base64") from None
    width, height = measure_picture(data, shorten(name))
    what = f"{shorten(name)}, with the pictures before it," if before else shorten(name)
    check_limit(what, before + width * height, "pixels", "pixels", limits)
    try:
        with Image.open(BytesIO(data), formats=PICTURE_FORMATS) as image:
            return np.array(image.convert("RGBA"))
    except Exception as error:  # Pillow's readers raise whatever a damaged file leads them to
        raise FormatError(f"{shorten(name)} is not a complete picture: {error}") from error


def list_cells(pixels: Pixels, width: int, height: int) -> list[Pixels]:
    """The cells of a sheet, row by row, without those that are empty or there already."""
    columns, size, seen = pixels.shape[1] // width, height * width * 4, dict[bytes, None]()
    for top in range(0, pixels.shape[0] - height + 1, height):
        strip = pixels[top : top + height, : columns * width].reshape(height, columns, width, 4)
        data = strip.swapaxes(0, 1).tobytes()  # cell by cell: a sheet may have millions of them
        for start in each_checked(range(0, len(data), size)):
            cell = data[start : start + size]
            if cell not in seen and any(cell[3::4]):
                seen[cell] = None
                if len(seen) > MOST_TILES:
                    raise FormatError(
                        f"the sheet has more than {MOST_TILES} different tiles of {width} x {height} pixels; "
                        "is their size right?"
                    )
    return [np.frombuffer(cell, np.uint8).reshape(height, width, 4) for cell in seen]


def fit_picture(pixels: Pixels, height: int, width: int) -> Pixels:
    """A picture at another size, with sharp pixels."""
    return np.array(Image.fromarray(pixels).resize((width, height), Image.Resampling.NEAREST))


# --- sockets from edges -----------------------------------------------------------------------------


class EdgeNames:
    """Sockets for the sides of pictures: sides that look alike have the same."""

    def __init__(self, topology: str) -> None:
        self._sides = len(list_drawn_directions(topology))
        self._known: Edges = np.empty((0, len(PLACES), 3), np.int16)

    def of_sides(self, pixels: Pixels) -> tuple[str, ...]:
        """[side] a socket: that of the first known edge that looks alike, else a new one."""
        return tuple(self._name(read_edge(pixels, side, self._sides)) for side in range(self._sides))

    def _name(self, edge: Edges) -> str:
        """`edge 1`; with > or < where it looks different from its other end."""
        alike, reversed_alike = is_alike(self._known, edge), is_alike(self._known, edge[::-1])
        found = np.flatnonzero(alike | reversed_alike)
        if not len(found):
            self._known = np.append(self._known, edge[None], axis=0)
        number = found[0] if len(found) else len(self._known) - 1
        is_same = not len(found) or alike[number]
        way = "" if is_alike(edge, edge[::-1]) else ">" if is_same else "<"
        return f"edge {number + 1}{way}"


def read_edge(pixels: Pixels, side: int, sides: int) -> Edges:
    """The colours along a side, clockwise."""
    height, width = pixels.shape[:2]
    angle = (-np.pi / 2 if sides == 4 else -np.pi / 3) + side * 2 * np.pi / sides
    along, out = np.array(PLACES) * np.tan(np.pi / sides), 0.96
    x = width / 2 * (1 + out * (np.cos(angle) - along * np.sin(angle)))
    y = height / 2 * (1 + out * (np.sin(angle) + along * np.cos(angle)))
    rows, columns = y.astype(int).clip(0, height - 1), x.astype(int).clip(0, width - 1)
    return pixels[rows, columns, :3].astype(np.int16)


def is_alike(edges: Edges, other: Edges) -> NDArray[np.bool_]:
    """[edge] whether it looks the same as another."""
    alike: NDArray[np.bool_] = (np.abs(edges - other) < ALIKE).all(axis=(-2, -1))
    return alike


# --- tiles that were drawn --------------------------------------------------------------------------


def add_drawn(
    tables: Tables, files: Mapping[str, bytes], limits: InputLimits
) -> tuple[Tables, dict[str, bytes]]:
    """The tables of a draft and all its pictures, old ones and drawn ones, in one sheet.

    `drawn` of a tile is one picture in place of those in the old sheet; it is turned with the tile.
    """
    old = read_picture(MemoryFile.of(files, SHEET)) if SHEET in files else None
    listed, (width, height) = list_tiles(tables), read_size(tables)
    check_limit("the draft", len(listed), "tiles", "patterns", limits)
    pictures: list[Pixels] = []
    placed: list[tuple[Tables, int]] = []  # a tile without pictures, and how many it has
    for tile in listed:
        checkpoint()
        found = find_pictures(tile, old, width, height)
        pictures += found
        check_limit("the draft", len(pictures) * width * height, "pixels", "pixels", limits)
        placed.append(({key: value for key, value in tile.items() if key not in ("drawn", "at")}, len(found)))
    if not pictures:
        return {**tables, "tiles": [tile for tile, _ in placed]}, dict(files)
    packed, begin, tiles = pack(pictures), 0, []
    for tile, count in placed:
        cells = [list(each) for each in packed.cells[begin : begin + count]]
        tiles.append({**tile, **({"at": cells if count > 1 else cells[0]} if count else {})})
        begin += count
    table = {"file": SHEET, "size": list(packed.sheet.size)}
    return {**tables, "tiles": tiles, "sheet": table}, {
        **files,
        SHEET: encode_png(packed.sheet.pixels),
    }


def read_size(tables: Tables) -> tuple[int, int]:
    """The width and height of pictures in pixels; 16 x 16 without a sheet."""
    sheet = tables.get("sheet")
    size = sheet.get("size") if isinstance(sheet, dict) else [16, 16]
    match size:
        case [int(width), int(height)] if min(width, height) > 0 and max(width, height) <= LARGEST_TILE:
            return width, height
    raise FormatError(f"the size of the sheet must be two whole numbers from 1 to {LARGEST_TILE}")


def find_pictures(tile: Tables, old: Pixels | None, width: int, height: int) -> list[Pixels]:
    """Return the picture that was drawn for a tile, or its pictures in the old sheet."""
    at, drawn = tile.get("at"), tile.get("drawn")
    try:
        if drawn is not None:
            return [fit_picture(colour_picture(DrawnPicture.model_validate(drawn)), height, width)]
        cells: list[Any] = [] if at is None or old is None else at if isinstance(at[0], list) else [at]
        found = [
            old[row * height : (row + 1) * height, column * width : (column + 1) * width]
            for column, row in cells
            if old is not None
        ]
        if any(cell.shape[:2] != (height, width) for cell in found):
            raise ValueError("the sheet has no such cell")
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise FormatError(
            f"the pictures of tile {shorten(tile.get('name'))} cannot be read: {error}"
        ) from None
    return found


def colour_picture(sample: DrawnPicture) -> Pixels:
    """uint8 [row, column, RGBA] of a picture that was drawn."""
    palette = np.array([(*(parse_colour(each) or b""), 255)[:4] for each in sample.palette], np.uint8)
    pixels: Pixels = palette[np.array(sample.pixels).reshape(sample.height, sample.width)]
    return pixels


def list_colours(files: Mapping[str, str]) -> list[str]:
    """The most frequent opaque colours of a sheet in base64, as "#70ac52"."""
    if SHEET not in files:
        return ["#70ac52", "#c4a26c"]
    pixels = read_picture(MemoryFile.of({SHEET: b64decode(files[SHEET])}, SHEET))
    values = np.ascontiguousarray(pixels).view(">u4").ravel()  # one number for each RGBA
    colours, counts = np.unique(values[values & 255 == 255], return_counts=True)
    frequent = np.argsort(-counts, kind="stable")[:MOST_COLOURS]
    return [f"#{colours[each] >> 8:06x}" for each in frequent]
