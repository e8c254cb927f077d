"""Maps as SVG: every picture is stored once, every cell is a reference to one."""

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
from wavefold.render.canvas import HALO, MARK, Canvas, OutlineCanvas, Points, choose_ink, mark_rings
from wavefold.render.cell_looks import NOTHING, CellLooks, compute_looks
from wavefold.render.draw import check_map, parse_options
from wavefold.render.html import data_uri
from wavefold.render.object_pictures import make_stamps, select_placements, stamp_objects
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map, Partial
from wavefold.storage.files import check_writable, write_atomically
from wavefold.tiles import TileSet
from wavefold.tiles.objects import Placements

Colours = dict[int, tuple[int, ...] | None]  # by look; None if it is a picture
MOST_CELLS = 200_000  # more than viewers can handle
OVERLAP = 0.3  # pixels
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not allowed in XML


def save_svg(solution: Map, path: str | os.PathLike[str], **options: Any) -> None:
    """Write the map as an SVG file; the options are those of `svg`."""
    check_writable(path)
    text = svg(solution, **options)
    with write_atomically(path) as file:
        file.write(text.encode())


def check_cell_count(problem: Problem) -> None:
    """Raise if there are more cells than viewers can show."""
    if problem.cell_count > MOST_CELLS:
        raise ConfigError(
            f"an SVG can have at most {MOST_CELLS:,} cells, not {problem.cell_count:,}: viewers cannot show "
            "more; save the map as .png"
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
    """The map as the text of an SVG file; the options are those of `draw`.

    titles : add the name and position of each cell as its tooltip
    """
    check_map(solution)
    check_cell_count(solution.problem)
    placements = select_placements(solution, objects)
    canvas, scale, marked = parse_options(solution, scale, tile_size, layers, show, conflicts)
    canvas.check()
    looks = canvas.hide_covered(compute_looks(solution, show))
    colours = {look: canvas.flat_colour(look) for look in np.unique(looks).tolist()}
    names = cell_titles(solution) if titles else None
    width, height = canvas.width, canvas.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}" height="{height * scale}" '
        f'viewBox="0 0 {width} {height}" image-rendering="pixelated" style="image-rendering:pixelated">',
        "<defs>",
        *definitions(canvas, colours),
        *object_definitions(canvas, placements),
        "</defs>",
        *format_cells_as_svg(canvas, looks, colours, names),
        *object_elements(canvas, placements, titles),
        *mark_elements(canvas, marked),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def definitions(canvas: Canvas, colours: Colours) -> Iterator[str]:
    """Every picture once, and the shape of a cell in one colour."""
    if any(colours.values()) and not isinstance(canvas, OutlineCanvas):
        yield '<g id="cell">' + "".join(format_face_paths(canvas)) + "</g>"
    # A little larger than its cell, below the next one: otherwise the page shows through when zoomed.
    overlap = OVERLAP if len(canvas.faces()) == 1 else 0
    width, height = (length + overlap for length in canvas.stamp_size)
    for look, colour in colours.items():
        stamp = canvas.stamp(look) if colour is None else None
        if stamp is not None:
            box = f'width="{width}" height="{height}" preserveAspectRatio="none"'
            yield f'<image id="p{look}" {box} href="{data_uri(stamp)}"/>'


def format_face_paths(canvas: Canvas) -> Iterator[str]:
    """The faces of a cell in the current colour, the darker ones with a shadow over them."""
    for corners, light in canvas.faces():
        way = format_path(corners)
        # Without a line around it, what is behind shows through between neighbours.
        yield f'<path d="{way}" fill="currentColor" stroke="currentColor" stroke-width="0.4"/>'
        if light < 1:
            yield f'<path d="{way}" fill-opacity="{1 - light:.2f}"/>'


