"""Plots on HTML pages, as inline SVG: single shapes, and charts with lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wavefold.render.html import Markup, element

LETTER = 6.4  # pixels a letter of a label is wide, about

Point = tuple[float, float]


def svg(width: float, height: float, *children: object, label: str) -> Markup:
    """An <svg> of this size, in pixels, that shrinks with its column; `label` is for screen readers."""
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
    """What is shown when the pointer rests on a shape."""
    return element("title", words)


@dataclass(frozen=True)
class LineChart:
    """The frame of a chart: x values run across from 0 to `most`, y values up from `lowest` to `highest`.

    `width` is that of the whole chart, `height` that of the plotted area; both are pixels.
    """

    width: float
    height: float
    most: float
    lowest: float
    highest: float
    left: float = 52.0  # room for the labels of the y axis
    inset: float = 14.0  # between that and x = 0
    top: float = 12.0
    right: float = 16.0

    def point(self, x: float, y: float) -> Point:
        """Where a value is, in pixels."""
        start = self.left + self.inset
        across = start + x / max(1, self.most) * (self.width - start - self.right)
        return across, self.top + (self.highest - y) / (self.highest - self.lowest) * self.height

    def levels(self, labels: Mapping[float, str]) -> list[Markup]:
        """A horizontal line with a label at each of these y values."""
        marks = []
        for value, words in labels.items():
            y = self.point(0, value)[1]
            marks.append(path(f"M{self.left:.0f} {y:.1f}H{self.width - 8:.0f}", "level"))
            marks.append(text(self.left - 8, y + 4, words, anchor="end"))
        return marks

    def x_axis(self, values: Iterable[int], words: str) -> list[Markup]:
        """These x values, and below them what they are."""
        bottom = self.top + self.height
        middle = (self.left + self.width) / 2
        return [
            *(text(self.point(x, 0)[0], bottom + 18, str(x), anchor="middle") for x in values),
            text(middle, bottom + 36, words, anchor="middle", class_="axis"),
        ]

    def trace(self, points: Sequence[Point], titles: Sequence[str], class_: str = "") -> list[Markup]:
        """A line through these (x, y) values, with a dot and a title at each."""
        spots = [self.point(x, y) for x, y in points]
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        dots = [
            circle(x, y, 3.3, title(words), class_=f"dot {class_}".rstrip())
            for (x, y), words in zip(spots, titles, strict=True)
        ]
        return [path(line, f"trace {class_}".rstrip()), *dots]

    def vertical(self, x: float, words: str, row: int) -> list[Markup]:
        """A dashed line at this x value, its label in the given row from the top."""
        across = self.point(x, 0)[0]
        line = path(f"M{across:.1f} {self.top:.0f}v{self.height:.0f}", "found")
        return [line, text(across + 5, self.top + 14 + 18 * row, words, class_="axis")]

    def draw(self, marks: Iterable[Markup], label: str) -> Markup:
        """The chart with these marks."""
        return svg(self.width, self.top + self.height + 44, *marks, label=label)
