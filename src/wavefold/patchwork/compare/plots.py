"""Plots of a comparison: how figures are distributed, and how success depends on neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

import numpy as np

from wavefold.render.html import Markup
from wavefold.render.plots import LETTER, LineChart, circle, path, rectangle, svg, text, title

WIDTH, ROW = 860.0, 30.0
RIGHT, BOTTOM = 24.0, 34.0
APART = 0.03  # neighbours between two lines
MOST_SPECKS = 200  # maps that are drawn as dots


class Series(NamedTuple):
    """How one case is drawn: its name, the number of its colour, and whether fields drive its maps."""

    name: str
    colour: int
    driven: bool

    @property
    def css(self) -> str:
        """Classes of its shapes."""
        return f"j{self.colour} driven" if self.driven else f"j{self.colour}"


Spread = tuple[Series, Sequence[float]]  # with one value per map
Success = tuple[Series, Sequence[tuple[int, float, int]]]  # with (neighbours, percent, grids) each


def plot_spreads(rows: Sequence[Spread], unit: str) -> Markup:
    """Box plots, one per row: dots, a line from p5 to p95, a box from p25 to p75, a bar at the median."""
    left = 16 + LETTER * max(len(series.name) for series, _ in rows)
    top, height = 6.0, ROW * len(rows)
    every = [value for _, values in rows for value in values]
    low, high = (min(every), max(every)) if every else (0.0, 1.0)
    logarithmic = low > 0 and high / low > 30
    start, end = (low / 1.15, high * 1.1) if logarithmic else (0.0, max(high * 1.04, 1e-9))

    def place(value: float) -> float:
        share = log10(value / start) / log10(end / start) if logarithmic else value / end
        return left + share * (WIDTH - left - RIGHT)

    marks: list[Markup] = []
    for tick in ticks(start, end, logarithmic):
        x = place(tick)
        marks.append(path(f"M{x:.1f} {top:.0f}v{height:.0f}", "level"))
        marks.append(text(x, top + height + 15, f"{tick:,g}", anchor="middle"))
    axis = f"{unit}{', on a logarithmic scale' if logarithmic else ''}"
    centre = left + (WIDTH - left - RIGHT) / 2
    marks.append(text(centre, top + height + 30, axis, anchor="middle", class_="axis"))
    for number, (series, values) in enumerate(rows):
        middle = top + (number + 0.5) * ROW
        marks.append(text(left - 10, middle + 4, series.name, anchor="end"))
        if values:
            marks += box_plot([place(value) for value in values], values, middle, series, unit)
    return svg(WIDTH, top + height + BOTTOM, *marks, label=f"{unit} per map, for each way to join")


def box_plot(
    places: Sequence[float], values: Sequence[float], middle: float, series: Series, unit: str
) -> list[Markup]:
    """One row; `places` are the pixels across where the values are."""
    specks = [
        circle(x, middle + (number * 7 % 11 - 5) * 1.1, 1.8, class_=f"speck j{series.colour}")
        for number, x in enumerate(places[:: max(1, len(places) // MOST_SPECKS)])
    ]
    p5, p25, p50, p75, p95 = np.percentile(places, (5, 25, 50, 75, 95)).tolist()
    low, median, high = np.percentile(values, (5, 50, 95)).tolist()
    words = title(f"median {median:,.4g} {unit}, 5th percentile {low:,.4g}, 95th {high:,.4g}")
    return [
        *specks,
        path(f"M{p5:.1f} {middle:.1f}H{p95:.1f}", f"whisker {series.css}"),
        rectangle(p25, middle - 9, max(1.0, p75 - p25), 18, words, class_=f"box {series.css}", rx=2),
        path(f"M{p50:.1f} {middle - 9:.1f}v18", f"median j{series.colour}"),
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


def plot_success(lines: Sequence[Success]) -> Markup:
    """A line for each case: neighbours across, percent of grids up."""
    most = max(neighbours for _, points in lines for neighbours, *_ in points)
    lowest = min(percent for _, points in lines for _, percent, _ in points)
    floor = max(0.0, 10 * np.floor((lowest - 2) / 10))
    chart = LineChart(620, 240, most, floor, 100, inset=18, right=22)
    marks = [
        *chart.levels({percent: f"{percent:g} %" for percent in np.linspace(floor, 100, 5).tolist()}),
        *chart.x_axis(range(most + 1), "populated neighbours"),
    ]
    for number, (series, points) in enumerate(lines):
        aside = APART * (number - (len(lines) - 1) / 2) / most  # lines that coincide are drawn side by side
        titles = [
            f"{series.name}, {neighbours} neighbours: {percent:.1f} % of {grids:,} grids"
            for neighbours, percent, grids in points
        ]
        shifted = [(neighbours + aside, percent) for neighbours, percent, _ in points]
        marks += chart.trace(shifted, titles, series.css)
    return chart.draw(marks, "success by populated neighbours")
