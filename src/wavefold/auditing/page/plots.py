"""Drawings on a page, as lines and areas: which corners can be filled, sockets around a cell, a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from colorsys import hls_to_rgb
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.corners import FRAGILE
from wavefold.auditing.page.summary import format_cells
from wavefold.auditing.trials import E_FOLD, FAINT
from wavefold.render.html import Markup, element

BOX = 14  # pixels of a square in a matrix
LETTER = 6.2  # pixels a letter is wide, about
LONGEST = 26  # letters of a label
ROOM = 16  # letters beside a drawn cell
GOLDEN = 0.6180339887498949  # steps of this share around the colour wheel never bunch up

Point = tuple[float, float]


class KindColours:
    """A colour for each kind of side, the same on the whole page and at all levels."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __getitem__(self, word: str) -> str:
        number = self.numbers.setdefault(word.partition(" at level ")[0], len(self.numbers))
        shares = hls_to_rgb((0.3 + number * GOLDEN) % 1, (0.52, 0.66, 0.4)[number % 3], 0.55)
        return "#" + "".join(f"{round(share * 255):02x}" for share in shares)


def shorten(text: str, most: int = LONGEST) -> str:
    """A kind of side where there is little room: levels as in names of patterns, and few letters."""
    text = text.replace(" at level ", " l")
    return text if len(text) <= most else f"{text[: most - 1]}…"


def svg_root(width: float, height: float, *children: object, label: str) -> Markup:
    """An <svg> of this size that shrinks with its column."""
    return element(
        "svg",
        *children,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        style=f"width:{width:.0f}px",
        role="img",
        aria_label=label,
    )


# --- which corners can be filled ----------------------------------------------------------------


def plot_pairs(counts: NDArray[np.int64], sides: Sequence[str], labels: Sequence[Sequence[str]]) -> Markup:
    """[kind, kind] how many patterns fit: a square for each pair, dark red where there is none."""
    rows, columns = counts.shape
    left = 10 + LETTER * max(len(shorten(each)) for each in labels[0])
    top = 30 + LETTER * max(len(shorten(each)) for each in labels[1])
    left = max(left, LETTER * (len(sides[0]) + 4))
    marks = [svg_text(left - 6, top - 6, f"{sides[0]} ↓", anchor="end", class_="axis")]
    marks.append(svg_text(left, 11, f"{sides[1]} →", class_="axis"))
    for row, label in enumerate(labels[0]):
        marks.append(svg_text(left - 6, top + row * BOX + 11, shorten(label), anchor="end"))
    for column, label in enumerate(labels[1]):
        x = left + column * BOX + 11
        marks.append(svg_text(x, top - 6, shorten(label), transform=f"rotate(-90 {x:.0f} {top - 6:.0f})"))
    marks.append(square(left, top, columns * BOX - 1, rows * BOX - 1, "impossible"))
    for row, column in np.argwhere(counts > 0).tolist():
        count = int(counts[row, column])
        words = f"{labels[0][row]} · {labels[1][column]}: {count} pattern{'s' if count > 1 else ''}"
        mood = "fragile" if count <= FRAGILE else "fine"
        x, y = left + column * BOX, top + row * BOX
        marks.append(square(x, y, BOX - 1, BOX - 1, mood, element("title", words)))
    lines = [f"M{left + column * BOX - 0.5:.1f} {top:.0f}v{rows * BOX - 1}" for column in range(1, columns)]
    lines += [f"M{left:.0f} {top + row * BOX - 0.5:.1f}h{columns * BOX - 1}" for row in range(1, rows)]
    marks.append(element("path", d="".join(lines), class_="grid"))
    label = f"which pairs of sides can be filled, {sides[0]} and {sides[1]}"
    return svg_root(left + columns * BOX + 4, top + rows * BOX + 4, *marks, label=label)


def square(x: float, y: float, width: float, height: float, class_: str, *children: object) -> Markup:
    spans = {"x": f"{x:.0f}", "y": f"{y:.0f}", "width": f"{width:.0f}", "height": f"{height:.0f}"}
    return element("rect", *children, class_=class_, **spans)


def svg_text(x: float, y: float, words: str, anchor: str | None = None, **attributes: object) -> Markup:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, **attributes)


# --- sockets around a cell ----------------------------------------------------------------------


def plot_cell(
    directions: Sequence[str], shown: Mapping[str, str], colours: KindColours, names: Mapping[str, str]
) -> Markup:
    """A cell with a coloured side for each direction in `shown`; the others are left open.

    `names` are what is written beside the sides: none, if there is no room for it.
    """
    ring = [each for each in directions if each not in ("up", "down")]
    middle, radius = ((124.0, 58.0) if names else (42.0, 42.0)), 34.0
    first = -pi / 2 if len(ring) == 6 else -3 * pi / 4
    turn = 2 * pi / len(ring)
    marks = []
    for side, direction in enumerate(ring):
        angle = first + turn * (side + 0.5)
        start, end = (
            polar_point(middle, radius, angle - turn / 2),
            polar_point(middle, radius, angle + turn / 2),
        )
        marks.append(wedge(middle, start, end, direction, shown, colours))
        if direction in names:
            marks.append(side_label(middle, radius, angle, names[direction]))
    for face, offset in (("up", -9.0), ("down", 9.0)):
        if face in directions:
            marks.append(face_bar(middle[0], middle[1] + offset, face, shown, colours))
    words = ", ".join(f"{direction}: {kind}" for direction, kind in shown.items())
    return svg_root(2 * middle[0], 2 * middle[1], *marks, label=words or "nothing is asked")


