"""Pictures of patterns: the picture of the tile in its orientation, or else its sockets or one colour.

Only patterns that occur on a map are drawn, because a set may have a thousand picture functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from colorsys import hsv_to_rgb
from hashlib import blake2b
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import TileSetError
from wavefold.solver.problem import Problem
from wavefold.tiles import Tile, TileSet
from wavefold.tiles.orientation import Orientation
from wavefold.tiles.tile import choose_flat_art, flip_socket
from wavefold.topology import get_lattice_class, is_lattice, is_plane, is_uniform_plane, make_single_cell

SOCKET_SMOOTHING = 4  # sockets are drawn this much larger, then averaged
TIE_BREAK = 1e-3  # degrees; assigns pixels between two sides to the same side in all rotations
DOT_RADIUS = 0.2  # of the mark on tiles with shared sockets, in cells


SHARED_SOCKETS: WeakKeyDictionary[TileSet, set[Any]] = WeakKeyDictionary()
FLAT_SIZE = 8  # pixels across a cell when no tile has a picture
LOWEST_LIGHT = 0.66  # brightness of a picture at the lowest level; at the highest level it is 1
GOLDEN_RATIO = 0.6180339887498949  # steps of this share around the colour wheel are evenly distributed
KNOWN_COLOURS: WeakKeyDictionary[TileSet, Pixels] = WeakKeyDictionary()

Pixels = NDArray[np.uint8]  # [row, column, RGBA]


def draw_sockets(
    tiles: TileSet, pattern: int, size: tuple[int, int], mark: tuple[int, ...], tilt: float = 0.0
) -> NDArray[np.uint8] | None:
    """Draw the sockets of a pattern as uint8 [row, column, RGBA] of `size` (width, height).

    None if the pattern has no sockets, or if cells are not all alike in a plane (see `is_uniform_plane`).

    mark : the colour of a dot in the middle, drawn if several tiles have these sockets
    tilt : degrees by which the cell is rotated clockwise
    """
    width, height = size
    sockets = tiles.patterns[pattern].sockets
    if sockets is None or not has_sockets_to_draw(tiles, pattern):
        return None
    scale = SOCKET_SMOOTHING
    right = ((np.arange(width * scale) + 0.5) / scale - width / 2)[None, :, None]
    down = ((np.arange(height * scale) + 0.5) / scale - height / 2)[:, None, None]
    x, y = find_side_directions(tiles.topology, tilt + TIE_BREAK).T
    side = (right * x + down * y).argmax(axis=-1)
    palette = np.array([*map(choose_socket_colour, sockets), mark], np.float64)
    if sockets in find_shared_sockets(tiles):
        side[np.hypot(right, down)[..., 0] < DOT_RADIUS * min(size)] = len(palette) - 1
    fine = palette[side].reshape(height, scale, width, scale, 4)
    return np.asarray(fine.mean(axis=(1, 3)).round(), np.uint8)


def has_sockets_to_draw(tiles: TileSet, pattern: int) -> bool:
    """Whether the sockets of a pattern can be drawn; see `draw_sockets`."""
    return tiles.patterns[pattern].sockets is not None and is_uniform_plane(tiles.topology)


def find_shared_sockets(tiles: TileSet) -> set[Any]:
    """The tuples of sockets that patterns of several tiles have. Cached by tile set."""
    if tiles not in SHARED_SOCKETS:
        first: dict[Any, Tile] = {}
        SHARED_SOCKETS[tiles] = {
            each.sockets
            for each in tiles.patterns
            if first.setdefault(each.sockets, each.tile) is not each.tile
        }
    return SHARED_SOCKETS[tiles]


def find_side_directions(topology: str, tilt: float) -> NDArray[np.float64]:
    """float64 [side, (x, y)]: unit vectors from the middle of a cell to the middle of each side, y down."""
    cell = make_single_cell(topology)
    corners = np.array(cell.outline(0)) - cell.centre(0)
    middles = corners + np.roll(corners, -1, axis=0)
    cosine, sine = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    turned = middles @ np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray(turned / np.hypot(*turned.T)[:, None])


def choose_socket_colour(socket: Any) -> tuple[int, int, int, int]:
    """Choose a colour by the name of a socket; a socket and its mirror image have the same colour."""
    name = min(str(socket), str(flip_socket(socket)))
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=4).digest()
    hue, shade = int.from_bytes(digest[:2], "big") / 65536, digest[2] % 3
    red, green, blue = hsv_to_rgb(hue, (0.35, 0.5, 0.55)[shade], (0.92, 0.76, 0.56)[shade])
    return round(red * 255), round(green * 255), round(blue * 255), 255


class TilePicture(NamedTuple):
    """The picture of a tile, and the orientation in which to draw it."""

    pixels: Pixels  # for cubes also a model: [layer, row, column, RGBA], lowest layer first
    orientation: Orientation
    flat: bool = False  # drawn for flat-top hexagons


def find_tile_picture(problem: Problem, pattern: int, layout: str = "pointy") -> TilePicture | None:
    """The picture of a pattern's tile, or None. On flat-top hexagons, `flat_picture` takes precedence."""
    tiles = problem.tiles
    if not isinstance(tiles, TileSet):
        return None
    this = tiles.patterns[pattern]
    flat_picture = choose_flat_art(this.tile) if layout == "flat" else None
    flat = flat_picture is not None
    picture, orientation = tiles.art(pattern, flat)
    if picture is None:
        return None
    pixels = check_picture(picture, this.tile.name, tiles.topology)
    if this.tile.levels > 1 and isinstance(flat_picture if flat else this.tile.picture, np.ndarray):
        pixels = scale_brightness(
            pixels, LOWEST_LIGHT + (1 - LOWEST_LIGHT) * this.level / (this.tile.levels - 1)
        )
    across, down = np.ptp(make_single_cell(tiles.topology).outline(0), axis=0)
    is_wide = across < down and pixels.shape[1] > pixels.shape[0]
    return TilePicture(pixels, orientation, flat or is_wide)


