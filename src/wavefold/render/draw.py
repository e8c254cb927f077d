"""Draw maps, finished or not, on any topology: as images, PNG files or contact sheets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence, Sized
from math import ceil, sqrt
from typing import Any, TypedDict, Unpack

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from wavefold.errors import ConfigError
from wavefold.options.names import Show
from wavefold.options.values import check_type, parse_list, parse_size
from wavefold.render.canvas import MOST_PIXELS, Canvas, OutlineCanvas, check_pixels, find_fitting_size
from wavefold.render.cell_looks import check_show, compute_looks
from wavefold.render.hexes import HexCanvas
from wavefold.render.isometric import BlockCanvas
from wavefold.render.object_pictures import draw_objects, select_placements
from wavefold.render.squares import SquareCanvas
from wavefold.render.tile_pictures import Pixels
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map, Partial, Solution
from wavefold.storage.files import check_writable, write_atomically
from wavefold.storage.png import encode_image
from wavefold.tiles import TileSet
from wavefold.topology import make_single_cell

LARGEST_PREVIEW = 1024  # pixels across
SMALLEST_PREVIEW = 256  # smaller pictures are enlarged by whole numbers
LARGEST_THUMBNAIL = 320  # pixels across a map on a contact sheet without `tile_size`
SMALLEST_THUMBNAIL = 160
GAP_PIXELS = 12  # between the maps of a contact sheet
PAPER, INK = (255, 255, 255, 255), (48, 48, 56, 255)

CANVASES: dict[str, type[Canvas]] = {"square": SquareCanvas, "hex": HexCanvas, "cube": BlockCanvas}
LAYER_CANVASES = CANVASES | {"cube": SquareCanvas}


def draw(
    solution: Map,
    scale: int = 1,
    tile_size: int | None = None,
    layers: bool = False,
    show: str = "tiles",
    conflicts: Iterable[Any] = (),
    objects: bool = True,
) -> Image.Image:
    """Draw the map as an RGBA image, transparent where there is no cell.

    scale : how often each pixel is repeated in both directions
    tile_size : pixels across a cell; by default the size of the tiles' pictures
    layers : draw the layers of cubes from above, side by side, instead of blocks
    show : how undecided cells are drawn. "tiles": in the mean colour of their remaining patterns; "entropy":
        by entropy, from dark (nearly decided) to light; "counts": by the number of remaining patterns. The
        last two also write that number in the cell if it fits
    conflicts : cells to mark, or violations returned by `check`
    objects : draw the objects of the tile set
    """
    placements = select_placements(solution, objects)
    canvas, scale, marked = parse_options(solution, scale, tile_size, layers, show, conflicts)
    canvas.check(scale)
    image = canvas.paint(compute_looks(solution, show))
    draw_objects(image, canvas, placements)
    canvas.mark_cells(image, marked)
    return enlarge(image, scale)


def draw_entropy(solution: Map, **options: Any) -> Image.Image:
    """Draw undecided cells by entropy, from dark (nearly decided) to light."""
    return draw(solution, **{"show": "entropy"} | options)


def draw_counts(solution: Map, **options: Any) -> Image.Image:
    """Draw undecided cells by their number of remaining patterns."""
    return draw(solution, **{"show": "counts"} | options)


def draw_tiles(tiles: TileSet, tile_size: int | None = None) -> Pixels:
    """uint8 [pattern, row, column, RGBA]: each pattern drawn on a single cell.

    tile_size : pixels across a cell; by default the size of the tiles' pictures
    """
    canvas = make_canvas(Problem(tiles, make_single_cell(tiles.topology), own_constraints=False), tile_size)
    width, height = canvas.stamp_size
    check_pixels(width, height * len(tiles), canvas.size)
    pictures = np.zeros((len(tiles), height, width, 4), np.uint8)
    for pattern in range(len(tiles)):
        stamp = canvas.stamp(pattern)
        if stamp is not None:  # None: invisible, such as air
            pictures[pattern] = np.asarray(stamp)
    return pictures


def parse_options(
    solution: Map, scale: int, tile_size: int | None, layers: bool, show: str, conflicts: Iterable[Any]
) -> tuple[Canvas, int, list[int]]:
    """Check the options of `draw` and `svg`; return the canvas, the scale and the cells to mark.

    The size of the picture is not checked.
    """
    check_map(solution)
    check_show(show)
    scale = parse_size("scale", scale)
    canvas = make_canvas(solution.problem, tile_size, layers, scale=scale)
    return canvas, scale, parse_conflicts(solution.problem, conflicts)


def save_picture(solution: Map, path: str | os.PathLike[str], **options: Any) -> None:
    """Save the map as a PNG file; the options are those of `solution.image`."""
    check_writable(path)
    check_map(solution)
    write_image(solution.image(**options), path)


def write_image(image: Image.Image, path: str | os.PathLike[str]) -> None:
    """Write an image to a PNG file, atomically."""
    data = encode_image(image)
    with write_atomically(path) as file:
        file.write(data)


def preview(solution: Map) -> bytes | None:
    """Draw the map as PNG bytes, in a size for notebooks; None if it cannot be drawn."""
    try:
        canvas = make_canvas(solution.problem, longest=LARGEST_PREVIEW)
        canvas.check()
        image = canvas.paint(compute_looks(solution))
        draw_objects(image, canvas, select_placements(solution, True))
    except ConfigError:
        return None
    image.thumbnail((LARGEST_PREVIEW, LARGEST_PREVIEW), Image.Resampling.BOX)
    image = enlarge(image, max(1, SMALLEST_PREVIEW // max(image.size)))
    return encode_image(image)


def make_canvas(
    problem: Problem,
    tile_size: int | None = None,
    layers: bool = False,
    longest: int | None = None,
    scale: int = 1,
) -> Canvas:
    """Make a canvas for the topology, with cells of `tile_size` pixels.

    By default, cells are as large as the tiles' pictures. They are made smaller if the picture would be more
    than `longest` pixels across, or, without `longest`, too large after enlarging it by `scale`.
    """
    if not isinstance(layers, bool):
        raise ConfigError(f"layers must be True or False, not {layers!r}")
    # NumPy holds no larger sizes; `check_pixels` refuses them with a size that fits.
    size = None if tile_size is None else min(parse_size("tile_size", tile_size), MOST_PIXELS + 1)
    kind = (LAYER_CANVASES if layers else CANVASES).get(problem.topology.kind, OutlineCanvas)
    canvas = kind(problem, size or kind.find_natural_size(problem))
    if size is not None:
        return canvas
    if longest is None:
        return shrink_to_fit(canvas, scale)
    across = max(canvas.width, canvas.height)
    return canvas if across <= longest else kind(problem, max(1, canvas.size * longest // across))


def shrink_to_fit(canvas: Canvas, scale: int) -> Canvas:
    """Return a canvas with smaller cells, at least one pixel, until the picture is not too large."""
    while canvas.size > 1:
        try:
            canvas.check(scale)
        except ConfigError:
            size = find_fitting_size(canvas.width * scale, canvas.height * scale, canvas.size)
            canvas = type(canvas)(canvas.problem, max(1, min(size, canvas.size - 1)))
        else:
            break
    return canvas


def enlarge(image: Image.Image, scale: int) -> Image.Image:
    """Repeat each pixel `scale` times in both directions."""
    if scale == 1:
        return image
    return image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)


def parse_conflicts(problem: Problem, conflicts: Any) -> list[int]:
    """The numbers of cells, given as coordinates, numbers, or violations returned by `check`."""
    if isinstance(conflicts, str) or not isinstance(conflicts, Iterable):
        raise ConfigError(
            f"conflicts must be a list of cells, or of violations returned by check, not {conflicts!r}"
        )
    cells: list[int] = []
    for each in conflicts:
        cells += (each.cells or []) if hasattr(each, "cells") else [problem.cell(each)]
    return sorted(set(cells))


def check_map(solution: object) -> None:
    if not isinstance(solution, Solution | Partial):
        raise ConfigError(f"only a Solution or a Partial can be drawn, not {solution!r}")


# --- contact sheets -------------------------------------------------------------------------------


class SheetOptions(TypedDict, total=False):
    """The options of maps on a contact sheet; see `draw`."""

    scale: int
    layers: bool
    show: Show
    objects: bool


def contact_sheet(
    solutions: Iterable[Map],
    columns: int | None = None,
    tile_size: int | None = None,
    labels: bool | Sequence[object] = True,
    **options: Unpack[SheetOptions],
) -> Image.Image:
    """Draw maps side by side on white, with their seeds below.

    `labels` can also be a list with one text per map. Without `tile_size`, maps are reduced to thumbnails.
    The other options are those of `solution.image`.
    """
    maps = parse_list("solutions", solutions)
    check_type("labels", labels, (bool, Sized), "True, False or a text for each map")
    if not maps:
        raise ConfigError("a contact sheet needs at least one map")
    for each in maps:
        check_map(each)
    texts = parse_labels(maps, labels)
    across = ceil(sqrt(len(maps))) if columns is None else min(parse_size("columns", columns), len(maps))
    if tile_size is None:
        pictures = [draw_thumbnail(each, options) for each in maps]
    else:
        pictures = [each.image(tile_size=tile_size, **options) for each in maps]
    captions = [draw_caption(text) for text in texts]
    width = max(image.width for image in (*pictures, *captions)) + GAP_PIXELS
    height = max(image.height for image in pictures) + max(image.height for image in captions) + GAP_PIXELS
    rows = -(-len(maps) // across)
    size = (across * width + GAP_PIXELS, rows * height + GAP_PIXELS)
    check_pixels(*size, tile_size or 1)
    sheet = Image.new("RGBA", size, PAPER)
    for number, (picture, text) in enumerate(zip(pictures, captions, strict=True)):
        row, column = divmod(number, across)
        left, top = GAP_PIXELS + column * width, GAP_PIXELS + row * height
        sheet.alpha_composite(picture, (left, top))
        sheet.alpha_composite(text, (left, top + picture.height))
    return sheet


def draw_thumbnail(solution: Map, options: SheetOptions) -> Image.Image:
    """Draw the map in the size of a thumbnail."""
    canvas = make_canvas(solution.problem, None, options.get("layers", False), longest=LARGEST_THUMBNAIL)
    image: Image.Image = solution.image(tile_size=canvas.size, **options)
    return enlarge(image, max(1, SMALLEST_THUMBNAIL // max(image.size)))


def parse_labels(maps: list[Map], labels: bool | Sequence[object]) -> list[str]:
    """Check labels; return the text below each map."""
    if isinstance(labels, bool):
        return [make_default_label(each) if labels else "" for each in maps]
    if isinstance(labels, str) or len(labels) != len(maps):
        raise ConfigError(
            f"labels must be True, False, or a list with a text for each of the {len(maps)} maps"
        )
    return [str(label) for label in labels]


def make_default_label(solution: Map) -> str:
    return f"seed {solution.seed}" if isinstance(solution, Solution) else "unfinished"


def draw_caption(text: str) -> Image.Image:
    """Draw a line of text in a bitmap font, the same on every machine."""
    if not text:
        return Image.new("RGBA", (1, 1))
    font = ImageFont.load_default_imagefont()
    line = text.encode("latin-1", "replace").decode("latin-1")
    _, _, width, height = font.getbbox(line)
    image = Image.new("RGBA", (max(1, ceil(width)), ceil(height) + 4))
    ImageDraw.Draw(image).text((0, 4), line, fill=INK, font=font)
    return image