def plot_neighbours(directions: Sequence[str], pictures: Mapping[str, str]) -> Markup:
    """An open cell between its neighbours: {direction: the address of a picture}."""
    size, middle = 34.0, (58.0, 58.0)
    turn = 2 * pi / len(directions)
    apart = size if len(directions) == 4 else size * 0.98
    first = -pi / 2 if len(directions) == 4 else -pi / 3
    spans = {"width": f"{size:.0f}", "height": f"{size:.0f}"}
    marks = [square(middle[0] - size / 2, middle[1] - size / 2, size, size, "open")]
    for side, direction in enumerate(directions):
        if direction in pictures:
            x, y = polar_point((middle[0] - size / 2, middle[1] - size / 2), apart, first + side * turn)
            place = {"x": f"{x:.1f}", "y": f"{y:.1f}", **spans}
            marks.append(element("image", element("title", direction), href=pictures[direction], **place))
    marks.append(svg_text(middle[0], middle[1] + 5, "?", anchor="middle", class_="asked"))
    return svg_root(2 * middle[0], 2 * middle[1], *marks, label=f"neighbours to the {', '.join(pictures)}")


def polar_point(middle: Point, radius: float, angle: float) -> Point:
    """The point that far from the middle."""
    return middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)


def wedge(
    middle: Point, start: Point, end: Point, direction: str, shown: Mapping[str, str], colours: KindColours
) -> Markup:
    """The part of a cell that belongs to a side: a coloured rim, or only an outline."""
    inner = [(x + (middle[0] - x) * 0.42, y + (middle[1] - y) * 0.42) for x, y in (end, start)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (start, end, *inner))
    if direction not in shown:
        return element("polygon", points=points, class_="open")
    title = element("title", f"{direction}: {shown[direction]}")
    return element("polygon", title, points=points, fill=colours[shown[direction]], class_="side")


def face_bar(x: float, y: float, face: str, shown: Mapping[str, str], colours: KindColours) -> Markup:
    """The sides above and below, as small bars in the middle."""
    spans = {"x": f"{x - 9:.1f}", "y": f"{y - 6:.1f}", "width": "18", "height": "12"}
    if face not in shown:
        return element("rect", class_="open", **spans)
    title = element("title", f"{face}: {shown[face]}")
    return element("rect", title, class_="side", fill=colours[shown[face]], **spans)


def side_label(middle: Point, radius: float, angle: float, words: str) -> Markup:
    """What a side shows, written where there is room for it."""
    upright = abs(cos(angle)) < 0.2
    x, y = polar_point(middle, radius * (1.0 if upright else 1.06), angle)
    anchor = "middle" if upright else "start" if cos(angle) > 0 else "end"
    return svg_text(x, y + 4 + sin(angle) * 6, shorten(words, ROOM), anchor=anchor)


# --- how far a choice reaches -------------------------------------------------------------------


def plot_correlation(values: Sequence[float], length: int | None, reach: int | None) -> Markup:
    """Correlation by distance, with the two levels that have names."""
    width, height, left, top = 520.0, 190.0, 44.0, 12.0
    step = (width - left - 16) / max(1, len(values) - 1)

    def place(distance: float, value: float) -> Point:
        return left + distance * step, top + (1 - value) * height

    marks: list[Markup] = []
    for level, words in ((E_FOLD, "1/e"), (FAINT, "0.1"), (0.0, "0"), (1.0, "1")):
        y = place(0, level)[1]
        marks.append(element("path", d=f"M{left:.0f} {y:.1f}H{width - 10:.0f}", class_="level"))
        marks.append(svg_text(left - 8, y + 4, words, anchor="end"))
    for distance in range(0, len(values), 1 if len(values) < 10 else 2):
        marks.append(svg_text(place(distance, 0)[0], top + height + 18, str(distance), anchor="middle"))
    points = [place(distance, value) for distance, value in enumerate(values)]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    marks.append(element("path", d=line, class_="curve"))
    for (x, y), value in zip(points, values, strict=True):
        title = element("title", f"{value:.2f}")
        marks.append(element("circle", title, cx=f"{x:.1f}", cy=f"{y:.1f}", r="3.2", class_="dot"))
    for found, words in ((length, "correlation length"), (reach, "reach")):
        if found is not None:
            x = place(found, 0)[0]
            marks.append(element("path", d=f"M{x:.1f} {top:.0f}V{top + height:.0f}", class_="found"))
            y = top + (14 if words == "reach" else 32)
            marks.append(svg_text(x + 5, y, f"{words}: {format_cells(found)}", class_="axis"))
    marks.append(
        svg_text((left + width) / 2, top + height + 36, "cells apart", anchor="middle", class_="axis")
    )
    return svg_root(width, top + height + 44, *marks, label="correlation by distance")