def list_tile_pictures(problem: Problem) -> Iterator[TilePicture]:
    """Yield one picture per tile; all pictures of a tile, and of one function, have the same size."""
    tiles = problem.tiles
    if not isinstance(tiles, TileSet):
        return
    seen: set[int] = set()
    for pattern, this in enumerate(tiles.patterns):
        # A function may draw all tiles; call it once.
        if this.tile.picture is not None and id(this.tile.picture) not in seen:
            seen.add(id(this.tile.picture))
            picture = find_tile_picture(problem, pattern)
            if picture is not None:
                yield picture


def draw_square_picture(problem: Problem, pattern: int, size: int) -> Pixels:
    """uint8 [row, column, RGBA]: a pattern in its orientation, on a square cell of `size` pixels."""
    picture = find_tile_picture(problem, pattern)
    if picture is None:
        return draw_plain(problem, pattern, (size, size))
    return resize_square(flatten_model(orient_picture(picture)), size)


def orient_picture(picture: TilePicture) -> Pixels:
    """Rotate and mirror a picture of a square cell, or a model of a cube."""
    pixels = picture.pixels[..., ::-1, :] if picture.orientation.mirrored else picture.pixels
    return np.rot90(pixels, k=-picture.orientation.turn, axes=(-3, -2))


def flatten_model(pixels: Pixels) -> Pixels:
    """Project a model [layer, row, column, RGBA] from above; a picture is returned unchanged."""
    if pixels.ndim == 3:
        return pixels
    highest = pixels.shape[0] - 1 - (pixels[::-1, ..., 3] > 0).argmax(axis=0)
    return np.asarray(np.take_along_axis(pixels, highest[None, ..., None], axis=0)[0])


def get_flat_colours(problem: Problem) -> Pixels:
    """uint8 [pattern, RGBA]: the mean colour of each pattern. Cached by tile set."""
    tiles = problem.tiles
    if not isinstance(tiles, TileSet):
        return np.array([choose_distinct_colour(tile) for tile in problem.rules.tile_of.tolist()], np.uint8)
    if tiles not in KNOWN_COLOURS:
        found: dict[object, tuple[int, ...]] = {}
        colours = np.empty((len(tiles), 4), np.uint8)
        for pattern, this in enumerate(tiles.patterns):
            # All orientations of a picture have the same mean.
            alike = pattern if isinstance(this.tile.picture, tuple) else (this.tile.name, this.level)
            if alike not in found:
                found[alike] = compute_mean_colour(problem, pattern)
            colours[pattern] = found[alike]
        KNOWN_COLOURS[tiles] = colours
    return KNOWN_COLOURS[tiles]


