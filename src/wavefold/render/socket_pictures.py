"""Pictures for tiles without one: each side is a triangle in the colour of its socket."""

from __future__ import annotations

from colorsys import hsv_to_rgb
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold.tiles import Tile, TileSet
from wavefold.tiles.tile import flip_socket
from wavefold.topology import is_uniform_plane, single_cell

FINER = 4  # slanted edges are drawn this much larger, then averaged
TIE_BREAK = 1e-3  # degrees: pixels between two sides belong to the same one, however a tile is turned
DOT = 0.2  # radius of the mark of a tile whose sockets another tile has as well, in widths of a cell


SHARED_SOCKETS: WeakKeyDictionary[TileSet, set[Any]] = WeakKeyDictionary()


def draw_sockets(
    tiles: TileSet, pattern: int, size: tuple[int, int], mark: tuple[int, ...], tilt: float = 0.0
) -> NDArray[np.uint8] | None:
    """uint8 [row, column, RGBA] of a pattern in a box of (width, height) pixels around its cell.

    None if it has no sockets, or is not for cells of a plane that all point the same way.

    mark : the colour of a dot in the middle, if several tiles have these sockets
    tilt : degrees by which the cell is turned clockwise
    """
    width, height = size
    sockets = tiles.patterns[pattern].sockets
    if sockets is None or not has_sockets_to_draw(tiles, pattern):
        return None
    right = ((np.arange(width * FINER) + 0.5) / FINER - width / 2)[None, :, None]
    down = ((np.arange(height * FINER) + 0.5) / FINER - height / 2)[:, None, None]
    x, y = find_side_directions(tiles.topology, tilt + TIE_BREAK).T
    side = (right * x + down * y).argmax(axis=-1)
    palette = np.array([*map(choose_socket_colour, sockets), mark], np.float64)
    if sockets in find_shared_sockets(tiles):
        side[np.hypot(right, down)[..., 0] < DOT * min(size)] = len(palette) - 1
    fine = palette[side].reshape(height, FINER, width, FINER, 4)
    return np.asarray(fine.mean(axis=(1, 3)).round(), np.uint8)


def has_sockets_to_draw(tiles: TileSet, pattern: int) -> bool:
    """Whether a pattern has sockets, and is for cells of a plane that all point the same way."""
    return tiles.patterns[pattern].sockets is not None and is_uniform_plane(tiles.topology)


def find_shared_sockets(tiles: TileSet) -> set[Any]:
    """The sockets that patterns of several tiles share. Cached by tile set."""
    if tiles not in SHARED_SOCKETS:
        first: dict[Any, Tile] = {}
        SHARED_SOCKETS[tiles] = {
            each.sockets
            for each in tiles.patterns
            if first.setdefault(each.sockets, each.tile) is not each.tile
        }
    return SHARED_SOCKETS[tiles]


def find_side_directions(topology: str, tilt: float) -> NDArray[np.float64]:
    """[side, (x, y)] of length 1: from the middle of a cell to the middle of each side, y down."""
    cell = single_cell(topology)
    corners = np.array(cell.outline(0)) - cell.centre(0)
    middles = corners + np.roll(corners, -1, axis=0)
    cosine, sine = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    turned = middles @ np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray(turned / np.hypot(*turned.T)[:, None])


def choose_socket_colour(socket: Any) -> tuple[int, int, int, int]:
    """A colour that depends on the socket's name alone; a socket and its mirror image have the same."""
    name = min(str(socket), str(flip_socket(socket)))
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=4).digest()
    hue, shade = int.from_bytes(digest[:2], "big") / 65536, digest[2] % 3
    red, green, blue = hsv_to_rgb(hue, (0.35, 0.5, 0.55)[shade], (0.92, 0.76, 0.56)[shade])
    return round(red * 255), round(green * 255), round(blue * 255), 255
