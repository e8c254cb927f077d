"""`wavefold audit`: the abilities of a tile set, as tables, JSON or a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

import wavefold as wf
from wavefold.cli.flags import Flags
from wavefold.cli.inputs import load_named_tiles
from wavefold.cli.options import TILESET_FLAGS, AsJson, Page, RequiredTileSet, command
from wavefold.cli.outputs import check_ending, record_written
from wavefold.cli.terminal import open_console, print_json, print_line, print_table, progress_bar

MOST_ROWS = 12
MOST_NAMES = 6


@command(
    "Example: wavefold audit medieval --html audit.html",
    "Exit codes: 0 the audit is done; 1 it proved that no map can be made; 2 wrong usage or bad input.",
)
def audit(
    tileset: RequiredTileSet,
    deep: Annotated[bool, typer.Option("--deep", help="Try more and larger maps; takes longer.")] = False,
    as_json: AsJson = False,
    page: Page = None,
    flags: Flags = TILESET_FLAGS,
) -> None:
    """Examine what a tile set can and cannot do: dead ends, impossible corners, endless maps, advice."""
    check_ending(page, "a page", (".html", ".htm"))
    tiles = load_named_tiles(tileset, flags)
    with progress_bar() as progress:
        report = wf.audit(tiles, deep, progress)
    if page is not None:
        from wavefold.reports.auditing.page.page import save_page

        save_page(report, page)
        record_written(page)
    if as_json:
        print_json(report.to_dict())
    else:
        print_tables(report)
        if page is not None:
            typer.echo(f"\n{page} — the same with pictures")
    raise typer.Exit(int(report.certificate.verdict == "impossible"))


# --- tables ---------------------------------------------------------------------------------------


def print_tables(report: wf.Audit) -> None:
    """Print the findings as short tables."""
    from wavefold.reports.auditing.report import summarize

    console = open_console()
    tiles = report.tiles
    name = tiles.name or "tile set"
    counts = f"{len(tiles.tiles):,} tiles, {report.patterns:,} patterns, {tiles.topology} cells"
    print_line(console, f"{name}: {counts}")
    for sentence in summarize(report):
        print_line(console, sentence)
    for doubt in report.doubts[:MOST_ROWS]:
        print_line(console, f"warning: {doubt}")
    for title, headings, list_rows in (
        ("figures", ("", ""), list_figures),
        ("sides that few patterns fit", ("side", "socket", "patterns", "", "tiles"), list_narrow_sides),
        ("never inside a map", ("pattern", "possible at the edge", "because"), list_unplaceable),
        ("row by row, nothing fits", ("required", "nearest", "misses"), list_holes),
        ("where maps failed", ("times", "required", "impossible corner"), list_failures),
        ("trials", ("cells", "order", "plain", "ladder", "contradictions / 1,000", "ms"), list_trials),
        ("what maps look like", ("order", "solved", "safe", "tiles off target", "isotropic"), list_looks),
        ("a new tile would fill", ("corners", "of", "sockets"), list_new_tiles),
        ("advice", ("order", "search", "window", "chunk", "because"), list_advice),
    ):
        print_table(console, title, headings, list_rows(report), MOST_ROWS)
    print_line(console, f"{'deep' if report.deep else 'quick'} audit, {report.seconds:.1f} s")


def list_figures(report: wf.Audit) -> list[tuple[str, str]]:
    pair, triple = report.worst_pair, report.worst_triple
    rows = [
        ("kinds of sides", f"{report.side_kinds:,}"),
        ("dead ends", f"{len(report.dead_ends):,} sides that one pattern fits, or none"),
        ("fragile sides", f"{len(report.fragile_sides):,} that two to four fit"),
        ("impossible pairs", f"{pair.impossible:,} of {pair.combinations:,} at {', '.join(pair.sides)}"),
        ("fragile pairs", f"{pair.fragile:,} that one or two patterns fit"),
        (
            "impossible triples",
            f"{triple.impossible:,} of {triple.combinations:,} at {', '.join(triple.sides)}"
            if triple
            else "not counted: too many kinds of sides",
        ),
        ("endless", str(report.certificate)),
    ]
    if report.correlation:
        rows.append(("correlation length", describe_distance(report.correlation_length)))
        rows.append(("reach of a choice", describe_distance(report.reach)))
    return rows


def describe_distance(distance: int | None) -> str:
    from wavefold.reports.auditing.report import format_cells

    return "the whole map" if distance is None else format_cells(distance)


def list_narrow_sides(report: wf.Audit) -> list[tuple[object, ...]]:
    ranked = sorted((*report.dead_ends, *report.fragile_sides), key=lambda side: side.patterns)
    return [(side.side, side.kind, side.patterns, side.verdict, list_names(side.tiles)) for side in ranked]


def list_names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def list_unplaceable(report: wf.Audit) -> list[tuple[str, str, str]]:
    return [
        (each.pattern, "yes" if each.at_rim else "no", each.why)
        for each in sorted(report.unplaceable, key=lambda each: each.at_rim)
    ]


def list_required(sides: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{side} {kind}" for side, kind in sides) or "nothing yet"


def list_holes(report: wf.Audit) -> list[tuple[str, str, str]]:
    found = report.sub_complete.holes if report.sub_complete is not None else ()
    return [
        (list_required(zip(hole.sides, hole.kinds, strict=True)), hole.nearest, hole.missing)
        for hole in found
    ]


def list_failures(report: wf.Audit) -> list[tuple[object, ...]]:
    return [
        (each.times, list_required(each.asked), "yes" if each.known else "no")
        for each in report.failures.common
    ]


def list_trials(report: wf.Audit) -> list[tuple[object, ...]]:
    return [
        (
            each.side,
            each.order,
            f"{each.plain} of {each.runs}",
            f"{each.full} of {each.runs}",
            each.contradictions,
            each.milliseconds,
        )
        for each in report.trials
    ]


def list_looks(report: wf.Audit) -> list[tuple[object, ...]]:
    return [
        (
            f"{each.order}{' (best)' if each.order == report.fair_order else ''}",
            f"{each.solved} of {each.runs}",
            "yes" if each.safe else "no",
            str(each.faithfulness.tiles),
            str(each.isotropy),
        )
        for each in report.looks
        if each.faithfulness is not None
    ]


def list_new_tiles(report: wf.Audit) -> list[tuple[object, ...]]:
    return [(each.fills, each.failing_before, ", ".join(each.sides)) for each in report.suggestions]


def list_advice(report: wf.Audit) -> list[tuple[object, ...]]:
    chosen = report.advice
    return [(chosen.order, chosen.search, chosen.window, chosen.chunk, chosen.why)]