def compute_mean_colour(problem: Problem, pattern: int) -> tuple[int, ...]:
    """The mean colour of a pattern's picture inside the outline of the cell."""
    picture = find_tile_picture(problem, pattern)
    if picture is None:
        return choose_plain_colour(problem, pattern)
    pixels = picture.pixels.reshape(
        -1, *picture.pixels.shape[-2:]
    )  # the layers of a model, stacked downwards
    kind = problem.topology.kind
    if is_lattice(kind) and not get_lattice_class(kind).rectangular_cells:
        outline = np.array(make_single_cell(kind).outline(0))
        shape = pixels.shape[:2]
        inside = find_inside(outline[::-1, ::-1] if picture.flat else outline, shape)
        pixels = pixels[inside][None]
    return tuple(resize_square(pixels, 1)[0, 0].tolist())


def find_inside(outline: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """bool [row, column]: whether each pixel is inside an outline.

    outline : the corners [corner, (x, y)] of a convex polygon, clockwise, stretched over the pixels
    """
    rows, columns = shape
    corners = (outline - outline.min(axis=0)) / np.ptp(outline, axis=0)
    x, y = (np.arange(columns)[None] + 0.5) / columns, (np.arange(rows)[:, None] + 0.5) / rows
    inside = np.ones((rows, columns), np.bool_)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= -1e-9
    return inside


def check_picture(picture: object, name: str, topology: str) -> Pixels:
    """Return the picture with four channels. Raises TileSetError if it is not a picture."""
    array = np.asarray(picture)
    dimensions = (3,) if is_plane(topology) else (3, 4)
    fits = array.dtype == np.uint8 and array.ndim in dimensions and array.shape[-1] in (3, 4)
    if not fits or 0 in array.shape:
        model = "" if is_plane(topology) else ", or a model [layer, row, column, RGB or RGBA]"
        raise TileSetError(
            f"the picture of tile {name!r} is {array.dtype} {array.shape}; "
            f"it must be uint8 [row, column, RGB or RGBA]{model}"
        )
    if array.shape[-1] == 4:
        return array
    return np.concatenate([array, np.full((*array.shape[:-1], 1), 255, np.uint8)], axis=-1)


def scale_brightness(pixels: Pixels, light: float) -> Pixels:
    """Scale the brightness of a picture."""
    darker = pixels.copy()
    darker[..., :3] = (pixels[..., :3] * light).round()
    return darker


def resize_square(picture: Pixels, size: int) -> Pixels:
    """Resize a picture to a square, `size` pixels across; see `fit_image`."""
    if picture.shape[:2] == (size, size):
        return picture
    image = Image.fromarray(np.ascontiguousarray(picture))
    return np.asarray(fit_image(image, size, size))


def fit_image(image: Image.Image, width: int, height: int) -> Image.Image:
    """Resize an image. Pixels are averaged along sides that shrink, and repeated along the others."""
    smaller = image.resize((min(width, image.width), min(height, image.height)), Image.Resampling.BOX)
    return smaller.resize((width, height), Image.Resampling.NEAREST)


def draw_plain(problem: Problem, pattern: int, size: tuple[int, int], tilt: float = 0.0) -> Pixels:
    """Draw a pattern without a picture, of `size` (width, height): its sockets, or else one colour."""
    colour = choose_plain_colour(problem, pattern)
    tiles = problem.tiles
    drawn = draw_sockets(tiles, pattern, size, colour, tilt) if isinstance(tiles, TileSet) else None
    return np.full((size[1], size[0], 4), colour, np.uint8) if drawn is None else drawn


def is_drawn_by_sockets(problem: Problem, pattern: int) -> bool:
    """Whether a pattern without a picture is drawn by its sockets."""
    return isinstance(problem.tiles, TileSet) and has_sockets_to_draw(problem.tiles, pattern)


def choose_plain_colour(problem: Problem, pattern: int) -> tuple[int, int, int, int]:
    """The colour of a pattern whose tile has no picture."""
    return choose_distinct_colour(int(problem.rules.tile_of[pattern]))


def choose_distinct_colour(number: int) -> tuple[int, int, int, int]:
    """Choose a colour by number; consecutive numbers have different colours."""
    red, green, blue = hsv_to_rgb(
        number * GOLDEN_RATIO % 1.0, (0.55, 0.7, 0.4)[number % 3], (0.9, 0.7, 0.8)[number % 3]
    )
    return round(red * 255), round(green * 255), round(blue * 255), 255
