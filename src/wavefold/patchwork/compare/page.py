"""A comparison as one HTML page: nothing is fetched, everything it shows is inside the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from wavefold._version import __version__
from wavefold.auditing.page.page import STYLE
from wavefold.common.files import write_atomically
from wavefold.patchwork.compare.plots import plot_spreads, plot_success
from wavefold.patchwork.compare.results import CaseResult, Comparison, GridStep
from wavefold.patchwork.compare.run import rebuild_map
from wavefold.patchwork.compare.table import HEADINGS, explain_columns, format_value, rows_of
from wavefold.patchwork.picture import draw_patchwork
from wavefold.render.html import Markup, card, concatenate, element, image_element

MAP_WIDTH = 300  # pixels of the page
MORE_STYLE = Path(__file__).with_name("page.css")
COLOURS = 8


def save_compare_page(comparison: Comparison, path: str | os.PathLike[str]) -> None:
    """Write the page; the file appears whole or not at all."""
    page = compare_page(comparison).encode("utf-8")
    with write_atomically(path) as file:
        file.write(page)


def compare_page(comparison: Comparison) -> str:
    """The whole page. Names of tiles and plugins are other people's and are escaped, whatever they hold."""
    body = [
        header(comparison),
        cards(comparison),
        table_section(comparison),
        times(comparison),
        changes(comparison),
        neighbours(comparison),
        examples(comparison),
        failures(comparison),
        element("h2", ""),
        element(
            "footer", f"Made by wavefold {__version__}. All figures but the times are the same everywhere."
        ),
    ]
    head = [
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", f"{page_title(comparison)}: ways to join grids"),
        element("style", Markup(STYLE.read_text("utf-8") + MORE_STYLE.read_text("utf-8"))),
    ]
    page = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{page}\n"


def page_title(comparison: Comparison) -> str:
    return comparison.tiles.name or "A tile set"


def header(comparison: Comparison) -> Markup:
    """What was compared, and what came of it, in a sentence."""
    torn = sum(each.mismatches for trial in comparison.results for each in trial.maps)
    clean = [trial for trial in comparison.results if trial.share("flawless") == 100]
    words = f"{len(clean)} of {len(comparison.results)} ways made every map without a flaw"
    mood = "good" if len(clean) == len(comparison.results) else "poor"
    maps = sum(len(trial.maps) for trial in comparison.results)
    more = (
        f"; of {maps:,} maps, {torn:,} sides do not fit" if torn else f"; {maps:,} maps, and every side fits"
    )
    parts = [
        element("h1", f"{page_title(comparison)}: ways to join grids"),
        element("p", words + more + ".", class_=f"verdict {mood}"),
        element("p", explain_columns(comparison), class_="quiet"),
    ]
    return element("header", element("div", *parts))


def cards(comparison: Comparison) -> Markup:
    """The figures to look at first."""
    timed = [trial for trial in comparison.results if trial.made]
    if not timed:
        return element("p", "No map was made.", class_="verdict bad")
    quickest = min(timed, key=lambda trial: trial.seconds(50))
    gentle = [trial for trial in timed if trial.share("flawless") == 100 and joins_grids(trial)]
    shown = [
        card("quickest", f"{quickest.seconds(50) * 1e3:,.0f} ms", f"{quickest.case.name}, median per map")
    ]
    if gentle:
        gentlest = min(gentle, key=lambda trial: trial.mean("changed"))
        shown.append(
            card(
                "fewest changes", f"{gentlest.mean('changed'):,.1f} cells", f"{gentlest.case.name}; flawless"
            )
        )
    dropped = sum(each.counts["dropped"] for trial in timed for each in trial.made)
    shown.append(
        card("dropped", f"{dropped:,} cells", "in all maps of all ways", "poor" if dropped else "good")
    )
    lost = sum(not each.made for trial in comparison.results for each in trial.maps)
    shown.append(card("not made", f"{lost:,} maps", "", "bad" if lost else "good"))
    return element("div", *shown, class_="cards")


def joins_grids(trial: CaseResult) -> bool:
    """Whether grids were made one after another, and each to fit those that were there."""
    return any(step.neighbours for each in trial.made for step in each.steps) and trial.case.join != "witness"


def table_section(comparison: Comparison) -> Markup:
    """The table."""
    head = element("tr", *(element("th", heading, scope="col") for heading in HEADINGS))
    body, before = [], comparison.results[0].case.preset
    for trial, row in zip(comparison.results, rows_of(comparison), strict=True):
        swatch = element("span", class_=f"swatch j{colour_of(comparison, trial)}")
        first, *rest = row
        cells = [element("td", swatch, first), *(element("td", format_value(value)) for value in rest)]
        body.append(element("tr", *cells, class_="first" if trial.case.preset != before else None))
        before = trial.case.preset
    content = concatenate([element("thead", head), element("tbody", *body)])
    table = element("div", element("table", content, class_="compared"), class_="wide")
    return concatenate([element("h2", "Side by side"), table])


