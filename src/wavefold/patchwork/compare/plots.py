"""Drawings of a comparison, as lines and areas: how figures spread, and how they change with neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np

from wavefold.auditing.page.plots import svg_root, svg_text
from wavefold.render.html import Markup, element

WIDTH, ROW = 860.0, 30.0
LETTER = 6.4  # pixels a letter is wide, about
RIGHT, BOTTOM = 24.0, 34.0
APART = 0.03  # neighbours between two lines
MOST_SPECKS = 200  # maps that are drawn as dots

Spread = tuple[str, Sequence[float], int, bool]  # name, values, colour, whether fields drive it
Line = tuple[str, Sequence[tuple[int, float, int]], int, bool]  # points are (neighbours, percent, grids)


def plot_spreads(rows: Sequence[Spread], unit: str) -> Markup:
    """A row for each way: dots, a line from p5 to p95, a box around the middle half, a bar at the median."""
    left = 16 + LETTER * max(len(name) for name, *_ in rows)
    top, height = 6.0, ROW * len(rows)
    every = [value for _, values, *_ in rows for value in values]
    low, high = (min(every), max(every)) if every else (0.0, 1.0)
    logarithmic = low > 0 and high / low > 30
    start, end = (low / 1.15, high * 1.1) if logarithmic else (0.0, max(high * 1.04, 1e-9))

    def place(value: float) -> float:
        share = log10(value / start) / log10(end / start) if logarithmic else value / end
        return left + share * (WIDTH - left - RIGHT)

    marks: list[Markup] = []
    for tick in ticks(start, end, logarithmic):
        x = place(tick)
        marks.append(element("path", d=f"M{x:.1f} {top:.0f}v{height:.0f}", class_="scale"))
        marks.append(svg_text(x, top + height + 15, f"{tick:,g}", anchor="middle"))
    axis = f"{unit}{', on a logarithmic scale' if logarithmic else ''}"
    marks.append(
        svg_text(left + (WIDTH - left - RIGHT) / 2, top + height + 30, axis, anchor="middle", class_="axis")
    )
    for number, (name, values, colour, driven) in enumerate(rows):
        middle = top + (number + 0.5) * ROW
        marks.append(svg_text(left - 10, middle + 4, name, anchor="end"))
        if values:
            marks += spread_marks([place(value) for value in values], values, middle, colour, driven, unit)
    return svg_root(WIDTH, top + height + BOTTOM, *marks, label=f"{unit} per map, for each way to join")


def spread_marks(
    places: Sequence[float], values: Sequence[float], middle: float, colour: int, driven: bool, unit: str
) -> list[Markup]:
    """One row."""
    mood = f"j{colour}{' driven' if driven else ''}"
    shown = places[:: max(1, len(places) // MOST_SPECKS)]
    specks = [
        element("circle", cx=f"{x:.1f}", cy=f"{middle + (number * 7 % 11 - 5) * 1.1:.1f}", r="1.8",
                class_=f"speck j{colour}", stroke_width="0")
        for number, x in enumerate(shown)
    ]  # fmt: skip
    p5, p25, p50, p75, p95 = np.percentile(places, (5, 25, 50, 75, 95)).tolist()
    low, median, high = np.percentile(values, (5, 50, 95)).tolist()
    title = element("title", f"median {median:,.4g} {unit}, 5th {low:,.4g}, 95th {high:,.4g}")
    box = {"x": f"{p25:.1f}", "y": f"{middle - 9:.1f}", "width": f"{max(1.0, p75 - p25):.1f}", "height": "18"}
    return [
        *specks,
        element("path", d=f"M{p5:.1f} {middle:.1f}H{p95:.1f}", class_=f"whisker {mood}"),
        element("rect", title, class_=f"box {mood}", rx="2", **box),
        element("path", d=f"M{p50:.1f} {middle - 9:.1f}v18", class_=f"middle j{colour}"),
    ]


def ticks(start: float, end: float, logarithmic: bool) -> list[float]:
    """Round numbers along an axis."""
    if not logarithmic:
        step = 10.0 ** np.floor(np.log10(end / 4))
        step *= next(times for times in (1, 2, 5, 10) if end / (step * times) <= 8)
        return [round(float(step) * number, 10) for number in range(int(end / step) + 1)]
    powers = range(int(np.floor(log10(start))), int(np.ceil(log10(end))) + 1)
    found = [float(digit * 10.0**power) for power in powers for digit in (1, 2, 5)]
    return [each for each in found if start <= each <= end]


def plot_success(lines: Sequence[Line]) -> Markup:
    """A line for each way: neighbours across, percent of grids up."""
    width, height, left, top = 620.0, 240.0, 52.0, 12.0
    most = max(beside for _, points, *_ in lines for beside, *_ in points)
    lowest = min(percent for _, points, *_ in lines for _, percent, _ in points)
    floor = max(0.0, 10 * np.floor((lowest - 2) / 10))

    def place(beside: float, percent: float) -> tuple[float, float]:
        across = left + 18 + beside / max(1, most) * (width - left - 40)
        return across, top + (100 - percent) / (100 - floor) * height

    marks: list[Markup] = []
    for percent in np.linspace(floor, 100, 5).tolist():
        y = place(0, percent)[1]
        marks.append(element("path", d=f"M{left:.0f} {y:.1f}H{width - 8:.0f}", class_="scale"))
        marks.append(svg_text(left - 8, y + 4, f"{percent:g} %", anchor="end"))
    for beside in range(most + 1):
        marks.append(svg_text(place(beside, 0)[0], top + height + 18, str(beside), anchor="middle"))
    words = "neighbours that were there"
    marks.append(svg_text((left + width) / 2, top + height + 36, words, anchor="middle", class_="axis"))
    for number, (name, points, colour, driven) in enumerate(lines):
        aside = APART * (number - (len(lines) - 1) / 2) / most  # lines that coincide are seen side by side
        spots = [place(beside + aside, percent) for beside, percent, _ in points]
        trace = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        marks.append(element("path", d=trace, class_=f"trace j{colour}{' driven' if driven else ''}"))
        for (x, y), (beside, percent, grids) in zip(spots, points, strict=True):
            title = element("title", f"{name}, {beside} neighbours: {percent:.1f} % of {grids:,} grids")
            marks.append(element("circle", title, cx=f"{x:.1f}", cy=f"{y:.1f}", r="3.4", class_=f"j{colour}"))
    return svg_root(width, top + height + 44, *marks, label="success by populated neighbours")
