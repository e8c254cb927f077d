"""The audit as one HTML page: nothing is fetched, everything it shows is inside the file."""

from __future__ import annotations

import os
from pathlib import Path

from wavefold._version import __version__
from wavefold.auditing.page.failure_sections import doubts, failures, rows, suggestions
from wavefold.auditing.page.map_sections import advice, certificate, example, trials_section
from wavefold.auditing.page.plots import KindColours
from wavefold.auditing.page.rule_sections import corners, never, sides, tile_list
from wavefold.auditing.page.summary import format_cells, format_size, grade, summarize, unplaceable_tiles
from wavefold.auditing.report import Audit
from wavefold.common.files import write_atomically
from wavefold.render.html import Markup, card, concatenate, element

STYLE = Path(__file__).with_name("page.css")


def save_page(report: Audit, path: str | os.PathLike[str]) -> None:
    """Write the page; the file appears whole or not at all."""
    page = audit_page(report).encode("utf-8")
    with write_atomically(path) as file:
        file.write(page)


def audit_page(report: Audit) -> str:
    """The whole page. Names of tiles and sockets are the author's and are escaped, whatever they hold."""
    colours = KindColours()
    body = [
        header(report),
        cards(report),
        doubts(report),
        advice(report),
        never(report),
        rows(report, colours),
        failures(report, colours),
        suggestions(report, colours),
        certificate(report),
        trials_section(report),
        sides(report),
        corners(report),
        tile_list(report),
        footer(report),
    ]
    head = [
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", f"{title(report)}: audit"),
        element("style", Markup(STYLE.read_text("utf-8"))),
    ]
    page = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{page}\n"


def title(report: Audit) -> str:
    return report.tiles.name or "A tile set"


def header(report: Audit) -> Markup:
    """What it is, what it looks like, and what the audit found, in a sentence."""
    tiles = report.tiles
    verdict, *more = summarize(report)
    words = f"{len(tiles.tiles):,} tiles, {report.patterns:,} patterns, {tiles.topology} cells"
    text = [
        element("h1", title(report)),
        element("p", tiles.description) if tiles.description else "",
        element("p", words, class_="quiet"),
        element("p", verdict, class_=f"verdict {grade(report)}"),
        *(element("p", sentence) for sentence in more),
    ]
    return element("header", element("div", *text), example(report))


def cards(report: Audit) -> Markup:
    """The figures to look at first."""
    pair, triple, found = report.worst_pair, report.worst_triple, report.certificate
    narrow = len(report.dead_ends)
    gone = len(unplaceable_tiles(report))
    repeats = (
        f"repeats every {format_size(found)}".replace("every one cell", "each cell")
        if found.verdict == "periodic"
        else ""
    )
    endless = {"periodic": "yes", "impossible": "no"}.get(found.verdict, "undecided")
    shown = [
        card("kinds of sides", f"{report.side_kinds:,}", "that a neighbour can ask for"),
        card(
            "dead ends", f"{narrow:,}", "sides that one pattern fits, or none", "poor" if narrow else "good"
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
        card("tiles that never appear", f"{gone:,}", "inside a map or at a rim", "poor" if gone else "good"),
        card("fills the plane", endless, repeats, "good" if endless == "yes" else "poor"),
    ]
    if found.verdict == "periodic":
        shown.append(card("mixing", f"{found.mixing:.0%}", "of a window changes when made anew"))
    if report.correlation:
        felt = "the whole map" if report.reach is None else format_cells(report.reach)
        shown.append(card("a choice is felt for", felt, "and hardly any farther" if report.reach else ""))
    return element("div", *shown, class_="cards")


def footer(report: Audit) -> Markup:
    kind = "deep" if report.deep else "quick"
    words = f"A {kind} audit by wavefold {__version__}, in {report.seconds:.1f} seconds."
    return concatenate([element("h2", ""), element("footer", words)])