def colour_of(comparison: Comparison, trial: CaseResult) -> int:
    """A number for the colour of a join, with how many retries it has; the same plain and driven."""
    ways = list(dict.fromkeys((each.case.join, each.case.retries) for each in comparison.results))
    return ways.index((trial.case.join, trial.case.retries)) % COLOURS


def times(comparison: Comparison) -> Markup:
    """How long maps took."""
    rows = [
        (trial.case.name, [each.seconds * 1e3 for each in trial.made], colour_of(comparison, trial),
         trial.case.preset is not None)
        for trial in comparison.results
    ]  # fmt: skip
    words = (
        "Milliseconds of processor time per map. The box holds the middle half of all maps, its bar is the "
        "median, the line reaches from the fifth of a hundred to the ninety-fifth; dots are maps."
    )
    return concatenate([element("h2", "Time per map"), element("p", words), plot_spreads(rows, "ms")])


def changes(comparison: Comparison) -> Markup:
    """How many cells of finished grids had to change."""
    rows = [
        (trial.case.name, [float(each.counts["changed"]) for each in trial.made],
         colour_of(comparison, trial), trial.case.preset is not None)
        for trial in comparison.results
        if joins_grids(trial)
    ]  # fmt: skip
    if not rows:
        return Markup("")
    words = (
        "Cells of grids that were there already and got another tile, per map. Where grids are made at once "
        "or cut from an endless world there is nothing to change."
    )
    return concatenate(
        [element("h2", "Cells changed per map"), element("p", words), plot_spreads(rows, "cells")]
    )


def neighbours(comparison: Comparison) -> Markup:
    """How often a grid went in at once, by how many grids were there beside it."""
    lines = []
    for trial in comparison.results:
        steps = trial.by_neighbours()
        if max(steps, default=0):
            shares = [(beside, share(found), len(found)) for beside, found in steps.items()]
            lines.append(
                (trial.case.name, shares, colour_of(comparison, trial), trial.case.preset is not None)
            )
    if not lines:
        return Markup("")
    words = (
        "The share of grids that went in with the first attempt, with nothing un-fixed, replaced, widened or "
        "dropped. The more neighbours are there, the less is left to choose. Broken lines are driven by "
        "fields."
    )
    legend = [
        element("span", element("i", class_=f"swatch j{colour}"), name)
        for name, _, colour, driven in lines
        if not driven or all(other[2] != colour for other in lines if not other[3])
    ]
    return concatenate(
        [
            element("h2", "Success by populated neighbours"),
            element("p", words),
            plot_success(lines),
            element("p", *legend, class_="legend"),
        ]
    )


def share(steps: Sequence[GridStep]) -> float:
    """In percent."""
    return 100 * sum(step.at_once for step in steps) / len(steps)


def examples(comparison: Comparison) -> Markup:
    """A map by each join, with the first seed; plain ones, if there are any."""
    plain = [trial for trial in comparison.results if trial.case.preset is None]
    figures = [example(comparison, trial) for trial in plain or comparison.results if trial.maps[0].made]
    if not figures:
        return Markup("")
    words = f"Seed {comparison.seeds[0]}. Yellow dots are changed cells, red rings dropped ones."
    return concatenate(
        [element("h2", "Maps"), element("p", words), element("div", *figures, class_="figures")]
    )


def example(comparison: Comparison, trial: CaseResult) -> Markup:
    """The first map of a case, made again."""
    first = trial.maps[0]
    size = max(2, 2 * MAP_WIDTH // across(comparison))
    image = draw_patchwork(rebuild_map(comparison, trial.case, first.seed), tile_size=size, legend=False)
    counts = f"{first.counts['changed']:,} changed, {first.counts['dropped']:,} dropped"
    words = f"{trial.case.name}: {counts}"
    return element("figure", image_element(image, words, MAP_WIDTH), element("figcaption", words))


def across(comparison: Comparison) -> int:
    """About how many cells a map is wide."""
    columns = [key[0] for key in comparison.keys]
    return (max(columns) - min(columns) + 1) * (2 * comparison.radius + 1)


def failures(comparison: Comparison) -> Markup:
    """Why maps were not made."""
    found = [
        element("li", f"{trial.case.name}, seed {each.seed}: {each.error}")
        for trial in comparison.results
        for each in trial.maps
        if not each.made
    ]
    if not found:
        return Markup("")
    more = [element("li", f"… and {len(found) - 20:,} more")] if len(found) > 20 else []
    return concatenate([element("h2", "Maps that were not made"), element("ul", *found[:20], *more)])
