"""Pictures of drafts: tiles cut from files, with sockets found by their edges; and tiles that were drawn."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.common.memory_file import MemoryFile
from wavefold.common.values import parse_colour, shorten
from wavefold.errors import FormatError
from wavefold.formats.archive import InputLimits, check_limit
from wavefold.formats.received import PICTURES, measure_picture
from wavefold.formats.sheet import encode_png, pack, read_picture
from wavefold.formats.toml.tables import Tables, list_tiles
from wavefold.service.drafts.models import LARGEST_TILE, DrawnPicture, PicturesRequest
from wavefold.tiles import Pixels, Tile, TileSet
from wavefold.topology import drawn_directions

MOST_TILES = 512
MOST_COLOURS = 23  # of a palette
ALIKE = 48  # channels that differ by less than this are the same along an edge
PLACES = (-0.8, -0.4, 0.0, 0.4, 0.8)  # where an edge is looked at, from the middle to its ends
SHEET = "tiles.png"

Edge = NDArray[np.int64]  # [place, RGB], clockwise


def cut_pictures(request: PicturesRequest, limits: InputLimits) -> TileSet:
    """A tile for each picture, or for each cell of a sheet; sides that look alike have the same socket."""
    tiles: dict[str, Pixels] = {}
    for name, text in request.pictures.items():
        pixels = decode_picture(name, text, limits)
        height, width = pixels.shape[:2]
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
    if not 1 <= len(tiles) <= MOST_TILES:
        raise FormatError(f"there are {len(tiles)} tiles in these pictures; expected 1 to {MOST_TILES}")
    first = next(iter(tiles.values())).shape[:2]
    known: list[Edge] = []
    return TileSet(
        [
            Tile(
                name.replace("@", " "),
                name_edges(pixels, request.topology, known),
                picture=pixels if pixels.shape[:2] == first else fit_picture(pixels, *first),
            )
            for name, pixels in tiles.items()
        ],
        request.topology,
    )


def decode_picture(name: str, text: str, limits: InputLimits) -> Pixels:
    """uint8 [row, column, RGBA] of a picture in base64; refused before it is decoded if it is too large."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        raise FormatError(f"{shorten(name)} is not base64") from None
    width, height = measure_picture(data, shorten(name))
    check_limit(shorten(name), width * height, "pixels", "pixels", limits)
    try:
        with Image.open(BytesIO(data), formats=PICTURES) as image:
            return np.array(image.convert("RGBA"))
    except Exception as error:  # Pillow's readers raise whatever a damaged file leads them to
        raise FormatError(f"{shorten(name)} is not a complete picture: {error}") from error


def list_cells(pixels: Pixels, width: int, height: int) -> list[Pixels]:
    """The cells of a sheet, row by row, without those that are empty or there already."""
    seen: dict[bytes, Pixels] = {}
    for top in range(0, pixels.shape[0] - height + 1, height):
        for left in range(0, pixels.shape[1] - width + 1, width):
            cell = np.ascontiguousarray(pixels[top : top + height, left : left + width])
            if cell[..., 3].any():
                seen.setdefault(cell.tobytes(), cell)
                if len(seen) > MOST_TILES:
                    raise FormatError(
                        f"the sheet has more than {MOST_TILES} different tiles of {width} x {height} pixels; "
                        "is their size right?"
                    )
    return list(seen.values())


def fit_picture(pixels: Pixels, height: int, width: int) -> Pixels:
    """A picture at another size, with sharp pixels."""
    return np.array(Image.fromarray(pixels).resize((width, height), Image.Resampling.NEAREST))


# --- sockets from edges -----------------------------------------------------------------------------


def name_edges(pixels: Pixels, topology: str, known: list[Edge]) -> tuple[str, ...]:
    """[side] a socket: that of the first known edge that looks alike, else a new one."""
    sides = len(drawn_directions(topology))
    return tuple(name_edge(read_edge(pixels, side, sides), known) for side in range(sides))


def read_edge(pixels: Pixels, side: int, sides: int) -> Edge:
    """The colours along a side, clockwise."""
    height, width = pixels.shape[:2]
    angle = (-np.pi / 2 if sides == 4 else -np.pi / 3) + side * 2 * np.pi / sides
    along, out = np.array(PLACES) * np.tan(np.pi / sides), 0.96
    x = width / 2 * (1 + out * (np.cos(angle) - along * np.sin(angle)))
    y = height / 2 * (1 + out * (np.sin(angle) + along * np.cos(angle)))
    rows, columns = y.astype(int).clip(0, height - 1), x.astype(int).clip(0, width - 1)
    return pixels[rows, columns, :3].astype(np.int64)


def name_edge(edge: Edge, known: list[Edge]) -> str:
    """`edge 1`; with > or < where it looks different from its other end."""
    number = next(
        (at for at, each in enumerate(known) if is_alike(each, edge) or is_alike(each, edge[::-1])), -1
    )
    if number < 0:
        number = len(known)
        known.append(edge)
    way = "" if is_alike(edge, edge[::-1]) else ">" if is_alike(known[number], edge) else "<"
    return f"edge {number + 1}{way}"


def is_alike(one: Edge, other: Edge) -> bool:
    """Whether two edges look the same."""
    return bool((np.abs(one - other) < ALIKE).all())


# --- tiles that were drawn --------------------------------------------------------------------------


def add_drawn(tables: Tables, files: Mapping[str, bytes]) -> tuple[Tables, dict[str, bytes]]:
    """The tables of a draft and all its pictures, old ones and drawn ones, in one sheet.

    `drawn` of a tile is one picture in place of those in the old sheet; it is turned with the tile.
    """
    old = read_picture(MemoryFile.of(files, SHEET)) if SHEET in files else None
    sheet = tables.get("sheet")
    size = sheet.get("size") if isinstance(sheet, dict) else (16, 16)
    pictures: list[Pixels] = []
    placed: list[tuple[Tables, int]] = []  # a tile without pictures, and how many it has
    for tile in list_tiles(tables):
        found = list_pictures(tile, old, size)
        pictures += found
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
        SHEET: encode_png(packed.sheet.pixels, optimize=False),
    }


def list_pictures(tile: Tables, old: Pixels | None, size: Any) -> list[Pixels]:
    """The picture of a tile that was drawn, or those that are cut from the old sheet."""
    at, drawn = tile.get("at"), tile.get("drawn")
    try:
        width, height = map(int, size)
        if not 0 < max(width, height) <= LARGEST_TILE:
            raise ValueError(f"pictures are at most {LARGEST_TILE} pixels across")
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
    except (ValueError, TypeError, IndexError, AttributeError) as error:
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
    pixels = read_picture(MemoryFile.of({SHEET: b64decode(files[SHEET])}, SHEET)).reshape(-1, 4)
    colours, counts = np.unique(pixels[pixels[:, 3] == 255, :3], axis=0, return_counts=True)
    return ["#" + colours[each].tobytes().hex() for each in np.argsort(-counts, kind="stable")[:MOST_COLOURS]]
