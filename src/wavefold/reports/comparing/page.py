"""Write a comparison as a single HTML file that contains its pictures and style."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import numpy as np

from wavefold._version import __version__
from wavefold.patchwork.picture import draw_patchwork
from wavefold.render import html
from wavefold.render.html import (
    Markup,
    card,
    cards,
    element,
    figure,
    image_element,
    legend,
    section,
    table_of_rows,
)
from wavefold.render.plots import BoxPlot, LineChart, plot_boxes
from wavefold.reports.comparing.results import (
    COLUMNS,
    CaseResult,
    Comparison,
    GridStep,
    MapResult,
    build_rows,
    explain_columns,
)
from wavefold.reports.comparing.run import rebuild_map

MAP_WIDTH = 300  # pixels
MOST_COLOURS = 8  # in the style sheet
MOST_ERRORS = 20
LINE_OFFSET = 0.03  # between two lines of a chart, on its horizontal axis


def save_compare_page(comparison: Comparison, path: str | os.PathLike[str]) -> None:
    """Write the page, atomically."""
    html.save_page(compare_page(comparison), path)


def compare_page(comparison: Comparison) -> str:
    """Build the page; names of tiles and plugins are escaped."""
    footer = f"Made by wavefold {__version__}. All figures except times are the same on every machine."
    return html.page(
        page_title(comparison),
        header(comparison),
        key_figures(comparison),
        table_section(comparison),
        times_section(comparison),
        changes_section(comparison),
        success_section(comparison),
        maps_section(comparison),
        errors_section(comparison),
        section("", element("footer", footer)),
        class_="comparison",
    )


def page_title(comparison: Comparison) -> str:
    return f"{comparison.tiles.name or 'A tile set'}: ways to join grids"


def header(comparison: Comparison) -> Markup:
    """Build the title and a sentence with the outcome."""
    every = comparison.results
    maps = sum(len(result.maps) for result in every)
    mismatches = sum(result.mismatches for result in every)
    flawless = [result for result in every if result.share("flawless") == 100]
    verdict = f"{len(flawless)} of {len(every)} ways solved every map without a flaw. " + (
        f"In {maps:,} maps, {mismatches:,} sides do not fit."
        if mismatches
        else f"All sides in {maps:,} maps fit."
    )
    grade = "good" if len(flawless) == len(every) else "poor"
    parts = [
        element("h1", page_title(comparison)),
        element("p", verdict, class_=f"verdict {grade}"),
        element("p", explain_columns(comparison), class_="quiet"),
    ]
    return element("header", element("div", *parts))


def key_figures(comparison: Comparison) -> Markup:
    """Build the cards with the most important figures."""
    timed = [result for result in comparison.results if result.made]
    if not timed:
        return element("p", "No map was solved.", class_="verdict bad")
    fastest = min(timed, key=lambda result: result.seconds(50))
    shown = [card("fastest", f"{fastest.seconds(50) * 1e3:,.0f} ms", f"{fastest.case.name}, median per map")]
    flawless = [result for result in timed if result.share("flawless") == 100 and joins_grids(result)]
    if flawless:
        gentlest = min(flawless, key=lambda result: result.mean("changed"))
        changed = f"{gentlest.mean('changed'):,.1f} cells"
        shown.append(card("fewest changes", changed, f"{gentlest.case.name}; flawless"))
    dropped = sum(each.counts["dropped"] for result in timed for each in result.made)
    failed = sum(not each.made for result in comparison.results for each in result.maps)
    return cards(
        *shown,
        card("dropped", f"{dropped:,} cells", "in all maps of all ways", "poor" if dropped else "good"),
        card("failed", f"{failed:,} maps", "", "bad" if failed else "good"),
    )


def joins_grids(result: CaseResult) -> bool:
    """Return whether grids were solved one by one, each to fit the existing ones."""
    one_by_one = any(step.neighbours for each in result.made for step in each.steps)
    return one_by_one and result.case.join != "witness"


def table_section(comparison: Comparison) -> Markup:
    """Build the table of all figures, with a thicker line where the fields change."""
    body, before = [], comparison.results[0].case.preset
    for result, row in zip(comparison.results, build_rows(comparison), strict=True):
        first, *rest = row
        cells = [
            element(
                "td",
                element("span", class_=f"swatch series {choose_colour_class(comparison, result)}"),
                first,
            )
        ]
        cells += [element("td", value) for value in rest]
        body.append(element("tr", *cells, class_="first" if result.case.preset != before else None))
        before = result.case.preset
    return section("Side by side", table_of_rows(list(COLUMNS), body, "compared"))


def choose_colour_class(comparison: Comparison, result: CaseResult) -> str:
    """Return the CSS class of the colour of a case, the same with and without fields."""
    ways = list(dict.fromkeys((each.case.join, each.case.retries) for each in comparison.results))
    return f"j{ways.index((result.case.join, result.case.retries)) % MOST_COLOURS}"


def choose_shape_classes(comparison: Comparison, result: CaseResult) -> str:
    """Return the CSS classes of the shapes of a case; maps with fields are drawn differently."""
    return choose_colour_class(comparison, result) + (" driven" if result.case.preset else "")


def plot_values(
    comparison: Comparison,
    results: Sequence[CaseResult],
    value: Callable[[MapResult], float],
    unit: str,
) -> Markup:
    """Draw box plots of a value of each map."""
    rows = [
        BoxPlot(
            result.case.name,
            choose_colour_class(comparison, result),
            choose_shape_classes(comparison, result),
            [value(each) for each in result.made],
        )
        for result in results
    ]
    return plot_boxes(rows, unit, f"{unit} per map, for each way to join")


def times_section(comparison: Comparison) -> Markup:
    """Build the section about processor times."""
    text = (
        "Milliseconds of processor time per map. The box contains the middle half of all maps, its bar is "
        "the median, and the line extends from the 5th to the 95th percentile. Dots are single maps."
    )
    plot = plot_values(comparison, comparison.results, lambda each: each.seconds * 1e3, "ms")
    return section("Time per map", text, plot)


def changes_section(comparison: Comparison) -> Markup:
    """Build the section about changed cells of finished grids."""
    joined = [result for result in comparison.results if joins_grids(result)]
    if not joined:
        return Markup()
    text = (
        "Cells of existing grids that got another tile, per map. Grids that are solved together, or cut from "
        "an endless world, need no changes."
    )
    plot = plot_values(comparison, joined, lambda each: each.counts["changed"], "cells")
    return section("Cells changed per map", text, plot)


def success_section(comparison: Comparison) -> Markup:
    """Build the section about success at the first attempt, by number of neighbours."""
    lines = [result for result in comparison.results if max(result.by_neighbours(), default=0)]
    if not lines:
        return Markup()
    text = (
        "The share of grids that were solved at the first attempt, with no cell un-fixed, replaced or "
        "dropped and no ring widened. More neighbours leave less choice. Dashed lines are maps with fields."
    )
    named: dict[str, str] = {}  # one entry per colour, that of a map without fields if there is one
    for result in sorted(lines, key=lambda each: each.case.preset is not None):
        named.setdefault(choose_colour_class(comparison, result), result.case.name)
    entries = [(f"series {colour}", name) for colour, name in named.items()]
    chart = plot_success(comparison, lines)
    return section("Success by populated neighbours", text, chart, legend(entries))


def plot_success(comparison: Comparison, results: Sequence[CaseResult]) -> Markup:
    """Draw a line for each case: the percentage of grids over the number of neighbours."""
    lines = [
        {beside: (measure_success(steps), len(steps)) for beside, steps in result.by_neighbours().items()}
        for result in results
    ]
    most = max(beside for points in lines for beside in points)
    lowest = min(percent for points in lines for percent, _ in points.values())
    floor = max(0.0, 10 * np.floor((lowest - 2) / 10))
    chart = LineChart(620, 240, most, floor, 100, inset=18, right=22)
    marks = [
        *chart.draw_levels({percent: f"{percent:g} %" for percent in np.linspace(floor, 100, 5).tolist()}),
        *chart.draw_x_axis(range(most + 1), "populated neighbours"),
    ]
    for number, (result, points) in enumerate(zip(results, lines, strict=True)):
        aside = LINE_OFFSET * (number - (len(lines) - 1) / 2) / most  # so that equal lines are all visible
        titles = [
            f"{result.case.name}, {beside} neighbours: {percent:.1f} % of {grids:,} grids"
            for beside, (percent, grids) in points.items()
        ]
        shifted = [(beside + aside, percent) for beside, (percent, _) in points.items()]
        marks += chart.draw_trace(shifted, titles, choose_shape_classes(comparison, result))
    return chart.draw(marks, "success by populated neighbours")


def measure_success(steps: Sequence[GridStep]) -> float:
    """Return the percentage of grids that fitted at the first attempt."""
    return 100 * sum(step.at_once for step in steps) / len(steps)


def maps_section(comparison: Comparison) -> Markup:
    """Build the section with a map of each join, with the first seed and without fields if possible."""
    plain = [result for result in comparison.results if result.case.preset is None]
    figures = [
        map_figure(comparison, result) for result in plain or comparison.results if result.maps[0].made
    ]
    if not figures:
        return Markup()
    text = f"Seed {comparison.seeds[0]}. Yellow dots are changed cells, red rings are dropped cells."
    return section("Maps", text, element("div", *figures, class_="figures"))


def map_figure(comparison: Comparison, result: CaseResult) -> Markup:
    """Draw the first map of a case, solved again."""
    first = result.maps[0]
    size = max(2, 2 * MAP_WIDTH // count_columns(comparison))
    map = rebuild_map(comparison, result.case, first.seed)
    image = draw_patchwork(map, tile_size=size, outlines=True, marks=True)
    changes = f"{first.counts['changed']:,} changed, {first.counts['dropped']:,} dropped"
    caption = f"{result.case.name}: {changes}"
    return figure(image_element(image, caption, MAP_WIDTH), caption)


def count_columns(comparison: Comparison) -> int:
    """Return the approximate width of a map in cells."""
    columns = [key[0] for key in comparison.keys]
    return (max(columns) - min(columns) + 1) * (2 * comparison.radius + 1)


def errors_section(comparison: Comparison) -> Markup:
    """Build the section about maps that failed."""
    errors = [
        element("li", f"{result.case.name}, seed {each.seed}: {each.error}")
        for result in comparison.results
        for each in result.maps
        if not each.made
    ]
    if not errors:
        return Markup()
    more = len(errors) - MOST_ERRORS
    rest = [element("li", f"… and {more:,} more")] if more > 0 else []
    return section("Maps that failed", element("ul", *errors[:MOST_ERRORS], *rest))
