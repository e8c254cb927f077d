"""Figures of an audit page: matrices of corners, sockets around a cell, correlation, pictures of maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from colorsys import hls_to_rgb
from math import ceil, cos, pi, sin
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.render.html import Markup, concatenate, details, element, image_element
from wavefold.render.plots import LETTER_PIXELS, LineChart, Point, path, rectangle, svg, text, title
from wavefold.render.tile_pictures import GOLDEN_RATIO
from wavefold.reports.auditing.corners import MOST_FRAGILE
from wavefold.reports.auditing.report import format_cells
from wavefold.reports.auditing.trials import E_FOLD, FAINT
from wavefold.solver import Problem, Solution, Statistics
from wavefold.solver.search.certificate import repeat_base
from wavefold.tiles import TileSet
from wavefold.topology import Topology, get_lattice_class, make_single_cell

BOX = 14  # pixels of a square in a matrix
MOST_LABEL_LETTERS = 26
MOST_PICTURE_PIXELS = 900  # across; larger pictures are drawn smaller
MOST_SIDE_LETTERS = 16  # beside a drawn cell

Entry = TypeVar("Entry")


class KindColours:
    """The colours of kinds of sides, the same on the whole page and at all levels."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __getitem__(self, kind: str) -> str:
        number = self.numbers.setdefault(kind.partition(" at level ")[0], len(self.numbers))
        shares = hls_to_rgb((0.3 + number * GOLDEN_RATIO) % 1, (0.52, 0.66, 0.4)[number % 3], 0.55)
        return "#" + "".join(f"{round(share * 255):02x}" for share in shares)


def shorten(kind: str, most: int = MOST_LABEL_LETTERS) -> str:
    """Shorten the name of a kind of side, and write its level as in names of patterns."""
    kind = kind.replace(" at level ", " l")
    return kind if len(kind) <= most else f"{kind[: most - 1]}…"


# --- which corners can be filled ----------------------------------------------------------------


def plot_pairs(counts: NDArray[np.int64], sides: Sequence[str], labels: Sequence[Sequence[str]]) -> Markup:
    """Draw a matrix [kind, kind] of how many patterns fit: a square for each pair, dark red for none."""
    rows, columns = counts.shape
    left = 10 + LETTER_PIXELS * max(len(shorten(each)) for each in labels[0])
    top = 30 + LETTER_PIXELS * max(len(shorten(each)) for each in labels[1])
    left = max(left, LETTER_PIXELS * (len(sides[0]) + 4))
    marks = [text(left - 6, top - 6, f"{sides[0]} ↓", anchor="end", class_="axis")]
    marks.append(text(left, 11, f"{sides[1]} →", class_="axis"))
    for row, label in enumerate(labels[0]):
        marks.append(text(left - 6, top + row * BOX + 11, shorten(label), anchor="end"))
    for column, label in enumerate(labels[1]):
        x = left + column * BOX + 11
        marks.append(text(x, top - 6, shorten(label), transform=f"rotate(-90 {x:.0f} {top - 6:.0f})"))
    marks.append(rectangle(left, top, columns * BOX - 1, rows * BOX - 1, class_="impossible"))
    for row, column in np.argwhere(counts > 0).tolist():
        count = int(counts[row, column])
        words = f"{labels[0][row]} · {labels[1][column]}: {count} pattern{'s' if count > 1 else ''}"
        grade = "fragile" if count <= MOST_FRAGILE else "fine"
        x, y = left + column * BOX, top + row * BOX
        marks.append(rectangle(x, y, BOX - 1, BOX - 1, title(words), class_=grade))
    lines = [f"M{left + column * BOX - 0.5:.1f} {top:.0f}v{rows * BOX - 1}" for column in range(1, columns)]
    lines += [f"M{left:.0f} {top + row * BOX - 0.5:.1f}h{columns * BOX - 1}" for row in range(1, rows)]
    marks.append(path("".join(lines), "grid"))
    label = f"which pairs of sides can be filled, {sides[0]} and {sides[1]}"
    return svg(left + columns * BOX + 4, top + rows * BOX + 4, *marks, label=label)


# --- sockets around a cell ----------------------------------------------------------------------


def plot_cell(
    directions: Sequence[str], kinds: Mapping[str, str], colours: KindColours, names: Mapping[str, str]
) -> Markup:
    """Draw a cell with a coloured side for each direction in `kinds`; the others are only outlined.

    names : {direction: words} to write beside the sides; empty if there is no room
    """
    ring = [each for each in directions if each not in ("up", "down")]
    middle, radius = ((124.0, 58.0) if names else (42.0, 42.0)), 34.0
    first = -pi / 2 if len(ring) == 6 else -3 * pi / 4
    turn = 2 * pi / len(ring)
    marks = []
    for side, direction in enumerate(ring):
        angle = first + turn * (side + 0.5)
        start, end = (polar_point(middle, radius, angle + half * turn) for half in (-0.5, 0.5))
        inner = [(x + (middle[0] - x) * 0.42, y + (middle[1] - y) * 0.42) for x, y in (end, start)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (start, end, *inner))
        marks.append(side_shape("polygon", direction, kinds, colours, points=points))
        if direction in names:
            marks.append(side_label(middle, radius, angle, names[direction]))
    for face, offset in (("up", -9.0), ("down", 9.0)):
        if face in directions:
            corner = {"x": f"{middle[0] - 9:.1f}", "y": f"{middle[1] + offset - 6:.1f}"}
            marks.append(side_shape("rect", face, kinds, colours, **corner, width="18.0", height="12.0"))
    words = ", ".join(f"{direction}: {kind}" for direction, kind in kinds.items())
    return svg(2 * middle[0], 2 * middle[1], *marks, label=words or "nothing is required")


