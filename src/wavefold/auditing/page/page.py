"""An audit as one HTML page that loads nothing: pictures and style are inside the file."""

from __future__ import annotations

import os

from wavefold._version import __version__
from wavefold.auditing.page.failure_sections import (
    failures_section,
    lint_section,
    rows_section,
    suggestions_section,
)
from wavefold.auditing.page.map_sections import (
    advice_section,
    certificate_section,
    example_figure,
    trials_section,
)
from wavefold.auditing.page.plots import KindColours
from wavefold.auditing.page.rule_sections import (
    corners_section,
    sides_section,
    tiles_section,
    unplaceable_section,
)
from wavefold.auditing.report import Audit
from wavefold.auditing.summary import format_cells, format_size, grade, summarize, unplaceable_tiles
from wavefold.render import html
from wavefold.render.html import Markup, card, cards, element, section


def save_page(report: Audit, path: str | os.PathLike[str]) -> None:
    """Write the page. The file appears complete or not at all."""
    html.save_page(audit_page(report), path)


def audit_page(report: Audit) -> str:
    """The whole page. Names of tiles and sockets are the author's and are escaped, whatever they hold."""
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
        sides_section(report),
        corners_section(report),
        tiles_section(report),
        section("", footer(report)),
    )


def page_title(report: Audit) -> str:
    return report.tiles.name or "A tile set"


def header(report: Audit) -> Markup:
    """The name, the verdict in a sentence, and a map."""
    tiles = report.tiles
    verdict, *more = summarize(report)
    size = f"{len(tiles.tiles):,} tiles, {report.patterns:,} patterns, {tiles.topology} cells"
    text = [
        element("h1", page_title(report)),
        element("p", tiles.description) if tiles.description else "",
        element("p", size, class_="quiet"),
        element("p", verdict, class_=f"verdict {grade(report)}"),
        *(element("p", sentence) for sentence in more),
    ]
    return element("header", element("div", *text), example_figure(report))


def key_figures(report: Audit) -> Markup:
    """The figures to look at first."""
    pair, triple, found = report.worst_pair, report.worst_triple, report.certificate
    dead_ends = len(report.dead_ends)
    gone = len(unplaceable_tiles(report))
    shown = [
        card("kinds of sides", f"{report.side_kinds:,}", "that a neighbour can require"),
        card(
            "dead ends",
            f"{dead_ends:,}",
            "sides that at most one pattern fits",
            "poor" if dead_ends else "good",
        ),
        card("fragile sides", f"{len(report.fragile_sides):,}", "two to four patterns fit"),
        card(
            "impossible pairs",
            f"{pair.impossible:,}",
            f"of {pair.combinations:,}, at {' and '.join(pair.sides)}",
        ),
        card("fragile pairs", f"{pair.fragile:,}", "one or two patterns fit"),
        card("impossible triples", f"{triple.impossible:,}", f"of {triple.combinations:,}")
        if triple
        else card("impossible triples", "–", "too many kinds of sides to count them"),
        card("unplaceable tiles", f"{gone:,}", "that never appear in a map", "poor" if gone else "good"),
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


def footer(report: Audit) -> Markup:
    depth = "Deep" if report.deep else "Quick"
    return element("footer", f"{depth} audit by wavefold {__version__} in {report.seconds:.1f} seconds.")
