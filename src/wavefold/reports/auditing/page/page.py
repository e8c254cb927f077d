"""Write an audit as a single HTML file that contains its pictures and style.

This module builds the header and the sections about maps; `sections` has those about rules and failures.
"""

from __future__ import annotations

import os

from wavefold._version import __version__
from wavefold.render import html
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
from wavefold.reports.auditing.page.figures import KindColours, draw_patterns, draw_repeated, plot_correlation
from wavefold.reports.auditing.page.sections import (
    corners_section,
    failures_section,
    lint_section,
    rows_section,
    sides_section,
    suggestions_section,
    tiles_section,
    unplaceable_section,
)
from wavefold.reports.auditing.report import (
    Audit,
    describe_looks,
    format_cells,
    format_size,
    grade_audit,
    list_unplaceable_tiles,
    summarize,
)
from wavefold.topology import make_box

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

LOOK_HEADINGS = ("order", "solved", "safe", "distance", "isotropic")


def save_page(report: Audit, path: str | os.PathLike[str]) -> None:
    """Write the page, atomically."""
    html.save_page(audit_page(report), path)


def audit_page(report: Audit) -> str:
    """Build the page; names of tiles and sockets are escaped."""
    colours = KindColours()
    return html.page(
        f"{page_title(report)}: audit",
        header(report),
        key_figures(report),
        lint_section(report),
        advice_section(report),
        unplaceable_section(report),
        rows_section(report, colours),
        failures_section(report, colours),
        suggestions_section(report, colours),
        certificate_section(report),
        trials_section(report),
        looks_section(report),
        sides_section(report),
        corners_section(report),
        tiles_section(report),
        section("", footer(report)),
    )


def page_title(report: Audit) -> str:
    return report.tiles.name or "A tile set"


def header(report: Audit) -> Markup:
    """Build the header: the name, the verdict, and a map."""
    tiles = report.tiles
    verdict, *more = summarize(report)
    size = f"{len(tiles.tiles):,} tiles, {report.patterns:,} patterns, {tiles.topology} cells"
    text = [
        element("h1", page_title(report)),
        element("p", tiles.description) if tiles.description else "",
        element("p", size, class_="quiet"),
        element("p", verdict, class_=f"verdict {grade_audit(report)}"),
        *(element("p", sentence) for sentence in more),
    ]
    return element("header", element("div", *text), example_figure(report))


def key_figures(report: Audit) -> Markup:
    """Build the cards with the most important figures."""
    pair, triple, found = report.worst_pair, report.worst_triple, report.certificate
    dead_ends, gone = len(report.dead_ends), len(list_unplaceable_tiles(report))
    corner = " and ".join(pair.sides)
    shown = [
        card("kinds of sides", f"{report.side_kinds:,}", "that neighbours can require"),
        card("dead ends", f"{dead_ends:,}", "sides that at most one pattern fits", grade_count(dead_ends)),
        card("fragile sides", f"{len(report.fragile_sides):,}", "two to four patterns fit"),
        card("impossible pairs", f"{pair.impossible:,}", f"of {pair.combinations:,}, at {corner}"),
        card("fragile pairs", f"{pair.fragile:,}", "one or two patterns fit"),
        card("impossible triples", f"{triple.impossible:,}", f"of {triple.combinations:,}")
        if triple
        else card("impossible triples", "–", "too many kinds of sides to count them"),
        card("unplaceable tiles", f"{gone:,}", "that never appear in a map", grade_count(gone)),
    ]
    if found.verdict == "periodic":
        repeats = f"repeats every {format_size(found)}".replace("every one cell", "each cell")
        shown.append(card("fills the plane", "yes", repeats, "good"))
        shown.append(card("mixing", f"{found.mixing:.0%}", "of a window changes when solved again"))
    else:
        answer = "no" if found.verdict == "impossible" else "undecided"
        shown.append(card("fills the plane", answer, "", "poor"))
    if report.correlation:
        reach = "the whole map" if report.reach is None else format_cells(report.reach)
        shown.append(card("a choice affects", reach, "around it" if report.reach else ""))
    return cards(*shown)


