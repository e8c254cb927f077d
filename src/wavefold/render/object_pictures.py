"""Pictures of objects on maps: their stamps and positions."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.kernels.host.checkpoint import each_checked
from wavefold.options.values import check_flag, parse_colour
from wavefold.render.canvas import RING_SMOOTHING, Canvas
from wavefold.render.tile_pictures import choose_distinct_colour, fit_image, list_tile_pictures
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map, Solution
from wavefold.tiles import MapObject, TileSet
from wavefold.tiles.objects import Placements, find_placements

MARK_SIZE = 0.45  # diameter in cells of the mark for an object without a picture
RIM_COLOUR = (20, 16, 24, 255)
LARGEST_STAMP_PIXELS = 4096  # across


class ObjectStamp(NamedTuple):
    """The picture of an object at its final size.

    anchor : the point of the picture that is placed at the object's position, in pixels
    """

    image: Image.Image
    anchor: tuple[float, float]

    def corner(self, x: float, y: float) -> tuple[int, int]:
        """The top left corner of the picture, in whole pixels, for an object at (x, y)."""
        return round(x - self.anchor[0]), round(y - self.anchor[1])


def select_placements(solution: Map, objects: bool) -> Placements | None:
    """The objects of a map to draw or to write; None if there are none."""
    check_flag("objects", objects)
    if not objects or not isinstance(solution, Solution):
        return None
    problem = solution.problem
    return find_placements(problem.tiles, problem.topology, solution.patterns, solution.seed, solution.origin)


def draw_objects(image: Image.Image, canvas: Canvas, placements: Placements | None) -> None:
    """Draw objects over a picture of the canvas."""
    for _, stamp, left, top in stamp_objects(canvas, placements):
        paste_within(image, stamp.image, left, top)


def stamp_objects(
    canvas: Canvas, placements: Placements | None
) -> Iterator[tuple[int, ObjectStamp, int, int]]:
    """Yield (index in `placements`, stamp, left, top) for each object, from back to front."""
    if placements is None or not placements.cells.size or not canvas.shows_objects:
        return
    stamps = make_stamps(canvas.problem, canvas.size, placements.kinds)
    points = locate_objects(canvas, placements)
    for index in each_checked(np.lexsort((points[:, 0], points[:, 1])).tolist()):
        stamp = stamps[int(placements.kinds[index])]
        yield index, stamp, *stamp.corner(*points[index].tolist())


def locate_objects(canvas: Canvas, placements: Placements) -> NDArray[np.float64]:
    """float64 [object, (x, y)]: the positions of objects in the picture, in pixels."""
    return np.asarray(canvas.find_middles(placements.cells) + placements.jitter * canvas.size)


def make_stamps(problem: Problem, size: int, kinds: Any) -> dict[int, ObjectStamp]:
    """{kind: stamp} for objects on cells `size` pixels across."""
    tiles = problem.tiles
    assert isinstance(tiles, TileSet)
    pixels = count_pixels(problem)
    return {kind: make_stamp(tiles.objects[kind], kind, size, pixels) for kind in np.unique(kinds).tolist()}


def count_pixels(problem: Problem) -> int:
    """The width of the tiles' pictures, in pixels; 0 if no picture has several pixels."""
    widths = (picture.pixels.shape[-2] for picture in list_tile_pictures(problem))
    widest = max(widths, default=1)
    return widest if widest > 1 else 0


def make_stamp(each: MapObject, kind: int, size: int, pixels: int) -> ObjectStamp:
    """Make the stamp of an object.

    size : pixels across a cell
    pixels : pixels across the tiles' pictures; 0: unknown
    """
    if each.picture is None:
        image = draw_mark(each, kind, max(1, round(size * (each.size or MARK_SIZE))))
    else:
        image = Image.fromarray(np.ascontiguousarray(each.picture)).convert("RGBA")
        share = each.size if each.size is not None else image.width / pixels if pixels else 1.0
        width = min(LARGEST_STAMP_PIXELS, max(1, round(share * size)))
        height = min(LARGEST_STAMP_PIXELS, max(1, round(share * size * image.height / image.width)))
        image = fit_image(image, width, height)
    return ObjectStamp(image, (each.anchor[0] * image.width, each.anchor[1] * image.height))


def draw_mark(each: MapObject, kind: int, across: int) -> Image.Image:
    """Draw a disk with a dark rim, in the colour of the object."""
    large = Image.new("RGBA", (across * RING_SMOOTHING, across * RING_SMOOTHING))
    rim = max(1, ceil(across * RING_SMOOTHING / 10))
    box = (0, 0, large.width - 1, large.height - 1)
    ImageDraw.Draw(large).ellipse(box, fill=choose_mark_colour(each, kind), outline=RIM_COLOUR, width=rim)
    return large.reduce(RING_SMOOTHING)


def choose_mark_colour(each: MapObject, kind: int) -> tuple[int, ...]:
    """The colour of an object's mark as RGBA; `kind` is its index in the tile set."""
    given = None if each.colour is None else parse_colour(each.colour)
    return choose_distinct_colour(kind + 1) if given is None else tuple((*given, 255)[:4])


def paste_within(image: Image.Image, stamp: Image.Image, left: int, top: int) -> None:
    """Draw a picture over another one, clipped at the edges."""
    right, bottom = min(left + stamp.width, image.width), min(top + stamp.height, image.height)
    if right > max(left, 0) and bottom > max(top, 0):
        part = (max(-left, 0), max(-top, 0), right - left, bottom - top)
        image.alpha_composite(stamp, (max(left, 0), max(top, 0)), part)
