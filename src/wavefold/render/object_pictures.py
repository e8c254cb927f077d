"""Objects in pictures of maps: their stamps and positions."""

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

MARK_SIZE = 0.45  # cells across a mark, for an object without a picture
RIM = (20, 16, 24, 255)
LARGEST_STAMP = 4096  # pixels across


class ObjectStamp(NamedTuple):
    """The picture of an object at its final size, and the point in it that marks the object's position."""

    image: Image.Image
    anchor: tuple[float, float]  # in pixels

    def corner(self, x: float, y: float) -> tuple[int, int]:
        """The left and top of the picture of an object that stands at (x, y), in whole pixels."""
        return round(x - self.anchor[0]), round(y - self.anchor[1])


def select_placements(solution: Map, objects: bool) -> Placements | None:
    """The objects of a map to draw or write; None if there are none."""
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
    """The index of each object in `placements`, its picture and that picture's corner, from back to front."""
    if placements is None or not placements.cells.size or not canvas.shows_objects:
        return
    stamps = make_stamps(canvas.problem, canvas.size, placements.kinds)
    points = locate_objects(canvas, placements)
    for index in each_checked(np.lexsort((points[:, 0], points[:, 1])).tolist()):
        stamp = stamps[int(placements.kinds[index])]
        yield index, stamp, *stamp.corner(*points[index].tolist())


def locate_objects(canvas: Canvas, placements: Placements) -> NDArray[np.float64]:
    """[object, (x, y)] positions in the picture, in pixels."""
    return np.asarray(canvas.middles(placements.cells) + placements.jitter * canvas.size)


def make_stamps(problem: Problem, size: int, kinds: Any) -> dict[int, ObjectStamp]:
    """{kind: its stamp} of these objects, on cells `size` pixels across."""
    tiles = problem.tiles
    assert isinstance(tiles, TileSet)
    pixels = count_pixels(problem)
    return {kind: make_stamp(tiles.objects[kind], kind, size, pixels) for kind in np.unique(kinds).tolist()}


def count_pixels(problem: Problem) -> int:
    """The picture pixels across a cell; 0 if no tile has a picture of several pixels."""
    widths = (picture.pixels.shape[-2] for picture in list_tile_pictures(problem))
    widest = max(widths, default=1)
    return widest if widest > 1 else 0


def make_stamp(each: MapObject, kind: int, size: int, pixels: int) -> ObjectStamp:
    """The stamp of an object on cells `size` pixels across, whose tiles' pictures are `pixels` across."""
    if each.picture is None:
        image = draw_mark(each, kind, max(1, round(size * (each.size or MARK_SIZE))))
    else:
        image = Image.fromarray(np.ascontiguousarray(each.picture)).convert("RGBA")
        share = each.size if each.size is not None else image.width / pixels if pixels else 1.0
        width = min(LARGEST_STAMP, max(1, round(share * size)))
        height = min(LARGEST_STAMP, max(1, round(share * size * image.height / image.width)))
        image = fit_image(image, width, height)
    return ObjectStamp(image, (each.anchor[0] * image.width, each.anchor[1] * image.height))


def draw_mark(each: MapObject, kind: int, across: int) -> Image.Image:
    """A disk with a dark rim, in the colour of the object."""
    large = Image.new("RGBA", (across * RING_SMOOTHING, across * RING_SMOOTHING))
    rim = max(1, ceil(across * RING_SMOOTHING / 10))
    box = (0, 0, large.width - 1, large.height - 1)
    ImageDraw.Draw(large).ellipse(box, fill=mark_colour(each, kind), outline=RIM, width=rim)
    return large.reduce(RING_SMOOTHING)


def mark_colour(each: MapObject, kind: int) -> tuple[int, ...]:
    """Red, green, blue and opacity of an object's mark; kind : its index in the tile set."""
    given = None if each.colour is None else parse_colour(each.colour)
    return choose_distinct_colour(kind + 1) if given is None else tuple((*given, 255)[:4])


def paste_within(image: Image.Image, stamp: Image.Image, left: int, top: int) -> None:
    """Draw a picture over another, clipped at its edges."""
    right, bottom = min(left + stamp.width, image.width), min(top + stamp.height, image.height)
    if right > max(left, 0) and bottom > max(top, 0):
        part = (max(-left, 0), max(-top, 0), right - left, bottom - top)
        image.alpha_composite(stamp, (max(left, 0), max(top, 0)), part)
