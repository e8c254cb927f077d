"""Plots on HTML pages, as inline SVG: shapes, line charts and box plots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import NamedTuple

import numpy as np

from wavefold.render.html import Markup, element

LETTER_PIXELS = 6.4  # approximate width of a letter in a label
BOX_WIDTH, BOX_ROW = 860.0, 30.0  # pixels
BOX_TOP, BOX_RIGHT, BOX_BOTTOM = 6.0, 24.0, 34.0  # margins; the left one depends on the names
MOST_SPECKS = 200  # values drawn as dots

Point = tuple[float, float]


def svg(width: float, height: float, *children: object, label: str) -> Markup:
    """An <svg> of this size, in pixels, reduced on narrow pages; `label` is for screen readers."""
    return element(
        "svg",
        *children,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        style=f"width:{width:.0f}px",
        role="img",
        aria_label=label,
    )


def text(x: float, y: float, words: str, anchor: str | None = None, **attributes: object) -> Markup:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, **attributes)


def rectangle(
    x: float, y: float, width: float, height: float, *children: object, **attributes: object
) -> Markup:
    box = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}
    return element("rect", *children, **box, **attributes)


def circle(x: float, y: float, radius: float, *children: object, **attributes: object) -> Markup:
    return element("circle", *children, cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:g}", **attributes)


def path(d: str, class_: str) -> Markup:
    return element("path", d=d, class_=class_)


def title(words: str) -> Markup:
    """A tooltip of a shape."""
    return element("title", words)


@dataclass(frozen=True)
class LineChart:
    """The axes of a chart: x from 0 to `most`, y from `lowest` to `highest`.

    `width` is the width of the whole chart, `height` the height of the plotted area, in pixels.
    """

    width: float
    height: float
    most: float
    lowest: float
    highest: float
    left: float = 52.0  # space for the labels of the y axis
    inset: float = 14.0  # between these labels and x = 0
    top: float = 12.0
    right: float = 16.0

    def locate(self, x: float, y: float) -> Point:
        """The position of a value, in pixels."""
        start = self.left + self.inset
        across = start + x / max(1, self.most) * (self.width - start - self.right)
        return across, self.top + (self.highest - y) / (self.highest - self.lowest) * self.height

    def draw_levels(self, labels: Mapping[float, str]) -> list[Markup]:
        """Horizontal lines with labels, given as {y value: label}."""
        marks = []
        for value, words in labels.items():
            y = self.locate(0, value)[1]
            marks.append(path(f"M{self.left:.0f} {y:.1f}H{self.width - 8:.0f}", "level"))
            marks.append(text(self.left - 8, y + 4, words, anchor="end"))
        return marks

    def draw_x_axis(self, values: Iterable[int], words: str) -> list[Markup]:
        """The labels of the x axis, and its name below them."""
        bottom = self.top + self.height
        middle = (self.left + self.width) / 2
        return [
            *(text(self.locate(x, 0)[0], bottom + 18, str(x), anchor="middle") for x in values),
            text(middle, bottom + 36, words, anchor="middle", class_="axis"),
        ]

    def draw_trace(self, points: Sequence[Point], titles: Sequence[str], class_: str = "") -> list[Markup]:
        """A line through (x, y) values, with a dot and a tooltip at each."""
        spots = [self.locate(x, y) for x, y in points]
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        dots = [
            circle(x, y, 3.3, title(words), class_=f"dot {class_}".rstrip())
            for (x, y), words in zip(spots, titles, strict=True)
        ]
        return [path(line, f"trace {class_}".rstrip()), *dots]

    def draw_vertical(self, x: float, words: str, row: int) -> list[Markup]:
        """A vertical dashed line at an x value; its label is in the given row from the top."""
        across = self.locate(x, 0)[0]
        line = path(f"M{across:.1f} {self.top:.0f}v{self.height:.0f}", "found")
        return [line, text(across + 5, self.top + 14 + 18 * row, words, class_="axis")]

    def draw(self, marks: Iterable[Markup], label: str) -> Markup:
        """The chart with these marks."""
        return svg(self.width, self.top + self.height + 44, *marks, label=label)


class BoxPlot(NamedTuple):
    """A row of `plot_boxes`: its name, the CSS classes of its colour and of its shapes, and its values."""

    name: str
    colour: str
    css: str
    values: Sequence[float]


def plot_boxes(rows: Sequence[BoxPlot], unit: str, label: str) -> Markup:
    """Draw box plots, one per row, with dots and with whiskers at the 5th and 95th percentiles."""
    left = 16 + LETTER_PIXELS * max(len(row.name) for row in rows)
    width, height = BOX_WIDTH - left - BOX_RIGHT, BOX_ROW * len(rows)
    every = [value for row in rows for value in row.values]
    low, high = (min(every), max(every)) if every else (0.0, 1.0)
    logarithmic = low > 0 and high / low > 30
    start, end = (low / 1.15, high * 1.1) if logarithmic else (0.0, max(high * 1.04, 1e-9))

    def place(value: float) -> float:
        share = log10(value / start) / log10(end / start) if logarithmic else value / end
        return left + share * width

    marks: list[Markup] = []
    for tick in choose_ticks(start, end, logarithmic):
        x = place(tick)
        marks.append(path(f"M{x:.1f} {BOX_TOP:.0f}v{height:.0f}", "level"))
        marks.append(text(x, BOX_TOP + height + 15, f"{tick:,g}", anchor="middle"))
    axis = f"{unit}{', on a logarithmic scale' if logarithmic else ''}"
    marks.append(text(left + width / 2, BOX_TOP + height + 30, axis, anchor="middle", class_="axis"))
    for number, row in enumerate(rows):
        middle = BOX_TOP + (number + 0.5) * BOX_ROW
        marks.append(text(left - 10, middle + 4, row.name, anchor="end"))
        if row.values:
            marks += draw_box(row, [place(value) for value in row.values], middle, unit)
    return svg(BOX_WIDTH, BOX_TOP + height + BOX_BOTTOM, *marks, label=label)


def draw_box(row: BoxPlot, places: Sequence[float], middle: float, unit: str) -> list[Markup]:
    """Draw one row; `places` are the x positions of the values, in pixels."""
    specks = [
        circle(x, middle + (number * 7 % 11 - 5) * 1.1, 1.8, class_=f"speck {row.colour}")
        for number, x in enumerate(places[:: max(1, len(places) // MOST_SPECKS)])
    ]
    p5, p25, p50, p75, p95 = np.percentile(places, (5, 25, 50, 75, 95)).tolist()
    low, median, high = np.percentile(row.values, (5, 50, 95)).tolist()
    words = title(f"median {median:,.4g} {unit}, 5th percentile {low:,.4g}, 95th {high:,.4g}")
    return [
        *specks,
        path(f"M{p5:.1f} {middle:.1f}H{p95:.1f}", f"whisker {row.css}"),
        rectangle(p25, middle - 9, max(1.0, p75 - p25), 18, words, class_=f"box {row.css}", rx=2),
        path(f"M{p50:.1f} {middle - 9:.1f}v18", f"median {row.colour}"),
    ]


def choose_ticks(start: float, end: float, logarithmic: bool) -> list[float]:
    """Choose round numbers along an axis."""
    if not logarithmic:
        step = 10.0 ** np.floor(np.log10(end / 4))
        step *= next(times for times in (1, 2, 5, 10) if end / (step * times) <= 8)
        return [round(float(step) * number, 10) for number in range(int(end / step) + 1)]
    powers = range(int(np.floor(log10(start))), int(np.ceil(log10(end))) + 1)
    found = [float(digit * 10.0**power) for power in powers for digit in (1, 2, 5)]
    return [each for each in found if start <= each <= end]
