"""A comparison as one HTML page that loads nothing: pictures and style are inside the file."""

from __future__ import annotations

import os
from collections.abc import Sequence

from wavefold._version import __version__
from wavefold.patchwork.compare.plots import Series, plot_spreads, plot_success
from wavefold.patchwork.compare.results import CaseResult, Comparison, GridStep
from wavefold.patchwork.compare.run import rebuild_map
from wavefold.patchwork.compare.table import HEADINGS, explain_columns, format_value, rows_of
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

MAP_WIDTH = 300  # pixels of the page
COLOURS = 8  # in the style sheet
MOST_ERRORS = 20


def save_compare_page(comparison: Comparison, path: str | os.PathLike[str]) -> None:
    """Write the page. The file appears complete or not at all."""
    html.save_page(compare_page(comparison), path)


def compare_page(comparison: Comparison) -> str:
    """The whole page. Names of tiles and plugins are other people's and are escaped, whatever they hold."""
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
    """What was compared, and the outcome in a sentence."""
    every = comparison.results
    maps = sum(len(result.maps) for result in every)
    mismatches = sum(each.mismatches for result in every for each in result.maps)
    flawless = [result for result in every if result.share("flawless") == 100]
    verdict = f"{len(flawless)} of {len(every)} ways solved every map without a flaw; " + (
        f"in {maps:,} maps, {mismatches:,} sides do not fit."
        if mismatches
        else f"{maps:,} maps, and every side fits."
    )
    grade = "good" if len(flawless) == len(every) else "poor"
    parts = [
        element("h1", page_title(comparison)),
        element("p", verdict, class_=f"verdict {grade}"),
        element("p", explain_columns(comparison), class_="quiet"),
    ]
    return element("header", element("div", *parts))


def key_figures(comparison: Comparison) -> Markup:
    """The figures to look at first."""
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
    """Whether grids were solved one after another, each to fit those that were there already."""
    one_by_one = any(step.neighbours for each in result.made for step in each.steps)
    return one_by_one and result.case.join != "witness"


def table_section(comparison: Comparison) -> Markup:
    """All figures of all cases; a thicker line where the fields change."""
    body, before = [], comparison.results[0].case.preset
    for result, row in zip(comparison.results, rows_of(comparison), strict=True):
        colour = series_of(comparison, result).colour
        first, *rest = row
        cells = [element("td", element("span", class_=f"swatch series j{colour}"), first)]
        cells += [element("td", format_value(value)) for value in rest]
        body.append(element("tr", *cells, class_="first" if result.case.preset != before else None))
        before = result.case.preset
    return section("Side by side", table_of_rows(HEADINGS, body, "compared"))


def series_of(comparison: Comparison, result: CaseResult) -> Series:
    """How a case is drawn; a join with the same retries has one colour, with fields or without."""
    ways = list(dict.fromkeys((each.case.join, each.case.retries) for each in comparison.results))
    colour = ways.index((result.case.join, result.case.retries)) % COLOURS
    return Series(result.case.name, colour, result.case.preset is not None)


def times_section(comparison: Comparison) -> Markup:
    """How long maps took."""
    rows = [
        (series_of(comparison, result), [each.seconds * 1e3 for each in result.made])
        for result in comparison.results
    ]
    text = (
        "Milliseconds of processor time per map. The box contains the middle half of all maps, its bar is "
        "the median, the line extends from the 5th to the 95th percentile; dots are maps."
    )
    return section("Time per map", text, plot_spreads(rows, "ms"))


def changes_section(comparison: Comparison) -> Markup:
    """How many cells of finished grids had to change."""
    rows = [
        (series_of(comparison, result), [float(each.counts["changed"]) for each in result.made])
        for result in comparison.results
        if joins_grids(result)
    ]
    if not rows:
        return Markup()
    text = (
        "Cells of existing grids that got another tile, per map. Where all grids are solved at once, or cut "
        "from an endless world, there is nothing to change."
    )
    return section("Cells changed per map", text, plot_spreads(rows, "cells"))


def success_section(comparison: Comparison) -> Markup:
    """How often a grid fitted at once, by how many grids were beside it."""
    lines = []
    for result in comparison.results:
        steps = result.by_neighbours()
        if max(steps, default=0):
            points = [(neighbours, at_once_percent(found), len(found)) for neighbours, found in steps.items()]
            lines.append((series_of(comparison, result), points))
    if not lines:
        return Markup()
    text = (
        "The share of grids that the first attempt solved, with nothing un-fixed, replaced, widened or "
        "dropped. The more neighbours there are, the less choice is left. Dashed lines are maps driven by "
        "fields."
    )
    plain = {series.colour for series, _ in lines if not series.driven}
    entries = [
        (f"series j{series.colour}", series.name)
        for series, _ in lines
        if not series.driven or series.colour not in plain
    ]
    return section("Success by populated neighbours", text, plot_success(lines), legend(entries))


def at_once_percent(steps: Sequence[GridStep]) -> float:
    return 100 * sum(step.at_once for step in steps) / len(steps)


def maps_section(comparison: Comparison) -> Markup:
    """A map by each join, with the first seed; those without fields, if there are any."""
    plain = [result for result in comparison.results if result.case.preset is None]
    figures = [
        map_figure(comparison, result) for result in plain or comparison.results if result.maps[0].made
    ]
    if not figures:
        return Markup()
    text = f"Seed {comparison.seeds[0]}. Yellow dots are changed cells, red rings dropped ones."
    return section("Maps", text, element("div", *figures, class_="figures"))


def map_figure(comparison: Comparison, result: CaseResult) -> Markup:
    """The first map of a case, solved again."""
    first = result.maps[0]
    size = max(2, 2 * MAP_WIDTH // count_columns(comparison))
    image = draw_patchwork(rebuild_map(comparison, result.case, first.seed), tile_size=size, legend=False)
    changes = f"{first.counts['changed']:,} changed, {first.counts['dropped']:,} dropped"
    caption = f"{result.case.name}: {changes}"
    return figure(image_element(image, caption, MAP_WIDTH), caption)


def count_columns(comparison: Comparison) -> int:
    """About how many cells a map is wide."""
    columns = [key[0] for key in comparison.keys]
    return (max(columns) - min(columns) + 1) * (2 * comparison.radius + 1)


def errors_section(comparison: Comparison) -> Markup:
    """Why maps failed."""
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