def plot_neighbours(directions: Sequence[str], pictures: Mapping[str, str]) -> Markup:
    """Draw an open cell between pictures of its neighbours {direction: data URI}."""
    size, middle = 34.0, (58.0, 58.0)
    turn = 2 * pi / len(directions)
    apart = size if len(directions) == 4 else size * 0.98
    first = -pi / 2 if len(directions) == 4 else -pi / 3
    corner = (middle[0] - size / 2, middle[1] - size / 2)
    marks = [rectangle(*corner, size, size, class_="open")]
    for side, direction in enumerate(directions):
        if direction in pictures:
            x, y = polar_point(corner, apart, first + side * turn)
            box = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{size:.0f}", "height": f"{size:.0f}"}
            marks.append(element("image", title(direction), href=pictures[direction], **box))
    marks.append(text(middle[0], middle[1] + 5, "?", anchor="middle", class_="asked"))
    return svg(2 * middle[0], 2 * middle[1], *marks, label=f"neighbours to the {', '.join(pictures)}")


def polar_point(middle: Point, radius: float, angle: float) -> Point:
    return middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)


def side_shape(
    shape: str, side: str, kinds: Mapping[str, str], colours: KindColours, **attributes: object
) -> Markup:
    """Draw the part of a cell at a side: filled with the colour of its kind, or an outline."""
    if side not in kinds:
        return element(shape, **attributes, class_="open")
    words = title(f"{side}: {kinds[side]}")
    return element(shape, words, **attributes, fill=colours[kinds[side]], class_="side")


def side_label(middle: Point, radius: float, angle: float, words: str) -> Markup:
    """Write the kind of a side outside the cell."""
    upright = abs(cos(angle)) < 0.2
    x, y = polar_point(middle, radius * (1.0 if upright else 1.06), angle)
    anchor = "middle" if upright else "start" if cos(angle) > 0 else "end"
    return text(x, y + 4 + sin(angle) * 6, shorten(words, MOST_SIDE_LETTERS), anchor=anchor)


# --- the reach of a choice ----------------------------------------------------------------------


def plot_correlation(values: Sequence[float], length: int | None, reach: int | None) -> Markup:
    """Plot correlation over distance, with correlation length and reach marked."""
    chart = LineChart(520, 190, most=len(values) - 1, lowest=0, highest=1, inset=0)
    distances = range(0, len(values), 1 if len(values) < 10 else 2)
    marks = [
        *chart.draw_levels({E_FOLD: "1/e", FAINT: "0.1", 0.0: "0", 1.0: "1"}),
        *chart.draw_x_axis(distances, "cells apart"),
        *chart.draw_trace(list(enumerate(values)), [f"{value:.2f}" for value in values]),
    ]
    for row, (distance, words) in enumerate(((reach, "reach"), (length, "correlation length"))):
        if distance is not None:
            marks += chart.draw_vertical(distance, f"{words}: {format_cells(distance)}", row)
    return chart.draw(marks, "correlation by distance")


# --- pictures of maps and patterns ---------------------------------------------------------------


def draw_patterns(tiles: TileSet, grid: Topology, patterns: NDArray[np.int64]) -> Image.Image:
    """Draw a map of these patterns [cell] at the size of its tiles, or smaller if that is too large."""
    solution = Solution(Problem(tiles, grid, own_constraints=False), patterns, Statistics())
    columns = max(grid.shape or (1,))
    most = max(1, MOST_PICTURE_PIXELS // columns)  # across a cell
    if columns == 1 or draw_pattern(tiles, int(patterns[0])).width <= most:
        return solution.image()
    return solution.image(tile_size=most)


def draw_pattern(tiles: TileSet, pattern: int) -> Image.Image:
    """Draw one pattern as it appears in a map."""
    return draw_patterns(tiles, make_single_cell(tiles.topology), np.array([pattern], np.int64))


def pattern_element(tiles: TileSet, pattern: int, width: int = 40) -> Markup:
    """Return the picture of a pattern as an <img>."""
    return image_element(draw_pattern(tiles, pattern), tiles.rules.names[pattern], width)


def draw_repeated(tiles: TileSet, base: NDArray[np.int64]) -> Image.Image:
    """Draw a base [row, column] or [layer, row, column] repeated, at least twice along each axis."""
    grid_class = get_lattice_class(tiles.topology)
    spans = base.shape[::-1]
    least = grid_class.sizes.repeated
    grid = grid_class.of_size(
        *(span * max(2, ceil(wanted / span)) for span, wanted in zip(spans, least, strict=True))
    )
    return draw_patterns(tiles, grid, repeat_base(base, grid))


# --- long lists -----------------------------------------------------------------------------------


def fold(
    entries: Sequence[Entry], most: int, wrap: Callable[[Sequence[Entry]], Markup], total: int = 0
) -> Markup:
    """Show the first `most` entries, with the others hidden until opened.

    wrap : makes one element of several entries
    total : the number of entries, if not all are on the page
    """
    parts = [wrap(entries[:most])]
    if len(entries) > most:
        total = max(total, len(entries))
        more = details(f"{total - most:,} more", wrap(entries[most:]), note_omitted(total - len(entries)))
        parts.append(more)
    return concatenate(parts)


def note_omitted(count: int) -> Markup:
    """State the number of entries that are not on the page, if any."""
    return element("p", f"{count:,} more are in the JSON report.", class_="quiet") if count else Markup()