def format_cells_as_svg(
    canvas: Canvas, looks: CellLooks, colours: Colours, titles: list[str] | None
) -> Iterator[str]:
    """A reference for each cell, from back to front."""
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
                f'd="{format_path(canvas.outline_of(cell))}" {colour_attributes(colour, "fill")}',
                title,
            )
        else:
            yield format_element(
                "use", f'href="#cell" x="{x}" y="{y}" {colour_attributes(colour, "color")}', title
            )
        if look < 0:
            yield from number_element(canvas, look, x, y)


def object_definitions(canvas: Canvas, placements: Placements | None) -> Iterator[str]:
    """The picture of every object once."""
    if placements is None:
        return
    for kind, stamp in make_stamps(canvas.problem, canvas.size, placements.kinds).items():
        width, height = stamp.image.size
        yield f'<image id="o{kind}" width="{width}" height="{height}" href="{data_uri(stamp.image)}"/>'


def object_elements(canvas: Canvas, placements: Placements | None, titles: bool) -> Iterator[str]:
    """A reference for each object, from back to front."""
    for index, _, left, top in stamp_objects(canvas, placements):
        assert placements is not None
        assert isinstance(canvas.problem.tiles, TileSet)
        kind = int(placements.kinds[index])
        name = escape_text(canvas.problem.tiles.objects[kind].name)
        title = f"<title>{name}</title>" if titles else ""
        yield format_element("use", f'class="object" href="#o{kind}" x="{left}" y="{top}"', title)


def number_element(canvas: Canvas, look: int, x: int, y: int) -> Iterator[str]:
    """The number of remaining patterns, if it fits."""
    tint, room = canvas.tint(look), canvas.number_box
    high = min(room.height, room.width / (0.62 * len(str(len(canvas.problem.rules)))))
    if tint.left and high >= 5:
        ink = "#{:02x}{:02x}{:02x}".format(*choose_ink(tint.colour))
        yield (
            f'<text x="{x + room.x}" y="{y + room.y}" font-size="{high:g}" fill="{ink}" '
            'font-family="monospace" text-anchor="middle" dominant-baseline="central" '
            f'pointer-events="none">{tint.left}</text>'
        )


def mark_elements(canvas: Canvas, marked: list[int]) -> Iterator[str]:
    """Outlines around cells, over everything."""
    for cell in marked:
        ways = [format_path(corners) for corners, _ in mark_rings(canvas.outline_of(cell))]
        whole_ring, red_ring = ways[0] + ways[-1], "".join(ways[1:3])
        if len(ways) > 1:
            yield f'<path d="{whole_ring}" fill-rule="evenodd" {colour_attributes(HALO, "fill")}/>'
        red = colour_attributes(MARK, "fill")
        yield f'<path class="conflict" d="{red_ring or ways[0]}" fill-rule="evenodd" {red}/>'


def cell_titles(solution: Map) -> list[str]:
    """[cell] the name of its pattern, or the number of remaining patterns, and its position."""
    names, describe = solution.problem.rules.names, solution.problem.topology.describe
    left = count_set_bits(solution.words).tolist() if isinstance(solution, Partial) else []
    return [
        escape_text(f"{names[pattern] if pattern >= 0 else describe_domain(left[cell])}: {describe(cell)}")
        for cell, pattern in each_checked(enumerate(solution.patterns.tolist()))
    ]


def describe_domain(count: int) -> str:
    """The remaining patterns of an undecided cell, in words."""
    return f"{count} patterns left" if count else "nothing fits"


def escape_text(text: str) -> str:
    """Any text, escaped, without characters that XML does not allow."""
    return escape(NOT_XML.sub("\ufffd", text), quote=False)


def format_element(tag: str, attributes: str, content: str) -> str:
    return f"<{tag} {attributes}>{content}</{tag}>" if content else f"<{tag} {attributes}/>"


def colour_attributes(colour: tuple[int, ...], name: str) -> str:
    """A colour as attributes."""
    opacity = "" if colour[3] == 255 else f' opacity="{colour[3] / 255:.3g}"'
    return f'{name}="#{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}"{opacity}'


def format_path(corners: Points) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}".replace(".00", "") for x, y in corners) + "Z"
