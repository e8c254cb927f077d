"""Sections about maps: an example, the base that repeats, trials, and the advice that follows from them."""

from __future__ import annotations

from wavefold.auditing.page.images import draw_patterns, draw_repeated
from wavefold.auditing.page.plots import plot_correlation
from wavefold.auditing.report import Audit
from wavefold.auditing.summary import format_cells, format_size
from wavefold.render.html import (
    Markup,
    card,
    cards,
    concatenate,
    element,
    figure,
    image_element,
    section,
    table,
)
from wavefold.topology import box

HEADER_WIDTH = 352  # pixels of the page
BASE_WIDTH = 46  # pixels across a cell of the base
TRIAL_HEADINGS = (
    "cells across",
    "order",
    "plain backtracking",
    "full search",
    "contradictions / 1,000 cells",
    "ms",
)


def example_figure(report: Audit) -> Markup:
    """One of the maps that were solved."""
    if report.example is None:
        return element("p", "No map was solved.", class_="quiet")
    image = draw_patterns(report.tiles, report.example.problem.topology, report.example.patterns)
    caption = "a map solved during this audit"
    return figure(image_element(image, caption, HEADER_WIDTH), caption)


def certificate_section(report: Audit) -> Markup:
    """The base, alone and repeated; without one, what is known instead."""
    found, tiles = report.certificate, report.tiles
    heading = "A map that repeats"
    if found.base is None:
        return section(heading, f"{str(found).capitalize()}.")
    size = format_size(found)
    base = draw_patterns(tiles, box(tiles.topology, *found.size, wraps=True), found.base.reshape(-1))
    repeated = draw_repeated(tiles, found.base)
    text = (
        f"{size.capitalize()}, repeated side by side, and every rule holds: a proof that the whole plane can "
        "be filled, and what an endless world falls back on where it finds nothing better. Solving windows "
        f"of it again changes {found.mixing:.0%} of their cells: {describe_mixing(found.mixing)}."
    )
    figures = [
        figure(image_element(base, "the base", min(BASE_WIDTH * found.size[0], 300)), f"the base, {size}"),
        figure(image_element(repeated, "the base repeated", min(480, max(repeated.width, 320))), "repeated"),
    ]
    return section(heading, text, element("div", *figures, class_="figures"))


def describe_mixing(mixing: float) -> str:
    if mixing >= 0.7:
        return "the repetition will not be visible"
    return "parts of the repetition may be visible" if mixing >= 0.3 else "the repetition will be visible"


def trials_section(report: Audit) -> Markup:
    """Success and time by size and order, and how far a choice has an effect."""
    rows = [
        (
            trial.side,
            trial.order,
            success_bar(trial.plain, trial.runs),
            success_bar(trial.full, trial.runs),
            trial.contradictions,
            trial.milliseconds,
        )
        for trial in report.trials
    ]
    note = (
        "Plain backtracking is stopped early. The full search, with all its steps, is what generate uses. "
        "Times are medians."
    )
    parts = [table(TRIAL_HEADINGS, rows), element("p", note, class_="quiet")]
    if len(report.correlation) > 1:
        parts += [
            element("h3", "How far a choice has an effect"),
            element("p", describe_reach(report)),
            plot_correlation(report.correlation, report.correlation_length, report.reach),
        ]
    return section("Trials", *parts)


def success_bar(solved: int, runs: int) -> Markup:
    """A bar and the numbers."""
    full = element("i", style=f"width:{100 * solved / max(1, runs):.0f}%")
    return concatenate([element("span", full, class_="bar"), f"{solved} of {runs}"])


def describe_reach(report: Audit) -> str:
    length, reach = report.correlation_length, report.reach
    if length is None:
        return "Tiles far apart are still alike: a choice in one cell has an effect on the whole map."
    near = "Even adjacent tiles" if length == 1 else f"Tiles {length} cells apart"
    near += " are hardly correlated"
    if reach is None:
        return f"{near}, but some effect of a choice remains on the whole map."
    return f"{near}; from {format_cells(reach)} on, a choice has almost no effect."


def advice_section(report: Audit) -> Markup:
    """The settings that suit this set best."""
    advice = report.advice
    shown = cards(
        card("order", advice.order),
        card("search", advice.search),
        card("window", f"{advice.window} cells", "can be solved again with little risk"),
        card("chunk", f"{advice.chunk} cells", "of an endless world"),
    )
    why = f"Reason: {advice.why}. This is advice only: it never changes what “auto” does."
    return section("Advice", shown, element("p", why, class_="quiet"))
