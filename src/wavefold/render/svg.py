"""Maps as SVG. Pictures are stored once; cells are references to them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

import numpy as np

from wavefold.errors import ConfigError
from wavefold.kernels.host.bitsets import count_set_bits
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.render.canvas import HALO, MARK, Canvas, OutlineCanvas, Points, choose_ink, list_mark_rings
from wavefold.render.cell_looks import NOTHING, CellLooks, compute_looks
from wavefold.render.draw import check_map, parse_options
from wavefold.render.html import make_data_uri
from wavefold.render.object_pictures import make_stamps, select_placements, stamp_objects
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map, Partial
from wavefold.storage.files import check_writable, write_atomically
from wavefold.tiles import TileSet
from wavefold.tiles.objects import Placements

LookColours = dict[int, tuple[int, ...] | None]  # {look: its colour, or None for a picture}
MOST_CELLS = 200_000  # larger files are too slow in viewers
OVERLAP_PIXELS = 0.3
INVALID_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def save_svg(solution: Map, path: str | os.PathLike[str], **options: Any) -> None:
    """Write the map as an SVG file; the options are those of `svg`."""
    check_writable(path)
    text = svg(solution, **options)
    with write_atomically(path) as file:
        file.write(text.encode())


def check_cell_count(problem: Problem) -> None:
    """Raise ConfigError if there are too many cells."""
    if problem.cell_count > MOST_CELLS:
        raise ConfigError(
            f"an SVG can have at most {MOST_CELLS:,} cells, not {problem.cell_count:,}; save the map as .png"
        )


def svg(
    solution: Map,
    scale: int = 1,
    tile_size: int | None = None,
    layers: bool = False,
    show: str = "tiles",
    conflicts: Iterable[Any] = (),
    titles: bool = True,
    objects: bool = True,
) -> str:
    """Return the map as the text of an SVG file; the options are those of `draw`.

    titles : add the name and position of each cell as a tooltip
    """
    check_map(solution)
    check_cell_count(solution.problem)
    placements = select_placements(solution, objects)
    canvas, scale, marked = parse_options(solution, scale, tile_size, layers, show, conflicts)
    canvas.check()
    looks = canvas.hide_covered(compute_looks(solution, show))
    colours = {look: canvas.flat_colour(look) for look in np.unique(looks).tolist()}
    names = list_cell_titles(solution) if titles else None
    width, height = canvas.width, canvas.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}" height="{height * scale}" '
        f'viewBox="0 0 {width} {height}" image-rendering="pixelated" style="image-rendering:pixelated">',
        "<defs>",
        *list_definitions(canvas, colours),
        *list_object_definitions(canvas, placements),
        "</defs>",
        *format_cells_as_svg(canvas, looks, colours, names),
        *list_object_elements(canvas, placements, titles),
        *list_mark_elements(canvas, marked),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def list_definitions(canvas: Canvas, colours: LookColours) -> Iterator[str]:
    """Yield each picture once, and the shape of a cell of one colour."""
    if any(colours.values()) and not isinstance(canvas, OutlineCanvas):
        yield '<g id="cell">' + "".join(format_face_paths(canvas)) + "</g>"
    # Pictures overlap a little: otherwise gaps between them are visible when zoomed.
    overlap = OVERLAP_PIXELS if len(canvas.faces()) == 1 else 0
    width, height = (length + overlap for length in canvas.stamp_size)
    for look, colour in colours.items():
        stamp = canvas.stamp(look) if colour is None else None
        if stamp is not None:
            box = f'width="{width}" height="{height}" preserveAspectRatio="none"'
            yield f'<image id="p{look}" {box} href="{make_data_uri(stamp)}"/>'


def format_face_paths(canvas: Canvas) -> Iterator[str]:
    """Yield the faces of a cell in the current colour, darker ones with a shadow."""
    for corners, light in canvas.faces():
        way = format_path(corners)
        # The stroke closes the gaps between neighbours.
        yield f'<path d="{way}" fill="currentColor" stroke="currentColor" stroke-width="0.4"/>'
        if light < 1:
            yield f'<path d="{way}" fill-opacity="{1 - light:.2f}"/>'


def format_cells_as_svg(
    canvas: Canvas, looks: CellLooks, colours: LookColours, titles: list[str] | None
) -> Iterator[str]:
    """Yield a reference for each cell, from back to front."""
    shown = canvas.sequence[looks[canvas.sequence] != NOTHING]
    for cell, look in each_checked(zip(shown.tolist(), looks[shown].tolist(), strict=True)):
        x, y = canvas.positions[cell].tolist()
        colour = colours[look]
        title = "" if titles is None else f"<title>{titles[cell]}</title>"
        if colour is None:
            if canvas.stamp(look) is not None:
                yield format_element("use", f'href="#p{look}" x="{x}" y="{y}"', title)
        elif isinstance(canvas, OutlineCanvas):
            yield format_element(
                "path",
                f'd="{format_path(canvas.find_outline(cell))}" {format_colour(colour, "fill")}',
                title,
            )
        else:
            yield format_element(
                "use", f'href="#cell" x="{x}" y="{y}" {format_colour(colour, "color")}', title
            )
        if look < 0:
            yield from list_number_elements(canvas, look, x, y)


def list_object_definitions(canvas: Canvas, placements: Placements | None) -> Iterator[str]:
    """Yield the picture of each object once."""
    if placements is None:
        return
    for kind, stamp in make_stamps(canvas.problem, canvas.size, placements.kinds).items():
        width, height = stamp.image.size
        yield f'<image id="o{kind}" width="{width}" height="{height}" href="{make_data_uri(stamp.image)}"/>'


def list_object_elements(canvas: Canvas, placements: Placements | None, titles: bool) -> Iterator[str]:
    """Yield a reference for each object, from back to front."""
    for index, _, left, top in stamp_objects(canvas, placements):
        assert placements is not None
        assert isinstance(canvas.problem.tiles, TileSet)
        kind = int(placements.kinds[index])
        name = escape_text(canvas.problem.tiles.objects[kind].name)
        title = f"<title>{name}</title>" if titles else ""
        yield format_element("use", f'class="object" href="#o{kind}" x="{left}" y="{top}"', title)


def list_number_elements(canvas: Canvas, look: int, x: int, y: int) -> Iterator[str]:
    """Yield the number of remaining patterns, if it fits."""
    tint, room = canvas.tint(look), canvas.number_box
    high = min(room.height, room.width / (0.62 * len(str(len(canvas.problem.rules)))))
    if tint.left and high >= 5:
        ink = "#{:02x}{:02x}{:02x}".format(*choose_ink(tint.colour))
        yield (
            f'<text x="{x + room.x}" y="{y + room.y}" font-size="{high:g}" fill="{ink}" '
            'font-family="monospace" text-anchor="middle" dominant-baseline="central" '
            f'pointer-events="none">{tint.left}</text>'
        )


def list_mark_elements(canvas: Canvas, marked: list[int]) -> Iterator[str]:
    """Yield outlines around marked cells."""
    for cell in marked:
        ways = [format_path(corners) for corners, _ in list_mark_rings(canvas.find_outline(cell))]
        whole_ring, red_ring = ways[0] + ways[-1], "".join(ways[1:3])
        if len(ways) > 1:
            yield f'<path d="{whole_ring}" fill-rule="evenodd" {format_colour(HALO, "fill")}/>'
        red = format_colour(MARK, "fill")
        yield f'<path class="conflict" d="{red_ring or ways[0]}" fill-rule="evenodd" {red}/>'


def list_cell_titles(solution: Map) -> list[str]:
    """[cell] the name of the pattern, or the number of remaining patterns, and the position."""
    names, describe = solution.problem.rules.names, solution.problem.topology.describe
    left = count_set_bits(solution.words).tolist() if isinstance(solution, Partial) else []
    return [
        escape_text(f"{names[pattern] if pattern >= 0 else describe_domain(left[cell])}: {describe(cell)}")
        for cell, pattern in each_checked(enumerate(solution.patterns.tolist()))
    ]


def describe_domain(count: int) -> str:
    """Describe the domain of an undecided cell."""
    return f"{count} patterns left" if count else "nothing fits"


def escape_text(text: str) -> str:
    """Escape text, and replace characters that XML does not allow."""
    return escape(INVALID_XML.sub("\ufffd", text), quote=False)


def format_element(tag: str, attributes: str, content: str) -> str:
    return f"<{tag} {attributes}>{content}</{tag}>" if content else f"<{tag} {attributes}/>"


def format_colour(colour: tuple[int, ...], name: str) -> str:
    """Format a colour as attributes."""
    opacity = "" if colour[3] == 255 else f' opacity="{colour[3] / 255:.3g}"'
    return f'{name}="#{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}"{opacity}'


def format_path(corners: Points) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}".replace(".00", "") for x, y in corners) + "Z"