def grade_count(count: int) -> str:
    """Return the grade of a figure that is ideally 0."""
    return "poor" if count else "good"


def footer(report: Audit) -> Markup:
    depth = "Deep" if report.deep else "Quick"
    return element("footer", f"{depth} audit by wavefold {__version__} in {report.seconds:.1f} seconds.")


def example_figure(report: Audit) -> Markup:
    """Draw one of the solved maps."""
    if report.example is None:
        return element("p", "No map was solved.", class_="quiet")
    image = draw_patterns(report.tiles, report.example.problem.topology, report.example.patterns)
    caption = "a map solved during this audit"
    return figure(image_element(image, caption, HEADER_WIDTH), caption)


def certificate_section(report: Audit) -> Markup:
    """Draw the base, alone and repeated; without a base, state the verdict."""
    found, tiles = report.certificate, report.tiles
    heading = "A map that repeats"
    if found.base is None:
        return section(heading, f"{str(found).capitalize()}.")
    size = format_size(found)
    base = draw_patterns(tiles, make_box(tiles.topology, *found.size, wraps=True), found.base.reshape(-1))
    repeated = draw_repeated(tiles, found.base)
    text = (
        f"A map of {size}, repeated side by side, satisfies every rule. This proves that the whole plane can "
        "be filled. Endless worlds fall back on it where they find no other solution. Solving windows "
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
    """Build the section about trials by size and order, and the reach of a choice."""
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
        "Plain backtracking is stopped early. The full search, with all its steps, is the one that generate "
        "uses. Times are medians."
    )
    parts = [table(TRIAL_HEADINGS, rows), element("p", note, class_="quiet")]
    if len(report.correlation) > 1:
        parts += [
            element("h3", "The reach of a choice"),
            element("p", describe_reach(report)),
            plot_correlation(report.correlation, report.correlation_length, report.reach),
        ]
    return section("Trials", *parts)


def looks_section(report: Audit) -> Markup:
    """Build the section about the looks of maps, by order and refined."""
    rows = [
        (
            look.order,
            success_bar(look.solved, look.runs),
            "yes" if look.safe else "no",
            f"{look.faithfulness.tiles}",
            f"{look.isotropy}",
        )
        for look in report.looks
        if look.faithfulness is not None
    ]
    note = (
        "Safe: plain backtracking alone solved all maps. Distance: between frequencies of tiles and their "
        "weights, with the noise of maps of this size. Refined: as by generate without a named order."
    )
    return section(
        "What maps look like",
        element("p", describe_looks(report)),
        table(LOOK_HEADINGS, rows),
        element("p", note, class_="quiet"),
    )


def success_bar(solved: int, runs: int) -> Markup:
    """Draw a bar, with the numbers beside it."""
    full = element("i", style=f"width:{100 * solved / max(1, runs):.0f}%")
    return concatenate([element("span", full, class_="bar"), f"{solved} of {runs}"])


def describe_reach(report: Audit) -> str:
    length, reach = report.correlation_length, report.reach
    if length is None:
        return "Even tiles far apart are correlated: a choice in one cell affects the whole map."
    near = "Even adjacent tiles" if length == 1 else f"Tiles {length} cells apart"
    near += " are hardly correlated"
    if reach is None:
        return f"{near}, but a choice slightly affects the whole map."
    return f"{near}; beyond {format_cells(reach)}, a choice has almost no effect."


def advice_section(report: Audit) -> Markup:
    """Build the section about the settings that suit this set best."""
    advice = report.advice
    shown = cards(
        card("order", advice.order),
        card("search", advice.search),
        card("window", f"{advice.window} cells", "can be solved again with little risk"),
        card("chunk", f"{advice.chunk} cells", "of an endless world"),
    )
    why = f"Reason: {advice.why}. The advice does not change “auto” settings."
    return section("Advice", shown, element("p", why, class_="quiet"))
