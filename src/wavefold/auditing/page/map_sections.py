"""Parts of the page about maps: one to look at, the base that repeats, trials, and what they speak for."""

from __future__ import annotations

from wavefold.auditing.maps import torus_of
from wavefold.auditing.page.images import draw_patterns, draw_repeated
from wavefold.auditing.page.plots import plot_correlation
from wavefold.auditing.page.summary import format_cells, format_size
from wavefold.auditing.report import Audit
from wavefold.render.html import Markup, card, concatenate, element, image_element, table

REPEATED_OVER = {"square": (16, 8), "hex": (14, 8), "cube": (6, 6, 3)}  # cells
HEADER_WIDTH = 352  # pixels of the page
BASE_WIDTH = 46  # pixels across a cell of the base


def example(report: Audit) -> Markup:
    """One of the maps that were made."""
    if report.example is None:
        return element("p", "No map was made.", class_="quiet")
    image = draw_patterns(report.tiles, report.example.problem.topology, report.example.patterns)
    words = "a map made for this audit"
    return element("figure", image_element(image, words, HEADER_WIDTH), element("figcaption", words))


def certificate(report: Audit) -> Markup:
    """The base, drawn alone and repeated; or what is known instead."""
    found, tiles = report.certificate, report.tiles
    heading = element("h2", "A map that repeats")
    if found.base is None:
        return concatenate([heading, element("p", f"{str(found).capitalize()}.")])
    size = format_size(found)
    torus = torus_of(tiles.topology, *found.size)
    base = draw_patterns(tiles, torus, found.base.reshape(-1))
    many = draw_repeated(tiles, found.base, REPEATED_OVER[tiles.topology])
    width = min(BASE_WIDTH * found.size[0], 300)
    text = (
        f"{size.capitalize()}, repeated side by side, with every rule kept: a proof that the whole "
        "plane can be filled, and what an endless world falls back on where it finds nothing better. When "
        f"windows of it are made anew, {found.mixing:.0%} of their cells change{remark(found.mixing)}"
    )
    figures = [
        element("figure", image_element(base, "the base", width), element("figcaption", f"the base, {size}")),
        element(
            "figure",
            image_element(many, "the base repeated", min(480, max(many.width, 320))),
            element("figcaption", "repeated"),
        ),
    ]
    return concatenate([heading, element("p", text), element("div", *figures, class_="figures")])


def remark(mixing: float) -> str:
    if mixing >= 0.7:
        return ": nothing of the repetition will be seen."
    return ": parts of it may show through." if mixing >= 0.3 else ": the repetition will show."


def trials_section(report: Audit) -> Markup:
    """Success and time by size and order, and how far a choice reaches."""
    rows = [
        (
            trial.side,
            trial.order,
            share(trial.plain, trial.runs),
            share(trial.full, trial.runs),
            trial.contradictions,
            trial.milliseconds,
        )
        for trial in report.trials
    ]
    headings = (
        "cells across",
        "order",
        "plain backtracking",
        "whole ladder",
        "contradictions / 1,000 cells",
        "ms",
    )
    parts = [element("h2", "How it behaves"), table(headings, rows)]
    note = "Plain backtracking is stopped early; the whole ladder is what generate uses. Times are medians."
    parts.append(element("p", note, class_="quiet"))
    if len(report.correlation) > 1:
        parts += [
            element("h3", "How far a choice reaches"),
            element("p", reach_in_words(report)),
            plot_correlation(report.correlation, report.correlation_length, report.reach),
        ]
    return concatenate(parts)


def share(done: int, runs: int) -> Markup:
    """A bar and the numbers."""
    full = element("i", style=f"width:{100 * done / max(1, runs):.0f}%")
    return concatenate([element("span", full, class_="bar"), f"{done} of {runs}"])


def reach_in_words(report: Audit) -> str:
    length, reach = report.correlation_length, report.reach
    if length is None:
        return "Tiles far apart are still alike: what is chosen in one place is felt on the whole map."
    near = "Already tiles side by side" if length == 1 else f"Tiles {length} cells apart"
    near += " have little to do with each other"
    if reach is None:
        return f"{near}, but something of a choice is felt on the whole map."
    return f"{near}; from {format_cells(reach)} on, hardly anything of a choice is left."


def advice(report: Audit) -> Markup:
    """What would serve this set best."""
    chosen = report.advice
    shown = [
        card("order", chosen.order),
        card("search", chosen.search),
        card("window", f"{chosen.window} cells", "can be made anew with little risk"),
        card("chunk", f"{chosen.chunk} cells", "of an endless world"),
    ]
    why = f"Because {chosen.why}. This is advice: it never changes what “auto” does."
    return concatenate(
        [element("h2", "Advice"), element("div", *shown, class_="cards"), element("p", why, class_="quiet")]
    )
