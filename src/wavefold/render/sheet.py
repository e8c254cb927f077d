"""Contact sheets: several maps in one picture, to choose a seed from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, sqrt
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from wavefold.common.values import parse_size
from wavefold.errors import ConfigError
from wavefold.render.canvas import check_pixels
from wavefold.render.draw import check_map, draw, enlarge, make_fitting_canvas
from wavefold.solver.solution import Map, Solution

LONGEST = 320  # pixels across a map unless told otherwise
SHORTEST = 160  # smaller pictures are enlarged, by whole pixels
GAP = 12
PAPER, INK = (255, 255, 255, 255), (48, 48, 56, 255)


def contact_sheet(
    solutions: Iterable[Map],
    columns: int | None = None,
    tile_size: int | None = None,
    labels: bool | Sequence[object] = True,
    **options: Any,
) -> Image.Image:
    """Maps side by side on white, with their seeds below.

    `labels` may also be one text for each map. Without `tile_size`, maps are drawn in a size at which
    several fit on a page; the other options are those of `draw`.
    """
    maps = list(solutions)
    if not maps:
        raise ConfigError("a contact sheet needs at least one map")
    for each in maps:
        check_map(each)
    texts = parse_labels(maps, labels)
    across = ceil(sqrt(len(maps))) if columns is None else min(parse_size("columns", columns), len(maps))
    if tile_size is None:
        pictures = [draw_thumbnail(each, options) for each in maps]
    else:
        pictures = [draw(each, tile_size=tile_size, **options) for each in maps]
    captions = [draw_caption(text) for text in texts]
    width = max(image.width for image in (*pictures, *captions)) + GAP
    height = max(image.height for image in pictures) + max(image.height for image in captions) + GAP
    rows = -(-len(maps) // across)
    check_pixels(across * width + GAP, rows * height + GAP, tile_size or 1)
    sheet = Image.new("RGBA", (across * width + GAP, rows * height + GAP), PAPER)
    for number, (picture, text) in enumerate(zip(pictures, captions, strict=True)):
        row, column = divmod(number, across)
        left, top = GAP + column * width, GAP + row * height
        sheet.alpha_composite(picture, (left, top))
        sheet.alpha_composite(text, (left, top + picture.height))
    return sheet


def draw_thumbnail(solution: Map, options: dict[str, Any]) -> Image.Image:
    """The map at a size that suits a sheet."""
    canvas = make_fitting_canvas(solution.problem, LONGEST, options.get("layers", False))
    image = draw(solution, tile_size=canvas.size, **options)
    return enlarge(image, max(1, SHORTEST // max(image.size)))


def parse_labels(maps: list[Map], labels: bool | Sequence[object]) -> list[str]:
    """The text below each map."""
    if isinstance(labels, bool):
        return [default_label(each) if labels else "" for each in maps]
    if isinstance(labels, str) or len(labels) != len(maps):
        raise ConfigError(f"labels must be True, False, or one text for each of the {len(maps)} maps")
    return [str(label) for label in labels]


def default_label(solution: Map) -> str:
    return f"seed {solution.seed}" if isinstance(solution, Solution) else "unfinished"


def draw_caption(text: str) -> Image.Image:
    """A line of text in small letters; a plain bitmap font, so that it is the same everywhere."""
    if not text:
        return Image.new("RGBA", (1, 1))
    font = ImageFont.load_default_imagefont()
    line = text.encode("latin-1", "replace").decode("latin-1")
    _, _, width, height = font.getbbox(line)
    image = Image.new("RGBA", (max(1, ceil(width)), ceil(height) + 4))
    ImageDraw.Draw(image).text((0, 4), line, fill=INK, font=font)
    return image
